"""What makes a memory of Graphiti's unfit for adoption: told before anything is changed, with one example."""

from dataclasses import dataclass

from knowledge.clocks import OPEN_END, OPEN_START
from knowledge.database.connection import Database
from knowledge.errors import StoreError
from knowledge.loading.fields import NAME_BYTES
from knowledge.loading.properties import iso

SECONDS = 120.0
_ENTITY, _EPISODE, _FACT = "(n:Entity)", "(n:Episodic)", "()-[n:RELATES_TO]->()"
_NAMELESS = "NOT coalesce(n.uuid > '', false) OR NOT coalesce(n.group_id >= '', false)"
_UNDATED = "any(at IN [{}] WHERE at IS NOT NULL AND NOT coalesce(datetime($open_start) <= at <= datetime($open_end), false))"
_RESERVED = "any(name IN keys(n) WHERE name STARTS WITH 'gavel_' OR name = 'adopted_belief')"
_OURS = "(n:GavelSchema|GavelEvidence|GavelNamespace|GavelRelationType|GavelAudit|GavelLoad|GavelEntityVersion|GavelPastEpisode)"


@dataclass(frozen=True)
class Unfit:
    """Elements that cannot be governed. `where` reads `n`."""

    what: str
    pattern: str
    where: str
    told: str


_ALWAYS = (
    *(
        Unfit(what, pattern, _NAMELESS, "have no uuid or no group_id, each a text")
        for what, pattern in (("entities", _ENTITY), ("episodes", _EPISODE), ("facts", _FACT))
    ),
    Unfit("entities", _ENTITY, _UNDATED.format("n.created_at"), "have a date that is no date with time and zone of the years 1 to 9999"),
    *(
        Unfit(what, pattern, _UNDATED.format(dates), "have a date that is no date with time and zone of the years 1 to 9999")
        for what, pattern, dates in (
            ("episodes", _EPISODE, "n.created_at, n.valid_at"),
            ("facts", _FACT, "n.created_at, n.valid_at, n.invalid_at, n.expired_at"),
        )
    ),
    Unfit("facts", _FACT, "NOT coalesce(n.name > '', false)", "have no name of their relation"),
    *(
        Unfit(what, pattern, "size(toStringOrNull(n.name)) > $longest", f"have a name of more than {NAME_BYTES:,} letters")
        for what, pattern in (("entities", _ENTITY), ("facts", _FACT))
    ),
    Unfit("facts", "(a)-[n:RELATES_TO]->(b)", "NOT (a:Entity AND b:Entity)", "do not join two entities"),
    Unfit("entities", _ENTITY, "n:Episodic", "are episodes too"),
)
_BEFORE = (
    *(
        Unfit(what, pattern, _RESERVED, "have a property that begins with gavel_, or adopted_belief, which are Gavel's")
        for what, pattern in (("entities", _ENTITY), ("episodes", _EPISODE), ("facts", _FACT))
    ),
    Unfit("nodes", _OURS, "true", "have a label that is Gavel's"),
)


def check(database: Database, *, begun: bool) -> None:
    """StoreError says what must be mended. `begun`: what is Gavel's may be there already."""
    given = {"open_start": iso(OPEN_START), "open_end": iso(OPEN_END), "longest": NAME_BYTES}
    for unfit in _ALWAYS if begun else (*_ALWAYS, *_BEFORE):
        statement = f"MATCH {unfit.pattern} WHERE {unfit.where} RETURN count(*) AS n, min(toStringOrNull(n.uuid)) AS example"
        [row] = database.read(statement, given, seconds=SECONDS)
        if row["n"]:
            example = f" (such as {row['example']})" if row["example"] else ""
            raise StoreError(f"{row['n']} {unfit.what} {unfit.told}{example}; mend them with the program that wrote them, then adopt")
    if not begun:
        _check_names(database)


def _check_names(database: Database) -> None:
    for what in ("CONSTRAINTS", "INDEXES"):
        for row in database.read(f"SHOW {what} YIELD name WHERE name STARTS WITH 'gavel_' RETURN name ORDER BY name"):
            raise StoreError(f"the schema has {row['name']}, and names that begin with gavel_ are Gavel's; drop it, then adopt")
