"""Names the graph for `langgraph.json`. Bare: the LangGraph server brings its own checkpointer."""

from gavel import graph

__all__ = ["graph"]
