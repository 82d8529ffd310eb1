"""What an answer lacks, handed to the writer when the answer is out: it delays nobody, and a fault of it is logged and no more."""

import functools
import logging
from collections.abc import Sequence

from agents.exchange import Gap
from agents.gap_tasks import gap_drafts
from graphs.context import Run
from graphs.writing import card
from knowledge.identity import digest
from knowledge.remember.inbox import WRITER
from knowledge.remember.proposal import Proposal
from knowledge.remember.verdict import Receipt

SOURCE = "an answer that lacked it"
_LOG = logging.getLogger(__name__)


def submit_gaps(run: Run, gaps: Sequence[Gap], namespace: str) -> list[Receipt]:
    """Each gap once, whoever meets it; after everything else that waits in its namespace, the most urgent of them first."""
    inbox = run.inbox(WRITER)
    cards = [card(contract, held, run) for contract, held in inbox.visible() if contract.id == namespace]
    if not cards:
        _tell_missing(namespace)
    made = []
    for draft, gap in gap_drafts(gaps, cards[0]) if cards else []:
        key = digest("gap", namespace, gap["kind"], gap["about"], gap["relation"])
        proposal = Proposal.read({**draft, "source_description": SOURCE, "idempotency_key": key})
        made.append(inbox.submit(proposal, priority=-gap["priority"]))
    run.desk.apply()
    return made


@functools.cache
def _tell_missing(namespace: str) -> None:
    """Once in a process: it would be the same with every question."""
    _LOG.warning(
        "what answers lack is proposed nowhere: the namespace %s is not registered, or not for who asks; register it, or unset GAVEL_GAP_NAMESPACE",
        namespace,
    )
