"""Who may do what where: every public method of every capability, for every kind of principal and of namespace.

A new capability, or a new method of one, fails here until it has a row.
"""

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass, replace
from datetime import timedelta
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, NoReturn

import pytest
from sqlalchemy import update

import knowledge.adoption
import knowledge.cleaning
import knowledge.remember
from knowledge.adoption.governing import Governing
from knowledge.errors import DatabaseError, ScopeError
from knowledge.journal.tables import work
from knowledge.registry.contract import SizeLimit
from knowledge.remember.approvals import Approvals
from knowledge.remember.delegations import Delegations
from knowledge.remember.inbox import Inbox
from knowledge.remember.overview import Overview
from knowledge.remember.principals import Principals
from knowledge.remember.proposal import Proposal
from knowledge.remember.provenance import Audit
from knowledge.remember.redaction import Redaction
from knowledge.remember.undo import Undo
from knowledge.scope import EVERY_NAMESPACE, LOCAL, Principal, Scope
from tests.knowledge.remember.world import CONTRACTS, EVERYWHERE, Office, lesson, principal

NOWHERE: frozenset[str] = frozenset()
LESSONS = frozenset({"lessons"})
NAMESPACES = ("lessons", "guide", "alpha")
WHO = {
    "owner": principal("alpha-bot"),
    "granted": principal("bot"),
    "reader": principal("reader", writes=NOWHERE),
    "stranger": principal("stranger", reads=NOWHERE, writes=NOWHERE),
    "blind": principal("blind", reads=NOWHERE, writes=LESSONS),
    "person": principal("ann", "person", writes=frozenset({EVERY_NAMESPACE})),
    "person without a grant": principal("carl", "person", writes=NOWHERE),
    "person of one": principal("dan", "person", reads=LESSONS, writes=LESSONS),
}
# per principal in that order, for lessons (anyone's), guide (a person approves) and alpha (alpha-bot's): y yes, a asks someone, n no
SUBMITS = "yay yaa aaa nnn ynn yaa aaa ynn"
DECIDES = "nny nnn nnn nnn nnn yyy nnn ynn"
DELEGATES = "nny nnn nnn nnn nnn yny nnn ynn"
READS = "yyy yyy yyy nnn nnn yyy yyy ynn"
KNOWS = "yyy yyy yyy nnn ynn yyy yyy ynn"
EXPECTED = {
    "Inbox.submit": SUBMITS, "Inbox.submit_many": SUBMITS, "Inbox.preview": SUBMITS, "Inbox.visible": KNOWS, "Inbox.receipt": READS,
    "Approvals.waiting": DECIDES, "Approvals.approve": DECIDES, "Approvals.reject": DECIDES, "Approvals.amend": DECIDES,
    "Approvals.reroute": DECIDES, "Delegations.grant": DELEGATES, "Delegations.revoke": DECIDES,
    "Overview.stats": KNOWS, "Overview.verify": READS, "Undo.undo": DECIDES, "Redaction.redact": DECIDES, "Redaction.texts": DECIDES,
    "Audit.provenance": READS, "Audit.decisions": KNOWS,
}  # fmt: skip
# per principal in that order, about itself and about another: y yes, n no
OVER_PRINCIPALS = {
    "Principals.add": "nn nn nn nn nn ny nn nn",
    "Principals.revoke": "nn nn nn nn nn yy nn nn",
    "Principals.rotate": "yn yn yn yn yn yy yn yn",
}
OF_NO_NAMESPACE = {
    "Overview.health": "numbers of all work, no name and no text", "Approvals.own": "how many of one's own wait",
    **dict.fromkeys(("Governing.survey", "Governing.adopt", "Governing.release"), "a person who may write everywhere; tried below"),
}  # fmt: skip
PROPOSER = principal("zed", writes=NOWHERE)
_numbers = count()
Probe = Callable[["Cell"], str]


