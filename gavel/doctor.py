"""What is right and wrong with this installation, and what to do about it. Checks what exists, and nothing else."""

import os
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gavel import settings as environment
from gavel.app import App
from graphs.models.trouble import trouble
from knowledge.errors import GavelError
from knowledge.scope import LOCAL

State = Literal["ok", "warning", "failure"]
GIGABYTE = 1024**3
DISK_WARNING = 2.0
DISK_FAILURE = 0.3
OLDEST_NEO4J = (5, 26)
ANSWER_TOKENS = 16


@dataclass(frozen=True)
class Finding:
    """One check: what was found and, unless all is well, what to do."""

    check: str
    state: State
    found: str
    advice: str = ""


def examine(app: App) -> Iterator[Finding]:
    """Every check in order, as it is made. The embedded server is started; what needs a database is left out where there is none."""
    for check in _CHECKS:
        yield from _tried(check, app)
    connected = list(_tried(_database, app))
    yield from connected
    if any(finding.state == "failure" for finding in connected):
        return
    for check in _DATABASE_CHECKS:
        yield from _tried(check, app)


Check = Callable[[App], Iterator[Finding]]


def _tried(check: Check, app: App) -> Iterator[Finding]:
    try:
        yield from check(app)
    except GavelError as error:
        yield Finding(check.__name__.strip("_"), "failure", "does not work", str(error))


def _settings(app: App) -> Iterator[Finding]:
    unknown = environment.unknown()
    if unknown:
        yield Finding(
            "settings", "warning", f"{', '.join(unknown)} is no setting", "correct the spelling; `gavel config` lists all settings"
        )
    else:
        yield Finding("settings", "ok", f"valid; agents think with {app.settings.model}")


def _data_folder(app: App) -> Iterator[Finding]:
    folder = app.settings.data_dir
    existing = next(parent for parent in (folder, *folder.absolute().parents) if parent.exists())
    if os.access(existing, os.W_OK | os.X_OK) and existing.is_dir():
        yield Finding("data folder", "ok", str(folder))
    else:
        yield Finding("data folder", "failure", f"{existing} cannot be written", "set GAVEL_DATA_DIR to a folder of your own")
    yield _disk(existing)


def _disk(folder: Path) -> Finding:
    free = shutil.disk_usage(folder).free / GIGABYTE
    state: State = "failure" if free < DISK_FAILURE else "warning" if free < DISK_WARNING else "ok"
    advice = "" if state == "ok" else "free some space, or set GAVEL_DATA_DIR to a folder on a larger disk; a full disk stops the database"
    return Finding("disk", state, f"{free:.1f} GB free", advice)


def _java(app: App) -> Iterator[Finding]:
    if not app.settings.embedded:
        return
    from knowledge.database.embedded import java

    binary = java.find(app.settings.java_home or None)
    yield Finding("java", "ok", f"Java {java.release(str(binary))} at {binary}")


def _embedder(app: App) -> Iterator[Finding]:
    embedder = app.embedder
    if embedder is None:
        yield Finding("embedder", "warning", "none: search is by words only", "unset GAVEL_EMBEDDER for the default one")
        return
    dimensions = embedder.embed(["gavel"]).shape[1]
    yield Finding("embedder", "ok", f"{embedder.model}, {dimensions} dimensions")


def _models(app: App) -> Iterator[Finding]:
    """One short call of each model that is set."""
    if not app.models:
        yield Finding("model", "ok", "rules: no key and no network needed")
        return
    for model in dict.fromkeys(app.models.values()):
        roles = ", ".join(role for role, its in app.models.items() if its is model)
        try:
            began = time.perf_counter()
            model.chat.bind(max_tokens=ANSWER_TOKENS).invoke("Reply with the one word: ready")
            yield Finding("model", "ok", f"{model.id} answered in {time.perf_counter() - began:.1f} s ({roles})")
        except Exception as error:
            found = trouble(error)
            advice = "check GAVEL_MODEL, GAVEL_MODEL_BASE_URL and the key; until it answers, its roles think by rules"
            yield Finding("model", "failure", f"{model.id}: {found.why}", advice)


def _profile(app: App) -> Iterator[Finding]:
    file = app.settings.profile_file
    if app.said is None:
        yield Finding("profile", "ok", f"none at {file}: relations are known by their names only")
    else:
        yield Finding("profile", "ok", f"{file} ({len(app.said.relations)} relations described)")


def _runs(app: App) -> Iterator[Finding]:
    app.runs.recent(1)
    kept = f"kept {app.settings.runs_keep_days} days" if app.settings.runs_keep_days else "kept for ever"
    yield Finding("runs", "ok", f"{app.settings.runs_file}, {kept}")


def _journal(app: App) -> Iterator[Finding]:
    if not app.memory.begun:
        yield Finding("journal", "ok", "none yet: the first proposal begins it")
        return
    from knowledge.journal.engine import shown

    journal = app.memory.journal
    yield Finding("journal", "ok", f"{journal.engine}, {shown(journal.url)}")


