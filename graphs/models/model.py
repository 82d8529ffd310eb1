"""A language model as a run knows it: a chat model with a name, a price, a breaker, and the way in which it takes a schema."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Generic, Literal, TypeVar

from langchain_core.language_models import BaseChatModel

from graphs.models.breaker import Breaker

Way = Literal["json_schema", "function_calling", "text"]
WAYS: tuple[Way, ...] = ("json_schema", "function_calling", "text")
"""How a model is asked for a schema: its own schemas, a tool call, or words in the prompt."""
ToolWay = Literal["one_call", "calls", "text"]
TOOL_WAYS: tuple[ToolWay, ...] = ("one_call", "calls", "text")
"""How a model is offered tools: with the wish for one call at a time, without it, or in words of the prompt."""
W = TypeVar("W", bound=str)


@dataclass(frozen=True)
class Price:
    """Money per million tokens."""

    prompt: float
    completion: float

    def of(self, prompt: int, completion: int) -> float:
        """What so many tokens cost."""
        return (prompt * self.prompt + completion * self.completion) / 1_000_000


@dataclass
class Ways(Generic[W]):
    """Ways in which a model can be asked, best first. What it refused is not asked of it again."""

    all: Sequence[W]
    way: W

    def lower(self, refused: W) -> bool:
        """Take the next way after one that was refused; False when there is none."""
        place = self.all.index(refused) + 1
        if place == len(self.all):
            return False
        if self.all.index(self.way) < place:
            self.way = self.all[place]
        return True


def schema_ways(way: Way = WAYS[0]) -> Ways[Way]:
    """From this way on."""
    return Ways(WAYS, way)


def tool_ways(way: ToolWay = TOOL_WAYS[0]) -> Ways[ToolWay]:
    """From this way on."""
    return Ways(TOOL_WAYS, way)


@dataclass(frozen=True, eq=False)
class Model:
    """`id` as in the settings, such as `openai:gpt-4o-mini`. `seconds`: most that one call may take. Price None: unknown, money is not counted."""

    id: str
    chat: BaseChatModel
    price: Price | None = None
    seconds: float = 60.0
    ways: Ways[Way] = field(default_factory=schema_ways)
    tool_ways: Ways[ToolWay] = field(default_factory=tool_ways)
    breaker: Breaker = field(default_factory=Breaker)

    @cached_property
    def silent(self) -> BaseChatModel:
        """The same model for replies that nobody watches: it does not stream, whoever listens to the graph."""
        return self.chat.model_copy(update={"disable_streaming": True})
