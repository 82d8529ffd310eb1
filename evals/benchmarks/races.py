"""Many processes want the last place of a namespace at the same moment, round after round: one may have it."""

import multiprocessing
import time
from collections import Counter
from multiprocessing.synchronize import Barrier
from pathlib import Path

from knowledge.journal.journal import Journal
from knowledge.registry.contract import ANY_AGENT, Contract, SizeLimit
from knowledge.registry.registry import Registry
from knowledge.remember.inbox import Inbox
from knowledge.remember.proposal import Proposal
from knowledge.scope import EVERY_NAMESPACE, Principal, Scope

PROCESSES = 32
PLACES = 3
PATIENCE = 120.0
FIRST = "first"


def race(folder: Path, rounds: int, processes: int = PROCESSES) -> dict[str, float]:
    """How many rounds had not exactly one winner. Each has a namespace of its own in one journal, with one place left."""
    registry = _registry(rounds)
    journal = Journal.in_folder(folder)
    _inbox(journal, registry, FIRST).submit_many([_proposal(FIRST, id_, place) for id_ in registry.contracts for place in range(1, PLACES)])
    journal.close()
    began = time.perf_counter()
    _run(folder, rounds, processes)
    took = time.perf_counter() - began
    won, told = _outcomes(folder)
    failures = sum(won[id_] != 1 or told[id_] != processes for id_ in registry.contracts)
    return {"rounds": rounds, "processes": processes, "failures": failures, "seconds": took}


def _run(folder: Path, rounds: int, processes: int) -> None:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    together = context.Barrier(processes)
    started = [context.Process(target=_compete, args=(folder, f"bot{number}", rounds, together)) for number in range(processes)]
    for process in started:
        process.start()
    for process in started:
        process.join()
    if any(process.exitcode for process in started):
        raise SystemExit("a process of the race ended early, so that its rounds were not run; see its error above")


def _compete(folder: Path, who: str, rounds: int, together: Barrier) -> None:
    registry = _registry(rounds)
    journal = Journal.in_folder(folder)
    inbox = _inbox(journal, registry, who)
    for id_ in registry.contracts:
        together.wait(PATIENCE)
        inbox.submit(_proposal(who, id_, PLACES))
    journal.close()


def _outcomes(folder: Path) -> tuple[Counter[str], Counter[str]]:
    """By namespace: how many were let in of those who competed, and how many were told anything."""
    journal = Journal.in_folder(folder)
    competed = [event for event in journal.events(kind="submitted") if event.principal != FIRST]
    journal.close()
    return Counter(event.namespace for event in competed if event.about["code"] == "ok"), Counter(event.namespace for event in competed)


def _registry(rounds: int) -> Registry:
    ids = [f"round{number}" for number in range(rounds)]
    limit = SizeLimit(PLACES)
    return Registry(1, "", {id_: Contract(id_, "a race", ANY_AGENT, ("Lesson",), limit, "self_service") for id_ in ids})


def _inbox(journal: Journal, registry: Registry, who: str) -> Inbox:
    return Inbox(journal, lambda: registry, Principal(who, "agent", Scope(frozenset(registry.contracts)), frozenset({EVERY_NAMESPACE})))


def _proposal(who: str, namespace: str, place: int) -> Proposal:
    body = f"What {who} learned in {namespace}, for place {place}."
    return Proposal(name=f"Lesson: Race - {who} {place}", episode_body=body, group_id=namespace, source_description="a benchmark")
