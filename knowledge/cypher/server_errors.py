"""What the server says of a statement, in the statement's own names."""

from knowledge.cypher.refusal import Code, Refused
from knowledge.errors import StatementError

_THE_STATEMENTS = "Neo.ClientError."
_OURS = ("v_", "p_")


def as_refused(error: StatementError, code: Code) -> Refused:
    """The refusal for an error of the statement itself. An error of the server or the connection is raised again as it is."""
    if not error.code.startswith(_THE_STATEMENTS):
        raise error
    message = str(error).split("\n", maxsplit=1)[0]
    for mark in _OURS:
        message = message.replace(mark, "")
    return Refused(code, message)
