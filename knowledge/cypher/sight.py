"""What one scope sees of a kg: the surface that statements are put into, and whether anything is hidden at all."""

from knowledge.cypher.surface import Surface
from knowledge.cypher.surface_native import NativeSurface
from knowledge.cypher.surface_relates_to import GraphitiSurface, MemorySurface, RelatesToSurface, visible
from knowledge.cypher.vocabulary import Ends, Vocabulary, ends_of
from knowledge.cypher.vocabulary_native import sampled
from knowledge.database.ddl import quoted
from knowledge.profile.profile import GraphProfile
from knowledge.reading.graphiti import GraphitiDialect
from knowledge.reading.memory import MemoryDialect
from knowledge.reading.native import NativeDialect
from knowledge.reading.session import Session
from knowledge.records import GraphSchema
from knowledge.scope import EVERYONE, PUBLIC, Scope


def surface_of(session: Session, schema: GraphSchema) -> Surface:
    """The surface of the session's shape, with the names that its scope sees; one statement for a native graph, else none."""
    dialect, labels, relations = session.dialect, frozenset(label for label, _ in schema.labels), ends_of(schema)
    if isinstance(dialect, MemoryDialect):
        return MemorySurface(dialect, _fixed(MemorySurface, labels, relations))
    if isinstance(dialect, GraphitiDialect):
        return GraphitiSurface(dialect, _fixed(GraphitiSurface, labels, relations))
    return NativeSurface(dialect, sampled(session, dict(schema.labels), relations))


def hides_nothing(session: Session, profile: GraphProfile) -> bool:
    """Whether the scope is the whole database: a native graph without access or dates, all of whose nodes the profile names. One statement.

    A memory always hides something: what was believed before, and our bookkeeping.
    """
    if not isinstance(session.dialect, NativeDialect) or not _is_open(profile) or not _reaches(session.scope, profile):
        return False
    labels = "|".join(map(quoted, profile.labels)) or quoted(" ")
    rows = session.send(
        f"RETURN EXISTS {{ MATCH (n) WHERE NOT n:{labels} AND NOT any(label IN labels(n) WHERE label STARTS WITH 'Gavel') }} AS hidden"
    )
    return not rows[0]["hidden"]


def _fixed(surface: type[RelatesToSurface], labels: frozenset[str], relations: dict[str, Ends]) -> Vocabulary:
    nodes, facts = visible(surface)
    return Vocabulary(labels, relations, nodes, facts)


def _is_open(profile: GraphProfile) -> bool:
    labels = any(said.access or said.valid_from or said.valid_to for said in profile.labels.values())
    return not labels and not any(said.valid_from or said.valid_to for said in profile.relations.values())


def _reaches(scope: Scope, profile: GraphProfile) -> bool:
    return profile.namespace in scope.namespaces and PUBLIC in scope.access_levels and EVERYONE in scope.visibility_groups
