"""Starts the server of a folder and kills itself at one step: `start_and_die.py FOLDER VERSION MODULE NAME CALL before|after`."""

import importlib
import os
import signal
import sys
from pathlib import Path
from typing import Any

from knowledge.database.embedded import EmbeddedServer


def main(folder: str, version: str, module: str, name: str, call: str, moment: str) -> None:
    owner: Any = importlib.import_module(f"knowledge.database.embedded.{module}")
    *classes, function = name.split(".")
    for part in classes:
        owner = getattr(owner, part)
    real = getattr(owner, function)
    calls = 0

    def deadly(*arguments: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == int(call) and moment == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        result = real(*arguments, **named)
        if calls == int(call):
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    setattr(owner, function, deadly)
    EmbeddedServer(Path(folder), version).start()


if __name__ == "__main__":
    main(*sys.argv[1:])
