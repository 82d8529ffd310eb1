"""One clause under analysis: its masked text and what its pronouns may stand for."""

from collections.abc import Callable
from dataclasses import dataclass

from knowledge.wording.frame_model import Frame, FrameKind, Language, Operand
from knowledge.wording.frame_text import Masked


@dataclass(frozen=True)
class Clause:
    """`text` is masked and trimmed. `subjects`: mentions of the clause before, for "their" and "它们"."""

    text: str
    source: Masked
    language: Language
    subjects: tuple[str, ...] = ()

    def operand(self, mention: str, role: str = "") -> Operand:
        return Operand(self.source.named(mention), self.source.named(role), self.language)

    def named(self, part: str | None) -> str:
        return self.source.named(part or "")

    def frame(self, kind: FrameKind, confidence: float, core: str | None = None) -> Frame:
        """A frame of this clause; without `core` the whole clause is to be read."""
        text = self.source.written(self.text)
        return Frame(text, self.language, kind, confidence, self.source.written(self.text if core is None else core).strip(" ,;:"))


Recogniser = Callable[[Clause], Frame | None]


def first_of(clause: Clause, recognisers: tuple[Recogniser, ...]) -> Frame | None:
    """The first frame that one of the recognisers, in order, makes of the clause."""
    for recognise in recognisers:
        found = recognise(clause)
        if found is not None:
            return found
    return None
