"""The asking graph over the toy kg with every role behind the real client of a loopback provider."""

import dataclasses
import json
from collections.abc import Callable, Mapping
from typing import Any

import httpx

from agents.contract import ROLES, Role
from evals.benchmarks.toy import ToyKg, person
from evals.benchmarks.toy_brains import BRAINS
from evals.loopback.plain_sense import plain_sense, role_of
from evals.loopback.played import Asked, Played
from gavel.brains import MINDS
from graphs.ask import build
from graphs.budget import STOP_REASONS
from graphs.door import AskGraph
from graphs.models.model import Model, Price
from graphs.state import Result
from tests.graphs.models.provided import chat

ABOUT = "about Belo"
"""A question whose plan has an exploring task, so that every role is asked."""
_ONCE = httpx.Limits(max_keepalive_connections=0)
_CLIENT, _ASYNC_CLIENT = httpx.Client(verify=False), httpx.AsyncClient(verify=False, limits=_ONCE)
EXPLORE = json.dumps({"tasks": [{"id": "t1", "part": 0, "how": "explore", "start": ["e1"], "goal": "what is around"}]})


def explorer(asked: Asked) -> Played:
    """Plain sense, except that the planner only explores."""
    return Played(EXPLORE) if role_of(asked) == "planner" else plain_sense(asked)


def thinking(url: str, seconds: Mapping[Role, float] | float = 10.0, **services: Any) -> AskGraph:
    """One client, but a model and with it a breaker per role; `seconds`: most that a call may take, of each role or of all."""
    client, brains = chat(url, http_client=_CLIENT, http_async_client=_ASYNC_CLIENT), dataclasses.replace(BRAINS, minds=MINDS)
    limits = seconds if isinstance(seconds, Mapping) else dict.fromkeys(ROLES, seconds)
    models = {role: Model(f"openai:{role}", client, Price(1.0, 1.0), limits.get(role, 10.0)) for role in ROLES}
    kg = ToyKg()
    return build(kg.open, brains, person, terminate=kg.terminate, models=models, **services)


def faulty(role: Role, fault: Callable[[Asked], Played]) -> Callable[[Asked], Played]:
    """Everyone plays well except one role."""

    def policy(asked: Asked) -> Played:
        return fault(asked) if role_of(asked) == role else explorer(asked)

    return policy


def assert_whole(result: Mapping[str, Any], **limits: Any) -> None:
    """A result with all of its parts, whose costs add up and are within the limits."""
    assert set(Result.__annotations__) <= set(result)
    assert result["stop_reason"] in STOP_REASONS and isinstance(result["stop_reason"], str)
    assert result["answer"].strip() and 0 <= result["confidence"] <= 1
    assert set(result["brains"]) == set(ROLES)
    assert all(citation in result["evidence"] for citation in result["citations"])
    spent = result["spent"]
    for unit in ("model_calls", "queries", "turns", "rounds"):
        assert unit not in limits or spent[unit] <= limits[unit]
    for unit in ("model_calls", "tokens"):
        assert sum(cost[unit] for cost in spent["roles"].values()) == spent[unit]
    assert abs(sum(cost["money"] for cost in spent["roles"].values()) - spent["money"]) < 1e-9
