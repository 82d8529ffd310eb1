"""What the server says of a statement, in the statement's own names."""

from knowledge.cypher.refusal import Code, Refused
from knowledge.errors import StatementError

_THE_STATEMENTS = "Neo.ClientError."
_AT_COMPILE = (".Statement.Syntax", ".Statement.Semantic")
_MARKS = ("`v_", "v_", "p_")


def as_refused(error: StatementError) -> Refused:
    """The refusal for an error of the statement itself. An error of the server or the connection is raised again as it is."""
    if not error.code.startswith(_THE_STATEMENTS):
        raise error
    message = str(error).split("\n", maxsplit=1)[0]
    for mark in _MARKS:
        message = message.replace(mark, "`" if mark.startswith("`") else "")
    code: Code = "server_syntax" if any(kind in error.code for kind in _AT_COMPILE) else "failed"
    return Refused(code, message)
