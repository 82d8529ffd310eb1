"""What the journal tells is enough to write the same kg again, with what was undone and without what was redacted."""

import json

import pytest

from knowledge.database.connection import Database
from knowledge.errors import StoreError
from knowledge.journal.verify import verify
from knowledge.loading.canonical import canonical_hash
from knowledge.remember.history import exported
from knowledge.remember.redaction import Redaction
from knowledge.remember.replay import replay
from knowledge.remember.undo import Undo
from knowledge.remember.verdict import Receipt
from knowledge.remember.worker import Worker
from knowledge.scope import Principal
from knowledge.search.index import announce
from tests.knowledge.remember.world import BOT, OWNER, PERSON, Office, lesson, principal

SECRET = "the moon base password is swordfish"
Told = list[dict[str, object]]


def leads(who: str, what: str, since: str) -> Told:
    return [{"op": "add_relation", "subject": who, "relation": "leads", "object": what, "valid_from": since}]


def drain(office: Office, database: Database) -> None:
    Worker(office.journal, office.registry, lambda: database).drain()


def remember(office: Office, database: Database, body: str, operations: Told | None = None, **given: str) -> Receipt:
    who = OWNER if operations else BOT
    receipt = office.inbox(who).submit(lesson(body, namespace="alpha" if operations else "lessons", operations=operations or [], **given))
    drain(office, database)
    assert status(office, receipt) == "applied", office.inbox(PERSON).receipt(receipt.id)
    return receipt


def status(office: Office, receipt: Receipt) -> str:
    return office.inbox(PERSON).receipt(receipt.id).status


def undo(office: Office, database: Database, receipt: Receipt, who: Principal = PERSON) -> bool:
    done = Undo(office.journal, office.registry, who).undo(receipt.id).done
    drain(office, database)
    return done


def redact(office: Office, database: Database, receipt: Receipt, who: Principal = PERSON) -> bool:
    done = Redaction(office.journal, office.registry, who).redact(receipt.id).done
    drain(office, database)
    return done


def hashes(database: Database) -> dict[str, str]:
    return {namespace: canonical_hash(database, namespace) for namespace in ("lessons", "guide", "alpha")}


def replayed(office: Office, database: Database) -> dict[str, str]:
    database.write("MATCH (n) WHERE NOT n:GavelSchema DETACH DELETE n")
    replay(office.journal, database)
    return hashes(database)


def live(database: Database) -> list[tuple[str, int, int]]:
    rows = database.read(
        "MATCH (a)-[r:RELATES_TO]->(b) WHERE r.known_to.year = 9999 "
        "RETURN a.name AS a, b.name AS b, r.valid_to.year AS until, r.observation_count AS n ORDER BY b"
    )
    return [(f"{row['a']} {row['b']}", row["until"], row["n"]) for row in rows]


def counters(database: Database) -> tuple[int, int]:
    [row] = database.read("MATCH (n:GavelNamespace {group_id: 'alpha'}) RETURN n.episodes AS e, n.facts AS f")
    return row["e"], row["f"]


def test_a_replay_into_an_empty_database_equals_what_was_written(office: Office, memory: Database) -> None:
    remember(office, memory, "Retry a deadlock with jitter.")
    remember(office, memory, "Ada leads Alpha.", [{"op": "add_entity", "name": "Ada", "kind": "person"}, *leads("Ada", "Alpha", "2020")])
    remember(office, memory, "Ada leads Beta.", leads("Ada", "Beta", "2023"))
    before = hashes(memory)
    assert len(set(before.values())) == 3
    assert replayed(office, memory) == before


def test_a_replay_follows_the_contract_that_held_then(office: Office, memory: Database) -> None:
    remember(office, memory, "Ada leads Alpha.", leads("Ada", "Alpha", "2020"))
    remember(office, memory, "Ada leads Beta.", leads("Ada", "Beta", "2023"))
    before = hashes(memory)
    office.contracts = {}
    assert replayed(office, memory) == before


def test_a_replay_adds_to_no_data(office: Office, memory: Database) -> None:
    remember(office, memory, "Retry a deadlock with jitter.")
    with pytest.raises(StoreError, match="empty"):
        replay(office.journal, memory)


