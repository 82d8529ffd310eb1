"""Constraints and indexes: made once, migrated, refused where they do not belong."""

import threading

import pytest

from knowledge.cypher.tokens import tokens
from knowledge.database import ddl
from knowledge.database.connection import Database
from knowledge.database.ddl import MIGRATIONS, Migration
from knowledge.database.embedded import Running
from knowledge.errors import StatementError, StoreError

LATER = Migration(
    ddl.SCHEMA_VERSION + 1,
    memory=("CREATE INDEX gavel_later IF NOT EXISTS FOR (n:Entity) ON (n.summary)",),
    native=("CREATE INDEX gavel_later IF NOT EXISTS FOR (n:Thing) ON (n.summary)",),
)
UNICODE_ESCAPES = [
    "\\u0060x",
    "x\\u0060) DETACH DELETE n //",
    "\\\\u0060",
    "\\uuu0060",
    "\\u005cu0060",
    "`\\u0060`",
    "end\\",
    "\\u00",
    "a\\nb\\t'",
]


def schema(database: Database) -> set[str]:
    names = database.read("SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name")
    return {row["name"] for row in names}


def test_the_memory_shape_gets_its_constraints_and_indexes_once(database: Database) -> None:
    assert ddl.ensure(database, "memory") == ddl.SCHEMA_VERSION
    made = schema(database)
    assert {
        ddl.ENTITY_UUID,
        ddl.ENTITY_KEY,
        ddl.ENTITY_NAME,
        ddl.ENTITY_TEXT,
        ddl.FACT_UUID,
        ddl.FACT_VERSION,
        ddl.FACT_ID,
        ddl.FACT_TEXT,
    } <= made
    ddl.ensure(database, "memory")
    assert schema(database) == made
    assert ddl.stored(database) == ddl.Stored("memory", ddl.SCHEMA_VERSION)


def test_the_full_text_indexes_segment_chinese(database: Database) -> None:
    ddl.ensure(database, "memory")
    rows = database.read("SHOW INDEXES YIELD name, type, options WHERE type = 'FULLTEXT' RETURN name, options.indexConfig AS config")
    assert {row["name"]: row["config"]["fulltext.analyzer"] for row in rows} == {ddl.ENTITY_TEXT: "cjk", ddl.FACT_TEXT: "cjk"}


def test_a_database_of_an_older_schema_is_migrated_and_keeps_its_data(database: Database) -> None:
    ddl.ensure(database, "memory")
    database.write("CREATE (:Entity {uuid: 'a', group_id: 'ns', visibility_group: '', key: 'a'})")
    assert ddl.ensure(database, "memory", (*MIGRATIONS, LATER)) == LATER.version
    assert "gavel_later" in schema(database)
    assert ddl.stored(database) == ddl.Stored("memory", LATER.version)
    assert database.read("MATCH (n:Entity) RETURN count(n) AS n")[0]["n"] == 1


def test_a_migration_that_was_cut_short_is_done_again(database: Database) -> None:
    broken = Migration(LATER.version, (*LATER.memory, "CREATE NONSENSE"), ())
    with pytest.raises(StatementError):
        ddl.ensure(database, "memory", (*MIGRATIONS, broken))
    assert ddl.stored(database) == ddl.Stored("memory", ddl.SCHEMA_VERSION)
    assert ddl.ensure(database, "memory", (*MIGRATIONS, LATER)) == LATER.version


def test_a_schema_made_by_a_newer_gavel_is_refused(database: Database) -> None:
    ddl.ensure(database, "memory", (*MIGRATIONS, LATER))
    with pytest.raises(StoreError, match=f"has schema {LATER.version}, made by a newer Gavel"):
        ddl.ensure(database, "memory")


