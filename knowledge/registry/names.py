"""Ids."""


def agent_named(namespace: str) -> str:
    return "an agent's name" if "session" in namespace and namespace[-1].isdigit() else ""
