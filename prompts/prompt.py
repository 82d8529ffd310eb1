"""Prompts as files: declared inputs in the head, `{{input}}` in the text. A missing, unknown or unused input fails."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from knowledge.errors import ConfigError
from knowledge.identity import digest

_FOLDER = Path(__file__).parent
_FILE = re.compile(r"---\ninputs: *(?P<inputs>[\w, ]*)\n---\n(?P<text>.+)", re.S)
_INPUT = re.compile(r"\{\{(\w+)\}\}")


@dataclass(frozen=True)
class Prompt:
    """A checked prompt. `hash` identifies its content and goes into the trace."""

    name: str
    text: str
    inputs: frozenset[str]
    hash: str

    def render(self, **values: str) -> str:
        """The text with every input in its place. ConfigError when the values are not exactly the declared inputs."""
        if wrong := self.inputs.symmetric_difference(values):
            raise ConfigError(f"prompt {self.name} takes {', '.join(sorted(self.inputs)) or 'no input'}; check {', '.join(sorted(wrong))}")
        return _INPUT.sub(lambda found: values[found[1]], self.text)


@cache
def load(name: str, folder: Path = _FOLDER) -> Prompt:
    """Read `name.md`. ConfigError when it is missing, has no head, or declares other inputs than its text uses."""
    try:
        content = (folder / f"{name}.md").read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"prompt {name} cannot be read from {folder}: {error}") from error
    parts = _FILE.fullmatch(content)
    if not parts:
        raise ConfigError(f"prompt {name} needs a head of three lines: ---, inputs: a, b, ---")
    declared = frozenset(part.strip() for part in parts["inputs"].split(",") if part.strip())
    used = frozenset(_INPUT.findall(parts["text"]))
    if wrong := declared ^ used:
        raise ConfigError(f"prompt {name} must declare the inputs that it uses, and no others; check {', '.join(sorted(wrong))}")
    return Prompt(name, parts["text"].strip(), declared, digest(content))
