"""How words are indexed and found."""

import pytest

from knowledge.database.connection import Database
from knowledge.errors import StatementError

NAMES = {"a": "北京大学计算机系", "b": "上海交通大学", "c": "Müller Straße", "d": "OpenAI o1-preview (2024)"}


@pytest.fixture
def words(database: Database) -> Database:
    database.schema("CREATE FULLTEXT INDEX t FOR (n:E) ON EACH [n.text] OPTIONS {indexConfig: {`fulltext.analyzer`: 'cjk'}}")
    database.write("UNWIND $rows AS row CREATE (n:E {id: row[0], text: row[1]})", {"rows": [list(item) for item in NAMES.items()]})
    database.read("CALL db.awaitIndexes(60)")
    return database


def hits(database: Database, query: str) -> list[str]:
    rows = database.read("CALL db.index.fulltext.queryNodes('t', $query) YIELD node, score RETURN node.id AS id", {"query": query})
    return [row["id"] for row in rows]


def test_the_cjk_analyzer_finds_chinese_words_inside_names(words: Database) -> None:
    assert hits(words, "北京") == ["a"]
    assert set(hits(words, "大学")) == {"a", "b"}
    assert hits(words, "交通大学")[0] == "b"


def test_it_folds_case_but_not_accents(words: Database) -> None:
    assert hits(words, "OPENAI") == ["d"]
    assert hits(words, "müller") == ["c"]
    assert hits(words, "muller") == []


def test_a_write_is_found_by_the_next_read(words: Database) -> None:
    words.write("CREATE (:E {id: 'new', text: 'quantum'})")
    words.read("CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()")
    assert hits(words, "quantum") == ["new"]


def test_a_second_index_over_the_same_properties_is_silently_not_made(words: Database) -> None:
    words.schema(
        "CREATE FULLTEXT INDEX other IF NOT EXISTS FOR (n:E) ON EACH [n.text] OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}}"
    )
    assert words.read("SHOW INDEXES YIELD name, type WHERE type = 'FULLTEXT' RETURN name") == [{"name": "t"}]


def test_a_limit_before_a_filter_hides_what_a_small_group_holds(words: Database) -> None:
    """Why no limit is ever passed to the index."""
    words.write("UNWIND range(1, 300) AS i CREATE (:E {id: 'x' + i, group: 'large', text: 'energy energy energy'})")
    words.write("CREATE (:E {id: 'small', group: 'small', text: 'energy and many other words beside'})")
    statement = (
        "CALL db.index.fulltext.queryNodes('t', 'energy'{}) YIELD node WITH node WHERE node.group = 'small' RETURN node.id AS id LIMIT 10"
    )
    assert words.read(statement.format(", {limit: 100}")) == []
    assert words.read(statement.format("")) == [{"id": "small"}]


def test_a_group_in_the_query_is_matched_by_words_and_not_exactly(database: Database) -> None:
    """Why scope is never put into the query."""
    database.schema("CREATE FULLTEXT INDEX t FOR (n:E) ON EACH [n.text, n.group]")
    database.write("CREATE (:E {id: 1, group: 'team', text: 'plan'}), (:E {id: 2, group: 'team-b_2', text: 'plan'})")
    database.read("CALL db.awaitIndexes(60)")
    assert len(hits(database, '+group:"team" +text:plan')) == 2


@pytest.mark.parametrize("query", ["a/b", "(", '"', "a AND", "x:", "[1 TO", "~", "^", "\\"])
def test_lucene_characters_break_an_unescaped_query(words: Database, query: str) -> None:
    with pytest.raises(StatementError):
        hits(words, query)


def test_relationships_are_indexed_too(database: Database) -> None:
    database.schema("CREATE FULLTEXT INDEX r FOR ()-[r:R]-() ON EACH [r.text] OPTIONS {indexConfig: {`fulltext.analyzer`: 'cjk'}}")
    database.write("CREATE (:E)-[:R {id: 1, text: '大学 founded'}]->(:E)")
    database.read("CALL db.awaitIndexes(60)")
    found = database.read("CALL db.index.fulltext.queryRelationships('r', '大学') YIELD relationship AS r RETURN r.id AS id")
    assert found == [{"id": 1}]
