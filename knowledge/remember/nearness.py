"""Which accepted memories nearly say what their namespace holds of the same topic already: for a person to decide, before they are written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from knowledge.clocks import OPEN_END, OPEN_START
from knowledge.database.connection import Database
from knowledge.likeness import near
from knowledge.loading.properties import iso
from knowledge.remember import commit_cypher as cypher
from knowledge.remember.proposal import Proposal

MOST_OF_A_TOPIC = 200
"""The newest of a topic are compared; `gavel namespace audit` compares all."""


@dataclass(frozen=True)
class _Told:
    id: str
    body: str


def nearly_told(database: Database, namespace: str, proposals: Mapping[str, Proposal]) -> dict[str, str]:
    """By receipt, what nearly says the same: the uuid of a live memory, or an earlier receipt among these. In order of submission."""
    topics: dict[str, list[str]] = {}
    for receipt, proposal in proposals.items():
        if proposal.named:
            topics.setdefault(proposal.named.topic, []).append(receipt)
    held = _held(database, namespace, list(topics))
    found: dict[str, str] = {}
    for topic, receipts in topics.items():
        found |= _of_topic([*held.get(topic, ()), *(_Told(one, proposals[one].episode_body) for one in receipts)], proposals)
    return found


def _of_topic(told: Sequence[_Told], proposals: Mapping[str, Proposal]) -> dict[str, str]:
    """What an earlier one archives is no duplicate of it: it takes its place."""
    found: dict[str, str] = {}
    for pair in near([one.body for one in told]):
        earlier, later = told[pair.one].id, told[pair.other].id
        if later in proposals and earlier not in {gone.episode for gone in proposals[later].archived}:
            found.setdefault(later, earlier)
    return found


def _held(database: Database, namespace: str, topics: Sequence[str]) -> dict[str, list[_Told]]:
    always = {"open_start": iso(OPEN_START), "open_end": iso(OPEN_END)}
    rows = database.read(cypher.OF_TOPICS, {"namespace": namespace, "topics": topics, "most": MOST_OF_A_TOPIC, **always})
    held: dict[str, list[_Told]] = {}
    for row in rows:
        held.setdefault(str(row["topic"]), []).append(_Told(str(row["uuid"]), str(row["body"] or "")))
    return held
