"""Questions for a date that no relation leads to: the facts that the words speak of carry it."""

import re
from collections.abc import Iterator

from agents.exchange import Intent, Part, ReadingRef, new_part
from agents.ground import Ground, reading_refs
from agents.measures import numeric
from knowledge.identity import fold
from knowledge.wording.frame_model import Frame
from knowledge.wording.frame_time import first_or_last, unordered

_ENDED = re.compile(
    r"\b(?:end(?:ed)?|stop(?:ped)?|leave|left|quit|resign(?:ed)?|step(?:ped)? down|(?:un)?till? when)\b|结束|离开|离任|卸任|停止|辞去|到什么时候",
    re.I,
)


def asks_for_a_date(frame: Frame) -> bool:
    """ "When did …", "in which year was …"."""
    return frame.kind in ("fact", "list") and any(when.relation == "asked" for when in frame.when)


def dated(part: Part, frame: Frame, ground: Ground) -> Part:
    """The part itself where a walk to dates explains it best; else one whose answers are the dates of the facts that it finds.

    Where the question names two things, the facts are those between them.
    """
    plain = unordered(_without_asking(part["text"], frame))
    undated: Part = {**part, "readings": reading_refs(ground.read(plain)) or part["readings"]}
    if part["readings"] and numeric(part["readings"][0], ground.schema) and _explained(part) >= _explained(undated):
        return part
    between = [one for one in _between_names(part, plain, ground) if one["readings"]]
    best = max(between, key=lambda one: one["readings"][0]["score"], default=undated)
    intent: Intent = "ended" if _ENDED.search(frame.question) else "began"
    return {**best, "intent": intent, "measure": first_or_last(frame.question) or ""}


def _without_asking(text: str, frame: Frame) -> str:
    """The text without its words for "when"."""
    for when in frame.when:
        text = re.sub(re.escape(when.text), " ", text, flags=re.I) if when.relation == "asked" else text
    return " ".join(text.split())


def _explained(part: Part) -> float:
    return part["readings"][0]["confidence"] if part["readings"] else 0.0


def _between_names(part: Part, plain: str, ground: Ground) -> Iterator[Part]:
    """The part read from each name without the other, which is what the walk should lead to."""
    text = fold(plain)
    spans = [span for span in ground.links if span in text and not any(span != other and span in other for other in ground.links)]
    for start in spans:
        for end in spans:
            here, there = ground.mention(start), ground.mention(end)
            ids, ends = ({one["id"] for one in mention["chosen"]} for mention in (here, there))
            if ids and ends and not ids & ends:
                readings = [reading for reading in ground.read(text.replace(end, " ")) if reading.entity.id in ids]
                towards = [ReadingRef(**{**one, "ends": sorted(ends)}) for one in reading_refs(readings)]
                yield {**new_part(part["text"], "began", mentions=[here, there], readings=towards), "claim": sorted(ends)}
