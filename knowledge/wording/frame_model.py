"""The shape of a question: its kind, its operands, and what is asked of them. Values only."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Language = Literal["en", "zh", "other"]
FrameKind = Literal[
    "fact", "list", "count", "extreme", "yes_no", "connection", "comparison", "exploration",
    "global", "compound", "write", "out_of_scope", "empty",
]  # fmt: skip
Extreme = Literal["most", "least", "highest", "lowest", "earliest", "latest"]
TimeRelation = Literal["in", "before", "after", "between", "now", "asked"]


@dataclass(frozen=True)
class Operand:
    """A noun phrase as the question has it: a mention, or the set ROLE of MENTION.

    `answers_of`: index of the earlier part of the compound whose answers it stands for, -1 for none (the mention is then empty).
    `clause`: the question as it would be asked of this operand alone; empty where mention and role say it all.
    """

    mention: str
    role: str = ""
    language: Language = "en"
    answers_of: int = -1
    clause: str = ""

    @property
    def phrase(self) -> str:
        """The operand as a text that a path aligner reads."""
        if self.clause:
            return self.clause
        if not self.role or not self.mention:
            return self.role or self.mention
        return f"{self.mention}的{self.role}" if self.language == "zh" else f"the {self.role} of {self.mention}"


@dataclass(frozen=True)
class When:
    """A temporal marker. `start` and `end` are `YYYY`, `YYYY-MM` or `YYYY-MM-DD` where the question gives a date, else empty.

    `asked`: a date is what the question wants.
    """

    relation: TimeRelation
    start: str = ""
    end: str = ""
    text: str = ""


@dataclass(frozen=True)
class Frame:
    """What a question is, read off its closed-class words alone.

    `core`: the text a path aligner reads. It keeps every mention, and lacks the claimed value and the superlative.
    `relation`: the words for what shall hold between the operands; empty means any relation.
    `aspect`: in which respect operands are compared; empty means all. `shared`: what they have in common is asked. `either`: what any
    of them has is asked. `counts`: how many these are is asked.
    `claim`: the value that a yes/no question offers for `core`; None where only existence is asked.
    `measure`, `measured`: the extreme, and the words for what is counted or whose value is compared (empty: a date or the set itself).
    `polar`: yes or no is an answer. `refers`: earlier parts of a compound that this part needs.
    `parts`: one frame per clause of a compound, back-references resolved.
    """

    question: str
    language: Language
    kind: FrameKind
    confidence: float
    core: str = ""
    operands: tuple[Operand, ...] = ()
    relation: str = ""
    aspect: str = ""
    shared: bool = False
    either: bool = False
    counts: bool = False
    claim: Operand | None = None
    measure: Extreme | None = None
    measured: str = ""
    polar: bool = False
    negated: bool = False
    when: tuple[When, ...] = ()
    refers: tuple[int, ...] = ()
    parts: tuple["Frame", ...] = ()

    @property
    def mentions(self) -> tuple[str, ...]:
        """Distinct mentions of operands and claim, in order, parts included."""
        own = [o.mention for o in (*self.operands, *((self.claim,) if self.claim else ())) if o.mention]
        below = [m for part in self.parts for m in part.mentions]
        return tuple(dict.fromkeys([*own, *below]))


@dataclass(frozen=True)
class Turn:
    """One earlier question of a thread, with the names it mentioned and the names it was answered with, best first.

    `kinds`: the kind of thing that each name is, where that is recorded.
    """

    question: str
    mentions: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    kinds: Mapping[str, str] = field(default_factory=dict)
