"""A language model as a run knows it: a chat model with a name, a price, a breaker, and the way in which it takes a schema."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from langchain_core.language_models import BaseChatModel

from graphs.models.breaker import Breaker

Way = Literal["json_schema", "function_calling", "text"]
WAYS: tuple[Way, ...] = ("json_schema", "function_calling", "text")


@dataclass(frozen=True)
class Price:
    """Money per million tokens."""

    prompt: float
    completion: float

    def of(self, prompt: int, completion: int) -> float:
        """What so many tokens cost."""
        return (prompt * self.prompt + completion * self.completion) / 1_000_000


@dataclass
class Ways:
    """How a model is asked for a schema: its own schemas, a tool call, or words in the prompt. What it refused is not asked of it again."""

    way: Way = "json_schema"

    def lower(self, refused: Way) -> bool:
        """Take the next way after one that was refused; False when there is none."""
        place = WAYS.index(refused) + 1
        if place == len(WAYS):
            return False
        if WAYS.index(self.way) < place:
            self.way = WAYS[place]
        return True


@dataclass(frozen=True, eq=False)
class Model:
    """`id` as in the settings, such as `openai:gpt-4o-mini`. `seconds`: most that one call may take. Price None: unknown, money is not counted."""

    id: str
    chat: BaseChatModel
    price: Price | None = None
    seconds: float = 60.0
    ways: Ways = field(default_factory=Ways)
    breaker: Breaker = field(default_factory=Breaker)

    @cached_property
    def silent(self) -> BaseChatModel:
        """The same model for replies that nobody watches: it does not stream, whoever listens to the graph."""
        return self.chat.model_copy(update={"disable_streaming": True})
