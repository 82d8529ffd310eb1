"""A process that is killed where two steps can be separated, and started again: nothing is lost, doubled, or told untruly."""

import ast
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from knowledge.database.connection import Database
from knowledge.database.embedded import Running
from knowledge.journal.journal import Journal
from knowledge.journal.tables import counters
from knowledge.journal.verify import verify
from knowledge.loading.canonical import canonical_hash
from knowledge.remember import approvals, commit, erase_commit, inbox, redaction, take_back, undo, undo_commit, worker
from knowledge.remember.receipts import receipts
from knowledge.remember.verdict import Receipt
from tests.knowledge.remember.remember_in_a_process import SCENARIO, receipt_for

SCRIPT = Path(__file__).with_name("remember_in_a_process.py")
MODULES = (inbox, approvals, worker, commit, undo, redaction, take_back, undo_commit, erase_commit)
POINTS = [point for module in MODULES for point in module.POINTS]
ONCE = {point for module in (undo, undo_commit, erase_commit) for point in module.POINTS}
TWICE = {point for module in (approvals, redaction, take_back) for point in module.POINTS} | {"changed", "linked", "archived"}
QUICK = {("keyed", 3), ("committed", 3), ("namespace rebuilt", 1)}
ON_POSTGRES = [*sorted(QUICK), ("promised", 3), ("resolving", 3), ("settling", 3), ("redaction told", 1), ("settling back", 1)]
SETTLED = {"applied", "rejected", "undone", "redacted"}


@dataclass
class Place:
    """A database and a journal, and the process that works with them."""

    database: Database
    server: Running
    folder: Path
    journal: str

    def run(self, point: str = "-", passing: int = 0) -> tuple[list[str], int]:
        """The receipts that the process was given, and how it ended."""
        command = [
            sys.executable,
            str(SCRIPT),
            self.server.uri,
            self.server.user,
            self.server.password,
            str(self.folder),
            self.journal,
            point,
            str(passing),
        ]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert ended.returncode in (0, -9), ended.stderr
        return [line.split()[0] for line in ended.stdout.splitlines() if line != "done"], ended.returncode

    def empty(self) -> None:
        self.database.write("MATCH (n) WHERE NOT n:GavelSchema DETACH DELETE n")

    def hashes(self) -> dict[str, str]:
        return {namespace: canonical_hash(self.database, namespace) for namespace in ("lessons", "guide", "alpha")}

    def episodes(self, receipt: str) -> int:
        return int(
            self.database.read("MATCH (e:Episodic|GavelPastEpisode {receipt: $receipt}) RETURN count(e) AS n", {"receipt": receipt})[0]["n"]
        )


@pytest.fixture
def place(memory: Database, server: Running, tmp_path: Path, journal_url: str) -> Place:
    return Place(memory, server, tmp_path, journal_url)


@pytest.fixture(scope="module")
def unbroken() -> dict[str, str]:
    """The hashes of a run that nobody killed, once there was one."""
    return {}


def passings(point: str) -> tuple[int, ...]:
    """The first passing of a point, and the last of the scenario or its third."""
    return (1,) if point in ONCE else (1, 2) if point in TWICE else (1, 3)


def held(journal: Journal, ids: list[str]) -> dict[str, Receipt]:
    with journal.reading() as connection:
        return {found.receipt.id: found.receipt for found in receipts(connection, ids)}


def check(place: Place, acknowledged: list[str], sent: list[str], expected: dict[str, str]) -> None:
    journal = Journal(place.journal)
    found = held(journal, sent)
    assert set(acknowledged) <= set(sent) == found.keys(), "a receipt was lost"
    assert {receipt.status for receipt in found.values()} == SETTLED
    written = {id_: place.episodes(id_) for id_ in sent}
    telling = {receipt_for(proposal) for _, proposal in SCENARIO if proposal.remembers}
    assert written == {id_: int(id_ in telling and receipt.status in ("applied", "undone")) for id_, receipt in found.items()}, (
        "a receipt is untrue, or applied twice"
    )
    assert place.hashes() == expected
    assert verify(journal, [row["id"] for row in place.database.read("MATCH (a:GavelAudit) RETURN a.event_id AS id")]) == []
    live = place.database.read("MATCH (n:GavelNamespace) RETURN n.group_id AS n, n.episodes AS e, n.facts AS f, n.bytes AS b")
    with journal.reading() as connection:
        assert {tuple(row) for row in connection.execute(counters.select())} == {(r["n"], r["e"], r["f"], r["b"]) for r in live}
    journal.close()


@pytest.mark.parametrize(
    ("point", "passing", "journal_url"),
    [
        pytest.param(point, passing, "sqlite", marks=() if (point, passing) in QUICK else pytest.mark.full)
        for point in POINTS
        for passing in passings(point)
    ]
    + [pytest.param(*at, "postgres", marks=pytest.mark.full) for at in ON_POSTGRES],
    indirect=["journal_url"],
)
def test_a_process_that_is_killed_and_started_again_loses_and_doubles_nothing(
    place: Place, unbroken: dict[str, str], tmp_path: Path, point: str, passing: int
) -> None:
    if not unbroken:
        assert Place(place.database, place.server, tmp_path, f"sqlite:///{tmp_path / 'unbroken.sqlite'}").run()[1] == 0
        unbroken |= place.hashes()
        place.empty()
    acknowledged, code = place.run(point, passing)
    assert code == -9, f"{point} is passed less than {passing} times"
    sent, code = place.run()
    assert code == 0 and len(sent) == len(SCENARIO)
    check(place, acknowledged, sent, unbroken)


def test_every_point_has_a_name_that_tests_know() -> None:
    for module in MODULES:
        assert module.__file__
        calls = [node for node in ast.walk(ast.parse(Path(module.__file__).read_text())) if isinstance(node, ast.Call)]
        passed = [call.args[0] for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr in ("at", "_at")]
        passed += [call.args[0] for call in calls if isinstance(call.func, ast.Name) and call.func.id == "at"]
        named = [ast.literal_eval(point) for point in passed]
        assert sorted(named) == sorted(module.POINTS), module.__name__
    assert len(POINTS) == len(set(POINTS)) >= 20