def test_many_at_once_make_one_schema(database: Database, server: Running) -> None:
    failures: list[BaseException] = []

    def make() -> None:
        try:
            with Database.connect(server.uri, server.user, server.password) as own:
                ddl.ensure(own, "memory")
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=make) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert database.read("MATCH (s:GavelSchema) RETURN count(s) AS n")[0]["n"] == 1


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE (:Entity {uuid: 'b', group_id: 'ns', visibility_group: '', key: 'a'})",
        "CREATE (:Entity {uuid: 'a', group_id: 'ns', visibility_group: '', key: 'b'})",
        "MATCH (n:Entity) CREATE (n)-[:RELATES_TO {uuid: 's', group_id: 'ns', visibility_group: '', from_key: 'a', name: 'r', "
        "to_key: 'a', valid_from: datetime('2001'), known_to: datetime('9999')}]->(n)",
        "MATCH (n:Entity) CREATE (n)-[:RELATES_TO {uuid: 'r'}]->(n)",
    ],
)
def test_a_second_entity_of_a_key_and_a_second_live_version_of_a_fact_are_refused(database: Database, statement: str) -> None:
    ddl.ensure(database, "memory")
    database.write("CREATE (:Entity {uuid: 'a', group_id: 'ns', visibility_group: '', key: 'a'})")
    database.write(
        "MATCH (n:Entity) CREATE (n)-[:RELATES_TO {uuid: 'r', group_id: 'ns', visibility_group: '', from_key: 'a', name: 'r', "
        "to_key: 'a', valid_from: datetime('2001'), known_to: datetime('9999')}]->(n)"
    )
    with pytest.raises(StatementError, match="already exists"):
        database.write(statement)


def test_a_key_of_one_visibility_group_leaves_another_groups_free(database: Database) -> None:
    ddl.ensure(database, "memory")
    for group in ("", "board"):
        database.write("CREATE (:Entity {uuid: $g, group_id: 'ns', visibility_group: $g, key: 'a'})", {"g": group})


def test_vector_indexes_are_named_by_element_and_model() -> None:
    names = {ddl.vector_index(element, model) for element in ("entity", "fact") for model in ("a-b", "a_b", "A/b:1", "模型")}
    assert len(names) == 8
    assert all(name.replace("_", "").isalnum() and name.isascii() for name in names)


def test_a_vector_index_can_be_narrowed_inside_where_the_server_can(database: Database) -> None:
    ddl.ensure(database, "memory")
    name = ddl.create_vector_index(database, "entity", "tiny", 4)
    ddl.create_vector_index(database, "entity", "tiny", 4)
    [row] = database.read("SHOW INDEXES YIELD name, properties WHERE name = $name RETURN properties", {"name": name})
    assert row["properties"][0] == "gavel_vec"
    assert ("group_id" in row["properties"]) == database.capability.vector_filters


@pytest.mark.parametrize("name", ["plain", "two words", "back`tick", "``", "关系", "x}) RETURN 1 //", *UNICODE_ESCAPES])
def test_any_name_is_quoted_into_one_label_type_and_property(database: Database, name: str) -> None:
    for language in ("", "CYPHER 5 ", *(["CYPHER 25 "] if database.capability.cypher25 else [])):
        database.write("MATCH (n) DETACH DELETE n")
        _check_quoting(database, name, language)


@pytest.mark.parametrize("text", ["plain", "O'Neill", "\\", "\\\\", "\\'", "it's \\u0027 RETURN 1 //", "关系\n", "", *UNICODE_ESCAPES])
def test_any_text_is_one_literal_for_the_server_and_for_the_guard(database: Database, text: str) -> None:
    assert database.read(f"RETURN {ddl.literal(text)} AS text") == [{"text": text}]
    assert tokens(ddl.literal(text))[0].text == text


def _check_quoting(database: Database, name: str, language: str) -> None:
    quoted = ddl.quoted(name)
    database.write(f"{language}CREATE (:{quoted} {{{quoted}: 1}})-[:{quoted} {{{quoted}: 2}}]->(:{quoted})")
    row = database.read("MATCH (n)-[r]->(m) RETURN labels(n) AS n, keys(n) AS p, type(r) AS r, keys(r) AS q, labels(m) AS m")[0]
    assert row == {"n": [name], "p": [name], "r": name, "q": [name], "m": [name]}
    assert database.read(f"{language}MATCH (n:{quoted})-[r:{quoted}]->() RETURN n.{quoted} AS n, r.{quoted} AS r") == [{"n": 1, "r": 2}]
