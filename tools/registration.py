"""One function serves every framework: here it becomes a LangChain tool."""

import inspect
from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar, cast

from langchain_core.tools import StructuredTool, ToolException
from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from knowledge.reading.contract import KgReader
from tools.aggregate import aggregate
from tools.checked import explained
from tools.cited import Cited
from tools.errors import ToolError
from tools.find_paths import find_paths
from tools.get_schema import get_schema
from tools.run_cypher import run_cypher
from tools.search_entities import search_entities
from tools.search_facts import search_facts
from tools.traverse import traverse

READ_TOOLS = (search_entities, search_facts, traverse, find_paths, aggregate, get_schema)
GUARDED_TOOLS = (*READ_TOOLS, run_cypher)
P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R", bound=KgReader)


def as_tool(function: Callable[Concatenate[R, P], Cited[T]], reader: R) -> StructuredTool:
    """The function with its reader bound and hidden from the model; its text is the content of a message, its artifact the artifact.

    A ToolError and arguments that do not validate become the tool's answer; OutOfBudget is raised to the agent.
    """

    def call(**arguments: object) -> tuple[str, T]:
        try:
            cited = cast(Callable[..., Cited[T]], function)(reader, **arguments)
        except ToolError as error:
            raise ToolException(str(error)) from error
        return cited.text, cited.artifact

    return StructuredTool(
        name=function.__name__,
        description=inspect.getdoc(function) or "",
        args_schema=_arguments(function),
        func=call,
        response_format="content_and_artifact",
        handle_tool_error=True,
        handle_validation_error=lambda error: explained(cast(ValidationError, error)),
    )


def _arguments(function: Callable[..., object]) -> type[BaseModel]:
    """The signature without the reader."""
    _, *given = inspect.signature(function, eval_str=True).parameters.values()
    fields = {p.name: (p.annotation, ... if p.default is inspect.Parameter.empty else p.default) for p in given}
    return create_model(f"{function.__name__}_arguments", __config__=ConfigDict(extra="forbid"), **fields)  # type: ignore[call-overload, no-any-return]
