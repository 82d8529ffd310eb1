"""Why a statement does not run: a value that names the reason, the place and what to write instead."""

from dataclasses import dataclass
from typing import Literal

from knowledge.errors import GavelError

Layer = Literal["tokens", "clauses", "bounds", "names", "scope", "plan", "run"]
Code = Literal[
    "look_alike", "unfinished", "character", "too_long", "several_statements",
    "syntax", "prefix", "write", "administration", "import", "procedure", "transactions", "hint", "function", "too_deep", "unknown_parameter",
    "path_length", "list_size", "growth", "row_count",
    "unknown_label", "unknown_relation", "unknown_property", "direction", "internal",
    "subquery", "pattern_expression", "shortest_path", "quantified_path", "element_as_value", "dynamic",
    "server_syntax", "operator", "scan", "product", "too_many_rows",
    "failed",
]  # fmt: skip
_LAYERS: dict[Layer, tuple[Code, ...]] = {
    "tokens": ("look_alike", "unfinished", "character", "too_long", "several_statements"),
    "clauses": (
        "syntax", "prefix", "write", "administration", "import", "procedure", "transactions", "hint", "function", "too_deep",
        "unknown_parameter",
    ),
    "bounds": ("path_length", "list_size", "growth", "row_count"),
    "names": ("unknown_label", "unknown_relation", "unknown_property", "direction", "internal"),
    "scope": ("subquery", "pattern_expression", "shortest_path", "quantified_path", "element_as_value", "dynamic"),
    "plan": ("server_syntax", "operator", "scan", "product", "too_many_rows"),
    "run": ("failed",),
}  # fmt: skip
_LAYER_OF = {code: layer for layer, codes in _LAYERS.items() for code in codes}


@dataclass(frozen=True)
class Refusal:
    """`line` and `column` count from 1 in the text that was given; 0 where no single place is meant. `instead` is advice, may be empty."""

    code: Code
    message: str
    line: int = 0
    column: int = 0
    instead: str = ""

    @property
    def layer(self) -> Layer:
        """Which check refused."""
        return _LAYER_OF[self.code]

    def __str__(self) -> str:
        place = f" (line {self.line}, column {self.column})" if self.line else ""
        return f"{self.message}{place}{'; ' + self.instead if self.instead else ''}"


class Refused(GavelError):
    """Carries a refusal out of the depth of a check. It never leaves this package: `Guard.check` turns it into its value."""

    def __init__(self, code: Code, message: str, at: int = -1, instead: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.at, self.instead = code, message, at, instead

    @property
    def layer(self) -> Layer:
        return _LAYER_OF[self.code]

    def located(self, text: str) -> Refusal:
        """The refusal with its place in the text; `at` is an offset, negative where no single place is meant."""
        if self.at < 0:
            return Refusal(self.code, self.message, instead=self.instead)
        before = text[: self.at]
        return Refusal(self.code, self.message, before.count("\n") + 1, self.at - (before.rfind("\n") + 1) + 1, self.instead)
