"""Loads that are killed, and loads that run at the same time."""

import subprocess
import sys
from pathlib import Path

import pytest

from knowledge.database.connection import Database
from knowledge.database.embedded import Running
from knowledge.loading.canonical import canonical_hash
from knowledge.loading.loader import load

SCRIPT = Path(__file__).with_name("load_in_a_process.py")


def triples(path: Path, rows: int) -> Path:
    lines = (f"person {i % 701}\t{('knows', 'likes', 'meets')[i % 3]}\tperson {(i * 7) % 997}\t{1900 + i % 90}" for i in range(rows))
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


def start(server: Running, file: Path, shape: str = "memory", *journal: str) -> subprocess.Popen[str]:
    command = [sys.executable, str(SCRIPT), server.uri, server.user, server.password, str(file), "ns", shape, *journal]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def kill_after(process: subprocess.Popen[str], batches: int) -> None:
    """Kill -9 while the batch after the given number of committed ones is under way."""
    assert process.stdout is not None
    for _ in range(batches):
        assert process.stdout.readline().startswith("load")
    process.kill()
    process.communicate()
    assert process.returncode == -9


def empty(database: Database) -> None:
    database.write("MATCH (n) WHERE NOT n:GavelSchema DETACH DELETE n")


@pytest.mark.parametrize(
    ("rows", "killed_after"), [pytest.param(2500, (1,), id="once"), pytest.param(3500, (1, 2, 3), id="thrice", marks=pytest.mark.full)]
)
def test_a_load_killed_at_any_point_and_run_again_equals_an_unbroken_one(
    memory: Database, server: Running, tmp_path: Path, rows: int, killed_after: tuple[int, ...]
) -> None:
    file = triples(tmp_path / "a.tsv", rows)
    unbroken = load(memory, [file], "ns")
    expected = canonical_hash(memory, "ns")
    for batches in killed_after:
        empty(memory)
        kill_after(start(server, file), batches)
        part = memory.read("MATCH ()-[r:RELATES_TO]->() RETURN count(r) AS n")[0]["n"]
        assert batches * 1000 <= part <= unbroken.facts
        report = load(memory, [file], "ns")
        assert report.resumed >= batches * 1000
        assert report.read == report.resumed + report.created + report.known + report.duplicates
        assert canonical_hash(memory, "ns") == expected
        assert memory.read("MATCH (l:GavelLoad) RETURN count(l) AS n")[0]["n"] == 0


def test_two_loaders_at_the_same_time_make_no_duplicates_and_lose_nothing(memory: Database, server: Running, tmp_path: Path) -> None:
    file = triples(tmp_path / "a.tsv", 2500)
    load(memory, [file], "ns")
    expected = canonical_hash(memory, "ns")
    empty(memory)
    outputs = [process.communicate()[0].splitlines()[-1].split() for process in [start(server, file), start(server, file)]]
    created = [int(words[1]) for words in outputs]
    assert sum(created) == memory.read("MATCH ()-[r:RELATES_TO]->() RETURN count(r) AS n")[0]["n"]
    assert canonical_hash(memory, "ns") == expected


def test_loaders_of_overlapping_files_make_no_duplicates(memory: Database, server: Running, tmp_path: Path) -> None:
    first = triples(tmp_path / "a.tsv", 2500)
    second = tmp_path / "b.tsv"
    second.write_text("\n".join(reversed(first.read_text().splitlines())))
    for process in [start(server, first), start(server, second)]:
        assert process.communicate()[0].splitlines()[-1].startswith("done")
    rows = memory.read(
        "MATCH ()-[r:RELATES_TO]->() RETURN count(r) AS n, count(DISTINCT r.fact_id) AS facts, collect(DISTINCT r.observation_count) AS c"
    )
    assert rows[0]["n"] == rows[0]["facts"] == len(set(first.read_text().splitlines()))
    assert rows[0]["c"] == [2]
    assert memory.read("MATCH (n:Entity) RETURN count(n) = count(DISTINCT n.key) AS single")[0]["single"]
