"""The schema as a planner reads it: one line per relation, the most used first."""

from knowledge.records import GraphSchema

DIGEST_CHARACTERS = 4000


def schema_digest(schema: GraphSchema) -> str:
    """At most 4,000 characters; what does not fit is counted in the last line."""
    relations = sorted(schema.relations, key=lambda relation: (-relation.facts, relation.name))
    lines = [f"{schema.entities} entities, {schema.facts} facts"]
    size = len(lines[0])
    for told, relation in enumerate(relations):
        line = f"({'|'.join(relation.subject_kinds) or '?'})-[{relation.name}]->({'|'.join(relation.object_kinds) or '?'}): {relation.facts} facts"
        line = " ".join(line.split())
        size += len(line) + 1
        if size > DIGEST_CHARACTERS - 30:
            return "\n".join([*lines, f"and {len(relations) - told} more"])
        lines.append(line)
    return "\n".join(_with_properties(lines, schema, size))


def _with_properties(lines: list[str], schema: GraphSchema, size: int) -> list[str]:
    """A line per label that has typed properties, as far as there is room."""
    told = list(lines)
    for label in dict.fromkeys(one.label for one in schema.properties):
        line = f"({label}) has {', '.join(f'{one.name}: {one.type}' for one in schema.properties if one.label == label)}"
        size += len(line) + 1
        if size > DIGEST_CHARACTERS:
            break
        told.append(line)
    return told
