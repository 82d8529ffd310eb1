"""What a failure of the driver means: whether trying again can help, and the error, with the next step, that our callers see."""

from neo4j.exceptions import AuthError, ConstraintError, DriverError, IncompleteCommit, Neo4jError, ServiceUnavailable, SessionExpired

from knowledge.errors import DatabaseError, StatementError

FAILURES = (Neo4jError, DriverError, OSError)
_LOST_TRIES = 3
_CONSTRAINT_TRIES = 5


def tries(error: Exception) -> int:
    """How often a transaction that failed so may be tried in all; deadlocks and elections as long as time is left."""
    if isinstance(error, ConstraintError):
        return _CONSTRAINT_TRIES
    if isinstance(error, ServiceUnavailable | SessionExpired):
        return _LOST_TRIES if error.is_retryable() else 1
    if isinstance(error, Neo4jError | DriverError) and error.is_retryable() and not _out_of_memory(error):
        return 1_000
    return 1


def explained(error: Exception, seconds: float) -> DatabaseError:
    """Our error for one of the driver's, after a statement that was given so many seconds."""
    if isinstance(error, IncompleteCommit):
        return DatabaseError(
            "the connection broke while a write was confirmed: it may or may not have been done; look before you repeat it"
        )
    if not isinstance(error, Neo4jError):
        return DatabaseError(
            "the database does not answer; check GAVEL_NEO4J_URI or, where that is not set, try again, which starts Gavel's own server; "
            f"`gavel db status` and `gavel db logs` tell of it ({' '.join(str(error).split())})"
        )
    code, message = str(error.code), str(error.message)
    if isinstance(error, AuthError) or (".Security." in code and "Forbidden" not in code):
        return DatabaseError(
            f"the database refused user or password ({message.rstrip('.')}); check GAVEL_NEO4J_USER and GAVEL_NEO4J_PASSWORD"
        )
    if code.endswith("DatabaseNotFound"):
        return DatabaseError(f"there is no database of that name ({message}); check GAVEL_NEO4J_DATABASE")
    if "needs to be restarted" in message or code.endswith("TransactionLogError"):
        return DatabaseError(
            "the database cannot go on, most often because its disk is full; what was confirmed is safe. "
            "Free some space, then `gavel db stop` and `gavel db start`"
        )
    if "TransactionTimedOut" in code:
        message = f"the database ended a statement that took longer than {seconds:.3g} s; ask for less, or allow more time"
    if _out_of_memory(error):
        message = f"a statement wanted more memory than the database allows; ask for less at once ({message})"
    return StatementError(message, code=code, retryable=tries(error) > 1)


def _out_of_memory(error: Exception) -> bool:
    """The driver would try these again for half a minute, though nothing changes."""
    return isinstance(error, Neo4jError) and "OutOfMemory" in str(error.code)
