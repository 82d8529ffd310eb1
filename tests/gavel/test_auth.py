"""The door of a LangGraph server: who is let in, and whose threads they see."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from langgraph_sdk import Auth

import gavel.auth as door
from gavel import who
from gavel.app import App
from gavel.settings import Settings
from knowledge.errors import ScopeError
from knowledge.scope import EVERY_NAMESPACE, LOCAL

HERE = {"client": ("127.0.0.1", 40000)}
ALL = (EVERY_NAMESPACE,)


@pytest.fixture
def app(environment: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[App]:
    environment.setenv("GAVEL_DATA_DIR", str(tmp_path / "data"))
    with App(Settings()) as made:
        environment.setattr(door, "current", lambda: made)
        yield made


def let_in(authorization: str | None, scope: dict[str, object] = HERE) -> Any:
    return asyncio.run(door.authenticate(authorization, scope))


def refused(authorization: str | None, scope: dict[str, object] = HERE) -> bool:
    with pytest.raises(Auth.exceptions.HTTPException) as error:
        let_in(authorization, scope)
    return error.value.status_code == 401


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"])
def test_without_principals_callers_of_this_machine_are_the_local_person(app: App, host: str) -> None:
    assert let_in(None, {"client": (host, 1)})["identity"] == LOCAL.id
    assert not app.memory.begun


@pytest.mark.parametrize("client", [("10.0.0.1", 1), ("0.0.0.0", 1), ("localhost", 1), ("", 1), None, "127.0.0.1"])
def test_without_principals_nobody_else_is_let_in(app: App, client: object) -> None:
    assert refused(None, {"client": client}) and refused(None, {})


def test_with_principals_a_token_is_needed_also_on_this_machine(app: App) -> None:
    token = app.memory.principals.add(app.actor(), "ann", "person", ALL, ALL, ALL, ALL)
    assert let_in(f"Bearer {token}", {"client": ("10.0.0.1", 1)})["identity"] == "ann"
    assert let_in(f"bearer {token}")["permissions"] == [door.UNBOUNDED]
    wrong = [
        None,
        "",
        token,
        f"Basic {token}",
        "Bearer",
        "Bearer ",
        f"Bearer {token}x",
        f"Bearer {token} {token}",
        "Bearer local",
        "Bearer ann",
    ]
    assert all(refused(each) for each in wrong)


def test_the_run_of_a_server_is_for_whom_it_recognised_and_for_nobody_else(app: App) -> None:
    assert who.of_user("", app.memory) is LOCAL and who.of_user("local", app.memory) is LOCAL
    with pytest.raises(ScopeError, match="'someone' is no principal"):
        who.of_user("someone", app.memory)
    app.memory.principals.add(app.actor(), "ann", "person", ALL, ALL, ALL, ALL)
    assert who.of_user("ann", app.memory).id == "ann"
    for identity in ("", "local", "Ann", "аnn", "ann "):
        with pytest.raises(ScopeError, match="is no principal"):
            who.of_user(identity, app.memory)


def owned(action: str, value: dict[str, Any], *permissions: str) -> Any:
    context: Any = SimpleNamespace(action=action, permissions=list(permissions), user=SimpleNamespace(identity="bot"))
    return asyncio.run(door.threads(context, value))


def test_a_thread_is_its_principals_and_no_metadata_says_otherwise() -> None:
    created: dict[str, Any] = {"metadata": {"owner": "ann", "colour": "red"}}
    assert owned("create", created) == {"owner": "bot"} and created["metadata"] == {"owner": "bot", "colour": "red"}
    moved: dict[str, Any] = {"metadata": {"owner": "ann"}}
    assert owned("update", moved) == {"owner": "bot"} and moved["metadata"] == {}
    assert owned("read", {}) == {"owner": "bot"} and owned("read", {}, door.UNBOUNDED) is None


def test_only_who_has_everything_changes_what_others_run() -> None:
    for action, allowed in (("read", True), ("search", True), ("create", False), ("update", False), ("delete", False)):
        context: Any = SimpleNamespace(action=action, permissions=[])
        assert asyncio.run(door.assistants(context, {})) is allowed
        context.permissions = [door.UNBOUNDED]
        assert asyncio.run(door.assistants(context, {})) is True
