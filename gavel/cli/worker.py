"""`gavel worker`: apply what was accepted."""

import signal
import threading
from typing import Annotated

import typer

from gavel.cli.output import Format, FormatOption, tell

ONCE = typer.Option("--once", help="do what is due now and end, instead of waiting for more")


def worker(once: Annotated[bool, ONCE] = False, output: FormatOption = Format.text) -> None:
    """Apply accepted proposals, namespace by namespace and in order. Several may run beside each other."""
    from gavel import settings
    from gavel.app import App

    with App(settings.load()) as app:
        working = app.memory.worker()
        if once:
            settled = working.drain()
            tell(output, {"settled": settled}, f"{settled} settled")
            return
        stop = threading.Event()
        signal.signal(signal.SIGTERM, lambda number, frame: stop.set())
        tell(output, {"working": True}, "working; Ctrl-C ends it after the batch that it is at")
        try:
            working.run(stop)
        except KeyboardInterrupt:
            stop.set()
