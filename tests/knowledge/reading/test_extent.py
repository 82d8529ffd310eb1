"""The widest scope is what is in the database, and nothing where nothing is."""

from pathlib import Path

from knowledge.database.connection import Database
from knowledge.loading.loader import load
from knowledge.profile.profile import GraphProfile
from knowledge.reading.extent import extent

MEMORY = GraphProfile()


def test_an_empty_database_can_be_read_nowhere(database: Database) -> None:
    assert extent(database, MEMORY).namespaces == frozenset()


def test_a_loaded_database_names_its_namespaces_access_levels_and_visibility_groups(database: Database, tmp_path: Path) -> None:
    plain, hidden = tmp_path / "plain.tsv", tmp_path / "hidden.csv"
    plain.write_text("Alder\tmade_by\tBoreal\n")
    hidden.write_text("subject,relation,object,access_level,visibility_group\nDune,made_by,Cobalt,secret,board\n")
    load(database, [plain], "open")
    load(database, [hidden], "closed")
    scope = extent(database, MEMORY)
    assert scope.namespaces == {"open", "closed"}
    assert scope.access_levels == {"public", "secret"}
    assert scope.visibility_groups == {"", "board"}


def test_a_memory_that_gavel_did_not_load_names_its_groups(database: Database) -> None:
    database.write("CREATE (:Entity {uuid: 'a', group_id: 'theirs', name: 'Alder'})")
    assert extent(database, MEMORY).namespaces == {"theirs"}


def test_a_native_graph_is_its_one_pseudo_namespace(database: Database) -> None:
    assert extent(database, GraphProfile(shape="native", namespace="movies")).namespaces == {"movies"}
