"""Class archives: recorded once, kept whole, never in the way."""

from pathlib import Path

import pytest

from knowledge.database.embedded.archive import Archive


@pytest.fixture
def java(tmp_path: Path) -> Path:
    """A runtime that writes its base archive where it is told."""
    binary = tmp_path / "java"
    binary.write_text('#!/bin/sh\nfor word; do case "$word" in -XX:SharedArchiveFile=*) echo base > "${word#*=}";; esac; done\n')
    binary.chmod(0o755)
    return binary


def test_the_first_server_records_and_later_ones_use_what_it_recorded(tmp_path: Path, java: Path) -> None:
    archive = Archive.of(tmp_path / "cache", java, "2026.09.0", [Path("a.jar")])
    recording = tmp_path / "recording"
    assert f"-XX:ArchiveClassesAtExit={recording}" in archive.flags(java, recording)
    archive.keep(recording)
    assert not archive.classes.exists()
    recording.write_text("classes")
    archive.keep(recording)
    assert f"-XX:SharedArchiveFile={archive.base}:{archive.classes}" in archive.flags(java, recording)
    archive.discard()
    assert f"-XX:ArchiveClassesAtExit={recording}" in archive.flags(java, recording)


def test_what_a_killed_server_left_is_not_used(tmp_path: Path, java: Path) -> None:
    archive = Archive.of(tmp_path / "cache", java, "2026.09.0", [])
    (tmp_path / "recording").write_text("half")
    archive.flags(java, tmp_path / "recording")
    assert not (tmp_path / "recording").exists()


def test_other_jars_or_another_java_have_another_archive_and_the_old_one_goes(tmp_path: Path, java: Path) -> None:
    cache = tmp_path / "cache"
    one, two = (Archive.of(cache, java, "2026.09.0", [Path(name)]) for name in ("a.jar", "b.jar"))
    other_version = Archive.of(cache, java, "5.26.20", [Path("a.jar")])
    assert len({one, two, other_version}) == 3
    for archive in (one, other_version, two):
        archive.flags(java, tmp_path / "recording")
        (tmp_path / "recording").write_text("classes")
        archive.keep(tmp_path / "recording")
    assert [archive.classes.exists() for archive in (one, two, other_version)] == [False, True, True]


def test_a_cache_that_cannot_be_written_or_a_java_that_cannot_dump_only_costs_time(tmp_path: Path, java: Path) -> None:
    (tmp_path / "file").touch()
    assert Archive(tmp_path / "file" / "x").flags(java, tmp_path / "recording") == []
    java.write_text("#!/bin/sh\nexit 1\n")
    assert Archive(tmp_path / "cache" / "x").flags(java, tmp_path / "recording") == []
