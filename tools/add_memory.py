"""Tool: the one guarded write. Given to the writer agent alone, and checked again below it."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field, SkipValidation, TypeAdapter

from knowledge.errors import DataError, GavelError
from knowledge.remember.inbox import Inbox
from knowledge.remember.operations import Operation
from knowledge.remember.proposal import Proposal
from knowledge.remember.verdict import Receipt
from tools.cited import Cited
from tools.errors import ToolError

Write: TypeAlias = Annotated[Inbox, SkipValidation]
Name: TypeAlias = Annotated[str, Field(description="`Type: Topic - Aspect`, such as `Lesson: Neo4j - deadlocks are tried again`")]
Body: TypeAlias = Annotated[str, Field(description="What is to be remembered, whole and self-contained")]
Namespace: TypeAlias = Annotated[str | None, Field(description="The namespace that holds this type; a refusal names the right one")]
ValidAt: TypeAlias = Annotated[str, Field(description="When it was true: 2019, 2019-05, 2019-05-07 or an ISO instant; empty for now")]
Operations: TypeAlias = Annotated[
    list[Operation], Field(description="What follows from it: add_entity, add_relation, update_property, invalidate_relation")
]
_OPERATIONS = TypeAdapter(list[Operation])


def add_memory(
    inbox: Write,
    name: Name,
    episode_body: Body,
    group_id: Namespace = None,
    source: Literal["text", "json", "message"] = "text",
    source_description: Annotated[str, Field(description="Where it comes from")] = "",
    uuid: Annotated[str, Field(description="The caller's idempotency key: sending it again changes nothing")] = "",
    valid_at: ValidAt = "",
    operations: Operations | None = None,
) -> Cited[Receipt]:
    """Propose a memory. The verdict comes at once: accept, review (someone must approve), reject or invalid, with the reason and where to go instead."""
    try:
        given = {
            "name": name, "episode_body": episode_body, "group_id": group_id or "", "source": source, "source_description": source_description,
            "valid_at": valid_at, "idempotency_key": uuid, "operations": [o.model_dump() for o in _OPERATIONS.validate_python(operations or [])],
        }  # fmt: skip
        receipt = inbox.submit(Proposal.read(given))
    except DataError as error:
        raise ToolError(str(error)) from error
    except GavelError as error:
        raise ToolError(f"nothing was kept: {error}") from error
    return Cited(told(receipt), receipt)


def told(receipt: Receipt) -> str:
    """A receipt in words."""
    verdict = receipt.verdict
    first = {
        "accept": f"accepted into {receipt.namespace}, receipt {receipt.id}: it is {receipt.status}",
        "review": f"waits for approval in {receipt.namespace}, receipt {receipt.id}",
        "reject": "refused",
        "invalid": "cannot be used",
    }[verdict.outcome]
    return "; ".join(part for part in (first, verdict.message, *verdict.advice, receipt.why) if part)
