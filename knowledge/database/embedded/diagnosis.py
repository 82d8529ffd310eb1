"""Why a server ended while it started, read from what it said, as a message with the next step."""

from pathlib import Path

from knowledge.errors import ServerError

_LINES = 12
_BYTES = 200_000
_CAUSES = (
    (
        "No space left on device",
        "the disk is full: free some space on the disk of {home}, then start again; nothing that was committed is lost",
    ),
    (
        "File too large",
        "a file of the store may not grow (a limit on file sizes, or a full quota) on the disk of {home}; raise it, then start again",
    ),
    ("Lock file has been locked", "another server uses {home}; stop it, or set GAVEL_DATA_DIR to another folder"),
    ("UnsupportedClassVersionError", "this Java is too old; unset JAVA_HOME or point it at Java 21 or newer"),
    ("Could not reserve enough space", "there is not enough memory for the server; end other programs and start again"),
    ("insufficient memory for the Java", "there is not enough memory for the server; end other programs and start again"),
    ("Read-only file system", "the disk of {home} is read-only; set GAVEL_DATA_DIR to a folder that can be written"),
)
_PORT_TAKEN = ("PortBindException", "trying to bind to the socket", "Address already in use")
_CRASHED = "A fatal error has been detected by the Java Runtime Environment"


_LOG = "neo4j.log"
_DETAILS = "debug.log"


class Listener:
    """Hears what a server says from now on: on its console, in its log, and in detail."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._since = {name: _size(home / "logs" / name) for name in (_LOG, _DETAILS)}

    def said(self) -> str:
        """Console and log, for people."""
        return _text(self._home / "console.log", 0) + self._new(_LOG)

    def everything(self) -> str:
        """Details too, to look for signs in."""
        return self.said() + self._new(_DETAILS)

    def _new(self, name: str) -> str:
        return _text(self._home / "logs" / name, self._since[name])


def last_lines(home: Path, count: int) -> str:
    """The end of the log, then the end of the console."""
    parts = [_text(file, 0).strip().splitlines()[-count:] for file in (home / "logs" / _LOG, home / "console.log")]
    return "\n".join(line for part in parts for line in part)


def port_taken(text: str) -> bool:
    """Whether the server ended since another program listens on its port."""
    return any(sign in text for sign in _PORT_TAKEN)


def crashed(text: str) -> bool:
    """Whether Java itself broke, which a damaged class archive can do."""
    return _CRASHED in text


def torn(text: str) -> bool:
    """Whether the last transaction in the log is not whole: a full disk or a lost power supply cut it while it was written."""
    return "fail_on_corrupted_log_files" in text


def beyond_help(text: str) -> bool:
    """Whether a running server refuses all work until it is started anew, as it does once it met a full disk."""
    return "needs to be restarted" in text


def explain(home: Path, listener: Listener) -> ServerError:
    """The error to raise for a server that ended while it started."""
    text = listener.everything()
    for sign, advice in _CAUSES:
        if sign in text:
            return ServerError(f"Neo4j did not start: {advice.format(home=home)}")
    last = "\n".join(listener.said().strip().splitlines()[-_LINES:]) or "it said nothing; was it killed?"
    return ServerError(f"Neo4j ended while starting; its logs are in {home / 'logs'} (`gavel db logs`). Its last words:\n{last}")


def _text(file: Path, since: int) -> str:
    try:
        with file.open("rb") as handle:
            size = handle.seek(0, 2)
            handle.seek(max(since if since <= size else 0, size - _BYTES))
            return handle.read().decode(errors="replace")
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError as error:
        raise ServerError(f"{file} cannot be read ({error.strerror}); set GAVEL_DATA_DIR to a folder of your own") from error


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0
