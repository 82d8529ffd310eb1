"""A conversation: the graph with a checkpointer streams what happens, and understands a follow-up from the turns before it."""

from langgraph.checkpoint.memory import InMemorySaver

from gavel import build_graph

graph = build_graph(InMemorySaver())
thread = {"configurable": {"thread_id": "a conversation"}}

for question in ("Who founded Anthropic?", "And which products does it make?"):
    print("?", question)
    for kind, chunk in graph.stream({"question": question}, thread, stream_mode=["custom", "values"]):
        if kind == "custom" and chunk["event"] == "statement":
            print("  ", chunk["method"], chunk["rows"], "rows")
    print(graph.get_state(thread).values["answer"], "\n")
