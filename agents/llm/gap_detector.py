"""The gap detector behind a model: asked only where the rules found something missing or nothing sure; its gaps are about what the question or the evidence names.

Where nothing answers the question yet, ways that the rules know to be untried stay open, whatever the model says.
"""

from collections.abc import Callable

from pydantic import BaseModel, Field

from agents.contract import GapReply, GapView
from agents.exchange import GapKind
from agents.findings import names
from agents.llm import lines
from agents.llm.ask import Mind, Thought, ask
from knowledge.cypher.reader import CypherReader
from knowledge.identity import fold

MOST_GAPS = 5
MOST_FACTS = 30
MOST_ANSWERS = 12
MOST_TRIED = 8
SURE = 0.8
Rules = Callable[[GapView, CypherReader], GapReply]


class GapDraft(BaseModel):
    """One gap as the model names it."""

    kind: GapKind
    about: str = Field(min_length=1, max_length=200)
    relation: str = Field(default="", max_length=100)
    why: str = Field(max_length=200)
    priority: int = Field(default=2, ge=1, le=3)
    required: bool = False
    closable: bool = False


class Missed(BaseModel):
    """What the model finds missing."""

    gaps: list[GapDraft] = Field(max_length=MOST_GAPS)
    can_answer_now: bool


def _think(view: GapView, reader: CypherReader, rules: Rules) -> Thought[GapReply]:
    found = rules(view, reader)
    if found.can_answer_now and not found.gaps and view["confidence"] >= SURE:
        return found
    known = {fold(ref["name"]) for ref in names(view["evidence"], view["understanding"]["parts"]).values()}
    spoken = fold(" ".join([view["asked"], *(part["text"] for part in view["understanding"]["parts"])]))
    relations = {relation.name for relation in reader.schema().relations}
    missed = yield from ask(
        "gap_detector", view["understanding"]["standalone"] or view["asked"], Missed, lambda said: _check(said, known, spoken, relations),
        parts=lines.parts(view["understanding"]["parts"]), gaps=lines.gaps(found.gaps),
        answers=lines.answers(view["answers"], MOST_ANSWERS),
        facts=lines.joined((f"- {lines.fact(one)}" for one in view["evidence"].values()), MOST_FACTS),
        tried=lines.joined((f"- {task['status']}: {task['goal']} {task['error']}" for task in list(view["plan"].values())[-MOST_TRIED:]), MOST_TRIED),
    )  # fmt: skip
    untried = [] if view["answers"] else [gap for gap in found.gaps if gap["required"] and gap["closable"]]
    return GapReply(
        report=f"{len(missed.gaps)} gaps", can_answer_now=missed.can_answer_now and bool(view["answers"] or view["evidence"]),
        gaps=untried + [
            {"kind": gap.kind, "about": gap.about, "relation": gap.relation, "why": gap.why, "priority": gap.priority,
             "required": gap.required, "closable": gap.closable}
            for gap in missed.gaps
        ],
    )  # fmt: skip


def _check(said: Missed, known: set[str], spoken: str, relations: set[str]) -> None:
    """ValueError for a gap about something that nobody has named, or by a relation that is not there."""
    for gap in said.gaps:
        if fold(gap.about) not in known and (not gap.about.strip() or fold(gap.about) not in spoken):
            raise ValueError(f"{lines.flat(gap.about)!r} is named neither in the question nor in the facts")
        if gap.relation and relations and gap.relation not in relations:
            raise ValueError(f"there is no relation {lines.flat(gap.relation)!r}; leave it empty where none fits")


MIND = Mind(_think)
