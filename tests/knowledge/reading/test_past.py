"""What was believed earlier is read as it was believed then."""

from collections.abc import Callable
from datetime import UTC, datetime

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
