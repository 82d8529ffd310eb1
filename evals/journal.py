"""One line per asked case, written as soon as it is answered, so that a broken run goes on where it stopped."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TextIO

CODE = ("knowledge", "tools", "prompts", "agents", "graphs", "gavel", "evals")
Key = tuple[str, str, bool, str]


@dataclass(frozen=True)
class Row:
    """What one case came to. `milliseconds` are wall time of the last turn, `queries` what its run says it sent."""

    suite: str
    shape: str
    profile: bool
    case: str
    asked: str
    topic: str
    verdict: str
    hit: float
    f1: float
    queries: float
    milliseconds: float
    stop_reason: str
    confidence: float
    answer: str
    why: str
    groups: dict[str, str] = field(default_factory=dict)

    @property
    def key(self) -> Key:
        """What makes a case be asked once only."""
        return self.suite, self.shape, self.profile, self.case


class Journal:
    """The rows of one report. Rows of another state of the product's code are dropped when it is opened."""

    def __init__(self, path: Path, product: str, *, fresh: bool = False) -> None:
        self.path = path
        self._product = product
        self._rows = {} if fresh else {row.key: row for row in self._read()}
        path.parent.mkdir(parents=True, exist_ok=True)
        self._stream: TextIO = path.open("w", encoding="utf-8")
        self._line({"product": product})
        for row in self._rows.values():
            self._line(asdict(row))

    def __contains__(self, key: Key) -> bool:
        return key in self._rows and self._rows[key].verdict != "error"

    def add(self, row: Row) -> None:
        """Keep a row for good."""
        self._rows[row.key] = row
        self._line(asdict(row))

    def rows(self) -> list[Row]:
        """All rows so far, each case once."""
        return list(self._rows.values())

    def close(self) -> None:
        """Close the file."""
        self._stream.close()

    def _line(self, record: dict[str, object]) -> None:
        self._stream.write(json.dumps(record, ensure_ascii=False) + "\n")
        self._stream.flush()

    def _read(self) -> Iterator[Row]:
        lines = self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []
        if lines and json.loads(lines[0]).get("product") == self._product:
            yield from (Row(**json.loads(line)) for line in lines[1:] if line.endswith("}"))


def product_digest(root: Path) -> str:
    """Names the state of the code, so that rows of two states never meet in one report."""
    digest = hashlib.sha256()
    for folder in CODE:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]
