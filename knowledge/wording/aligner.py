"""What reads a question in one language: the face that all rules engines share."""

from collections.abc import Callable, Mapping
from typing import Protocol

from knowledge.records import Candidate, GraphSchema, RelationUse, Step
from knowledge.wording.frame_model import Language
from knowledge.wording.reading import Reading


class Aligner(Protocol):
    """Built once per schema version; touches no database."""

    def spans(self, question: str) -> list[str]:
        """Folded spans that may be names, for one batched look-up."""
        ...

    def read(self, question: str, candidates: Mapping[str, list[Candidate]], uses: Mapping[str, list[RelationUse]]) -> list[Reading]:
        """Readings, best first; none where no candidate has a relation."""
        ...

    def steps(self, text: str) -> Mapping[Step, float]:
        """How strongly these words name each step, 0 to 1, whatever entity they stand beside; steps that they do not name are left out."""
        ...

    def kinds(self, text: str) -> Mapping[str, float]:
        """How strongly these words name each kind of thing, 0 to 1; kinds that they do not name are left out."""
        ...


Aligners = Callable[[Language, GraphSchema], Aligner]
