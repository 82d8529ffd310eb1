"""Which profile a database is read with: what the owner said, over what Gavel kept or finds about its layout."""

from pathlib import Path

from knowledge.database import ddl
from knowledge.database.connection import Database
from knowledge.loading.native_profile import native_profile
from knowledge.profile.profile import GraphProfile
from knowledge.profile.store import load_profile, save_profile
from knowledge.reading.extent import extent
from knowledge.reading.introspect import introspect


def profile_of(database: Database, said: GraphProfile | None, folder: Path) -> GraphProfile:
    """The owner's words with the database's own shape; for a native graph also its labels, dates and namespace.

    `folder` is where profiles of loaded native graphs are kept.
    """
    given = said or GraphProfile()
    stored = ddl.stored(database)
    if stored is None:
        return _foreign(database, given, folder)
    if stored.shape == "memory":
        return given.model_copy(update={"shape": "memory"})
    kept = load_profile(folder, ddl.graph_identity(database))
    if kept:
        return _over(kept, given)
    loaded = extent(database, GraphProfile()).namespaces
    return native_profile(database, next(iter(loaded), given.namespace), given)


def _over(kept: GraphProfile, given: GraphProfile) -> GraphProfile:
    """The kept layout in the given words; dates of a relation are kept where nothing else is said."""
    relations = dict(kept.relations)
    for name, said in given.relations.items():
        dates = {key: getattr(said, key) or getattr(kept.relations.get(name, said), key) for key in ("valid_from", "valid_to")}
        relations[name] = said.model_copy(update=dates)
    return kept.model_copy(
        update={"labels": {**kept.labels, **given.labels}, "kinds": {**kept.kinds, **given.kinds}, "relations": relations}
    )


def _foreign(database: Database, given: GraphProfile, folder: Path) -> GraphProfile:
    """The profile of data that Gavel did not load: nothing, a memory that Graphiti made, or any other graph."""
    found = database.read("RETURN EXISTS { (n) } AS any, EXISTS { (m:Entity) WHERE m.group_id IS NOT NULL } AS memory")[0]
    if found["memory"]:
        return given.model_copy(update={"shape": "graphiti"})
    return _introspected(database, given, folder) if found["any"] else given


def _introspected(database: Database, given: GraphProfile, folder: Path) -> GraphProfile:
    """What is found out about a graph that we did not load, once; it is kept in `folder`, where the owner may correct it."""
    graph = ddl.graph_identity(database)
    kept = load_profile(folder, graph)
    if kept is None:
        kept = introspect(database, given.namespace or database.name)
        save_profile(folder, graph, kept)
    return _over(kept, given)
