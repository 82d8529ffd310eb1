"""Everything that can go wrong, one tree. Each message says what to do next.

GavelError
├── ConfigError            settings, files or arguments that cannot work
│   └── RegistryError      the file of namespaces; `.problems` lists each with its line
├── DatabaseError          the database is not there, refuses us, or gave up
│   ├── ServerError        the embedded server: fetching, starting, stopping
│   ├── StoreError         the data itself: newer version, other shape, unknown layout
│   └── StatementError     one statement failed; `.retryable` says whether trying again can help
├── JournalError           the durable log of writes cannot be read or written
├── AuditError             the record of who has read what cannot be read or written
├── DataError              a row or a file that cannot be loaded; names file and line
├── ScopeError             asked for more than the principal may see
└── OutOfBudget            the run's ledger refused a statement; `.unit` names the limit
"""


class GavelError(Exception):
    """Root of the tree: catching it catches everything that Gavel raises on purpose."""


class ConfigError(GavelError, ValueError):
    """Settings, files or arguments that cannot work. A ValueError, since servers hide the messages of errors that they do not know."""


class RegistryError(ConfigError):
    """The file of namespaces cannot be used. The message has one line per problem."""

    def __init__(self, *problems: str) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class DatabaseError(GavelError):
    """The database is not there, refuses us, or gave up."""


class ServerError(DatabaseError):
    """The embedded server could not be fetched, started or stopped."""


class StoreError(DatabaseError):
    """The stored data cannot be used as asked: newer version, other shape, unknown layout."""


class StatementError(DatabaseError):
    """One statement failed."""

    def __init__(self, message: str, *, code: str = "", retryable: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.retryable = retryable


class JournalError(GavelError):
    """The journal cannot be read or written. What was acknowledged before stays acknowledged."""


class AuditError(GavelError):
    """The record of who has read what cannot be read or written. Nothing restricted is shown while it cannot."""


class DataError(GavelError):
    """A row or a file that cannot be loaded."""

    def __init__(self, message: str, *, file: str = "", line: int = 0) -> None:
        super().__init__(f"{file}:{line}: {message}" if file and line else message)
        self.file = file
        self.line = line


class ScopeError(GavelError, ValueError):
    """More was asked for than the principal may see. A ValueError for the same reason as ConfigError."""


class OutOfBudget(GavelError):
    """The run's ledger refused. Agents turn this into a report; it never leaves a run."""

    def __init__(self, unit: str) -> None:
        super().__init__(f"the run's limit on {unit} is reached; raise it with --max-{unit.replace('_', '-')} or in limits")
        self.unit = unit
