"""The `gavel` command. Exit codes: 0 done, 1 it did not work (the message says what to do), 2 wrong usage or settings, 130 interrupted."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

FAILED = 1
USAGE = 2
INTERRUPTED = 130
GRACE_SECONDS = 10.0


def main() -> None:
    """Run the command line of this process and exit; expected errors end as one message, never as a traceback."""
    _prepare_streams()
    with _interrupts() as interrupts:
        try:
            from gavel.cli.commands import app

            try:
                app(prog_name="gavel")
            finally:
                sys.stdout.flush()
        except BrokenPipeError:
            _end("", FAILED)
        except (Exception, KeyboardInterrupt) as error:
            message, code = ("interrupted", INTERRUPTED) if interrupts or isinstance(error, KeyboardInterrupt) else _told(error)
            if not message:
                raise
            _end(message, code)


def _told(error: BaseException) -> tuple[str, int]:
    """What to say of an error, and the exit code; no message for a fault of ours, whose traceback is wanted."""
    from knowledge.errors import ConfigError, GavelError

    if isinstance(error, GavelError):
        return str(error), USAGE if isinstance(error, ConfigError) else FAILED
    if isinstance(error, OSError):
        return f"{error.filename or 'the output'} cannot be used ({error.strerror or error}); mend that and try again", FAILED
    return "", FAILED


@contextmanager
def _interrupts() -> Iterator[list[int]]:
    """Counts Ctrl-C: the driver, torn out of a message, may raise something else while it cleans up."""
    seen: list[int] = []
    previous = signal.getsignal(signal.SIGINT)
    if previous is not signal.default_int_handler or threading.current_thread() is not threading.main_thread():
        yield seen
        return

    leaving = threading.Timer(GRACE_SECONDS, _leave)
    leaving.daemon = True

    def interrupt(number: int, frame: FrameType | None) -> None:
        if not seen:
            leaving.start()
        seen.append(number)
        signal.default_int_handler(number, frame)

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield seen
    finally:
        leaving.cancel()
        signal.signal(signal.SIGINT, previous)


def _leave() -> None:
    """End this process as it is: the driver may wait for ever for a reply, and Python drops an interrupt that falls into a finaliser."""
    os.write(2, b"gavel: interrupted\n")
    os._exit(INTERRUPTED)


def _prepare_streams() -> None:
    """A standard stream that the caller closed is an empty one; characters that a stream cannot hold are written as escapes."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _end(message: str, code: int) -> None:
    """Exit with a message. What could not be written to standard output is dropped, or Python would complain about it once more."""
    from gavel.cli.output import note

    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    try:
        if message:
            note(f"gavel: {message}")
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
    sys.exit(code)
