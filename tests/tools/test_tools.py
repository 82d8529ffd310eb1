"""Each tool: what it asks of the reader, what it says, and what it refuses."""

from typing import Any

import pytest

from knowledge.errors import DatabaseError, OutOfBudget
from knowledge.reading.contract import Aggregation, Hit, Measured
from knowledge.records import Entity, Fact, GraphSchema, Path, Reached, RelationSchema, Step, Walk
from tests.tools.recording import RecordingReader
from tools.aggregate import aggregate
from tools.arguments import Hop
from tools.errors import ToolError
from tools.find_paths import find_paths
from tools.get_schema import get_schema
from tools.registration import READ_TOOLS, as_tool
from tools.search_entities import search_entities
from tools.search_facts import search_facts
from tools.traverse import traverse

ADA, BOB, CITY = Entity("e1", "Ada", "person"), Entity("e2", "Bob"), Entity("e3", "Bath")
KNOWS, LIVES = Fact("f1", ADA, "knows", BOB), Fact("f2", BOB, "lives_in", CITY)
WAY = Path(ADA, BOB, (KNOWS,))


def test_search_entities_lists_ids_and_gives_the_hits_as_artifact() -> None:
    reader = RecordingReader(search_entities=[Hit(ADA, 1.0)])
    found = search_entities(reader, "ada", kinds=("person",))
    assert found.text == "[e1] Ada (person)"
    assert found.artifact == [Hit(ADA, 1.0)]
    assert reader.calls == [("search_entities", ("ada",), {"mode": "hybrid", "kinds": ("person",), "limit": 10})]


def test_search_says_when_it_could_only_search_by_words() -> None:
    reader = RecordingReader(search_facts=[Hit(KNOWS, 1.0)])
    reader.semantic = False
    assert "by words only" in search_facts(reader, "who knows").text
    assert "by words only" not in search_facts(reader, "who knows", mode="keyword").text


def test_an_empty_search_says_what_to_try() -> None:
    assert "Try other words" in search_facts(RecordingReader(search_facts=[]), "who knows").text


def test_find_paths_pairs_every_start_with_every_end_in_one_call() -> None:
    reader = RecordingReader(paths=lambda pairs, **_: [[WAY] for _ in pairs])
    found = find_paths(reader, ("e1", "e1"), ("e2", "e3"))
    assert reader.calls[0][1] == ([("e1", "e2"), ("e1", "e3")],)
    assert found.text.splitlines()[0] == "Ada -knows-> Bob [f1]"


@pytest.mark.parametrize(("starts", "ends"), [(("e1",), ("e1",)), (tuple(f"a{i}" for i in range(20)), tuple(f"b{i}" for i in range(20)))])
def test_find_paths_refuses_pairs_that_make_no_sense(starts: tuple[str, ...], ends: tuple[str, ...]) -> None:
    with pytest.raises(ToolError, match="give"):
        find_paths(RecordingReader(), starts, ends)


def test_traverse_along_a_route_is_one_walk() -> None:
    reader = RecordingReader(follow=[[Reached(BOB, 2, (WAY,))]])
    found = traverse(reader, ("e1",), route=(Hop(relation="knows"),))
    assert reader.calls[0][1] == ([Walk(("e1",), (Step("knows", "out"),))],)
    assert found.text == "Bob [e2] 2 ways: Ada -knows-> Bob [f1]"


def test_traverse_without_a_route_goes_level_by_level_and_puts_the_task_first() -> None:
    levels = {"e1": [Fact("f0", ADA, "owns", CITY), KNOWS], "e3": [LIVES], "e2": [LIVES]}
    reader = RecordingReader(expand=lambda ids, **_: [fact for i in ids for fact in levels[i]])
    found = traverse(reader, ("e1",), depth=2, task="whom does she know? knows")
    assert [fact.id for fact in found.artifact.facts] == ["f1", "f0", "f2"]
    assert [call[1][0] for call in reader.calls] == [["e1"], ["e2", "e3"]]


def test_traverse_stops_where_nothing_new_is_reached() -> None:
    reader = RecordingReader(expand=[KNOWS])
    traverse(reader, ("e1", "e2"), depth=5)
    assert len(reader.calls) == 1


def test_a_route_excludes_what_it_says_itself() -> None:
    with pytest.raises(ToolError, match="leave out"):
        traverse(RecordingReader(), ("e1",), route=(Hop(relation="knows"),), depth=2)


