"""What one JSON value says: an entity row, a fact row, or a LangChain GraphDocument with its nodes and relationships."""

from collections.abc import Callable, Iterator, Mapping
from typing import cast

from knowledge.errors import DataError
from knowledge.loading.columns import COLUMN
from knowledge.loading.fields import Cells, entity_row, fact_row
from knowledge.loading.rows import EntityRow, FactRow, Origin, Row

_NO_KIND = "Node"
_ENDS = frozenset({"subject", "relation", "object", "subject_kind", "object_kind"})


def rows(item: object, origin: Origin) -> Iterator[Row | DataError]:
    """Every row of one value; an error stands in the place of a row that cannot be loaded."""
    try:
        value = _object(item, "a row")
        if "nodes" in value or "relationships" in value:
            yield from _document(value, origin)
        else:
            yield _row(value, origin)
    except DataError as error:
        yield error


def _row(value: Cells, origin: Origin) -> Row:
    kind = value.get("type", "")
    cells = {name: cell for name, cell in value.items() if name != "type"}
    named = {COLUMN.get(name, name): cell for name, cell in cells.items()}
    if kind == "fact" or (kind == "" and {"subject", "relation", "object"} <= named.keys()):
        return fact_row(named, origin)
    if kind == "entity" or (kind == "" and ("name" in cells or "key" in cells)):
        return entity_row(cells, origin)
    if kind:
        raise DataError(f"type is {kind!r}; write entity or fact")
    raise DataError("neither an entity (name) nor a fact (subject, relation, object) nor a GraphDocument (nodes, relationships)")


def _document(document: Cells, origin: Origin) -> Iterator[Row | DataError]:
    origin = Origin(origin.file, origin.line, _source(document) or origin.source)
    for number, node in enumerate(_list(document, "nodes"), 1):
        yield _within(f"node {number}", _node, node, origin)
    for number, relationship in enumerate(_list(document, "relationships"), 1):
        yield _within(f"relationship {number}", _relationship, relationship, origin)


def _within(what: str, read: Callable[[Cells, Origin], Row], item: object, origin: Origin) -> Row | DataError:
    try:
        return read(_object(item, "it"), origin)
    except DataError as error:
        return DataError(f"{what} of the document: {error}")


def _node(node: Cells, origin: Origin) -> EntityRow:
    given = dict(_object(node.get("properties") or {}, "properties"))
    summary = given.pop("description", None) if "summary" not in given else None
    return entity_row({**given, "summary": given.get("summary", summary), "key": node.get("id"), "kind": _kind(node)}, origin)


def _relationship(relationship: Cells, origin: Origin) -> FactRow:
    subject = _object(relationship.get("source"), "source")
    object_ = _object(relationship.get("target"), "target")
    given = _object(relationship.get("properties") or {}, "properties")
    cells: dict[str, object] = {name: cell for name, cell in given.items() if name not in _ENDS}
    ends = {"subject": subject.get("id"), "subject_kind": _kind(subject), "object": object_.get("id"), "object_kind": _kind(object_)}
    return fact_row({**cells, **ends, "relation": relationship.get("type")}, origin)


def _kind(node: Cells) -> object:
    return "" if node.get("type") == _NO_KIND else node.get("type")


def _source(document: Cells) -> str:
    """The document that the graph was made from, where its metadata names it."""
    source = document.get("source")
    if not source:
        return ""
    metadata = _object(_object(source, "source").get("metadata") or {}, "metadata")
    return str(metadata.get("source") or "")


def _list(document: Cells, name: str) -> list[object]:
    value = document.get(name) or []
    if not isinstance(value, list):
        raise DataError(f"{name} must be a list")
    return value


def _object(value: object, what: str) -> Cells:
    """A JSON object; one that LangChain serialised with its class is unwrapped."""
    if isinstance(value, Mapping) and value.get("lc"):
        value = value.get("kwargs", "a repr: LangChain's dumps cannot write it, use model_dump_json()")
    if isinstance(value, str):
        raise DataError(f"{what} must be a JSON object, not {value[:80]!r}")
    if not isinstance(value, Mapping):
        raise DataError(f"{what} must be a JSON object, not {type(value).__name__}")
    return cast(Cells, value)
