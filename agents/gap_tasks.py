"""From what an answer lacks to tasks for whoever can fill it: the writer's word on gaps, by rules."""

from collections.abc import Sequence

from agents.contract import Draft, NamespaceCard
from agents.exchange import Gap
from agents.writer import short
from knowledge.remember.proposal import fit

GAP = "Gap"
MOST = 5
PART_CHARACTERS = 80
TEXT_CHARACTERS = 2_000


def gap_drafts(gaps: Sequence[Gap], card: NamespaceCard) -> list[tuple[Draft, Gap]]:
    """The most urgent first. Equal gaps make equal drafts, whatever question met them."""
    type_ = GAP if GAP in card["types"] or not card["types"] else card["types"][0]
    urgent = sorted(gaps, key=lambda gap: gap["priority"])[:MOST]
    return [(_draft(type_, gap, card["id"]), gap) for gap in urgent]


def _draft(type_: str, gap: Gap, namespace: str) -> Draft:
    why, about, relation = (fit(gap[part])[:TEXT_CHARACTERS].strip() for part in ("why", "about", "relation"))
    topic, lacking = short(about, PART_CHARACTERS) or "the question", relation or gap["kind"]
    aspect = short(lacking.replace("_", " "), PART_CHARACTERS) or "unknown"
    body = f"{why}\nMissing: {gap['kind'].replace('_', ' ')}, about {about or 'the question'}"
    body += f", relation {relation}" if relation else ""
    return {"name": f"{type_}: {topic} - {aspect}", "episode_body": body, "group_id": namespace, "operations": []}
