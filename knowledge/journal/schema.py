"""The schema of a journal is versioned by a row in it: an older one is brought up in one transaction, a newer one is refused."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlalchemy import Connection, Table, delete, insert, inspect, select

from knowledge.errors import JournalError
from knowledge.journal.tables import events, metadata, schema_version

NEW, UNMARKED = 0, 1


@dataclass(frozen=True)
class Migration:
    """What brings a journal from `version` - 1 to `version`; all of it may be done twice. `statements`: by dialect."""

    version: int
    tables: tuple[Table, ...] = ()
    statements: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


# SQLite's integers have eight bytes already.
_LARGE_COUNTERS = {"postgresql": ("ALTER TABLE counters ALTER COLUMN bytes TYPE BIGINT",)}
MIGRATIONS = (Migration(2, (schema_version,), _LARGE_COUNTERS),)
VERSION = MIGRATIONS[-1].version


def ensure(connection: Connection, name: str) -> int:
    """Make the tables, or bring them up; returns the version that they were brought up from, 0 where nothing was.

    Call it under the append lock. JournalError where the journal, called `name`, was made by a newer Gavel.
    """
    found = stored(connection)
    if found > VERSION:
        raise JournalError(f"the journal {name} has schema version {found}, and this Gavel knows {VERSION}; upgrade Gavel")
    if found == VERSION:
        return 0
    if found == NEW:
        metadata.create_all(connection)
    for migration in MIGRATIONS if found else ():
        if migration.version > found:
            _migrate(connection, migration)
    connection.execute(delete(schema_version))
    connection.execute(insert(schema_version).values(only=1, version=VERSION))
    return found


def stored(connection: Connection) -> int:
    """The version of the tables that are there; NEW where there are none, UNMARKED where nothing says it."""
    there = inspect(connection)
    if there.has_table(schema_version.name):
        return int(connection.execute(select(schema_version.c.version)).scalar() or UNMARKED)
    return UNMARKED if there.has_table(events.name) else NEW


def _migrate(connection: Connection, migration: Migration) -> None:
    metadata.create_all(connection, tables=migration.tables)
    for statement in migration.statements.get(connection.dialect.name, ()):
        connection.exec_driver_sql(statement)
