"""Who acts, proven by the door: a token of this process, or the user whom a server has recognised. Nothing that a caller writes decides it."""

from typing import TYPE_CHECKING

from gavel import settings as environment
from knowledge.errors import ConfigError, ScopeError
from knowledge.scope import LOCAL, LOCAL_PERSON, Grants

if TYPE_CHECKING:
    from gavel.memory import Memory
    from gavel.settings import Settings

BEARER = "bearer"


def of_process(settings: "Settings", memory: "Memory") -> Grants:
    """By the token of the settings; the local person where there is no token and no principal was ever added. ConfigError for anyone else."""
    token = environment.token(settings)
    if not token:
        if not anyone(memory):
            return LOCAL
        raise ConfigError("principals were added here, so nobody acts without a token; set GAVEL_TOKEN or GAVEL_TOKEN_FILE")
    found = memory.principals.by_token(token) if memory.begun else None
    if found is None:
        raise ConfigError("the token of GAVEL_TOKEN or GAVEL_TOKEN_FILE is nobody's, or was revoked; ask for one, or unset it")
    return found


def of_user(identity: str, memory: "Memory") -> Grants:
    """By what a server has proven of a request, empty where it proved nothing. ScopeError for whom nobody has added."""
    if identity in ("", LOCAL_PERSON) and not anyone(memory):
        return LOCAL
    found = memory.principals.by_id(identity) if memory.begun else None
    if found is None:
        raise ScopeError(
            f"{identity[:64]!r} is no principal here; send a token that `gavel principal add` printed as `Authorization: Bearer …`"
        )
    return found


def of_bearer(authorization: str, memory: "Memory") -> Grants | None:
    """By the header of a request; None where it proves nothing. The local person where no principal was ever added."""
    if not anyone(memory):
        return LOCAL
    scheme, _, token = authorization.partition(" ")
    return memory.principals.by_token(token.strip()) if scheme.casefold() == BEARER else None


def anyone(memory: "Memory") -> bool:
    """Whether a principal was ever added."""
    return memory.begun and memory.principals.any()
