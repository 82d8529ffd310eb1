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
    return "\n".join(lines)