def _access(app: App) -> Iterator[Finding]:
    app.access.probe()
    days = app.settings.access_keep_days
    kept = f"kept {days} days" if days else "kept for ever"
    if (lost := app.access.lost.told()) is None:
        yield Finding("access", "ok", f"{app.settings.access_file}, {kept}")
        return
    found = f"{lost.rows} public reads were not recorded since {lost.since or 'an unknown time'} ({lost.why})"
    yield Finding("access", "warning", found, f"mend what was wrong, then remove {app.access.lost.file}")


def _database(app: App) -> Iterator[Finding]:
    from knowledge.database.health import milliseconds

    database = app.database
    where = "embedded server" if app.settings.embedded else app.settings.neo4j_uri
    version = ".".join(map(str, database.capability.version))
    found = (
        f"Neo4j {version} {database.capability.edition} ({where}, database {database.name}), {milliseconds(database):.0f} ms a round trip"
    )
    if database.capability.version < OLDEST_NEO4J:
        yield Finding("database", "failure", found, "use Neo4j 5.26 or newer")
    else:
        yield Finding("database", "ok", found)


def _schema(app: App) -> Iterator[Finding]:
    from knowledge.database import ddl

    stored = ddl.stored(app.database)
    if stored is None and app.kg.aside:
        yield Finding("schema", "ok", f"not loaded by Gavel, read only, {app.profile.shape} shape")
    elif stored is None:
        yield Finding("schema", "warning", "Gavel has loaded nothing here", "`gavel demo` loads the sample world, `gavel load` your files")
    elif stored.version > ddl.SCHEMA_VERSION:
        yield Finding("schema", "failure", f"version {stored.version} is newer than this Gavel knows", "upgrade Gavel")
    elif stored.version < ddl.SCHEMA_VERSION:
        yield Finding("schema", "warning", f"version {stored.version} of {ddl.SCHEMA_VERSION}", "the next `gavel load` migrates it")
    else:
        yield Finding("schema", "ok", f"version {stored.version}, {stored.shape} shape")


def _indexes(app: App) -> Iterator[Finding]:
    from knowledge.database.health import index_states

    states = index_states(app.database)
    failed = [index.name for index in states if index.state == "FAILED"]
    filling = [f"{index.name} {index.percent:.0f} %" for index in states if index.state == "POPULATING"]
    if failed:
        yield Finding("indexes", "failure", f"{', '.join(failed)} failed", "`gavel index rebuild`; `gavel db logs` says why")
    elif filling:
        yield Finding("indexes", "warning", f"being filled: {', '.join(filling)}", "wait; searches are incomplete until then")
    else:
        yield Finding("indexes", "ok", f"{len(states)} online")


def _vectors(app: App) -> Iterator[Finding]:
    from knowledge.search import index

    if app.embedder is None:
        return
    aside, model = app.kg.aside, app.embedder.model
    status = aside.status(model) if aside else index.status(app.database, model)
    missing = sum(each.missing for each in status.elements)
    total = sum(each.total for each in status.elements)
    advice = "`gavel index build` makes them; until then those are found by words only" if missing else ""
    yield Finding("vectors", "warning" if missing else "ok", f"{total - missing:,} of {total:,} of model {status.model}", advice)


def _drift(app: App) -> Iterator[Finding]:
    """Relations that the profile describes and nobody can read: renamed since, or misspelt."""
    from knowledge.reading.meter import Unmetered

    if app.said is None:
        return
    schema = app.kg.reader(app.principal().scope, Unmetered(app.grants().id)).schema()
    absent = sorted(set(app.said.relations) - {relation.name for relation in schema.relations})
    if absent and schema.relations:
        advice = f"correct or remove them in {app.settings.profile_file}; `gavel schema` shows what there is"
        yield Finding("profile drift", "warning", f"not in the kg: {', '.join(absent)}", advice)


def _principal(app: App) -> Iterator[Finding]:
    principal = app.principal()
    readable = ", ".join(sorted(principal.scope.namespaces)) or "nothing yet"
    levels = ", ".join(sorted(principal.scope.access_levels))
    if app.grants() is LOCAL:
        yield Finding("principal", "ok", f"{principal.id}: one local person who may read everything ({readable}; access {levels})")
        return
    writes = ", ".join(sorted(principal.writes)) or "nothing"
    limits = "".join(f", at most {most:g} {name.replace('_', ' ')} a run" for name, most in principal.limits.items())
    yield Finding(
        "principal",
        "ok",
        f"{principal.id}, a{'n' * (principal.kind == 'agent')} {principal.kind} by its token: "
        f"reads {readable} (access {levels}), writes {writes}{limits}",
    )


_CHECKS: tuple[Check, ...] = (_settings, _data_folder, _java, _embedder, _models, _profile, _runs, _journal, _access)
_DATABASE_CHECKS: tuple[Check, ...] = (_schema, _indexes, _vectors, _drift, _principal)
