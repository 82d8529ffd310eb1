"""Tool: what the graph holds."""

from knowledge.records import GraphSchema, RelationSchema
from tools.arguments import Reader
from tools.checked import checked
from tools.cited import Cited, cut

SHOWN = 4


@checked
def get_schema(reader: Reader) -> Cited[GraphSchema]:
    """Show the kinds of entities, the relations between them with their counts, and examples."""
    schema = reader.schema()
    head = f"{schema.entities} entities, {schema.facts} facts, kinds: {', '.join(schema.kinds) or 'none'}"
    labels = [f"label {label}: {entities}" for label, entities in schema.labels]
    relations = [_line(r) for r in sorted(schema.relations, key=lambda r: -r.facts)]
    return Cited(cut([head, *labels, *relations], empty=head), schema)


def _line(r: RelationSchema) -> str:
    """`relation: kind -> kind, 12 facts (a, b -> c, d)`."""
    examples = f"{', '.join(r.subject_samples[:SHOWN])} -> {', '.join(r.object_samples[:SHOWN])}"
    return f"{r.name}: {' | '.join(r.subject_kinds) or 'entity'} -> {' | '.join(r.object_kinds) or 'entity'}, {r.facts} facts ({examples})"
