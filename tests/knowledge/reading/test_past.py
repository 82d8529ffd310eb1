"""What was believed earlier is read as it was believed then."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from knowledge.database.connection import Database
from knowledge.loading.loader import load
from knowledge.profile.profile import GraphProfile
from knowledge.reading.kg import Kg
from knowledge.reading.meter import Unmetered
from knowledge.scope import Scope
from tests.knowledge.reading.world import ALWAYS, Edge, Node, Place, World

CORE = Node("Core", "company")


def test_an_earlier_state_of_an_entity_is_read_as_it_was_believed(new_world: Callable[..., World]) -> None:
    world = new_world()
    changed = Node("Renamed", "person", summary="new words", place=Place(known=("2026-06-01T00:00:00Z", ALWAYS[1])), key="changed")
    world.write([CORE, changed], [Edge(changed, "works_at", CORE, Place(known=("2026-02-01T00:00:00Z", ALWAYS[1])))])
    world.database.write(
        "CREATE (v:GavelEntityVersion {entity_uuid: $id, group_id: 'team', name: 'Before', kind: 'person', summary: 'old words', aliases: [],"
        " access_level: $level, visibility_group: '', valid_from: datetime($start), valid_to: datetime($end),"
        " known_from: datetime('2026-02-01T00:00:00Z'), known_to: datetime('2026-06-01T00:00:00Z')})",
        {"id": changed.id, "level": "public", "start": ALWAYS[0], "end": ALWAYS[1]},
    )
    march, july = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 7, 1, tzinfo=UTC)
    assert [(e.name, e.summary) for e in world.reader(known_at=march).context([changed.id])] == [("Before", "old words")]
    assert world.reader(known_at=march).expand([CORE.id], relations=["works_at"])[0].subject.name == "Before"
    assert [e.name for e in world.reader(known_at=july).context([changed.id])] == ["Renamed"]
    assert world.reader(known_at=datetime(2026, 1, 15, tzinfo=UTC)).context([changed.id]) == []


def test_an_entity_is_found_by_the_name_it_had(database: Database, tmp_path: Path) -> None:
    entities, later = tmp_path / "entities.jsonl", tmp_path / "later.jsonl"
    entities.write_text(json.dumps({"key": "x", "name": "Twitter", "kind": "company"}) + "\n")
    later.write_text(json.dumps({"key": "x", "name": "X Corp", "kind": "company"}) + "\n")
    march, may, july = (datetime(2026, month, 1, tzinfo=UTC) for month in (3, 5, 7))
    load(database, [entities], "team", clock=lambda: march)
    load(database, [later], "team", clock=lambda: july)
    kg = Kg(database, GraphProfile())

    def found(name: str, known_at: datetime | None) -> list[str]:
        reader = kg.reader(Scope(frozenset({"team"}), known_at=known_at), Unmetered())
        return [c.entity.name for c in reader.link([name]).get(name, [])]

    assert (found("twitter", may), found("twitter", None), found("x corp", None)) == (["Twitter"], [], ["X Corp"])
    assert found("twitter", datetime(2026, 2, 1, tzinfo=UTC)) == []
