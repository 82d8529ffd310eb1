"""What one scope sees of a kg: the surface that statements are put into, and whether anything is hidden at all."""

from knowledge.cypher.surface import Surface
from knowledge.cypher.surface_native import NativeSurface
from knowledge.cypher.surface_relates_to import GraphitiSurface, MemorySurface, RelatesToSurface, visible
from knowledge.cypher.vocabulary import Ends, Vocabulary, ends_of
from knowledge.cypher.vocabulary_native import sampled
from knowledge.errors import StatementError
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
    """Whether the scope is the whole database: a native graph without access levels, none of whose elements it hides. One statement, which
    looks at every node and relationship; where that takes too long, the scope counts as less.

    A memory always hides something: what was believed before, and our bookkeeping.
    """
    if not isinstance(session.dialect, NativeDialect) or not _is_open(session.scope, profile):
        return False
    node, fact = session.dialect.sees_node("n"), session.dialect.sees_fact("r")
    ours = "any(label IN labels(n) WHERE label STARTS WITH 'Gavel')"
    try:
        rows = session.send(
            f"RETURN EXISTS {{ MATCH (n) WHERE NOT coalesce({node}, false) AND NOT {ours} }}"
            f" OR EXISTS {{ MATCH ()-[r]->() WHERE NOT coalesce({fact}, false) }} AS hidden"
        )
    except StatementError:
        return False
    return not rows[0]["hidden"]


def _fixed(surface: type[RelatesToSurface], labels: frozenset[str], relations: dict[str, Ends]) -> Vocabulary:
    nodes, facts = visible(surface)
    return Vocabulary(labels, relations, nodes, facts)


def _is_open(scope: Scope, profile: GraphProfile) -> bool:
    """Who may see what does not depend on the element."""
    reaches = profile.namespace in scope.namespaces and PUBLIC in scope.access_levels and EVERYONE in scope.visibility_groups
    return reaches and not any(said.access for said in profile.labels.values())
