"""What a failure of the driver means is decided in one place."""

import pytest
from neo4j.exceptions import IncompleteCommit, Neo4jError, ServiceUnavailable, SessionExpired

from knowledge.database.failure import explained, tries
from knowledge.errors import DatabaseError, StatementError


def failure(code: str, message: str = "message") -> Neo4jError:
    return Neo4jError._hydrate_neo4j(code=code, message=message)


@pytest.mark.parametrize(
    ("error", "least", "most"),
    [
        (failure("Neo.TransientError.Transaction.DeadlockDetected"), 100, 10_000),
        (failure("Neo.TransientError.General.DatabaseUnavailable"), 100, 10_000),
        (failure("Neo.ClientError.Cluster.NotALeader"), 100, 10_000),
        (failure("Neo.ClientError.Schema.ConstraintValidationFailed"), 3, 10),
        (ServiceUnavailable("gone"), 2, 5),
        (SessionExpired("gone"), 2, 5),
        (IncompleteCommit("gone"), 1, 1),
        (failure("Neo.TransientError.General.MemoryPoolOutOfMemoryError"), 1, 1),
        (failure("Neo.TransientError.Transaction.Terminated"), 1, 1),
        (failure("Neo.ClientError.Transaction.TransactionTimedOut"), 1, 1),
        (failure("Neo.ClientError.Statement.SyntaxError"), 1, 1),
        (OSError("broken"), 1, 1),
    ],
)
def test_a_failure_is_tried_again_only_where_that_can_help(error: Exception, least: int, most: int) -> None:
    assert least <= tries(error) <= most
    told = explained(error, 1.0)
    assert not isinstance(told, StatementError) or told.retryable == (most > 1)


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (failure("Neo.ClientError.Security.Unauthorized"), "refused user or password"),
        (failure("Neo.ClientError.Security.AuthenticationRateLimit", "too many times"), r"too many times\).*GAVEL_NEO4J_PASSWORD"),
        (failure("Neo.ClientError.Database.DatabaseNotFound", "Graph not found: x"), "Graph not found: x.*GAVEL_NEO4J_DATABASE"),
        (failure("Neo.DatabaseError.Transaction.TransactionLogError"), "its disk is full"),
        (failure("Neo.DatabaseError.Transaction.TransactionStartFailed", "critical error, and needs to be restarted."), "its disk is full"),
        (ServiceUnavailable("Couldn't connect"), "does not answer.*gavel db status"),
        (IncompleteCommit("broken"), "may or may not have been done"),
    ],
)
def test_what_is_wrong_with_the_database_itself_is_said_with_the_next_step(error: Exception, says: str) -> None:
    told = explained(error, 1.0)
    assert type(told) is DatabaseError
    with pytest.raises(DatabaseError, match=says):
        raise told


def test_a_refused_statement_keeps_its_code_and_message() -> None:
    told = explained(failure("Neo.ClientError.Statement.SyntaxError", "Invalid input 'X'"), 1.0)
    assert isinstance(told, StatementError)
    assert (str(told), told.code) == ("Invalid input 'X'", "Neo.ClientError.Statement.SyntaxError")


def test_a_write_that_reading_forbids_is_no_question_of_passwords() -> None:
    assert isinstance(explained(failure("Neo.ClientError.Security.Forbidden"), 1.0), StatementError)


@pytest.mark.parametrize(("seconds", "written"), [(30.0, "30 s"), (0.5, "0.5 s")])
def test_a_statement_that_took_too_long_names_its_limit(seconds: float, written: str) -> None:
    error = failure("Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration")
    assert f"longer than {written}" in str(explained(error, seconds))
