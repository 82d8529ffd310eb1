"""The real product behind the evals' door: an embedded Neo4j per world and shape, loaded once and kept, asked through the compiled graph."""

import hashlib
import json
import shutil
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver

from evals.door import Ask, Opener
from evals.worlds.catalogue import World
from gavel.app import App
from gavel.settings import Settings
from graphs.context import RunContext, ScopeRequest
from graphs.state import Result
from knowledge.database.embedded import EmbeddedServer
from knowledge.errors import GavelError
from knowledge.loading.loader import load
from knowledge.profile.importer import read_profile
from knowledge.profile.profile import GraphProfile, Shape
from knowledge.progress import Progress, Step

Tell = Callable[[str], None]
TELL_SECONDS = 5.0
LOADED = "evals-loaded.json"
COMMAND_SECONDS = 180


def opener(settings: Settings, cache: Path, tell: Tell) -> Opener:
    """Opens worlds in data folders under `cache`; the server of a world runs only while it is asked. `tell` hears how loading goes."""

    @contextmanager
    def opened(world: World, shape: Shape) -> Iterator["LoadedWorld"]:
        here = settings.model_copy(update={"data_dir": _folder(world, shape, cache, settings), "neo4j_uri": "", "profile": None})
        loaded = LoadedWorld(here, world, shape)
        with App(here) as app:
            try:
                _load_once(app, world, shape, tell)
                yield loaded
            finally:
                loaded.close()
                app.server.stop()

    return opened


class LoadedWorld:
    """A world in a running database."""

    def __init__(self, settings: Settings, world: World, shape: Shape) -> None:
        self._settings = settings
        self._world = world
        self._shape = shape
        self._apps: list[App] = []

    def ask(self, profile: bool) -> Ask:
        """Each call is a thread of its own, in one process."""
        app = App(self._settings.model_copy(update={"profile": self._profile(profile)}))
        self._apps.append(app)
        graph, threaded = app.graph(), app.graph(InMemorySaver())
        context = RunContext(scope=ScopeRequest(namespaces=[self._world.namespace]))

        def ask(turns: Sequence[str]) -> Result:
            if len(turns) == 1:
                return cast(Result, graph.invoke({"question": turns[0]}, context=context))
            thread: RunnableConfig = {"configurable": {"thread_id": uuid.uuid4().hex}}
            return cast(Result, [threaded.invoke({"question": turn}, thread, context=context) for turn in turns][-1])

        return ask

    def command(self, profile: bool) -> Ask:
        """`gavel ask` in a process of its own. GavelError where it prints no result."""
        environment = [f"GAVEL_DATA_DIR={self._settings.data_dir}", f"GAVEL_PROFILE={self._profile(profile)}"]
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

    def close(self) -> None:
        """Close every connection that asking opened."""
        for app in self._apps:
            app.close()

    def _profile(self, wanted: bool) -> Path:
        """A profile file with the owner's words, or one that only says how the database is laid out."""
        described = read_profile(self._world.profile) if wanted and self._world.profile else GraphProfile()
        namespace = self._world.namespace if self._shape == "native" else ""
        laid_out = described.model_copy(update={"shape": self._shape, "namespace": namespace})
        file = self._settings.data_dir / f"{'with' if wanted else 'without'}-profile.json"
        file.write_text(laid_out.model_dump_json(), encoding="utf-8")
        return file


def _folder(world: World, shape: Shape, cache: Path, settings: Settings) -> Path:
    """Named by the content of the world's files and by the embedder; folders of earlier contents are removed."""
    digest = hashlib.sha256(b"".join(file.read_bytes() for file in world.files) + settings.embedder.encode()).hexdigest()[:10]
    stem = f"{world.namespace}-{shape}"
    wanted = cache / f"{stem}-{digest}"
    for stale in cache.glob(f"{stem}-*"):
        if stale != wanted:
            EmbeddedServer(stale, settings.neo4j_version).stop()
            shutil.rmtree(stale)
    return wanted


def _told(world: World, shape: Shape, tell: Tell) -> Progress:
    """Says how the load goes, every few seconds."""
    told = 0.0

    def progress(step: Step) -> None:
        nonlocal told
        if step.seconds - told >= TELL_SECONDS or step.done == step.total:
            told = step.seconds
            tell(f"{step.label} {world.name}, {shape}: {step.items:,} at {step.rate:,.0f}/s, {step.done / max(step.total, 1):.0%}")

    return progress


def _load_once(app: App, world: World, shape: Shape, tell: Tell) -> None:
    marker = app.settings.data_dir / LOADED
    if marker.exists():
        return
    report = load(app.database, world.files, world.namespace, shape, embedder=app.embedder, progress=_told(world, shape, tell))
    marker.write_text(json.dumps({"facts": report.facts, "entities": report.entities, "seconds": report.seconds}), encoding="utf-8")
