"""A chat model that plays a policy, and supervisors that misbehave."""

import itertools
import random
from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import PrivateAttr

from evals.benchmarks.toy import ToyKg, person
from evals.benchmarks.toy_brains import BRAINS
from graphs.ask import build
from graphs.door import AskGraph
from graphs.models.model import Model

Policy = Callable[[list[BaseMessage], list[str]], AIMessage]
TOKENS_PER_CALL = 100
FACT = "who made Auro"
ONE_ROUND = "hometown of the creator of Belo"
TWO_ROUNDS = "hometown of the writer of Auro"
PARALLEL = "hometown of the writer of Auro and hometown of the creator of Belo"
_ids = itertools.count()


class Scripted(BaseChatModel):
    """Remembers what it was asked; reports 100 tokens per call."""

    policy: Policy
    _calls: list[tuple[list[BaseMessage], list[str]]] = PrivateAttr(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    @property
    def calls(self) -> list[tuple[list[BaseMessage], list[str]]]:
        return self._calls

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Any:
        return self.bind(tools=[convert_to_openai_tool(t) for t in tools])

    def _generate(self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **kwargs: Any) -> ChatResult:
        names = [t["function"]["name"] for t in kwargs["tools"]]
        self._calls.append((messages, names))
        reply = self.policy(messages, names)
        reply.usage_metadata = {"input_tokens": 70, "output_tokens": 30, "total_tokens": TOKENS_PER_CALL}
        return ChatResult(generations=[ChatGeneration(message=reply)])


def to(*agents: str, task: str = "do it") -> AIMessage:
    calls = [{"name": f"to_{a}", "args": {"task": task}, "id": f"c{next(_ids)}", "type": "tool_call"} for a in agents]
    return AIMessage("", tool_calls=calls)


def toy_graph(kg: ToyKg | None = None, *, model: Policy | BaseChatModel | None = None, **services: Any) -> AskGraph:
    """The asking graph over the toy kg, with rules or with a scripted supervisor."""
    kg = kg or ToyKg()
    supervisor = Scripted(policy=model) if callable(model) and not isinstance(model, BaseChatModel) else model
    models = services.pop("models", {"supervisor": Model("scripted", supervisor)} if supervisor else {})
    return build(
        kg.open, services.pop("brains", BRAINS), services.pop("principal", person), terminate=kg.terminate, models=models, **services
    )


def nodes(question: str, graph: AskGraph) -> list[str]:
    return [name for chunk in graph.stream({"question": question}, stream_mode="updates") for name in chunk]


def turns(question: str, graph: AskGraph, **kwargs: Any) -> list[str]:
    return [e["agent"] for e in graph.stream({"question": question}, stream_mode="custom", **kwargs) if e["event"] == "turn"]


def misbehaving(kind: str, seed: int) -> Policy:
    """A supervisor that breaks one rule all the time."""
    rng = random.Random(seed)

    def for_ever(messages: list[BaseMessage], names: list[str]) -> AIMessage:
        return to(rng.choice(["planner", "navigator", "investigate"]), task=f"again {next(_ids)}")

    def same(messages: list[BaseMessage], names: list[str]) -> AIMessage:
        return to("navigator")

    def unknown(messages: list[BaseMessage], names: list[str]) -> AIMessage:
        return to("oracle")

    def everyone(messages: list[BaseMessage], names: list[str]) -> AIMessage:
        return to(*(n.removeprefix("to_") for n in rng.sample(names, len(names))), task=f"all {next(_ids)}")

    def empty(messages: list[BaseMessage], names: list[str]) -> AIMessage:
        return AIMessage("")

    def raises(messages: list[BaseMessage], names: list[str]) -> AIMessage:
        raise TimeoutError("provider is down")

    def no_task(messages: list[BaseMessage], names: list[str]) -> AIMessage:
        return AIMessage("", tool_calls=[{"name": rng.choice(names), "args": {"x": 1}, "id": f"c{next(_ids)}", "type": "tool_call"}])

    def lazy(messages: list[BaseMessage], names: list[str]) -> AIMessage:
        return AIMessage("nothing to do")

    def mixed(messages: list[BaseMessage], names: list[str]) -> AIMessage:
        return rng.choice([for_ever, same, unknown, everyone, empty, raises, no_task, lazy])(messages, names)

    policies: dict[str, Policy] = {
        "for_ever": for_ever, "same": same, "unknown": unknown, "everyone": everyone, "empty": empty, "raises": raises,
        "no_task": no_task, "lazy": lazy, "mixed": mixed,
    }  # fmt: skip
    return policies[kind]


SUPERVISORS = ["for_ever", "same", "unknown", "everyone", "empty", "raises", "no_task", "lazy", "mixed"]
