"""Whom a LangGraph server has recognised. Read where `runtime.server_info` is made from, since a run is opened before its graph is."""

from langchain_core.runnables import RunnableConfig, ensure_config

USER = "langgraph_auth_user"
OF_A_SERVER = frozenset({USER, "assistant_id", "graph_id"})


def server_user(*configs: RunnableConfig | None) -> str | None:
    """The identity that the server's door has proven; empty where it has proven none, None where no server is there.

    Servers take this key out of all that their clients send. A user is an object: what came as JSON is none.
    """
    given = [(config or {}).get("configurable", {}) for config in (ensure_config(), *configs)]
    configurable: dict[str, object] = {name: value for each in given for name, value in each.items()}
    identity = getattr(configurable.get(USER), "identity", None)
    if identity:
        return str(identity)
    return "" if OF_A_SERVER & configurable.keys() else None
