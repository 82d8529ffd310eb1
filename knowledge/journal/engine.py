"""The two engines that may hold a journal, opened so that each keeps the same promises: SQLite in a file, Postgres for several hosts."""

import os
from pathlib import Path
from typing import Final

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from knowledge.errors import JournalError

WAIT_SECONDS = 60
CONNECT_SECONDS = 10
ADVISORY_LOCK = 0x6761766C
SQLITE: Final = "sqlite"
POSTGRES: Final = "postgresql"
NAMES = {SQLITE: "SQLite", POSTGRES: "Postgres"}
DRIVER = "postgresql+psycopg"
# Whoever holds the lock and falls silent loses it; a server that does not wait for its disk is told to.
_TAKE_THE_LOCK = text(
    f"SELECT set_config('lock_timeout', '{WAIT_SECONDS}s', true), "
    f"set_config('idle_in_transaction_session_timeout', '{WAIT_SECONDS}s', true), "
    "CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', true) END, "
    "pg_advisory_xact_lock(:lock)"
)


def address(url: str, password: str = "") -> URL:
    """The address as SQLAlchemy reads it. JournalError where it names neither engine."""
    try:
        made = make_url(url)
        family = made.get_backend_name()
    except ArgumentError as error:
        raise JournalError(f"the address of the journal cannot be read; write {DRIVER}://user@host/database") from error
    if family not in NAMES:
        raise JournalError(f"a journal is kept in SQLite or Postgres, not in {family}; write {DRIVER}://user@host/database")
    if family == POSTGRES:
        made = made.set(drivername=DRIVER)
    return made.set(password=password) if password else made


def opened(url: URL) -> Engine:
    """An engine over an address; nothing connects yet, but the file of SQLite is made, for its owner alone."""
    if is_sqlite(url):
        return _sqlite(url)
    try:
        return create_engine(url, pool_pre_ping=True, connect_args={"connect_timeout": CONNECT_SECONDS, "application_name": "gavel"})
    except ModuleNotFoundError as error:
        raise JournalError("a journal in Postgres needs its driver; install it with `pip install 'gavel[postgres]'`") from error


def is_sqlite(url: URL) -> bool:
    """Whether the journal is a file of this host."""
    return url.get_backend_name() == SQLITE


def shown(url: URL) -> str:
    """As it may be printed: without the password, and without what else a driver is told."""
    return url.set(query={}).render_as_string()


def writing_options(url: URL) -> dict[str, object]:
    """Of a connection that appends: what was committed before the lock was had is seen."""
    return {"gavel_writes": True} if is_sqlite(url) else {"isolation_level": "READ COMMITTED"}


def reading_options(url: URL) -> dict[str, object]:
    """Of a connection that reads one state, whatever others append meanwhile. SQLite does so anyway."""
    return {} if is_sqlite(url) else {"isolation_level": "REPEATABLE READ"}


def take_the_lock(connection: Connection) -> None:
    """One appends at a time; held until the transaction ends. SQLite has it since the transaction began."""
    if connection.dialect.name == POSTGRES:
        connection.execute(_TAKE_THE_LOCK, {"lock": ADVISORY_LOCK})


def explained(error: SQLAlchemyError, url: URL) -> JournalError:
    """What went wrong, where, and whether it is known that nothing was kept. Passwords are left out."""
    cause = str(getattr(error, "orig", None) or error).splitlines()[0]
    lost = isinstance(error, DBAPIError) and error.connection_invalidated
    kept = "whether the last of it was kept is not known, and nothing is taken twice" if lost else "nothing was accepted"
    return JournalError(f"the journal {shown(url)} cannot be used ({cause}); mend that and try again, {kept}")


def _sqlite(url: URL) -> Engine:
    if url.database:
        _private(Path(url.database))
    engine = create_engine(url, connect_args={"timeout": WAIT_SECONDS})
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def _private(file: Path) -> None:
    try:
        os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise JournalError(f"the journal {file} cannot be opened ({error.strerror}); mend that and try again") from error


def _prepare(connection: object, record: object) -> None:
    """WAL lets readers go on beside the writer; FULL means that a commit is on the disk. Transactions are begun by us."""
    connection.isolation_level = None  # type: ignore[attr-defined]
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
        connection.execute(f"PRAGMA {pragma}").close()  # type: ignore[attr-defined]


def _begin(connection: Connection) -> None:
    """The lock is taken at once: a transaction that reads and then writes could not wait for it later."""
    writes = connection.get_execution_options().get("gavel_writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
