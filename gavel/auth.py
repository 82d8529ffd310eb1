"""The door of a LangGraph server: a bearer token names the principal, and threads are shown to whoever began them."""

import asyncio
from collections.abc import Mapping
from ipaddress import ip_address

from langgraph_sdk import Auth

from gavel import who
from gavel.app import current
from knowledge.scope import LOCAL, Grants

UNBOUNDED = "unbounded"
auth = Auth()


@auth.authenticate
async def authenticate(authorization: str | None, scope: dict[str, object]) -> Auth.types.MinimalUserDict:
    """Whoever the token names; the local person for callers of this machine where no principal was ever added. 401 for anyone else."""
    found = await asyncio.to_thread(who.of_bearer, authorization or "", current().memory)
    if found is None or (found is LOCAL and not _near(scope)):
        raise Auth.exceptions.HTTPException(401, "send a token that `gavel principal add` printed as `Authorization: Bearer …`")
    return {"identity": found.id, "display_name": found.id, "is_authenticated": True, "permissions": _permissions(found)}


@auth.on.threads
async def threads(ctx: Auth.types.AuthContext, value: dict[str, object]) -> Auth.types.FilterType | None:
    """A thread holds what its principal could read, so another sees it only if everything was given to them."""
    return _owned(ctx, value)


@auth.on.crons
async def crons(ctx: Auth.types.AuthContext, value: dict[str, object]) -> Auth.types.FilterType | None:
    """As with threads."""
    return _owned(ctx, value)


@auth.on.assistants
async def assistants(ctx: Auth.types.AuthContext, value: dict[str, object]) -> bool:
    """Everyone may use them; only those to whom everything was given may change them, since others run them."""
    return ctx.action in ("read", "search") or UNBOUNDED in ctx.permissions


@auth.on.store
async def store(ctx: Auth.types.AuthContext, value: dict[str, object]) -> bool:
    """Gavel keeps nothing in it."""
    return UNBOUNDED in ctx.permissions


def _owned(ctx: Auth.types.AuthContext, value: dict[str, object]) -> Auth.types.FilterType | None:
    """The server keeps the very dictionary that it hands over, so the owner is written into it, and never taken from it."""
    metadata = value.setdefault("metadata", {})
    if not isinstance(metadata, dict):
        raise Auth.exceptions.HTTPException(403, "the metadata must be an object")
    if ctx.action in ("create", "create_run"):
        metadata["owner"] = ctx.user.identity
    elif ctx.action == "update":
        metadata.pop("owner", None)
    return None if UNBOUNDED in ctx.permissions else {"owner": ctx.user.identity}


def _permissions(grants: Grants) -> list[str]:
    return [UNBOUNDED] if grants.unbounded else []


def _near(scope: Mapping[str, object]) -> bool:
    """Whether a request comes from this machine."""
    client = scope.get("client")
    try:
        return isinstance(client, tuple | list) and ip_address(str(client[0]).removeprefix("::ffff:")).is_loopback
    except ValueError:
        return False
