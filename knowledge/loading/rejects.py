"""What happens to a row that cannot be loaded: stop the load, or keep the row in a rejects file and go on."""

import json
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import IO, Literal, Self

from knowledge.errors import ConfigError, DataError
from knowledge.loading.parsed import Parsed

OnError = Literal["stop", "skip"]


class Rejects:
    """Use as a context manager. The file is made with the first rejected row: JSON lines of file, line, reason and the row's text."""

    def __init__(self, on_error: OnError, path: Path, inputs: Iterable[Path] = ()) -> None:
        """ConfigError where the rejects would be written over a file that is loaded."""
        if on_error == "skip" and any(path.exists() and path.samefile(file) for file in inputs):
            raise ConfigError(f"{path} is loaded and would be overwritten with the rejected rows; name another file with --rejects")
        self._on_error = on_error
        self._path = path
        self._file: IO[str] | None = None
        self.count = 0

    @property
    def written(self) -> str:
        """The path of the rejects file, empty where there is none."""
        return str(self._path) if self.count else ""

    def add(self, parsed: Parsed) -> None:
        """Keep the row. DataError naming file and line where the load is to stop at the first one."""
        if self._on_error == "stop":
            raise DataError(f"{parsed.error}; or go on with --on-error skip", file=parsed.origin.file, line=parsed.origin.line)
        row = {"file": parsed.origin.file, "line": parsed.origin.line, "reason": parsed.error, "row": parsed.text}
        try:
            if self._file is None:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._file = self._path.open("w", encoding="utf-8", errors="backslashreplace")
            self._file.write(json.dumps(row, ensure_ascii=False) + "\n")
        except OSError as error:
            raise self._unwritable(error) from error
        self.count += 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._file is None:
            return
        try:
            self._file.close()
        except OSError as failure:
            if error is None:
                raise self._unwritable(failure) from failure

    def _unwritable(self, error: OSError) -> ConfigError:
        return ConfigError(f"the rejects file {self._path} cannot be written ({error.strerror or error}); name another one with --rejects")
