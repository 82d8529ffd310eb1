"""What a server wrote, as lines and as entries."""

from pathlib import Path

import pytest

from knowledge.database.embedded.logs import Entry, entries, last_lines

LOG = """\
2026-11-30 07:45:38.780+0000 INFO  Starting...
2026-11-30 07:45:39.805+0000 ERROR Failed to start
java.lang.RuntimeException: no
\tat org.example.Main(Main.java:1)
2026-11-30 07:45:40.000+0100 WARN  Stopped.
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "neo4j.log").write_text(LOG)
    (tmp_path / "console.log").write_text("WARNING: said by Java\n")
    return tmp_path


def test_entries_have_time_level_and_their_whole_message(home: Path) -> None:
    assert entries(home, 50) == [
        Entry("2026-11-30T07:45:38.780000+00:00", "INFO", "Starting..."),
        Entry(
            "2026-11-30T07:45:39.805000+00:00",
            "ERROR",
            "Failed to start\njava.lang.RuntimeException: no\n\tat org.example.Main(Main.java:1)",
        ),
        Entry("2026-11-30T07:45:40+01:00", "WARN", "Stopped."),
        Entry("", "", "WARNING: said by Java"),
    ]


def test_lines_that_begin_within_an_entry_are_kept_without_time(home: Path) -> None:
    assert entries(home, 2)[0] == Entry("", "", "\tat org.example.Main(Main.java:1)")


def test_entries_tell_what_the_lines_tell(home: Path) -> None:
    for count in range(1, 7):
        told = last_lines(home, count)
        assert all(entry.message in told for entry in entries(home, count))


def test_a_server_that_never_ran_wrote_nothing(tmp_path: Path) -> None:
    assert (entries(tmp_path, 50), last_lines(tmp_path, 50)) == ([], "")
