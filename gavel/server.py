"""Names the graphs for `langgraph.json`. Bare: the LangGraph server brings its own checkpointer."""

from gavel import build_remember_graph, graph

remember = build_remember_graph()

__all__ = ["graph", "remember"]
