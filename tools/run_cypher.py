"""Tool: a read-only Cypher statement of the model's own, through the guard."""

from typing import Annotated, TypeAlias, cast

from pydantic import Field, SkipValidation

from knowledge.cypher.reader import CypherReader
from knowledge.cypher.refusal import Refusal
from knowledge.cypher.rows import Seen, SeenPath
from knowledge.cypher.verdict import Result
from knowledge.records import Entity, Fact, Path
from tools.checked import checked
from tools.cited import Cited, cut, path_line
from tools.errors import ToolError

Reader: TypeAlias = Annotated[CypherReader, SkipValidation]
Statement: TypeAlias = Annotated[
    str,
    Field(
        min_length=1,
        max_length=8_000,
        description="One read-only statement: MATCH … WHERE … RETURN …. Kinds of get_schema are labels, its relations are relationship types, "
        "every node has `name`: MATCH (a:person)-[r:owns]->(b:company) RETURN a, count(b)",
    ),
]
Parameters: TypeAlias = Annotated[dict[str, object] | None, Field(description="Values of the parameters that the statement names as $name")]


@checked
def run_cypher(reader: Reader, statement: Statement, parameters: Parameters = None) -> Cited[Result]:
    """Run one read-only Cypher statement over the graph: for counting, filtering, ordering and grouping that no other tool does."""
    outcome = reader.cypher(statement, parameters)
    if isinstance(outcome, Refusal):
        raise ToolError(str(outcome))
    lines = [", ".join(f"{name}: {_written(value)}" for name, value in row.items()) for row in outcome.rows]
    notes = [f"({note})" for note in outcome.added] + (["(cut here: there is more)"] if outcome.truncated else [])
    return Cited("\n".join([cut(lines, empty="No rows."), *notes]), outcome)


def _written(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_written(item) for item in value)}]"
    if isinstance(value, SeenPath):
        return path_line(_path(value))
    if not isinstance(value, Seen):
        return str(value)
    record = value.record
    return f"{record.name} [{record.id}]" if isinstance(record, Entity) else f"-{record.relation}-> [{record.id}]"


def _path(seen: SeenPath) -> Path:
    start, end = (cast(Entity, seen.nodes[at].record) for at in (0, -1))
    return Path(start, end, tuple(cast(Fact, step.record) for step in seen.facts))