class Cell:
    """One principal before one namespace, in which another's proposal waits."""

    def __init__(self, office: Office, who: Principal, namespace: str) -> None:
        self.office, self.who, self.namespace = office, who, namespace

    @property
    def inbox(self) -> Inbox:
        return self.office.inbox(self.who)

    @property
    def approvals(self) -> Approvals:
        return Approvals(self.office.journal, self.office.registry, self.who)

    @property
    def overview(self) -> Overview:
        return Overview(self.office.journal, self.office.registry, away, self.who)

    def proposal(self) -> Proposal:
        return lesson(f"number {next(_numbers)} of the matrix, long enough", namespace=self.namespace)

    def waiting(self, status: str = "") -> str:
        """The receipt of another's proposal."""
        receipt = self.office.inbox(PROPOSER).submit(self.proposal()).id
        if status:
            with self.office.journal.writing() as writing:
                writing.connection.execute(update(work).where(work.c.receipt == receipt).values(status=status))
        return receipt

    def delegation(self) -> str:
        """Granted by one who may, where that can be done at all."""
        contracts = {**CONTRACTS, "guide": replace(CONTRACTS["guide"], write_policy="self_service")}
        office = replace(self.office, contracts=contracts)
        return Delegations(office.journal, office.registry, WHO["person"]).grant("bot", self.namespace, uses=1, duration=timedelta(hours=1))


def away() -> NoReturn:
    raise DatabaseError("nobody listens there")


def letter(done: object) -> str:
    return "y" if done else "n"


def submitted(outcome: str) -> str:
    return {"accept": "y", "review": "a"}.get(outcome, "n")


def granted(cell: Cell) -> str:
    try:
        Delegations(cell.office.journal, cell.office.registry, cell.who).grant("eve", cell.namespace, uses=1, duration=timedelta(hours=1))
    except ScopeError:
        return "n"
    return "y"


def revoked(cell: Cell) -> str:
    made = cell.delegation()
    try:
        Delegations(cell.office.journal, cell.office.registry, cell.who).revoke(made)
    except ScopeError:
        return "n"
    return "y"


def redaction(cell: Cell) -> Redaction:
    return Redaction(cell.office.journal, cell.office.registry, cell.who)


PROBES: dict[str, Probe] = {
    "Inbox.submit": lambda c: submitted(c.inbox.submit(c.proposal()).verdict.outcome),
    "Inbox.submit_many": lambda c: submitted(c.inbox.submit_many([c.proposal()])[0].verdict.outcome),
    "Inbox.preview": lambda c: submitted(c.inbox.preview([c.proposal()])[0].outcome),
    "Inbox.visible": lambda c: letter(c.namespace in [contract.id for contract, _ in c.inbox.visible()]),
    "Inbox.receipt": lambda c: letter(c.inbox.receipt(c.waiting())),
    "Approvals.waiting": lambda c: letter(c.waiting() in [one.receipt for one in c.approvals.waiting(c.namespace)]),
    "Approvals.approve": lambda c: letter(c.approvals.approve([c.waiting()])[0].done),
    "Approvals.reject": lambda c: letter(c.approvals.reject([c.waiting()], "no")[0].done),
    "Approvals.amend": lambda c: letter(c.approvals.amend(c.waiting(), {"episode_body": f"amended {next(_numbers)}"}).done),
    "Approvals.reroute": lambda c: letter(c.approvals.reroute(c.waiting(), c.namespace).done),
    "Delegations.grant": granted,
    "Delegations.revoke": revoked,
    "Overview.stats": lambda c: letter(c.namespace in [one["namespace"] for one in c.overview.stats()]),
    "Overview.verify": lambda c: letter(c.overview.verify(c.waiting()) == "not written"),
    "Undo.undo": lambda c: letter(Undo(c.office.journal, c.office.registry, c.who).undo(c.waiting("applied")).done),
    "Redaction.redact": lambda c: letter(redaction(c).redact(c.waiting()).done),
    "Redaction.texts": lambda c: letter(redaction(c).texts(c.waiting())),
    "Audit.provenance": lambda c: letter(Audit(c.office.journal, c.who).provenance(c.waiting(), away)),
    "Audit.decisions": lambda c: letter([c.delegation(), Audit(c.office.journal, c.who).decisions(c.namespace, "delegation")][1]),
}


