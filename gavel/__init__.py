"""Gavel answers questions over a Neo4j knowledge graph, with proof.

`from gavel import graph` gives the compiled LangGraph graph over the database of the environment's settings; nothing is connected before
its first run. `ask` is the same in one call.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from langchain_core.tools import StructuredTool
    from langgraph.types import Checkpointer

    from graphs.door import AskGraph, RememberGraph
    from graphs.state import Result

    graph: AskGraph

__all__ = ["ask", "build_graph", "build_remember_graph", "graph", "memory_tool"]


def ask(
    question: str,
    *,
    namespaces: Sequence[str] | None = None,
    as_of: str = "",
    known_at: str = "",
    limits: Mapping[str, float] | None = None,
) -> "Result":
    """Answer one question. `namespaces` None reads all that may be read; dates as 2019, 2019-05 or an ISO instant; `limits` by name.

    ConfigError for an unknown limit, ScopeError for a namespace that may not be read, DatabaseError where none can be reached.
    """
    from gavel.asking import asked

    return asked(_graph(), question, namespaces=namespaces, as_of=as_of, known_at=known_at, limits=limits or {})


def build_graph(checkpointer: "Checkpointer" = None) -> "AskGraph":
    """A graph of its own over the same database; with a checkpointer it remembers threads, so that a follow-up is understood."""
    from gavel.app import current

    return current().graph(checkpointer)


def build_remember_graph(checkpointer: "Checkpointer" = None) -> "RememberGraph":
    """The graph that takes memories in through the guarded write path; with a checkpointer it stops where someone must decide."""
    from gavel.app import current

    return current().remember_graph(checkpointer)


def memory_tool(agent_id: str = "", on_behalf_of: str = "") -> "StructuredTool":
    """`add_memory` as a LangChain tool for the one agent of yours that writes; who that is and for whom it acts is recorded as a claim.

    What it accepts is applied by `gavel worker`, or by the next command or graph of this process that writes.
    """
    from gavel.app import current
    from gavel.langchain_tools import add_memory_tool
    from knowledge.remember.inbox import WRITER
    from knowledge.remember.proposal import Provenance

    app = current()
    return add_memory_tool(app.memory.inbox(app.proposer(), Provenance(agent_id, "", on_behalf_of, "add_memory"), WRITER))


def _graph() -> "AskGraph":
    if "graph" not in globals():
        globals()["graph"] = build_graph()
    made: AskGraph = globals()["graph"]
    return made


def __getattr__(name: str) -> "AskGraph":
    if name == "graph":
        return _graph()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
