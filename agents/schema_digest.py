"""The schema as a model reads it: one line per relation, those that fit the question and the most used ones first."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from knowledge.embedding.choice import embedder
from knowledge.records import GraphSchema, RelationSchema
from knowledge.wording.relation_name import parse

DIGEST_CHARACTERS = 4000
PROPERTIES_SHARE = 3
MOST_FITTING = 20
MOST_COMPARED = 3000
_COUNTED = 30


def schema_digest(schema: GraphSchema, most: int = DIGEST_CHARACTERS, about: str = "") -> str:
    """At most so many characters; what does not fit is counted. `about`: a question, whose relations come first where not all of them fit."""
    properties = _fitting_lines(_properties(schema), most // PROPERTIES_SHARE)
    head = f"{schema.entities} entities, {schema.facts} facts"
    room = most - len(head) - sum(len(line) + 1 for line in properties) - _COUNTED
    ranked = sorted(schema.relations, key=lambda relation: (-relation.facts, relation.name))
    told = _fitting_lines(map(_line, ranked), room)
    if len(told) < len(ranked) and about:
        told = _fitting_lines(map(_line, _fitting_first(about, ranked)), room)
    more = [f"and {len(ranked) - len(told)} more"] if len(told) < len(ranked) else []
    return "\n".join([head, *told, *more, *properties])


def _line(relation: RelationSchema) -> str:
    ends = ("|".join(kinds) or "?" for kinds in (relation.subject_kinds, relation.object_kinds))
    subject, object_ = ends
    return " ".join(f"({subject})-[{relation.name}]->({object_}): {relation.facts} facts".split())


def _properties(schema: GraphSchema) -> list[str]:
    """A line per label that has typed properties."""
    labels = dict.fromkeys(one.label for one in schema.properties)
    return [f"({label}) has {', '.join(f'{one.name}: {one.type}' for one in schema.properties if one.label == label)}" for label in labels]


def _fitting_lines(lines: "Sequence[str] | map[str]", room: int) -> list[str]:
    """The first lines that fit into so many characters."""
    told: list[str] = []
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        told.append(line)
    return told


def _fitting_first(about: str, ranked: Sequence[RelationSchema]) -> list[RelationSchema]:
    """The relations whose names are nearest to the question, then the others as they were."""
    compared = ranked[:MOST_COMPARED]
    scores = _vectors(tuple(relation.name for relation in compared)) @ embedder().embed([about])[0]
    nearest = [compared[place] for place in np.argsort(-scores, kind="stable")[:MOST_FITTING]]
    return [*nearest, *(relation for relation in ranked if relation not in nearest)]


@lru_cache(maxsize=8)
def _vectors(names: tuple[str, ...]) -> NDArray[np.float32]:
    return embedder().embed([parse(name).text for name in names])
