"""Who may come to the doors. Tokens are told once and kept as hashes; once anyone was added, nobody acts without one."""

import hashlib
import hmac
import json
import math
import secrets
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, Row, insert, select, update

from knowledge.errors import ScopeError
from knowledge.identity import NAMESPACE_PATTERN
from knowledge.journal.journal import Entry, Journal, Writing
from knowledge.journal.tables import principals
from knowledge.registry.contract import ANY_AGENT, HUMAN_CURATED, PROJECT_AGENT
from knowledge.registry.entry import PRINCIPAL
from knowledge.scope import EVERY_NAMESPACE, EVERYONE, LIMITED, LOCAL, LOCAL_PERSON, PUBLIC, Grants, Kind, Principal

TOKEN_PREFIX = "gvl_"
TOKEN_BYTES = 32
LONGEST_TOKEN = 128
LONGEST_GRANT = 64
_STANDING = select(principals.c.id, principals.c.revoked)
RESERVED = frozenset({LOCAL_PERSON, HUMAN_CURATED, ANY_AGENT, PROJECT_AGENT})


@dataclass(frozen=True)
class Listed:
    """A principal as it stands in the journal. `added` and `revoked` are ISO instants; `revoked` is empty while it may act."""

    grants: Grants
    added_by: str
    added: str
    revoked: str

    def as_json(self) -> dict[str, object]:
        return {
            "id": self.grants.id, "kind": self.grants.kind, **_as_json(self.grants),
            "added_by": self.added_by, "added": self.added, "revoked": self.revoked,
        }  # fmt: skip


@dataclass(frozen=True)
class Principals:
    """All principals of one journal. There is always a person to whom everything was given, as soon as there is anyone."""

    journal: Journal

    def add(
        self,
        by: Principal,
        id_: str,
        kind: Kind,
        reads: Iterable[str],
        writes: Iterable[str],
        access_levels: Iterable[str] = (PUBLIC,),
        visibility_groups: Iterable[str] = (EVERYONE,),
        limits: Mapping[str, float] | None = None,
    ) -> str:
        """The token, which is told this once. ScopeError where `by` may not add it, or where it cannot be a principal."""
        sets = (frozenset(reads), frozenset(writes), frozenset(access_levels), frozenset(visibility_groups))
        made = Grants(id_, kind, *sets, limits or {})
        if fault := _fault(made):
            raise ScopeError(fault)
        token = _new_token()
        with self.journal.writing() as writing:
            listed = _listed(writing.connection)
            if refusal := _not_added(by, made, listed):
                raise ScopeError(refusal)
            row = {"id": id_, "kind": kind, "token": _hash(token), "grants": json.dumps(_as_json(made)), "added_by": by.id}
            writing.connection.execute(insert(principals).values(**row, added=writing.at.isoformat(), revoked=""))
            writing.append([Entry("principal_added", principal=by.id, about={"id": id_, "kind": kind, **_as_json(made)})])
        return token

    def revoke(self, by: Principal, id_: str) -> None:
        """Its token opens nothing from now on, and its id is given to nobody else. ScopeError where `by` may not revoke it."""
        with self.journal.writing() as writing:
            listed = _listed(writing.connection)
            if refusal := _not_revoked(by, id_, listed):
                raise ScopeError(refusal)
            _close(writing, id_)
            writing.append([Entry("principal_revoked", principal=by.id, about={"id": id_})])

    def rotate(self, by: Principal, id_: str) -> str:
        """Its new token, which is told this once; the old one opens nothing from now on. ScopeError where `by` may not ask for it."""
        token = _new_token()
        with self.journal.writing() as writing:
            listed = _listed(writing.connection)
            if refusal := _not_rotated(by, id_, listed):
                raise ScopeError(refusal)
            writing.connection.execute(update(principals).where(principals.c.id == id_).values(token=_hash(token)))
            writing.append([Entry("principal_rotated", principal=by.id, about={"id": id_})])
        return token

    def list(self) -> list[Listed]:
        """All of them in the order of their ids, those that were revoked too."""
        with self.journal.reading() as connection:
            return _listed(connection)

    def by_token(self, token: str) -> Grants | None:
        """Whose token it is; None for a token of nobody, or of someone who was revoked."""
        if not token.startswith(TOKEN_PREFIX) or len(token) > LONGEST_TOKEN or not token.isascii():
            return None
        wanted = _hash(token)
        with self.journal.reading() as connection:
            rows = connection.execute(select(principals).where(principals.c.revoked == "")).all()
        found = [row for row in rows if hmac.compare_digest(str(row.token), wanted)]
        return _grants(found[0]) if found else None

    def by_id(self, id_: str) -> Grants | None:
        """What was given to a principal that a door has proven already; None for one that is unknown or was revoked."""
        with self.journal.reading() as connection:
            row = connection.execute(select(principals).where(principals.c.id == id_, principals.c.revoked == "")).first()
        return _grants(row) if row else None

    def exists(self, id_: str) -> bool:
        """Whether a principal of exactly this id may act."""
        return self.by_id(id_) is not None

    def any(self) -> bool:
        """Whether anyone was ever added, so that a token is needed."""
        with self.journal.reading() as connection:
            return known_ids(connection) is not None


def known_ids(connection: Connection) -> frozenset[str] | None:
    """The ids of all who may act; None where no principal was ever added, so that nobody can be unknown."""
    rows = connection.execute(_STANDING).all()
    return frozenset(row.id for row in rows if not row.revoked) if rows else None


def grants_of(connection: Connection, ids: Collection[str]) -> dict[str, Grants]:
    """What was given to those of them who may act, the local person among them."""
    rows = connection.execute(select(principals).where(principals.c.id.in_(ids), principals.c.revoked == ""))
    local = {LOCAL_PERSON: LOCAL} if LOCAL_PERSON in ids else {}
    return local | {row.id: _grants(row) for row in rows}


