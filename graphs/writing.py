"""What the writer does wherever it works: look first, submit through the guarded tool, and read the receipts again."""

from typing import cast

from langgraph.config import get_config

from agents.contract import Draft, NamespaceCard, WriterView
from graphs.context import Run
from graphs.state import Submitted
from knowledge.errors import AuditError, DatabaseError, OutOfBudget
from knowledge.identity import digest
from knowledge.registry.contract import Contract
from knowledge.remember.guard import Holdings
from knowledge.remember.inbox import WRITER
from knowledge.remember.operations import Operation
from knowledge.remember.verdict import Receipt
from tools.add_memory import add_memory, told
from tools.errors import ToolError

KNOWN_FACTS = 10
SEARCHED = 1_000
CONVERSATION = "a conversation"


def observed(run: Run, said: str, before: str, namespace: str = "") -> tuple[WriterView, str]:
    """What the namespaces hold, what is known of the topic, and how the database is. One that is away stops nothing."""
    cards = [card(contract, held, run) for contract, held in run.inbox(WRITER).visible()]
    known, health = _known(run, f"{said} {before}"[:SEARCHED])
    return {"said": said, "before": before, "namespace": namespace, "namespaces": cards, "known": known}, health


def submitted(run: Run, draft: Draft, key: str, source: str = CONVERSATION, valid_at: str = "") -> Submitted:
    """In the writer's hands. What the tool cannot use is told as an invalid receipt."""
    try:
        cited = add_memory(
            run.inbox(WRITER), draft["name"], draft["episode_body"], draft["group_id"], "message", source, key, valid_at,
            cast("list[Operation]", draft["operations"]),
        )  # fmt: skip
    except ToolError as error:
        return nothing(draft["group_id"], str(error))
    return _shown(cited.artifact)


def nothing(namespace: str, why: str) -> Submitted:
    """What stands for a receipt where there is none."""
    return {"receipt": "", "status": "invalid", "namespace": namespace, "said": why}


def key(view: WriterView, draft: Draft, place: int) -> str:
    """Names a draft within a thread, so that a node that runs again submits nothing twice. Without a thread the content is the key."""
    thread = get_config().get("configurable", {}).get("thread_id")
    said = view["said"] if draft["episode_body"] in view["said"] else f"{view['said']}\n{view['before']}"
    return digest(str(thread), said, str(place)) if thread else ""


def now(run: Run, receipt: Submitted) -> Submitted:
    """What holds of it at this moment."""
    found = run.inbox(WRITER).receipt(receipt["receipt"]) if receipt["receipt"] else None
    return _shown(found) if found else receipt


def _shown(receipt: Receipt) -> Submitted:
    return cast(Submitted, {**receipt.as_json(), "said": told(receipt)})


def card(contract: Contract, held: Holdings, run: Run) -> NamespaceCard:
    """What the writer is shown of a namespace. `room` -1 is no limit."""
    most = contract.size_limit.episodes
    direct = contract.write_policy != "explicit_approval_required" and run.principal.may_write(contract.id)
    return {
        "id": contract.id, "purpose": contract.purpose, "types": list(contract.allowed_types), "direct": direct,
        "room": -1 if most is None else max(0, most - held.episodes),
    }  # fmt: skip


def _known(run: Run, said: str) -> tuple[list[str], str]:
    """Facts on the topic, and how the database is."""
    try:
        reader = run.reader(WRITER)
        hits = reader.search_facts(said, limit=KNOWN_FACTS) if said else []
    except OutOfBudget:
        return [], "not looked at: the budget is spent"
    except DatabaseError as error:
        return [], f"the database is away, so nothing is applied yet: {error}"
    except AuditError as error:
        return [], f"not looked at: {error}"
    return [hit.item.text or f"{hit.item.subject.name} {hit.item.relation} {hit.item.object.name}" for hit in hits], "well"
