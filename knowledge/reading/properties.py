"""The typed properties of a native graph: what counting, filtering and ordering may be done by."""

from collections.abc import Sequence

from knowledge.database.connection import Row
from knowledge.database.ddl import literal, quoted
from knowledge.reading.session import Session
from knowledge.records import PropertySchema

SAMPLED = 300
MOST_SHARE = 0.5
_OURS = "gavel_"
_DATE_TEXT = r"\\d{4}(-\\d{2}(-\\d{2})?)?([T ].*)?"
_DATE_TYPES = ("DATE", "LOCAL DATETIME", "ZONED DATETIME")


def properties(session: Session, labels: Sequence[str]) -> tuple[PropertySchema, ...]:
    """One statement, over up to 300 nodes of each label within the scope."""
    rows = session.send(" UNION ALL ".join(_of(session, label) for label in labels), {"sampled": SAMPLED}) if labels else []
    found = [one for row in rows if not row["key"].startswith(_OURS) and (one := _typed(row))]
    return tuple(sorted(found, key=lambda one: (one.label, one.name)))


def _of(session: Session, label: str) -> str:
    dates = " OR ".join(f"value IS :: {type_}" for type_ in _DATE_TYPES)
    return (
        f"MATCH (n:{quoted(label)}) WHERE {session.dialect.sees_node('n')} WITH n LIMIT $sampled UNWIND keys(n) AS key WITH key, n[key] AS value\n"
        f"RETURN {literal(label)} AS label, key, count(*) AS having, {_share('value IS :: INTEGER OR value IS :: FLOAT')} AS numbers,"
        f" {_share('value IS :: STRING')} AS texts,"
        f" {_share(f'{dates} OR (value IS :: STRING AND toStringOrNull(value) =~ {chr(39)}{_DATE_TEXT}{chr(39)})')} AS dates"
    )


def _share(test: str) -> str:
    return f"sum(CASE WHEN {test} THEN 1 ELSE 0 END)"


def _typed(row: Row) -> PropertySchema | None:
    for count, type_ in ((row["numbers"], "number"), (row["dates"], "date"), (row["texts"], "text")):
        if count > MOST_SHARE * row["having"]:
            return PropertySchema(row["label"], row["key"], type_)  # type: ignore[arg-type]
    return None