def revoked_ids(connection: Connection) -> frozenset[str]:
    """The ids of all who may no longer act."""
    return frozenset(connection.execute(select(principals.c.id).where(principals.c.revoked != "")).scalars())


def _fault(made: Grants) -> str:
    """Why it cannot be a principal, whoever adds it. Ids of ASCII alone leave no room for look-alikes of other alphabets."""
    if not PRINCIPAL.fullmatch(made.id) or made.id.casefold() in RESERVED:
        return f"{made.id[:LONGEST_GRANT]!r} is no id of a principal; use 1 to 64 of A-Z a-z 0-9 _ . @ -, and none of {', '.join(sorted(RESERVED))}"
    if made.kind not in ("person", "agent"):
        return f"{made.kind!r} is no kind of principal; it is a person or an agent"
    for namespace in made.reads | made.writes:
        if namespace != EVERY_NAMESPACE and not NAMESPACE_PATTERN.fullmatch(namespace):
            return f"{namespace[:LONGEST_GRANT]!r} is no namespace id; use 1 to 64 of A-Z a-z 0-9 _ -, or {EVERY_NAMESPACE} for every one"
    if any(len(given) > LONGEST_GRANT for given in made.access_levels | made.visibility_groups):
        return f"an access level or a visibility group has at most {LONGEST_GRANT} characters"
    return next((fault for name, most in made.limits.items() if (fault := _no_limit(name, most))), "")


def _no_limit(name: str, most: float) -> str:
    """Why it cannot be a limit; empty where it can."""
    if name not in LIMITED:
        return f"{name[:LONGEST_GRANT]!r} is no limit of a run; there are {', '.join(LIMITED)}"
    whole = name == "wall_time" or isinstance(most, int)
    if not whole or not math.isfinite(most) or most < LIMITED[name]:
        return (
            f"{most!r} cannot be a limit of {name}; write a {'number' if name == 'wall_time' else 'whole number'} from {LIMITED[name]} on"
        )
    return ""


def _not_added(by: Principal, made: Grants, listed: list[Listed]) -> str:
    """Why this one may not add it; empty where it may."""
    giver = _governor(by, listed)
    if giver is None:
        return "principals are added by a person who may write everywhere"
    if not listed and not made.unbounded:
        return (
            "the first principal must be a person to whom everything is given, since nobody acts without a token afterwards; "
            "add yourself with `gavel principal add ID --kind person --everything`"
        )
    if not giver.covers(made):
        return f"{by.id} may not give what was not given to {by.id}"
    if same := next((one.grants.id for one in listed if one.grants.id.casefold() == made.id.casefold()), ""):
        return f"{made.id} was added already, as {same}; an id is given once, also where it was revoked: choose another"
    return ""


def _not_revoked(by: Principal, id_: str, listed: list[Listed]) -> str:
    if _governor(by, listed) is None:
        return "principals are revoked by a person who may write everywhere"
    acting = [one.grants for one in listed if not one.revoked]
    if id_ not in [each.id for each in acting]:
        return f"no principal {id_!r} may act, so there is none to revoke; `gavel principal list` shows them"
    if not any(each.unbounded for each in acting if each.id != id_):
        return f"{id_} is the last person to whom everything was given; add another one first"
    return ""


def _not_rotated(by: Principal, id_: str, listed: list[Listed]) -> str:
    """A token acts with all that was given to its principal, so who asks for that of another must have been given as much."""
    giver = _governor(by, listed)
    if giver is None and by.id != id_:
        return f"a token is changed by its principal, or by a person who may write everywhere; {by.id} is neither"
    found = next((one.grants for one in listed if one.grants.id == id_ and not one.revoked), None)
    if found is None:
        return f"no principal {id_!r} may act, so there is no token to change; `gavel principal list` shows them"
    if by.id != id_ and giver and not giver.covers(found):
        return f"{by.id} may not hold a token for what was not given to {by.id}; {id_} can change it, or a person to whom as much was given"
    return ""


def _governor(by: Principal, listed: list[Listed]) -> Grants | None:
    """What the journal gave to `by`, where it may say who else there is. What a value says of itself can only narrow that."""
    if by.kind != "person" or EVERY_NAMESPACE not in by.writes:
        return None
    if not listed:
        return LOCAL
    found = next((one.grants for one in listed if one.grants.id == by.id and not one.revoked), None)
    return found if found and found.governs else None


def _close(writing: Writing, id_: str) -> None:
    writing.connection.execute(update(principals).where(principals.c.id == id_).values(revoked=writing.at.isoformat()))


def _listed(connection: Connection) -> list[Listed]:
    rows = connection.execute(select(principals).order_by(principals.c.id)).all()
    return [Listed(_grants(row), row.added_by, row.added, row.revoked) for row in rows]


def _grants(row: "Row[tuple[object, ...]]") -> Grants:
    given = json.loads(row.grants)
    limits = given.pop("limits", {})
    return Grants(row.id, row.kind, **{name: frozenset(values) for name, values in given.items()}, limits=limits)


def _as_json(grants: Grants) -> dict[str, object]:
    return {
        "reads": sorted(grants.reads),
        "writes": sorted(grants.writes),
        "access_levels": sorted(grants.access_levels),
        "visibility_groups": sorted(grants.visibility_groups),
        "limits": dict(grants.limits),
    }


def _new_token() -> str:
    return TOKEN_PREFIX + secrets.token_urlsafe(TOKEN_BYTES)


def _hash(token: str) -> str:
    """Of 256 random bits, so that no salt and no slow hash is needed."""
    return hashlib.sha256(token.encode()).hexdigest()
