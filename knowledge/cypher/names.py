"""Names that the kg has not got: refused with the nearest ones that it has, and with the arrow turned where only that is wrong."""

from collections.abc import Iterable

from rapidfuzz import process
from rapidfuzz.utils import default_process

from knowledge.cypher.label_tests import negates
from knowledge.cypher.refusal import Code, Refused
from knowledge.cypher.surface_relates_to import ENTITY, RELATES_TO
from knowledge.cypher.syntax import HasLabels, Label, Labels, MapOf, Node, Path, Property, Query, Relationship, Variable
from knowledge.cypher.vocabulary import Vocabulary
from knowledge.cypher.walk import below, ends, named

NEAREST = 3
_ALIKE = 50
_OURS = "gavel"
Kinds = dict[str, set[str]]


def check_names(query: Query, vocabulary: Vocabulary) -> None:
    """Refused (`Refused`) for the first name that is not there. Bookkeeping of our own is never there."""
    for part in below(query):
        if isinstance(part, Property) and part.name.lower().startswith(f"{_OURS}_"):
            raise Refused("internal", f"{part.name} is bookkeeping", part.at, "use the properties that the schema lists")
        if isinstance(part, Label) and part.name.lower().startswith(_OURS) and part.name not in vocabulary.labels:
            raise Refused("internal", f"{part.name} is bookkeeping", part.at, "use the labels that the schema lists")
    for path in (part for part in below(query) if isinstance(part, Path)):
        _check_path(path, vocabulary)
    _check_label_tests(query, vocabulary)
    for branch in query.branches:
        _check_properties(branch, vocabulary)


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """Up to three known names that are spelt alike, best first."""
    found = process.extract(name, sorted(known), processor=default_process, limit=NEAREST, score_cutoff=_ALIKE)
    return [match for match, _, _ in found]


def _check_path(path: Path, vocabulary: Vocabulary) -> None:
    for element in path.elements:
        if isinstance(element, Node):
            _check_labels(element.labels, vocabulary)
        elif isinstance(element, Relationship):
            _check_types(element.types, vocabulary)
    for left, middle, right in ends(path):
        _check_direction(left, middle, right, vocabulary)


def _check_labels(labels: Labels | None, vocabulary: Vocabulary) -> None:
    for label in named(labels):
        if vocabulary.labels and label.name not in vocabulary.labels | {ENTITY}:
            raise _unknown("unknown_label", "label", label, vocabulary.labels)


def _check_types(types: Labels | None, vocabulary: Vocabulary) -> None:
    for type_ in named(types):
        if vocabulary.relations and type_.name not in vocabulary.relations and type_.name != RELATES_TO:
            raise _unknown("unknown_relation", "relationship type", type_, vocabulary.relations)


def _check_label_tests(query: Query, vocabulary: Vocabulary) -> None:
    """A test may be of a node or of a relationship."""
    known = vocabulary.labels | vocabulary.relations.keys() | {ENTITY, RELATES_TO}
    for part in below(query):
        if isinstance(part, HasLabels):
            for label in named(part.labels):
                if vocabulary.labels and label.name not in known:
                    raise _unknown("unknown_label", "label", label, known)


def _check_direction(left: Node, middle: Relationship, right: Node, vocabulary: Vocabulary) -> None:
    """Only where both ends are labelled, and the relation is known to lead the other way and never this one."""
    types, near, far = (_only(labels) for labels in (middle.types, left.labels, right.labels))
    if middle.direction == "both" or not types or not near or not far or types not in vocabulary.relations:
        return
    subject, object_ = (near, far) if middle.direction == "out" else (far, near)
    subjects, objects = vocabulary.relations[types]
    if subject in subjects and object_ in objects:
        return
    if subject in objects and object_ in subjects:
        raise Refused("direction", f"{types} leads from {object_} to {subject}", middle.at, f"write (:{object_})-[:{types}]->(:{subject})")


def _check_properties(branch: object, vocabulary: Vocabulary) -> None:
    nodes, facts = _labelled(branch)
    for part in below(branch):
        if isinstance(part, Property) and isinstance(part.of, Variable):
            _check_property(part.of.name, part.name, part.at, nodes, facts, vocabulary)
        elif isinstance(part, Node | Relationship) and isinstance(part.properties, MapOf) and part.variable:
            for key, _ in part.properties.items:
                _check_property(part.variable, key, part.at, nodes, facts, vocabulary)


def _check_property(variable: str, name: str, at: int, nodes: Kinds, facts: Kinds, vocabulary: Vocabulary) -> None:
    for names, fact in ((nodes.get(variable), False), (facts.get(variable), True)):
        known = vocabulary.of(names or (), fact=fact) if names else None
        if known is not None and name not in known:
            what = " or ".join(sorted(names or ()))
            alike = nearest(name, known)
            instead = f"did you mean {' or '.join(alike)}?" if alike else f"there are {', '.join(sorted(known))}"
            raise Refused("unknown_property", f"{what} has no property {name}", at, instead)


def _labelled(branch: object) -> tuple[Kinds, Kinds]:
    """The labels of the nodes and the types of the relationships that a branch names; variables without any are left out."""
    nodes: Kinds = {}
    facts: Kinds = {}
    for part in below(branch):
        if isinstance(part, Node) and part.variable and part.labels and not negates(part.labels):
            nodes.setdefault(part.variable, set()).update(label.name for label in named(part.labels))
        elif isinstance(part, Relationship) and part.variable and part.types and not part.length:
            facts.setdefault(part.variable, set()).update(type_.name for type_ in named(part.types))
    return nodes, facts


def _only(labels: Labels | None) -> str:
    """The one name of a label expression, empty where it is more than that."""
    return labels.name if isinstance(labels, Label) and labels.name != "%" else ""


def _unknown(code: Code, what: str, label: Label, known: Iterable[str]) -> Refused:
    alike = nearest(label.name, known)
    instead = f"did you mean {' or '.join(alike)}?" if alike else "look at the schema"
    return Refused(code, f"there is no {what} {label.name}", label.at, instead)
