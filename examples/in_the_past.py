"""Scope and limits travel in the context: which namespace, as of when, and what it may cost."""

from gavel import graph

for year in ("2016", "2025"):
    context = {"scope": {"namespaces": ["demo"], "as_of": year}, "limits": {"queries": 10, "wall_time": 30}}
    state = graph.invoke({"question": "Who founded OpenAI?"}, context=context)
    print(year, state["answer"])
