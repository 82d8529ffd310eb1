"""`python -m tests.knowledge.remember.delegated_in_a_process JOURNAL WHO`: one submission by `helper` into each namespace that a line of the input names."""

import sys

from knowledge.journal.journal import Journal
from knowledge.registry.contract import Contract, SizeLimit
from knowledge.registry.registry import Registry
from knowledge.remember.inbox import Inbox
from knowledge.scope import Principal, Scope
from tests.knowledge.remember.world import lesson

CONTRACTS = {
    id_: Contract(id_, "what the owner lets another tell once", "alpha-bot", ("Lesson",), SizeLimit(), "owner_only")
    for id_ in (f"round{number}" for number in range(200))
}
HELPER = Principal("helper", "agent", Scope(frozenset(CONTRACTS)), frozenset(CONTRACTS))


def main(url: str, who: str) -> None:
    journal = Journal(url)
    inbox = Inbox(journal, lambda: Registry(1, "", CONTRACTS), HELPER)
    print("ready", flush=True)
    for line in sys.stdin:
        namespace = line.strip()
        inbox.submit(lesson(f"what process {who} of the helper learned in {namespace}", namespace=namespace))
        print(namespace, flush=True)
    journal.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
