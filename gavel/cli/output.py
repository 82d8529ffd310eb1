"""Where commands print: text for people, JSON for programs, progress on the error stream. NO_COLOR and pipes are respected by rich."""

import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID

    from knowledge.progress import Step

_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_LINE_BREAKS = re.compile(r"[\t\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]+")
_ESCAPED_IN_JSON = re.compile(r"[\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_PIPE_WIDTH = 10_000
_LEAST_WIDTH = 20


class Format(StrEnum):
    """How a command prints."""

    text = "text"
    json = "json"


FormatOption = Annotated[Format, typer.Option("--format", help="text for people, json for programs")]


def plain(text: str) -> str:
    """Text from the database without characters that steer a terminal or reorder a line."""
    return _UNPRINTABLE.sub("", text)


def one_line(text: str) -> str:
    """The same for a name within a line: it cannot begin another line, and so cannot pass for a line of ours."""
    return plain(_LINE_BREAKS.sub(" ", text))


def echo(text: str) -> None:
    """Text that may hold data, on standard output."""
    typer.echo(plain(text))


def console(*, errors: bool = False) -> "Console":
    """Standard output, or standard error. Lines are wrapped on a terminal only, so that pipes get whole lines."""
    from rich.console import Console

    stream = sys.stderr if errors else sys.stdout
    made = Console(highlight=False, markup=False, emoji=False, stderr=errors, width=None if stream.isatty() else _PIPE_WIDTH)
    made.width = max(made.width, _LEAST_WIDTH)
    return made


def print_json(value: object) -> None:
    """One JSON document on standard output; dates and paths as text, characters that steer a terminal as escapes."""
    text = json.dumps(value, ensure_ascii=False, indent=2, default=str)
    sys.stdout.write(_ESCAPED_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n")


def tell(output: Format, document: object, *lines: str) -> None:
    """What a command has to say: the document for programs, the lines for people."""
    if output is Format.json:
        print_json(document)
    else:
        for line in lines:
            echo(line)


def table(headings: list[str], rows: list[list[str]]) -> None:
    """Aligned columns on standard output."""
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in headings:
        drawn.add_column(heading)
    for row in rows:
        drawn.add_row(*(Text(one_line(cell)) for cell in row))
    console().print(drawn)


def note(message: str) -> None:
    """One line for the person at the terminal, on standard error."""
    sys.stderr.write(plain(message) + "\n")


def tell_waiting(why: str) -> None:
    """Why something is done later, where it is."""
    if why:
        note(why)


class Bar:
    """Shows long work on standard error: a bar with rate and time left on a terminal, a line per step elsewhere."""

    def __init__(self, drawn: "Progress | None") -> None:
        self._drawn = drawn
        self._task: TaskID | None = None
        self._label = ""

    def __call__(self, done: int, total: int, label: str) -> None:
        if label != self._label:
            self._begin(label)
        if self._drawn is not None and self._task is not None:
            self._drawn.update(self._task, completed=done, total=total or None)

    def step(self, step: "Step") -> None:
        """The same for work that knows its own rate."""
        if step.label != self._label:
            self._begin(step.label)
        if self._drawn is not None and self._task is not None:
            described = f"{step.label} {step.items:,} ({step.rate:,.0f}/s)"
            self._drawn.update(self._task, description=described, completed=step.done, total=step.total or None)

    def _begin(self, label: str) -> None:
        self._label = label
        if self._drawn is None:
            note(f"{label} …")
        else:
            self._drawn.start()
            self._task = self._drawn.add_task(label, total=None)


@contextmanager
def progress() -> Iterator[Bar]:
    """A Bar for the time of the `with` block; nothing is drawn before the first step."""
    if not sys.stderr.isatty():
        yield Bar(None)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeRemainingColumn(),
    )
    drawn = Progress(*columns, console=Console(stderr=True), transient=True)
    try:
        yield Bar(drawn)
    finally:
        drawn.stop()
