"""What a played model is asked and what it replies, faults of providers included."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True)
class Asked:
    """One request. `messages` are (role, text); `form` how a schema was asked for; `tools` the names of the tools that are offered.

    `one_call`: whether the model was asked to make one call at a time.
    """

    messages: Sequence[tuple[str, str]]
    tools: Sequence[str] = ()
    form: Literal["json_schema", "function_calling", "text"] = "text"
    streamed: bool = False
    most: int = 0
    one_call: bool = False

    @property
    def system(self) -> str:
        return next((text for role, text in self.messages if role == "system"), "")

    @property
    def question(self) -> str:
        return next((text for role, text in self.messages if role == "user"), "")

    @property
    def repairing(self) -> bool:
        """Whether an earlier reply could not be used."""
        return len(self.messages) > 2


@dataclass(frozen=True)
class Played:
    """One reply. `calls`: tool calls as (name, arguments). `status` other than 200 is an error of the provider.

    `delay`: seconds before anything is sent; `drip`: seconds between the pieces of a stream or of a body; `cut`: pieces after which the
    connection is dropped. `tokens`: of prompt and completion as reported; None reports nothing.
    """

    text: str = ""
    calls: Sequence[tuple[str, Mapping[str, object]]] = ()
    status: int = 200
    message: str = "played"
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    drip: float = 0.0
    cut: int | None = None
    tokens: tuple[int, int] | None = (70, 30)


Policy = Callable[[Asked], Played]