def test_what_is_undone_is_no_longer_believed_and_what_it_ended_goes_on(office: Office, memory: Database) -> None:
    remember(office, memory, "Ada leads Alpha.", leads("Ada", "Alpha", "2020"))
    before = live(memory)
    receipt = remember(office, memory, "Ada leads Beta.", leads("Ada", "Beta", "2023"))
    assert [until for _, until, _ in live(memory)] == [2023, 9999] and counters(memory) == (2, 2)
    assert undo(office, memory, receipt) and status(office, receipt) == "undone"
    assert live(memory) == before and counters(memory) == (1, 1)
    [episode] = memory.read(
        "MATCH (e:GavelPastEpisode {receipt: $r}) RETURN e.content AS body, e.known_to.year AS until", {"r": receipt.id}
    )
    assert episode["body"] == "Ada leads Beta." and episode["until"] < 9999
    once = hashes(memory)
    assert undo(office, memory, receipt) and hashes(memory) == once and counters(memory) == (1, 1)
    assert len(office.journal.events(kind="undone")) == 1
    assert replayed(office, memory) == once


def test_a_fact_that_another_tells_as_well_outlives_the_undoing(office: Office, memory: Database) -> None:
    first = remember(office, memory, "Ada leads Alpha.", leads("Ada", "Alpha", "2020"))
    remember(office, memory, "Ada does lead Alpha.", leads("Ada", "Alpha", "2020"))
    assert live(memory) == [("Ada Alpha", 9999, 2)]
    assert undo(office, memory, first)
    assert live(memory) == [("Ada Alpha", 9999, 1)] and counters(memory) == (1, 1)
    remember(office, memory, "Ada leads Alpha.", leads("Ada", "Alpha", "2020"), name="Lesson: Alpha - who leads it")
    assert live(memory) == [("Ada Alpha", 9999, 2)]
    before = hashes(memory)
    assert replayed(office, memory) == before


def test_a_twin_of_what_was_undone_may_be_proposed(office: Office, memory: Database) -> None:
    receipt = remember(office, memory, "Ada leads Alpha.", leads("Ada", "Alpha", "2020"))
    undo(office, memory, receipt)
    assert live(memory) == []
    remember(office, memory, "Ada leads Alpha.", leads("Ada", "Alpha", "2020"), name="Lesson: Alpha - who leads it")
    assert live(memory) == [("Ada Alpha", 9999, 1)]


@pytest.mark.parametrize("who", [BOT, principal("carl", "person", writes=frozenset({"lessons"}))])
def test_who_may_not_decide_neither_undoes_nor_redacts(office: Office, memory: Database, who: Principal) -> None:
    receipt = remember(office, memory, "Ada leads Alpha.", leads("Ada", "Alpha", "2020"))
    assert not undo(office, memory, receipt, who) and not redact(office, memory, receipt, who)
    assert Redaction(office.journal, office.registry, who).texts(receipt.id) == []
    assert status(office, receipt) == "applied"


def everything(database: Database) -> str:
    nodes = database.read("MATCH (n) RETURN properties(n) AS p, labels(n) AS l")
    edges = database.read("MATCH ()-[r]->() RETURN properties(r) AS p, type(r) AS t")
    return json.dumps([nodes, edges], default=str)


def leftover(office: Office, database: Database) -> list[str]:
    return office.holding("swordfish") + (["the database"] if "swordfish" in everything(database) else [])


def secret_operations() -> Told:
    return [
        {"op": "add_entity", "name": "Base swordfish", "kind": "swordfish kind", "summary": SECRET, "properties": {"code": "swordfish"}},
        {"op": "add_entity", "name": "Ada", "summary": SECRET, "aliases": ["swordfish"]},
        {"op": "add_relation", "subject": "Ada", "relation": "leads", "object": "Base swordfish", "text": SECRET, "valid_from": "2021"},
    ]


def test_nothing_of_a_redacted_memory_is_left_anywhere(office: Office, memory: Database) -> None:
    told: Told = [{"op": "add_entity", "name": "Ada", "summary": "An engineer."}, *leads("Ada", "Alpha", "2020")]
    remember(office, memory, "Ada leads Alpha.", told)
    before = hashes(memory), live(memory), counters(memory)
    receipt = remember(office, memory, SECRET, secret_operations(), name="Lesson: swordfish - password")
    plain = remember(office, memory, f"Only text: {SECRET}.")
    assert leftover(office, memory)
    assert redact(office, memory, receipt) and redact(office, memory, plain)
    assert leftover(office, memory) == []
    assert (status(office, receipt), status(office, plain)) == ("redacted", "redacted")
    assert (hashes(memory), live(memory), counters(memory)) == before
    assert verify(office.journal) == [] and redact(office, memory, receipt)
    assert replayed(office, memory) == before[0]
    with office.journal.reading() as connection:
        lines = list(exported(connection))
    assert "swordfish" not in "".join(lines) and "Ada leads Alpha." in "".join(lines)


