"""A graph that we did not load: what is found out about it, that it can be read, and that nothing is changed in it."""

from collections.abc import Callable

import pytest

from knowledge.database.connection import Database
from knowledge.reading.contract import Aggregation
from knowledge.reading.introspect import Property, introspect, label_profile
from knowledge.reading.kg import Kg
from knowledge.reading.meter import Unmetered
from knowledge.reading.native import node_id
from knowledge.records import Step, Walk
from knowledge.scope import Scope
from tests.knowledge.reading.world import NOW, LetterEmbedder, World

FILMS = """
CREATE (heat:Movie {movieId: 1, title: 'Heat', released: 1995, tagline: 'A Los Angeles crime saga'}),
  (ronin:Movie {movieId: 2, title: 'Ronin', released: 1998}),
  (deniro:Person:Actor {name: 'Robert De Niro', born: 1943}), (mann:Person {name: 'Michael Mann'}),
  (drama:`Film Genre` {label: 'Drama'}), (odd:`it``s odd` {word: 'quote'}),
  (:GavelSchema {id: 'gavel'}), (:_Hidden {name: 'Heat'}),
  (deniro)-[:ACTED_IN {roles: ['Neil'], since: 1995}]->(heat), (deniro)-[:ACTED_IN]->(ronin),
  (mann)-[:DIRECTED]->(heat), (heat)-[:`HAS GENRE`]->(drama), (odd)-[:NEAR]->(heat), (odd)-[:NEAR]->(:_Hidden {name: 'x'})
"""


@pytest.fixture(scope="module")
def films(new_world: Callable[..., World]) -> Database:
    database = new_world(shape="native").database
    database.schema("CREATE CONSTRAINT movie_key IF NOT EXISTS FOR (m:Movie) REQUIRE m.movieId IS UNIQUE")
    database.write(FILMS)
    return database


def test_names_keys_texts_and_dates_are_found(films: Database) -> None:
    profile = introspect(films, "films")
    assert set(profile.labels) == {"Movie", "Person", "Actor", "Film Genre", "it`s odd"}
    movie = profile.labels["Movie"]
    assert (movie.name, movie.key, movie.text) == ("title", "movieId", ("tagline",))
    assert (profile.labels["Film Genre"].name, profile.labels["it`s odd"].name) == ("label", "word")
    assert (profile.relations["ACTED_IN"].valid_from, profile.relations["DIRECTED"].valid_from) == ("since", "")
    assert (profile.shape, profile.namespace) == ("native", "films")


def test_every_method_reads_it_and_ids_last(films: Database) -> None:
    kg = Kg(films, introspect(films, "films"), now=lambda: NOW)
    reader = kg.reader(Scope(frozenset({"films"})), Unmetered())
    heat = reader.link(["heat"])["heat"][0].entity
    assert (heat.id, heat.kind, heat.summary) == ("Movie:1", "Movie", "A Los Angeles crime saga")
    person = reader.search_entities("niro")[0].item
    assert person.id == node_id(person.kind, "Robert De Niro", "")
    assert [r.entity.name for r in reader.follow([Walk((person.id,), (Step("ACTED_IN", "out"),))])[0]] == ["Heat", "Ronin"]
    assert reader.paths([(person.id, "Movie:1")])[0][0].facts[0].valid_from == "1995"
    assert reader.aggregate(Aggregation("most", None, (Step("ACTED_IN", "out"),)))[0].value == 2.0
    assert {f.relation for f in reader.expand(["Movie:1"])} == {"ACTED_IN", "DIRECTED", "HAS GENRE", "NEAR"}
    assert reader.search_facts("michael mann directed")[0].item.relation == "DIRECTED"
    assert reader.suggest("Hete")[0].entity.name == "Heat"
    schema = reader.schema()
    assert (schema.entities, schema.facts) == (6, 5)
    assert ("Movie", 2) in schema.labels
    assert next(r for r in schema.relations if r.name == "DIRECTED").object_kind == "Movie"


def test_a_principal_without_the_namespace_sees_nothing(films: Database) -> None:
    reader = Kg(films, introspect(films, "films"), now=lambda: NOW).reader(Scope(frozenset({"film"})), Unmetered())
    assert reader.link(["heat"]) == {}
    assert reader.context(["Movie:1"]) == []
    assert reader.schema().entities == 0


def test_reading_and_indexing_change_nothing_in_it(films: Database) -> None:
    def state() -> list[object]:
        counts = films.read("MATCH (n) RETURN count(n) AS nodes, sum(size(keys(n))) AS properties")
        return [counts, films.read("SHOW INDEXES YIELD name RETURN collect(name) AS names"), films.read("CALL db.propertyKeys()")]

    before = state()
    kg = Kg(films, introspect(films, "films"), LetterEmbedder(), now=lambda: NOW)
    assert kg.aside
    assert kg.aside.build(LetterEmbedder()).vectors == 6
    reader = kg.reader(Scope(frozenset({"films"})), Unmetered())
    assert reader.semantic
    assert reader.search_entities("Heat", mode="semantic")[0].item.name == "Heat"
    assert state() == before


def test_a_label_without_a_known_name_takes_its_most_telling_text() -> None:
    properties = [Property("colour", True, 1.0, 0.1, 5), Property("serial", True, 1.0, 1.0, 8), Property("story", True, 1.0, 1.0, 400)]
    profile = label_profile(properties, ())
    assert (profile.name, profile.text) == ("serial", ("story",))
