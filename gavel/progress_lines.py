"""What happens in a run, told line by line while it runs; the answer's own text follows as it is written."""

from collections.abc import Mapping
from typing import TextIO

from gavel.cli.output import one_line, plain

_TOLD = ("turn", "task", "fallback", "failure")


class Teller:
    """Writes to a stream that a person watches. Reports and single reads are left to `--trace`."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._inside_line = False

    def tell(self, event: Mapping[str, object]) -> None:
        """One event of a run."""
        if event["event"] == "token":
            self._inside_line = True
            self._write(plain(str(event["text"])))
        elif event["event"] in _TOLD:
            self._write(f"{chr(10) if self._inside_line else ''}· {one_line(_worded(event))}\n")
            self._inside_line = False

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def _worded(event: Mapping[str, object]) -> str:
    if event["event"] == "turn":
        return " ".join(part for part in (f"round {event['round']}: {event['agent']}", str(event.get("task", ""))) if part)
    if event["event"] == "task":
        return f"{event['goal']}: {event['error'] or event['status']}"
    if event["event"] == "fallback":
        return f"{event['role']} goes by rules: {event['why']}"
    return f"{event['where']} failed: {event['why']}"
