"""The guarded write as a LangChain tool, for the one agent of your own that writes."""

from typing import Any

from langchain_core.tools import StructuredTool
from langchain_core.tools.base import ToolException, create_schema_from_function

from knowledge.errors import ScopeError
from knowledge.remember.inbox import WRITER, Inbox
from knowledge.remember.verdict import Receipt
from tools.add_memory import add_memory
from tools.errors import ToolError


def add_memory_tool(inbox: Inbox) -> StructuredTool:
    """`add_memory` with Graphiti's parameters over this inbox; the artifact of its message is the receipt. What it cannot use is told to the model.

    ScopeError for an inbox that is in other hands than the writer's: it would refuse and record every call.
    """
    if inbox.holder != WRITER:
        raise ScopeError(f"the tool that writes is for the {WRITER} alone, and this inbox is {inbox.holder}'s; use `gavel.memory_tool()`")

    def called(**given: Any) -> tuple[str, Receipt]:
        try:
            cited = add_memory(inbox, **given)
        except ToolError as error:
            raise ToolException(str(error)) from error
        return cited.text, cited.artifact

    return StructuredTool.from_function(
        called,
        name=add_memory.__name__,
        description=add_memory.__doc__,
        args_schema=create_schema_from_function(add_memory.__name__, add_memory, filter_args=("inbox",)),
        infer_schema=False,
        response_format="content_and_artifact",
        handle_tool_error=True,
    )
