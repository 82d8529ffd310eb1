"""Checks on single cells, and the making of checked rows from named cells."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import isfinite

from knowledge.errors import DataError
from knowledge.identity import ADOPTED, canonical
from knowledge.loading.period import period
from knowledge.loading.rows import EntityRow, FactRow, Origin, Value

NAME_BYTES = 2_000
RELATION_BYTES = 500
TEXT_BYTES = 200_000
_LARGEST = 2**63 - 1
_SHARED = ("confidence", "access_level", "visibility_group", "valid_from", "valid_to", "source")
_FACT = frozenset({"subject", "relation", "object", "subject_kind", "object_kind", "fact", "place", *_SHARED})
_ENTITY = frozenset({"name", "key", "kind", "aliases", "summary", "properties", *_SHARED})

Cells = Mapping[str, object]


@dataclass(frozen=True)
class Shared:
    """What entity and fact rows have in common."""

    origin: Origin
    confidence: float
    access_level: str
    visibility_group: str


def fact_row(cells: Cells, origin: Origin) -> FactRow:
    """A fact from named cells; cells of no known name become properties. DataError says which cell is wrong."""
    shared = _shared(cells, origin)
    return FactRow(
        shared.origin,
        name("subject", cells.get("subject")),
        name("relation", cells.get("relation"), RELATION_BYTES),
        name("object", cells.get("object")),
        text("subject_kind", cells.get("subject_kind"), NAME_BYTES),
        text("object_kind", cells.get("object_kind"), NAME_BYTES),
        text("fact", cells.get("fact")),
        _properties(cells, _FACT),
        shared.confidence,
        text("place", cells.get("place"), NAME_BYTES),
        shared.access_level,
        shared.visibility_group,
        period(text("valid_from", cells.get("valid_from")), text("valid_to", cells.get("valid_to"))),
    )


def entity_row(cells: Cells, origin: Origin) -> EntityRow:
    """An entity from named cells; cells of no known name become properties. DataError says which cell is wrong."""
    shared = _shared(cells, origin)
    label = name("name", cells.get("name") if cells.get("name") not in (None, "") else cells.get("key"))
    given = cells.get("properties") or {}
    if not isinstance(given, Mapping):
        raise DataError(f"properties must be an object of names and values, not {type(given).__name__}")
    return EntityRow(
        shared.origin,
        name("key", cells["key"]) if cells.get("key") not in (None, "") else label,
        label,
        text("kind", cells.get("kind"), NAME_BYTES),
        _aliases(cells.get("aliases")),
        text("summary", cells.get("summary")),
        {**_properties(given, frozenset()), **_properties(cells, _ENTITY)},
        shared.confidence,
        shared.access_level,
        shared.visibility_group,
        period(text("valid_from", cells.get("valid_from")), text("valid_to", cells.get("valid_to"))),
    )


def name(cell: str, value: object, limit: int = NAME_BYTES) -> str:
    """The exact NFC string of a cell that must not be empty."""
    written = canonical(_string(cell, value))
    if not written.strip():
        raise DataError(f"{cell} is empty; every row needs one")
    if written.startswith(ADOPTED):
        raise DataError(f"{cell} begins with {ADOPTED!r}, which names adopted entities alone; write the name itself")
    return _bounded(cell, written, limit)


def text(cell: str, value: object, limit: int = TEXT_BYTES) -> str:
    """A cell that may be empty, trimmed."""
    return _bounded(cell, _string(cell, value).strip(), limit)


def _shared(cells: Cells, origin: Origin) -> Shared:
    source = text("source", cells.get("source"), NAME_BYTES)
    return Shared(
        replace(origin, source=source) if source else origin,
        _confidence(cells.get("confidence")),
        text("access_level", cells.get("access_level"), NAME_BYTES),
        text("visibility_group", cells.get("visibility_group"), NAME_BYTES),
    )


def _string(cell: str, value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise DataError(f"{cell} must be text or a number, not {type(value).__name__}")
    if isinstance(value, float) and not isfinite(value):
        raise DataError(f"{cell} is too large for a number; write it as text")
    return str(value)


def _bounded(cell: str, value: str, limit: int) -> str:
    if "\x00" in value:
        raise DataError(f"{cell} holds a NUL character; remove it")
    try:
        size = len(value.encode())
    except UnicodeEncodeError as error:
        raise DataError(f"{cell} holds half a surrogate pair; write the character itself or its full escape") from error
    if size > limit:
        raise DataError(f"{cell} is {size:,} bytes long; at most {limit:,} fit")
    return value


def _confidence(value: object) -> float:
    written = text("confidence", value)
    if not written:
        return 1.0
    try:
        number = float(written)
    except ValueError as error:
        raise DataError(f"confidence {written!r} is no number; write one from 0 to 1") from error
    if not 0.0 <= number <= 1.0:
        raise DataError(f"confidence {written} is outside 0 to 1")
    return number


def _aliases(value: object) -> tuple[str, ...]:
    if value is None or value == "":
        return ()
    given = value if isinstance(value, list) else str(value).split("|")
    return tuple(dict.fromkeys(name("alias", alias) for alias in given if alias not in (None, "")))


def _properties(cells: Cells, known: frozenset[str]) -> dict[str, Value]:
    kept = {key: _value(key, value) for key, value in cells.items() if key not in known and value not in (None, "")}
    if "" in kept:
        raise DataError(f"the property with the value {str(kept[''])[:80]!r} has no name; give it one")
    if kept:
        _bounded("properties", json.dumps(kept, ensure_ascii=False), TEXT_BYTES)
    return kept


def _value(key: str, value: object) -> Value:
    if isinstance(value, float) and not isfinite(value):
        raise DataError(f"{key} is too large for a number; write it as text")
    if isinstance(value, int) and abs(value) > _LARGEST:
        return str(value)
    if isinstance(value, str):
        return _bounded(key, value, TEXT_BYTES)
    if isinstance(value, int | float | bool):
        return value
    if isinstance(value, list) and all(isinstance(item, str | int | float | bool) for item in value):
        return [str(item) for item in value]
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
