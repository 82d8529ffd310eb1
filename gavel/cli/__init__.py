"""The `gavel` command. Exit codes: 0 done, 1 it did not work (the message says what to do), 2 wrong usage or settings, 130 interrupted."""

import os
import sys

FAILED = 1
USAGE = 2
INTERRUPTED = 130


def main() -> None:
    """Run the command line of this process and exit; expected errors end as one message, never as a traceback."""
    _prepare_streams()
    from gavel.cli.commands import app
    from knowledge.errors import ConfigError, GavelError

    try:
        try:
            app(prog_name="gavel")
        finally:
            sys.stdout.flush()
    except GavelError as error:
        _end(str(error), USAGE if isinstance(error, ConfigError) else FAILED)
    except KeyboardInterrupt:
        _end("interrupted", INTERRUPTED)
    except BrokenPipeError:
        _end("", FAILED)
    except OSError as error:
        _end(f"{error.filename or 'the output'} cannot be used ({error.strerror or error}); mend that and try again", FAILED)


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
