"""The one way for Cypher that a model wrote: check it, and run what was made of it."""

import json
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from knowledge.cypher.anchored import check_anchored
from knowledge.cypher.bounds import bounded, check_given
from knowledge.cypher.clauses import parsed
from knowledge.cypher.compiled import LANGUAGE, Compiled, compiled
from knowledge.cypher.limits import Limits
from knowledge.cypher.names import check_names
from knowledge.cypher.plan import check_plan
from knowledge.cypher.raw import raw
from knowledge.cypher.refusal import Refusal, Refused
from knowledge.cypher.rows import seen_ids, shown
from knowledge.cypher.scoped import scoped
from knowledge.cypher.server_errors import as_refused
from knowledge.cypher.sight import hides_nothing, surface_of
from knowledge.cypher.surface import Surface
from knowledge.cypher.syntax import Query
from knowledge.cypher.verdict import Allowed, Result, Verdict
from knowledge.errors import StatementError

if TYPE_CHECKING:
    from knowledge.reading.kg import Kg
    from knowledge.reading.meter import Meter
    from knowledge.scope import Scope

_BATCH = 10


class Guard:
    """Bound to one kg, scope and meter. Statements that it sends are charged; all methods raise OutOfBudget where the meter refuses.

    A check sends one statement (EXPLAIN), a run one. The names of a native graph are looked up once (one statement, besides those of its
    schema), and whether the scope hides anything once, when a statement is outside of the scoped grammar.
    """

    def __init__(self, kg: "Kg", scope: "Scope", meter: "Meter", limits: Limits | None = None) -> None:
        self._kg, self._limits = kg, limits or Limits()
        self._session = kg.session(scope, meter, "cypher")

    def check(self, text: str, parameters: Mapping[str, object] | None = None) -> Verdict:
        """Judge one statement; nothing of it is run. A refusal is a value and names reason, place and advice."""
        try:
            return self._allowed(text, parameters or {})
        except Refused as refused:
            return refused.located(text)

    def run(self, allowed: Allowed) -> Result | Refusal:
        """The rows of a statement that was allowed, as they arrive, until a cap is reached; a refusal where the server gives up on it."""
        seconds = min(self._limits.seconds, self._session.meter.charge(allowed.text))
        rows: list[Mapping[str, object]] = []
        size, truncated = 0, False
        stream = self._session.database.stream(allowed.text, allowed.parameters, seconds=seconds, tag=self._session.meter.tag, batch=_BATCH)
        try:
            for row in stream:
                made = shown(row, allowed.columns, self._session.dialect)
                size += _size(made)
                if truncated := size > self._limits.size or len(rows) == self._limits.rows:
                    break
                rows.append(made)
        except StatementError as error:
            return as_refused(error, "failed").located("")
        finally:
            stream.close()
        self._session.tell(allowed.text, seen_ids(rows), len(rows))
        return Result(tuple(rows), truncated, allowed.added)

    def _allowed(self, text: str, given: Mapping[str, object]) -> Allowed:
        if len(text) > self._limits.text:
            raise Refused(
                "too_long", f"the statement has {len(text)} characters, {self._limits.text} are allowed", instead="ask for less at once"
            )
        query = parsed(text)
        check_given(given, self._limits)
        query, added = bounded(query, given, self._limits)
        check_names(query, self._surface.vocabulary)
        made, is_scoped = self._compiled(query, given)
        bound = {**made.parameters, **self._session.dialect.scope(self._session.scope, self._session.now())}
        self._explain(made, bound, is_scoped)
        return Allowed(f"{LANGUAGE}{made.text}", bound, made.columns, made.rows, (*added, *made.added), is_scoped)

    def _compiled(self, query: Query, given: Mapping[str, object]) -> tuple[Compiled, bool]:
        """In the scoped grammar where the statement fits it; else as it is, where the scope is the whole database."""
        try:
            return compiled(*scoped(query, self._surface), given, self._surface, self._limits), True
        except Refused as refused:
            if refused.layer != "scope" or not self._hides_nothing:
                raise
            check_anchored(query)
            return compiled(*raw(query), given, self._surface, self._limits), False

    def _explain(self, made: Compiled, bound: Mapping[str, object], is_scoped: bool) -> None:
        statement = f"{LANGUAGE}EXPLAIN {made.text}"
        meter = self._session.meter
        seconds = min(self._limits.seconds, meter.charge(statement))
        try:
            plan = self._session.database.explain(statement, bound, seconds=seconds, tag=meter.tag)
        except StatementError as error:
            raise as_refused(error, "server_syntax") from error
        check_plan(plan, self._limits, scoped=is_scoped)

    @cached_property
    def _surface(self) -> Surface:
        return surface_of(self._session, self._kg.schemas.schema(self._session, self._kg.profile))

    @cached_property
    def _hides_nothing(self) -> bool:
        return hides_nothing(self._session, self._kg.profile)


def _size(row: Mapping[str, object]) -> int:
    return len(json.dumps(row, default=lambda value: asdict(value) if is_dataclass(value) and not isinstance(value, type) else str(value)))