def test_what_stood_on_a_redacted_memory_keeps_its_text_and_stays_applied(office: Office, memory: Database) -> None:
    receipt = remember(office, memory, SECRET, secret_operations())
    told: Told = [{"op": "update_property", "entity": "Base swordfish", "property": "size", "value": 3}]
    later = office.inbox(OWNER).submit(lesson("The base has three rooms.", namespace="alpha", operations=told))
    drain(office, memory)
    assert redact(office, memory, receipt) and status(office, later) == "applied"
    assert memory.read("MATCH (e:Episodic) RETURN e.content AS body") == [{"body": "The base has three rooms."}]
    assert memory.read("MATCH (n:Entity) RETURN n") == []
    before = hashes(memory)
    assert replayed(office, memory) == before


@pytest.mark.parametrize("namespace", ["guide", "nowhere"])
def test_what_was_never_written_is_redacted_at_once(office: Office, namespace: str) -> None:
    receipt = office.inbox(BOT).submit(lesson(SECRET, namespace=namespace))
    assert receipt.status in ("review", "rejected")
    assert Redaction(office.journal, office.registry, PERSON).redact(receipt.id).done
    assert office.holding("swordfish") == []
    assert verify(office.journal) == []


def test_a_refusal_that_named_the_text_tells_it_no_longer(office: Office, memory: Database) -> None:
    told: Told = [{"op": "update_property", "entity": "swordfish", "property": "size", "value": 3}]
    receipt = office.inbox(OWNER).submit(lesson(SECRET, namespace="alpha", operations=told))
    drain(office, memory)
    assert status(office, receipt) == "rejected" and "the database" in leftover(office, memory)
    assert redact(office, memory, receipt) and leftover(office, memory) == [] and status(office, receipt) == "redacted"


def test_a_namespace_with_loaded_files_is_not_written_anew(office: Office, memory: Database) -> None:
    receipt = remember(office, memory, SECRET, secret_operations())
    memory.write("MATCH (n:GavelNamespace) SET n.version = n.version + 1")
    assert redact(office, memory, receipt) and status(office, receipt) == "erasing"
    assert "loaded" in office.inbox(PERSON).receipt(receipt.id).why
    remember(office, memory, "Others go on meanwhile.")


def test_new_vectors_are_no_loaded_files(office: Office, memory: Database) -> None:
    receipt = remember(office, memory, SECRET, secret_operations())
    announce(memory)
    assert redact(office, memory, receipt) and status(office, receipt) == "redacted"


def test_what_is_remembered_after_a_replay_is_replayed_after_what_was_before(office: Office, memory: Database) -> None:
    refused: Told = [{"op": "update_property", "entity": "Nobody", "property": "role", "value": "none"}]
    for number in range(3):
        office.inbox(OWNER).submit(lesson(f"Nobody has role {number}.", namespace="alpha", operations=refused))
        drain(office, memory)
    remember(office, memory, "Ada leads Alpha.", leads("Ada", "Alpha", "2020"))
    replayed(office, memory)
    remember(office, memory, "Ada leads Beta.", leads("Ada", "Beta", "2023"))
    before = live(memory), hashes(memory)
    assert replayed(office, memory) == before[1] and live(memory) == before[0]


def test_what_goes_on_after_an_undoing_ends_when_its_own_source_is_undone(office: Office, memory: Database) -> None:
    first = remember(office, memory, "Ada leads Alpha.", leads("Ada", "Alpha", "2020"))
    second = remember(office, memory, "Ada leads Beta.", leads("Ada", "Beta", "2023"))
    assert undo(office, memory, second) and live(memory) == [("Ada Alpha", 9999, 1)]
    assert undo(office, memory, first) and live(memory) == [] and counters(memory) == (0, 0)
    before = hashes(memory)
    assert replayed(office, memory) == before


def test_nothing_is_taken_back_while_something_is_half_written(office: Office, memory: Database) -> None:
    receipt = remember(office, memory, SECRET, secret_operations())
    half = office.inbox(OWNER).submit(lesson("Ada leads Alpha.", namespace="alpha", operations=leads("Ada", "Alpha", "2020")))

    def fail(point: str) -> None:
        if point == "committed":
            raise RuntimeError("it is written, and nobody knows yet")

    Worker(office.journal, office.registry, lambda: memory, fail).drain()
    assert redact(office, memory, receipt) and status(office, receipt) == "erasing"
    for _ in range(3):
        office.clock.pass_(seconds=400)  # type: ignore[attr-defined]
        drain(office, memory)
    assert (status(office, receipt), status(office, half)) == ("redacted", "applied")
    assert [(found, n) for found, _, n in live(memory)] == [("Ada Alpha", 1)] and leftover(office, memory) == []
