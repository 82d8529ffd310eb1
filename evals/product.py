"""The real product behind the evals' door: an embedded Neo4j per world and shape, loaded once and kept, asked through the compiled graph."""

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver

from evals.door import Ask, Opener
from evals.worlds.catalogue import World
from gavel.app import App
from gavel.brains import rules
from gavel.settings import Settings
from graphs.ask import build
from graphs.state import Result
from knowledge.errors import GavelError
from knowledge.loading.loader import load
from knowledge.profile.importer import read_profile
from knowledge.profile.profile import GraphProfile, Shape
from knowledge.reading.kg import Kg
from knowledge.scope import Principal, Scope

LOADED = "evals-loaded.json"
COMMAND_SECONDS = 180


def opener(settings: Settings, cache: Path) -> Opener:
    """Opens worlds in data folders under `cache`; the server of a world runs only while it is asked."""

    @contextmanager
    def opened(world: World, shape: Shape) -> Iterator["LoadedWorld"]:
        app = App(settings.model_copy(update={"data_dir": _folder(world, shape, cache), "neo4j_uri": ""}))
        try:
            _load_once(app, world, shape)
            yield LoadedWorld(app, world, shape)
        finally:
            app.close()
            app.server.stop()

    return opened


class LoadedWorld:
    """A world in a running database."""

    def __init__(self, app: App, world: World, shape: Shape) -> None:
        self._app = app
        self._world = world
        self._shape = shape

    def ask(self, profile: bool) -> Ask:
        """Each call is a thread of its own, in one process."""
        known = self._profile(profile)
        kg = Kg(self._app.database, known)
        principal = Principal("evals", "person", Scope(frozenset({self._world.namespace})))
        graph = build(kg.reader, rules(known), lambda: principal, terminate=self._app.database.terminate)
        threaded = build(kg.reader, rules(known), lambda: principal, terminate=self._app.database.terminate, checkpointer=InMemorySaver())
        threads = iter(range(sys.maxsize))

        def ask(turns: Sequence[str]) -> Result:
            if len(turns) == 1:
                return cast(Result, graph.invoke({"question": turns[0]}))
            thread: RunnableConfig = {"configurable": {"thread_id": str(next(threads))}}
            return cast(Result, [threaded.invoke({"question": turn}, thread) for turn in turns][-1])

        return ask

    def command(self, profile: bool) -> Ask:
        """`gavel ask` in a process of its own. GavelError where it prints no result."""
        data_dir = self._app.settings.data_dir
        described = self._world.profile if profile and self._world.profile else data_dir / "no-profile.yaml"
        environment = [f"GAVEL_DATA_DIR={data_dir}", f"GAVEL_PROFILE={described}"]
        command = [
            "env",
            *environment,
            sys.executable,
            "-m",
            "gavel",
            "ask",
            "--format",
            "json",
            "--namespace",
            self._world.namespace,
            "--",
        ]

        def ask(turns: Sequence[str]) -> Result:
            done = subprocess.run([*command, turns[-1]], capture_output=True, text=True, timeout=COMMAND_SECONDS, check=False)
            try:
                return cast(Result, json.loads(done.stdout))
            except ValueError as error:
                raise GavelError(f"exit code {done.returncode}: {(done.stderr or done.stdout)[-300:]}") from error

        return ask

    def _profile(self, wanted: bool) -> GraphProfile:
        described = read_profile(self._world.profile) if wanted and self._world.profile else GraphProfile()
        return described.model_copy(update={"shape": self._shape, "namespace": self._world.namespace if self._shape == "native" else ""})


def _folder(world: World, shape: Shape, cache: Path) -> Path:
    """Named by the content of the world's files; folders of earlier contents are removed."""
    digest = hashlib.sha256(b"".join(file.read_bytes() for file in world.files)).hexdigest()[:10]
    stem = f"{world.namespace}-{shape}"
    wanted = cache / f"{stem}-{digest}"
    for stale in cache.glob(f"{stem}-*"):
        if stale != wanted:
            App(Settings(data_dir=stale)).server.stop()
            shutil.rmtree(stale)
    return wanted


def _load_once(app: App, world: World, shape: Shape) -> None:
    marker = app.settings.data_dir / LOADED
    if marker.exists():
        return
    report = load(app.database, world.files, world.namespace, shape)
    marker.write_text(json.dumps({"facts": report.facts, "entities": report.entities, "seconds": report.seconds}), encoding="utf-8")