def test_aggregate_measures_a_walk() -> None:
    reader = RecordingReader(aggregate=[Measured(BOB, 3.0, (KNOWS,)), Measured(None, "2009")])
    hops = (Hop(relation="knows", direction="in"),)
    found = aggregate(reader, "most", starts=("e1",), route=hops, by=hops, limit=5)
    step = (Step("knows", "in"),)
    assert reader.calls[0][1] == (Aggregation("most", Walk(("e1",), step), step, 5),)
    assert found.text == "Bob [e2]: 3 [f1]\n2009"


@pytest.mark.parametrize(
    "arguments",
    [
        {"measure": "most"},
        {"measure": "count"},
        {"measure": "count", "starts": ("e1",)},
        {"measure": "most", "by": (Hop(relation="r"),), "route": (Hop(relation="r"),)},
        {"measure": "average", "by": (Hop(relation="r"),)},
    ],
)
def test_aggregate_refuses_what_it_cannot_measure(arguments: dict[str, Any]) -> None:
    with pytest.raises(ToolError):
        aggregate(RecordingReader(), **arguments)


def test_get_schema_shows_relations_by_size_with_examples() -> None:
    small = RelationSchema("lives_in", 1, 1, 1, "kind0", "", ("Bob",), ("Bath",))
    large = RelationSchema("knows", 5, 2, 2, "kind0", "kind0", ("Ada",), ("Bob",))
    schema = GraphSchema("1", 3, 6, (small, large), ("kind0",), labels=(("Person", 2),))
    text = get_schema(RecordingReader(schema=schema)).text
    assert text.splitlines() == [
        "3 entities, 6 facts, kinds: kind0",
        "label Person: 2",
        "knows: kind0 -> kind0, 5 facts (Ada -> Bob)",
        "lives_in: kind0 -> entity, 1 facts (Bob -> Bath)",
    ]


@pytest.mark.parametrize("limit", [0, 101, "many"])
def test_arguments_out_of_bounds_are_refused_in_words(limit: Any) -> None:
    with pytest.raises(ToolError, match=r"limit: .* Correct the arguments"):
        search_entities(RecordingReader(), "ada", limit=limit)


def test_failures_below_become_the_one_tool_error() -> None:
    with pytest.raises(ToolError, match="does not answer"):
        search_facts(RecordingReader(search_facts=DatabaseError("the database does not answer")), "ada")


def test_a_spent_budget_is_not_a_tool_error() -> None:
    with pytest.raises(OutOfBudget):
        search_facts(RecordingReader(search_facts=OutOfBudget("queries")), "ada")


def call(name: str, reader: RecordingReader, arguments: dict[str, Any]) -> Any:
    tool = {f.__name__: as_tool(f, reader) for f in READ_TOOLS}[name]
    return tool.invoke({"type": "tool_call", "id": "1", "name": name, "args": arguments})


def test_a_langchain_tool_hides_the_reader_and_carries_the_artifact() -> None:
    reader = RecordingReader(paths=[[WAY]])
    message = call("find_paths", reader, {"starts": ["e1"], "ends": ["e2"]})
    assert (message.content, message.artifact) == ("Ada -knows-> Bob [f1]", [[WAY]])
    assert "reader" not in as_tool(find_paths, reader).args


@pytest.mark.parametrize(
    "arguments", [{"starts": ["e1"]}, {"starts": ["e1"], "ends": ["e1"]}, {"starts": ["e1"], "ends": ["e2"], "color": "red"}]
)
def test_a_langchain_tool_answers_a_wrong_call_with_its_error(arguments: dict[str, Any]) -> None:
    message = call("find_paths", RecordingReader(), arguments)
    assert message.status == "error"
    assert "http" not in message.content


def test_a_langchain_tool_takes_routes_as_plain_data() -> None:
    reader = RecordingReader(follow=[[]])
    call("traverse", reader, {"starts": ["e1"], "route": [{"relation": "knows", "direction": "in"}]})
    assert reader.calls[0][1] == ([Walk(("e1",), (Step("knows", "in"),))],)


def test_a_langchain_tool_lets_a_spent_budget_through() -> None:
    with pytest.raises(OutOfBudget):
        call("get_schema", RecordingReader(schema=OutOfBudget("queries")), {})


def test_every_tool_describes_itself_and_its_arguments() -> None:
    for function in READ_TOOLS:
        tool = as_tool(function, RecordingReader())
        assert tool.description
        assert all("description" in field for field in tool.args.values())
