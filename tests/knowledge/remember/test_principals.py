"""Who may act: by a token that is kept as a hash, with no more than was given, and never more than the giver has."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from knowledge.errors import ScopeError
from knowledge.journal.journal import Journal
from knowledge.journal.verify import verify
from knowledge.remember.principals import TOKEN_PREFIX, Principals
from knowledge.remember.verdict import Receipt
from knowledge.scope import EVERY_NAMESPACE, EVERYONE, LOCAL, PUBLIC, Grants, Principal, Scope
from tests.knowledge.remember.world import ALPHA, BOT, OWNER, Office, lesson

ALL = (EVERY_NAMESPACE,)
NOTHING = Scope(frozenset())
ME = LOCAL.principal(NOTHING)
HELD = Scope(frozenset({"team", "secret"}), frozenset({PUBLIC, "internal"}), frozenset({EVERYONE, "board"}))


@pytest.fixture
def principals(tmp_path: Path) -> Iterator[Principals]:
    journal = Journal.in_folder(tmp_path)
    yield Principals(journal)
    journal.close()


@pytest.fixture
def ann(principals: Principals) -> Principal:
    """The first one."""
    return acting(principals, principals.add(ME, "ann", "person", ALL, ALL, ALL, ALL))


def acting(principals: Principals, token: str, held: Scope = NOTHING) -> Principal:
    found = principals.by_token(token)
    assert found is not None
    return found.principal(held)


def test_a_token_names_its_principal_and_is_nowhere_on_the_disk(principals: Principals, ann: Principal, tmp_path: Path) -> None:
    token = principals.add(ann, "bot", "agent", ["team"], [])
    assert token.startswith(TOKEN_PREFIX) and principals.by_token(token) == Grants("bot", "agent", frozenset({"team"}), frozenset())
    principals.journal.close()
    assert not any(token.removeprefix(TOKEN_PREFIX).encode() in file.read_bytes() for file in tmp_path.iterdir())


def test_every_change_is_an_event_that_says_who_and_what_and_holds_neither_token_nor_hash(principals: Principals, ann: Principal) -> None:
    principals.add(ann, "bot", "agent", ["team"], [])
    principals.revoke(ann, "bot")
    added, gone = principals.journal.events(kind="principal_added"), principals.journal.events(kind="principal_revoked")
    assert [(event.principal, event.about["id"]) for event in (*added, *gone)] == [("local", "ann"), ("ann", "bot"), ("ann", "bot")]
    assert added[1].about["reads"] == ["team"] and added[1].about["writes"] == []
    with sqlite3.connect(str(principals.journal.url.database)) as database:
        hashes = [row[0] for row in database.execute("SELECT token FROM principals")]
    told = json.dumps([dict(event.about) for event in (*added, *gone)])
    assert len(hashes) == 2 and not any(hash_ in told for hash_ in hashes) and TOKEN_PREFIX not in told


@pytest.mark.parametrize("token", ["", "gvl_", "gvl_" + "x" * 10_000_000, "ann", "gvl_été", "gvl_\ud800", "*", "gvl_' OR 1=1 --", "\x00"])
def test_a_token_of_nobody_opens_nothing(principals: Principals, ann: Principal, token: str) -> None:
    assert principals.by_token(token) is None


def test_neither_the_hash_nor_a_part_nor_another_spelling_of_a_token_opens_anything(principals: Principals, ann: Principal) -> None:
    token = principals.add(ann, "bot", "agent", ["team"], [])
    with sqlite3.connect(str(principals.journal.url.database)) as database:
        hashes = [row[0] for row in database.execute("SELECT token FROM principals")]
    wrong = [*hashes, *(TOKEN_PREFIX + hash_ for hash_ in hashes), token[:-1], token + "=", token.swapcase(), token.upper(), f" {token}"]
    assert [principals.by_token(each) for each in wrong] == [None] * len(wrong)


def test_who_is_revoked_opens_nothing_and_the_id_is_given_to_nobody_else(principals: Principals, ann: Principal) -> None:
    token = principals.add(ann, "bot", "agent", ["team"], [])
    principals.revoke(ann, "bot")
    assert principals.by_token(token) is None and principals.by_id("bot") is None and not principals.exists("bot")
    with pytest.raises(ScopeError, match="given once"):
        principals.add(ann, "bot", "agent", [], [])
    with pytest.raises(ScopeError, match="none to revoke"):
        principals.revoke(ann, "bot")
    assert [one.grants.id for one in principals.list() if one.revoked] == ["bot"]


@pytest.mark.parametrize(
    "id_", ["", "аnn", "ann\u200b", "ANN", "Ann", "local", "LOCAL", "any_agent", "*", "a b", "a" * 65, "ann\n", "../x"]
)
def test_an_id_that_looks_like_another_or_stands_for_several_is_refused(principals: Principals, ann: Principal, id_: str) -> None:
    with pytest.raises(ScopeError):
        principals.add(ann, id_, "agent", [], [])
    assert [one.grants.id for one in principals.list()] == ["ann"]


def test_the_first_must_be_a_person_who_has_everything(principals: Principals) -> None:
    for kind, reads, writes in (("agent", ALL, ALL), ("person", ("team",), ALL), ("person", ALL, ("team",)), ("person", (), ())):
        with pytest.raises(ScopeError, match="first principal"):
            principals.add(ME, "ann", kind, reads, writes, ALL, ALL)  # type: ignore[arg-type]
    assert not principals.any() and principals.list() == []


def test_after_the_first_the_local_person_may_nothing(principals: Principals, ann: Principal) -> None:
    with pytest.raises(ScopeError, match="by a person who may write everywhere"):
        principals.add(ME, "eve", "person", ALL, ALL, ALL, ALL)
    with pytest.raises(ScopeError, match="by a person who may write everywhere"):
        principals.revoke(ME, "ann")


def test_what_a_value_says_of_itself_gives_nothing(principals: Principals, ann: Principal) -> None:
    principals.add(ann, "bot", "agent", ["team"], ALL)
    claimed = Principal("bot", "person", NOTHING, frozenset(ALL))
    narrowed = Principal("ann", "person", NOTHING, frozenset({"team"}))
    for who in (claimed, narrowed, Principal("nobody", "person", NOTHING, frozenset(ALL))):
        with pytest.raises(ScopeError, match="by a person who may write everywhere"):
            principals.add(who, "eve", "agent", [], [])
        with pytest.raises(ScopeError, match="by a person who may write everywhere"):
            principals.revoke(who, "bot")


def test_nobody_gives_what_was_not_given_to_them(principals: Principals, ann: Principal) -> None:
    ben = acting(principals, principals.add(ann, "ben", "person", ["team"], ALL))
    assert principals.by_token(principals.add(ben, "bot", "agent", ["team"], ["secret"])) is not None
    for reads, levels, groups in ((ALL, (PUBLIC,), (EVERYONE,)), (["secret"], (), ()), ([], ["internal"], ()), ([], (), ["board"])):
        with pytest.raises(ScopeError, match="not given to ben"):
            principals.add(ben, "eve", "person", reads, [], levels, groups)


def test_a_rotated_token_opens_what_the_old_one_did_which_opens_nothing_any_more(principals: Principals, ann: Principal) -> None:
    old = principals.add(ann, "bot", "agent", ["team"], [])
    before = principals.by_id("bot")
    new = principals.rotate(acting(principals, old), "bot")
    assert new.startswith(TOKEN_PREFIX) and new != old
    assert (principals.by_token(old), principals.by_token(new)) == (None, before)
    assert principals.by_token(principals.rotate(ann, "bot")) == before and principals.by_token(new) is None


def test_a_rotation_is_an_event_without_token_and_hash(principals: Principals, ann: Principal) -> None:
    principals.add(ann, "bot", "agent", ["team"], [])
    principals.rotate(ann, "bot")
    [event] = principals.journal.events(kind="principal_rotated")
    assert (event.principal, event.about) == ("ann", {"id": "bot"})
    assert verify(principals.journal) == []


def test_a_token_is_changed_by_its_principal_or_by_a_person_who_was_given_as_much(principals: Principals, ann: Principal) -> None:
    bot = acting(principals, principals.add(ann, "bot", "agent", ["team"], ["team"]))
    ben = acting(principals, principals.add(ann, "ben", "person", ["team"], ALL))
    carl = acting(principals, principals.add(ann, "carl", "person", ALL, ["team"], ALL, ALL))
    for who, whose in ((bot, "ben"), (carl, "bot"), (ME, "ann"), (Principal("nobody", "person", NOTHING, frozenset(ALL)), "bot")):
        with pytest.raises(ScopeError, match="is neither"):
            principals.rotate(who, whose)
    for whose in ("ann", "carl"):
        with pytest.raises(ScopeError, match="not given to ben"):
            principals.rotate(ben, whose)
    assert [acting(principals, principals.rotate(who, who.id)).id for who in (bot, ben, carl, ann)] == ["bot", "ben", "carl", "ann"]


def test_who_is_revoked_or_unknown_gets_no_new_token(principals: Principals, ann: Principal) -> None:
    bot = acting(principals, principals.add(ann, "bot", "agent", ["team"], []))
    principals.revoke(ann, "bot")
    for who, whose in ((bot, "bot"), (ann, "bot"), (ann, "nobody")):
        with pytest.raises(ScopeError, match="no token to change"):
            principals.rotate(who, whose)
    assert principals.journal.events(kind="principal_rotated") == []


def test_limits_are_kept_with_what_was_given_and_reach_whoever_acts(principals: Principals, ann: Principal) -> None:
    limits = {"queries": 5, "model_calls": 0, "wall_time": 2.5}
    bot = acting(principals, principals.add(ann, "bot", "agent", ["team"], [], limits=limits))
    assert bot.limits == limits and principals.list()[1].as_json()["limits"] == limits
    assert principals.journal.events(kind="principal_added")[1].about["limits"] == limits
    assert acting(principals, principals.rotate(ann, "bot")).limits == limits and ann.limits == {}


@pytest.mark.parametrize(
    "limits",
    [{"querys": 3}, {"rounds": 0}, {"queries": -1}, {"tokens": 2.5}, {"wall_time": float("nan")}, {"wall_time": float("inf")}, {"closing_tokens": 1}],
)  # fmt: skip
def test_what_cannot_limit_a_run_is_refused(principals: Principals, ann: Principal, limits: dict[str, float]) -> None:
    with pytest.raises(ScopeError, match="limit"):
        principals.add(ann, "bot", "agent", [], [], limits=limits)
    assert principals.by_id("bot") is None


def test_nobody_lets_another_spend_more_than_they_may_and_who_is_limited_has_not_everything(principals: Principals, ann: Principal) -> None:
    ben = acting(principals, principals.add(ann, "ben", "person", ALL, ALL, ALL, ALL, {"queries": 5}))
    for more in ({}, {"queries": 6}, {"turns": 1}):
        with pytest.raises(ScopeError, match="not given to ben"):
            principals.add(ben, "bot", "agent", [], [], limits=more)
    assert principals.by_token(principals.add(ben, "bot", "agent", [], [], limits={"queries": 5, "turns": 3})) is not None
    with pytest.raises(ScopeError, match="not given to ben"):
        principals.rotate(ben, "ann")
    with pytest.raises(ScopeError, match="the last person"):
        principals.revoke(ann, "ann")


def test_the_last_person_with_everything_stays(principals: Principals, ann: Principal) -> None:
    principals.add(ann, "ben", "person", ["team"], ALL)
    with pytest.raises(ScopeError, match="the last person"):
        principals.revoke(ann, "ann")
    cleo = acting(principals, principals.add(ann, "cleo", "person", ALL, ALL, ALL, ALL))
    principals.revoke(cleo, "ann")
    with pytest.raises(ScopeError, match="the last person"):
        principals.revoke(cleo, "cleo")


def test_what_was_given_never_widens_what_is_held_and_nothing_means_nothing() -> None:
    given = Grants("bot", "agent", frozenset({"team", "elsewhere"}), frozenset(), frozenset({PUBLIC, "top"}), frozenset())
    scope = given.principal(HELD).scope
    assert (scope.namespaces, scope.access_levels, scope.visibility_groups) == ({"team"}, {PUBLIC}, frozenset())
    assert LOCAL.principal(HELD).scope == HELD
    nothing = Grants("bot", "agent", frozenset(), frozenset(), frozenset(), frozenset()).principal(HELD)
    assert nothing.scope == Scope(frozenset(), frozenset(), frozenset()) and not nothing.may_write("team")


@pytest.mark.parametrize("namespace", ["**", "te%am", "team,secret", "", "a" * 65, "tеam"])
def test_a_grant_names_namespaces_to_the_letter(principals: Principals, ann: Principal, namespace: str) -> None:
    with pytest.raises(ScopeError, match="no namespace id"):
        principals.add(ann, "bot", "agent", [namespace], [])


def submitted(office: Office, who: Principal, namespace: str) -> Receipt:
    return office.inbox(who).submit(lesson(namespace=namespace))


def test_a_namespace_whose_owner_nobody_knows_takes_nothing_once_there_are_principals(office: Office) -> None:
    assert submitted(office, OWNER, "alpha").status == "accepted"
    principals = Principals(office.journal)
    ann = acting(principals, principals.add(ME, "ann", "person", ALL, ALL, ALL, ALL))
    refused = office.inbox(OWNER).submit(lesson("what else was learned since then", namespace="alpha"))
    assert (refused.status, refused.verdict.code) == ("rejected", "no_owner")
    assert office.inbox(BOT).submit(lesson("what any agent may write down")).status == "accepted"
    principals.add(ann, ALPHA.owner, "agent", [], ["alpha"])
    assert office.inbox(OWNER).submit(lesson("what else was learned since then", namespace="alpha")).status == "accepted"
    principals.revoke(ann, ALPHA.owner)
    assert office.inbox(OWNER).submit(lesson("one more thing that was learned", namespace="alpha")).verdict.code == "no_owner"
