"""Why a server ended while it started, read from what it said, as a message with the next step."""

from pathlib import Path

from knowledge.database.embedded.logs import CONSOLE, LOG, text
from knowledge.errors import ServerError

_LINES = 12
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
_DETAILS = Path("logs", "debug.log")


class Listener:
    """Hears what a server says from now on: on its console, in its log, and in detail."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._since = {file: _size(home / file) for file in (LOG, _DETAILS)}

    def said(self) -> str:
        """Console and log, for people."""
        return text(self._home / CONSOLE) + self._new(LOG)

    def everything(self) -> str:
        """Details too, to look for signs in."""
        return self.said() + self.details()

    def details(self) -> str:
        """The detailed log alone."""
        return self._new(_DETAILS)

    def _new(self, file: Path) -> str:
        return text(self._home / file, self._since[file])


def port_taken(words: str) -> bool:
    """Whether the server ended since another program listens on its port."""
    return any(sign in words for sign in _PORT_TAKEN)


def crashed(words: str) -> bool:
    """Whether Java itself broke, which a damaged class archive can do."""
    return _CRASHED in words


def torn(words: str) -> bool:
    """Whether the last transaction in the log is not whole: a full disk or a lost power supply cut it while it was written."""
    return "fail_on_corrupted_log_files" in words


def lost(words: str) -> bool:
    """Whether the server could not open its own catalogue: it stays up for minutes then, but never answers."""
    return "Failed to start DatabaseId{00000000[system]}" in words


def beyond_help(words: str) -> bool:
    """Whether a running server refuses all work until it is started anew, as it does once it met a full disk."""
    return "needs to be restarted" in words


def known(words: str) -> bool:
    """Whether the reason lies outside the store, so that `explain` can name its cure."""
    return any(sign in words for sign, _ in _CAUSES)


def explain(home: Path, listener: Listener) -> ServerError:
    """The error to raise for a server that ended while it started."""
    heard = listener.everything()
    for sign, advice in _CAUSES:
        if sign in heard:
            return ServerError(f"Neo4j did not start: {advice.format(home=home)}")
    last = "\n".join(listener.said().strip().splitlines()[-_LINES:]) or "it said nothing; was it killed?"
    return ServerError(f"Neo4j ended while starting; its logs are in {home / 'logs'} (`gavel db logs`). Its last words:\n{last}")


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0
