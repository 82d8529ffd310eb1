"""What nearly says what is there already waits for someone who decides, before it is written."""

from datetime import timedelta
from typing import Any

import pytest

from knowledge.database.connection import Database
from knowledge.loading.canonical import canonical_hash
from knowledge.remember.approvals import Approvals
from knowledge.remember.delegations import Delegations
from knowledge.remember.redaction import Redaction
from knowledge.remember.replay import replay
from knowledge.remember.verdict import Receipt
from knowledge.remember.worker import Worker
from knowledge.scope import LOCAL, Scope
from tests.knowledge.remember.test_archive import episode_of
from tests.knowledge.remember.world import BOT, OWNER, PERSON, Office, lesson, principal

TOLD = (
    "When many rows are written send a thousand rows in one statement because a round trip costs more than the write, "
    "and let the statement name its parameters so that the server plans it once and keeps the plan"
)
NEARLY = TOLD.replace("costs more", "costs far more")
NAME = "Lesson: Batches - one statement"


def submit(office: Office, database: Database, body: str, who: Any = BOT, **given: Any) -> Receipt:
    made = office.inbox(who).submit(lesson(body, **{"name": NAME, **given}))
    assert made.status == "accepted", made
    drain(office, database)
    found = office.inbox(PERSON).receipt(made.id)
    assert found
    return found


def drain(office: Office, database: Database) -> None:
    Worker(office.journal, office.registry, lambda: database).drain()


def test_an_agent_who_nearly_repeats_what_is_there_waits_and_a_person_lets_it_in(office: Office, memory: Database) -> None:
    first = submit(office, memory, TOLD)
    second = submit(office, memory, NEARLY, name="Lesson: Batches - a round trip")
    assert (first.status, second.status) == ("applied", "review") and first.id in second.why.replace("-", "") and TOLD not in second.why
    [waiting] = Approvals(office.journal, office.registry, PERSON).waiting()
    assert waiting.receipt == second.id and "nearly the same" in waiting.why
    assert Approvals(office.journal, office.registry, PERSON).approve([second.id])[0].done
    drain(office, memory)
    found = office.inbox(PERSON).receipt(second.id)
    assert found and found.status == "applied"
    assert [event.kind for event in office.journal.events(kind="held_back")] == ["held_back"]


def test_what_is_held_twice_already_holds_up_nothing_new(office: Office, memory: Database) -> None:
    submit(office, memory, TOLD)
    second = submit(office, memory, NEARLY)
    Approvals(office.journal, office.registry, PERSON).approve([second.id])
    drain(office, memory)
    assert submit(office, memory, "Of the same topic something else is told here, in words of its own").status == "applied"


def test_of_two_that_come_together_the_later_one_waits(office: Office, memory: Database) -> None:
    made = office.inbox(BOT).submit_many([lesson(TOLD, name=NAME), lesson(NEARLY, name=NAME)])
    drain(office, memory)
    assert [getattr(office.inbox(PERSON).receipt(one.id), "status", "") for one in made] == ["applied", "review"]


@pytest.mark.parametrize(
    ("body", "given"),
    [
        (NEARLY, {"name": "Lesson: Rows - one statement"}),
        (TOLD.replace("a thousand", "1000") + " in step 4", {}),
        ("Something else entirely is told here of the same topic, and it shares no turn of phrase", {}),
    ],
)
def test_another_topic_another_number_or_other_words_are_no_repetition(office: Office, memory: Database, body: str, given: Any) -> None:
    submit(office, memory, TOLD.replace("a thousand", "1000") + " in step 3")
    assert submit(office, memory, body, **given).status == "applied"


def test_who_decides_there_anyway_is_not_held_up(office: Office, memory: Database) -> None:
    local = LOCAL.principal(Scope(frozenset({"lessons"})))
    submit(office, memory, TOLD, local)
    assert submit(office, memory, NEARLY, local).status == "applied"
    assert submit(office, memory, TOLD, OWNER, namespace="alpha").status == "applied"


def test_what_was_undone_or_is_replaced_counts_no_more(office: Office, memory: Database) -> None:
    first = submit(office, memory, TOLD)
    replaced = {"op": "archive_episode", "episode": episode_of(first)}
    sweeper = principal("sweeper")
    made = office.inbox(sweeper).submit(lesson(NEARLY, name="Lesson: Batches - better said", operations=[replaced]))
    assert made.status == "review" and Approvals(office.journal, office.registry, PERSON).approve([made.id])[0].done
    drain(office, memory)
    found = office.inbox(PERSON).receipt(made.id)
    assert found and found.status == "applied"


def test_what_takes_the_place_of_what_it_nearly_repeats_is_not_held_up(office: Office, memory: Database) -> None:
    first = submit(office, memory, TOLD, OWNER, namespace="alpha")
    Delegations(office.journal, office.registry, OWNER).grant(BOT.id, "alpha", uses=2, duration=timedelta(hours=1))
    replaced = {"op": "archive_episode", "episode": episode_of(first)}
    assert submit(office, memory, NEARLY, namespace="alpha", operations=[replaced]).status == "applied"
    assert submit(office, memory, TOLD + " again", namespace="alpha").status == "review", "without that it waits"


def test_a_replay_holds_nothing_back(office: Office, memory: Database) -> None:
    submit(office, memory, TOLD)
    second = submit(office, memory, NEARLY)
    Approvals(office.journal, office.registry, PERSON).approve([second.id])
    drain(office, memory)
    before = canonical_hash(memory, "lessons")
    memory.write("MATCH (n) WHERE NOT n:GavelSchema DETACH DELETE n")
    replay(office.journal, memory)
    assert canonical_hash(memory, "lessons") == before


def test_what_comes_between_the_look_and_the_write_is_looked_at_in_its_turn(office: Office, memory: Database) -> None:
    late: list[Receipt] = []

    def meanwhile(point: str) -> None:
        if point == "leased" and not late:
            late.append(office.inbox(BOT).submit(lesson(NEARLY, name=NAME)))
            assert Worker(office.journal, office.registry, lambda: memory).once() == 0, "nobody else may write there now"

    first = office.inbox(BOT).submit(lesson(TOLD, name=NAME))
    assert Worker(office.journal, office.registry, lambda: memory, meanwhile).once() == 1
    drain(office, memory)
    assert [getattr(office.inbox(PERSON).receipt(one.id), "status", "") for one in (first, *late)] == ["applied", "review"]


def test_what_is_redacted_during_the_look_is_not_written_and_leaves_nothing_behind(office: Office, memory: Database) -> None:
    first = office.inbox(BOT).submit(lesson(TOLD, name=NAME))
    late: list[Receipt] = []

    def meanwhile(point: str) -> None:
        if point == "leased" and not late:
            assert Redaction(office.journal, office.registry, PERSON).redact(first.id).done
            late.append(office.inbox(BOT).submit(lesson("Something else is told here, of rows and of nothing that was said", name=NAME)))

    Worker(office.journal, office.registry, lambda: memory, meanwhile).drain()
    assert [getattr(office.inbox(PERSON).receipt(one.id), "status", "") for one in (first, *late)] == ["redacted", "applied"]
