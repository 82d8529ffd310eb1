"""The profile of a graph that we did not load: labels, the properties that name nodes, identify them, tell and date, by what stands there."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from knowledge.database.connection import Database
from knowledge.database.ddl import quoted
from knowledge.errors import StatementError
from knowledge.profile.profile import GraphProfile, LabelProfile, RelationProfile

OURS = "Gavel"
SAMPLED = 1_000
LONG_TEXT = 60
_NAMES = ("name", "title", "label", "display_name", "displayname", "full_name", "fullname", "caption", "username", "code", "id")
_TEXTS = ("summary", "description", "text", "abstract", "bio", "biography", "content", "overview", "plot", "tagline", "comment", "notes")
_STARTS = ("valid_from", "validfrom", "from", "since", "start", "start_date", "startdate", "begin")
_ENDS = ("valid_to", "validto", "to", "until", "end", "end_date", "enddate")
_ACCESS = ("access_level", "accesslevel")


@dataclass(frozen=True)
class Property:
    """One property of a label, from up to `SAMPLED` nodes: share of nodes that have it, share of distinct values, mean length as text."""

    name: str
    text: bool
    filled: float
    distinct: float
    length: float


def introspect(database: Database, namespace: str) -> GraphProfile:
    """A native profile to be corrected by the owner. Reads statistics and up to 1,000 nodes per label, and changes nothing."""
    keys = _unique_properties(database)
    labels = {}
    for row in database.read("CALL db.labels() YIELD label RETURN label ORDER BY label"):
        label = row["label"]
        if not label.startswith((OURS, "_")) and database.read(f"MATCH (n:{quoted(label)}) RETURN 1 LIMIT 1"):
            labels[label] = label_profile(_properties(database, label), keys.get(label, ()))
    relations = {}
    for row in database.read("CALL db.relationshipTypes() YIELD relationshipType AS type RETURN type ORDER BY type"):
        relations[row["type"]] = _relation(database, row["type"])
    return GraphProfile(shape="native", namespace=namespace, labels=labels, relations=relations)


def label_profile(properties: Sequence[Property], unique: Sequence[str]) -> LabelProfile:
    """Name: the best known word for a name that most nodes have, else the most telling text. Key: a unique property that is not the name."""
    name = _named(properties, _NAMES, filled=0.5) or _most_telling(properties) or "name"
    texts = [p.name for p in properties if p.text and p.name != name and (p.name.casefold() in _TEXTS or p.length > LONG_TEXT)]
    return LabelProfile(
        name=name,
        key=next((key for key in sorted(unique) if key != name), ""),
        text=tuple(texts),
        valid_from=_named(properties, _STARTS[:2]),
        valid_to=_named(properties, _ENDS[:2]),
        access=_named(properties, _ACCESS),
    )


def _named(properties: Sequence[Property], words: Sequence[str], filled: float = 0.0) -> str:
    known = {p.name.casefold(): p.name for p in properties if p.filled > filled or not filled}
    return next((known[word] for word in words if word in known), "")


def _most_telling(properties: Sequence[Property]) -> str:
    texts = [p for p in properties if p.text and p.length <= LONG_TEXT]
    return max(texts, key=lambda p: (p.filled * p.distinct, p.name), default=Property("", True, 0, 0, 0)).name


def _properties(database: Database, label: str) -> list[Property]:
    rows = database.read(
        f"MATCH (n:{quoted(label)}) WITH n LIMIT {SAMPLED} WITH collect(n) AS sample UNWIND sample AS n UNWIND keys(n) AS key\n"
        "WITH size(sample) AS nodes, key, n[key] AS value\n"
        "WITH nodes, key, value, CASE WHEN value IS :: STRING THEN size(value) END AS length\n"
        "WITH nodes, key, toFloat(count(*)) AS having, count(DISTINCT value) AS values, count(length) AS texts, avg(length) AS length\n"
        "RETURN key, having / nodes AS filled, values / having AS distinct, texts * 2 > having AS text, coalesce(length, 0.0) AS length"
        " ORDER BY key"
    )
    return [Property(row["key"], row["text"], row["filled"], row["distinct"], row["length"]) for row in rows]


def _relation(database: Database, type_: str) -> RelationProfile:
    rows = database.read(f"MATCH ()-[r:{quoted(type_)}]->() WITH r LIMIT {SAMPLED} UNWIND keys(r) AS key RETURN DISTINCT key ORDER BY key")
    known = [Property(row["key"], False, 1.0, 1.0, 0.0) for row in rows]
    return RelationProfile(valid_from=_named(known, _STARTS), valid_to=_named(known, _ENDS))


def _unique_properties(database: Database) -> Mapping[str, Sequence[str]]:
    """Single properties under a uniqueness or key constraint, per label; nothing where the user may not see constraints."""
    try:
        rows = database.read(
            "SHOW CONSTRAINTS YIELD type, entityType, labelsOrTypes, properties"
            " WHERE entityType = 'NODE' AND (type CONTAINS 'UNIQUE' OR type CONTAINS 'KEY') AND size(properties) = 1"
            " RETURN labelsOrTypes[0] AS label, properties[0] AS property"
        )
    except StatementError:
        return {}
    found = defaultdict(list)
    for row in rows:
        found[row["label"]].append(row["property"])
    return found
