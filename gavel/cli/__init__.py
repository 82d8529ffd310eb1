"""The `gavel` command. Exit codes: 0 done, 1 it did not work (the message says what to do), 2 wrong usage or settings, 130 interrupted."""

import sys

FAILED = 1
USAGE = 2
INTERRUPTED = 130


def main() -> None:
    """Run the command line of this process and exit; expected errors end as one message, never as a traceback."""
    from gavel.cli.commands import app
    from knowledge.errors import ConfigError, GavelError

    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        app(prog_name="gavel")
    except GavelError as error:
        _say(str(error))
        sys.exit(USAGE if isinstance(error, ConfigError) else FAILED)
    except KeyboardInterrupt:
        _say("interrupted")
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(FAILED)


def _say(message: str) -> None:
    sys.stderr.write(f"gavel: {message}\n")
