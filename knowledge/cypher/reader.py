"""A reader that also runs Cypher which a model wrote."""

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from knowledge.cypher.guard import Guard
from knowledge.cypher.refusal import Refusal
from knowledge.cypher.verdict import Result
from knowledge.reading.contract import KgReader
from knowledge.reading.meter import Meter
from knowledge.reading.reader import Reader
from knowledge.scope import Scope

if TYPE_CHECKING:
    from knowledge.reading.kg import Kg


class CypherReader(KgReader, Protocol):
    """What a tool for model-written Cypher needs."""

    def cypher(self, text: str, parameters: Mapping[str, object] | None = None) -> Result | Refusal:
        """The rows of a statement that the guard allows; a refusal names what to write instead. Two statements; see `Guard`."""
        ...


class GuardedReader(Reader):
    """Implements `CypherReader`: a `Reader` with one guard for all its statements."""

    def __init__(self, kg: "Kg", scope: Scope, meter: Meter) -> None:
        kg.refresh()
        super().__init__(kg, scope, meter)

    def cypher(self, text: str, parameters: Mapping[str, object] | None = None) -> Result | Refusal:
        verdict = self._guard.check(text, parameters)
        return verdict if isinstance(verdict, Refusal) else self._guard.run(verdict)

    @cached_property
    def _guard(self) -> Guard:
        return Guard(self._kg, self.scope, self._session.meter)
