"""What stands around every tool: arguments are validated, and what goes wrong becomes the one error that a model may see."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from pydantic import ConfigDict, ValidationError, validate_call

from knowledge.errors import GavelError, OutOfBudget
from tools.cited import Cited
from tools.errors import ToolError

P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R")


def checked(function: Callable[Concatenate[R, P], Cited[T]]) -> Callable[Concatenate[R, P], Cited[T]]:
    """Raises ToolError for arguments outside the annotated bounds and for failures below. OutOfBudget passes: it is the agent's, not the model's."""
    validated = validate_call(config=ConfigDict(arbitrary_types_allowed=True))(function)

    @wraps(function)
    def run(reader: R, /, *args: P.args, **kwargs: P.kwargs) -> Cited[T]:
        try:
            return validated(reader, *args, **kwargs)
        except ValidationError as error:
            raise ToolError(explained(error)) from error
        except (OutOfBudget, ToolError):
            raise
        except GavelError as error:
            raise ToolError(str(error)) from error

    return run


def explained(error: ValidationError) -> str:
    """The faults of arguments in one line, without the library's links."""
    faults = (f"{'.'.join(map(str, fault['loc'])) or 'arguments'}: {fault['msg']}" for fault in error.errors())
    return "; ".join(faults) + ". Correct the arguments and call again."
