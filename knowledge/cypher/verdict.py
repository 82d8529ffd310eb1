"""What the guard says of a statement, and what running it gives."""

from collections.abc import Mapping
from dataclasses import dataclass

from knowledge.cypher.refusal import Refusal
from knowledge.cypher.scoped import Column


@dataclass(frozen=True)
class Allowed:
    """`text` and `parameters` are what is run. `added` says in words what the statement did not ask for.

    `scoped`: whether it was compiled with the predicate of the scope on every element; else the scope is the whole database. `rows`: most rows
    that the text gives.
    """

    text: str
    parameters: Mapping[str, object]
    columns: tuple[Column, ...]
    rows: int
    added: tuple[str, ...] = ()
    scoped: bool = True


Verdict = Allowed | Refusal


@dataclass(frozen=True)
class Result:
    """Rows by column name (see `rows`). `truncated`: there was more, by rows or by bytes. `added`: as of what was allowed."""

    rows: tuple[Mapping[str, object], ...]
    truncated: bool = False
    added: tuple[str, ...] = ()
