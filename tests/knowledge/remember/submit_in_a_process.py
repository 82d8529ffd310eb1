"""`python -m tests.knowledge.remember.submit_in_a_process JOURNAL WHO ROUNDS`: one submission into each of so many namespaces that take one memory."""

import sys

from knowledge.journal.journal import Journal
from knowledge.registry.contract import ANY_AGENT, Contract, SizeLimit
from knowledge.registry.registry import Registry
from knowledge.remember.inbox import Inbox
from knowledge.scope import EVERY_NAMESPACE, Principal, Scope
from tests.knowledge.remember.world import lesson


def registry(rounds: int) -> Registry:
    ids = [f"round{number}" for number in range(rounds)]
    return Registry(1, "", {id_: Contract(id_, "one memory", ANY_AGENT, ("Lesson",), SizeLimit(1), "self_service") for id_ in ids})


def main(url: str, who: str, rounds: int) -> None:
    contracts = registry(rounds)
    principal = Principal(who, "agent", Scope(frozenset(contracts.contracts)), frozenset({EVERY_NAMESPACE}))
    journal = Journal(url)
    inbox = Inbox(journal, lambda: contracts, principal)
    for namespace in contracts.contracts:
        inbox.submit(lesson(f"what {who} learned in {namespace}", namespace=namespace))
    journal.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
