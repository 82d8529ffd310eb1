"""What a rules engine makes of a question: where to start, which way to walk, and how sure it is."""

from dataclasses import dataclass

from knowledge.records import Entity, Walk


@dataclass(frozen=True)
class Reading:
    """One way to understand a question.

    `mention` is the folded span that names `entity`. `counts`: the size of the set is asked. `score` compares readings of one question
    only; `confidence` is 0 to 1. `unexplained`: content words that the walk does not account for. `expected_kind`: the kind of thing that
    the question asks for, empty where it does not say.
    """

    entity: Entity
    mention: str
    walk: Walk
    counts: bool
    score: float
    confidence: float
    unexplained: tuple[str, ...]
    expected_kind: str