def capabilities() -> Iterator[Any]:
    """Every value of the packages that write that acts in the name of one principal."""
    packages = (knowledge.remember, knowledge.adoption, knowledge.cleaning)
    for module in (f"{package.__name__}.{found.name}" for package in packages for found in pkgutil.iter_modules(package.__path__)):
        for made in vars(importlib.import_module(module)).values():
            acts = inspect.isclass(made) and is_dataclass(made) and made.__module__ == module
            if acts and made.__dataclass_fields__.keys() >= {"journal", "principal"}:
                yield made


def test_every_method_of_every_capability_has_a_row() -> None:
    made = [(one, name) for one in capabilities() for name, found in vars(one).items() if inspect.isfunction(found)]
    methods = {f"{one.__name__}.{name}" for one, name in made if not name.startswith("_") and name not in one.__dataclass_fields__}
    assert methods == set(EXPECTED) | set(OF_NO_NAMESPACE) and set(PROBES) == set(EXPECTED)


@pytest.mark.parametrize("who", WHO)
def test_only_a_person_who_may_write_everywhere_adopts_and_releases(who: str, tmp_path: Path) -> None:
    office = Office(tmp_path)
    governing = Governing(office.journal, away, WHO[who])
    for done in (governing.survey, partial(governing.adopt, print), partial(governing.release, print)):
        with pytest.raises(DatabaseError if who == "person" else ScopeError):
            done()
    office.journal.close()


@pytest.mark.parametrize("method", EXPECTED)
def test_everyone_may_do_what_the_table_says_and_nothing_else(method: str, tmp_path: Path) -> None:
    office = Office(tmp_path, contracts={id_: replace(contract, size_limit=SizeLimit()) for id_, contract in CONTRACTS.items()})
    found = {who: "".join(PROBES[method](Cell(office, acts, namespace)) for namespace in NAMESPACES) for who, acts in WHO.items()}
    office.journal.close()
    assert found == dict(zip(WHO, EXPECTED[method].split(), strict=True))
    assert set(NAMESPACES) == EVERYWHERE


def test_every_method_that_is_told_who_asks_has_a_row() -> None:
    methods = {name for name, found in inspect.getmembers(Principals, inspect.isfunction) if "by" in inspect.signature(found).parameters}
    assert {f"Principals.{name}" for name in methods} == set(OVER_PRINCIPALS)


def asked(principals: Principals, method: str, by: Principal, about: str) -> str:
    more = ("agent", [], []) if method == "add" else ()
    try:
        getattr(principals, method)(by, about, *more)
    except ScopeError:
        return "n"
    return "y"


@pytest.mark.parametrize("row", OVER_PRINCIPALS)
def test_everyone_may_do_about_principals_what_the_table_says_and_nothing_else(row: str, tmp_path: Path) -> None:
    method = row.removeprefix("Principals.")
    principals = Principals(Office(tmp_path).journal)
    everything = (frozenset({EVERY_NAMESPACE}),) * 4
    principals.add(LOCAL.principal(Scope(NOWHERE)), "first", "person", *everything)
    first = Principal("first", "person", Scope(NOWHERE), everything[0])
    for who in WHO.values():
        principals.add(first, who.id, who.kind, who.scope.namespaces, who.writes)
    found = []
    for number, who in enumerate(WHO.values()):
        if method != "add":
            principals.add(first, f"other{number}", "agent", LESSONS, LESSONS)
        another = asked(principals, method, who, f"other{number}")
        found.append(asked(principals, method, who, who.id) + another)
    principals.journal.close()
    assert found == OVER_PRINCIPALS[row].split()
