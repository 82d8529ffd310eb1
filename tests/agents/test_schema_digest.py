"""The schema in a few lines: whole where it fits, else what the question needs."""

import pytest

from agents.schema_digest import schema_digest
from knowledge.records import GraphSchema, PropertySchema, RelationSchema


def schema(*names: str, properties: tuple[PropertySchema, ...] = ()) -> GraphSchema:
    relations = tuple(RelationSchema(name, 1000 - place, 5, 5, "person", "thing") for place, name in enumerate(names))
    return GraphSchema("1", 9, 90, relations, ("person", "thing"), properties=properties)


def test_a_small_schema_is_told_whole_the_most_used_relation_first() -> None:
    lines = schema_digest(schema("owns", "rents", properties=(PropertySchema("person", "born", "number"),))).splitlines()
    assert lines == [
        "9 entities, 90 facts", "(person)-[owns]->(thing): 1000 facts", "(person)-[rents]->(thing): 999 facts", "(person) has born: number",
    ]  # fmt: skip


@pytest.mark.parametrize("question", ["Who waters the garden?", "谁给花园浇水？"])
def test_a_rare_relation_that_the_question_needs_is_told_among_two_thousand(question: str) -> None:
    large = schema(*(f"measure_{n:04}_of_unit" for n in range(2000)), "waters_garden")
    told = schema_digest(large, 3000, question)
    assert "[waters_garden]" in told and len(told) <= 3000
    assert "[waters_garden]" not in schema_digest(large, 3000)
    assert "more" in told and "[measure_0000_of_unit]" in told


def test_properties_keep_their_room_beside_many_relations() -> None:
    properties = tuple(PropertySchema("person", f"property_{n}", "number") for n in range(10))
    told = schema_digest(schema(*(f"relation_{n}" for n in range(2000)), properties=properties), 3000)
    assert "property_9: number" in told and len(told) <= 3000


def test_a_name_with_lines_of_its_own_stays_on_one_line() -> None:
    assert schema_digest(schema("a\nb")).splitlines()[1] == "(person)-[a b]->(thing): 1000 facts"
