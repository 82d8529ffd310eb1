"""What a brain may ask a model: a prompt with its values in, a checked value out."""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Generic, TypeVar, cast

from pydantic import BaseModel

from knowledge.cypher.reader import CypherReader
from knowledge.errors import GavelError
from prompts.prompt import Prompt, load

M = TypeVar("M", bound=BaseModel)
R = TypeVar("R")
V = TypeVar("V")
REPLY_TOKENS = 800


class Unable(GavelError):
    """The model gave nothing that can be used. Thrown into the brain that asked; where it is not caught, the role's rules take over."""


@dataclass(frozen=True)
class Ask:
    """One thing to ask. `question` is what a person wrote, `schema` the reply's form (None: plain text, streamed as it comes).

    `check` raises ValueError, in words for the model, where a reply of the right form cannot be used. `tokens`: most that the reply may take.
    """

    prompt: Prompt
    system: str
    question: str
    schema: type[BaseModel] | None
    check: Callable[[BaseModel | str], None]
    tokens: int = REPLY_TOKENS


Thought = Generator[Ask, BaseModel | str, R]


@dataclass(frozen=True)
class Mind(Generic[V, R]):
    """A role's brain behind a model. It is handed what its rules would be: the view and a reader, and the rules themselves for a draft."""

    think: Callable[[V, CypherReader, Callable[[V, CypherReader], R]], Thought[R]]


def ask(
    name: str, question: str, schema: type[M], check: Callable[[M], None], /, *, tokens: int = REPLY_TOKENS, **values: str
) -> Generator[Ask, BaseModel | str, M]:
    """Ask with the prompt `name`; the reply, which has passed the check."""
    prompt = load(name)

    def checked(reply: BaseModel | str) -> None:
        check(cast(M, reply))

    said = yield Ask(prompt, prompt.render(**values), question, schema, checked, tokens)
    return cast(M, said)


def ask_text(
    name: str, question: str, check: Callable[[str], None], /, *, tokens: int = REPLY_TOKENS, **values: str
) -> Generator[Ask, BaseModel | str, str]:
    """The same for a reply in plain text."""
    prompt = load(name)

    def checked(reply: BaseModel | str) -> None:
        check(str(reply))

    said = yield Ask(prompt, prompt.render(**values), question, None, checked, tokens)
    return str(said)
