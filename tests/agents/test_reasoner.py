import pytest

from agents.reasoner import reason
from tests.agents.cases import by_id, done, fact, failed, mention, part, reading, understood


def proved(parts, tasks, facts):
    view = {"asked": "", "understanding": understood(*parts), "plan": {t["id"]: t for t in tasks}, "evidence": by_id(*facts)}
    return reason(view, None)


def test_a_list_is_what_the_walk_found_with_the_chains_that_show_it():
    asked, facts = part("what Ann owns", of="Ann", relations=("owns",)), [fact("Ann", "owns", "Mill"), fact("Ann", "owns", "Farm")]
    reply = proved([asked], [done(asked, 0, facts)], facts)
    assert [a["name"] for a in reply.answers] == ["Mill", "Farm"]
    assert reply.paths == [["ann-owns-mill"], ["ann-owns-farm"]] and reply.confidence == 1.0


def test_each_part_has_a_confidence_of_its_own_and_the_whole_the_least_of_them():
    asked = [part("what Ann owns", of="Ann", relations=("owns",)), part("what Bob owns", of="Bob", relations=("owns",))]
    asked[1]["readings"] = [reading("Bob", "owns", confidence=0.2)]
    facts = [fact("Ann", "owns", "Mill"), fact("Ann", "owns", "Farm"), fact("Bob", "owns", "Kiln"), fact("Bob", "owns", "Farm")]
    reply = proved(asked, [done(asked[0], 0, facts[:2]), done(asked[1], 1, facts[2:])], facts)
    assert [c["confidence"] for c in reply.conclusions] == [1.0, 0.2]
    assert reply.confidence == 0.2


@pytest.mark.parametrize(("claim", "negated", "truth"), [(["mill"], False, True), (["tower"], False, False), (["mill"], True, False)])
def test_a_claim_holds_when_it_is_among_what_was_found(claim, negated, truth):
    asked = {**part("Ann owns the mill", "yes_no", of="Ann", relations=("owns",)), "claim": claim, "polar": True, "negated": negated}
    facts = [fact("Ann", "owns", "Mill")]
    assert [a["value"] for a in proved([asked], [done(asked, 0, facts)], facts).answers] == [truth]


def test_a_claim_about_a_relation_that_nothing_has_is_denied():
    asked = {**part("Ann owns the mill", "yes_no", of="Ann", relations=("owns",)), "claim": ["mill"], "polar": True}
    assert [a["value"] for a in proved([asked], [failed(done(asked, 0, []))], []).answers] == [False]


def test_two_sides_differ_in_what_only_one_of_them_has_and_share_the_rest():
    sides = [part("Ann", of="Ann", relations=("owns",)), part("Bob", of="Bob", relations=("owns",))]
    facts = [fact("Ann", "owns", "Mill"), fact("Ann", "owns", "Farm"), fact("Bob", "owns", "Farm")]
    tasks = [done(sides[0], 0, facts[:2]), done(sides[1], 1, facts[2:])]
    for shared, names in ((False, ["Mill"]), (True, ["Farm"])):
        compare = {**part("compare", "compare"), "operands": [0, 1], "shared": shared}
        assert [a["name"] for a in proved([*sides, compare], tasks, facts).answers] == names


@pytest.mark.parametrize(("measure", "names"), [("most", ["Ann"]), ("least", ["Bob"])])
def test_who_has_more_is_told_by_the_counts_of_both_sides(measure, names):
    sides = [part("Ann", "count", of="Ann", relations=("owns",)), part("Bob", "count", of="Bob", relations=("owns",))]
    tasks = [done(side, i, []) for i, side in enumerate(sides)]
    tasks = [
        {**t, "values": [{"id": "", "name": n, "kind": "", "value": float(n), "score": 1.0}]} for t, n in zip(tasks, "31", strict=True)
    ]
    compare = {**part("compare", "compare"), "operands": [0, 1], "measure": measure}
    assert [a["name"] for a in proved([*sides, compare], tasks, []).answers] == names


def test_dates_compare_as_numbers_and_a_side_without_one_settles_nothing():
    sides = [part("Ann", of="Ann", relations=("born",)), part("Bob", of="Bob", relations=("born",))]
    facts = [fact("Ann", "born", "1931-04-02"), fact("Bob", "born", "1908")]
    compare = {**part("older", "compare"), "operands": [0, 1], "measure": "lowest"}
    both = [done(sides[0], 0, facts[:1]), done(sides[1], 1, facts[1:])]
    assert [a["name"] for a in proved([*sides, compare], both, facts).answers] == ["Bob"]
    assert proved([*sides, compare], both[:1], facts).answers == []


def test_what_connects_two_things_is_what_lies_between_them():
    asked = {**part("Ann and Bob", "connect"), "mentions": [mention("Ann"), mention("Bob")]}
    asked["readings"] = [{**reading("Ann", "owns"), "strategy": "connect"}]
    facts = [fact("Ann", "owns", "Mill"), fact("Bob", "rents", "Mill")]
    task = {**done(asked, 0, []), "paths": [[f["id"] for f in facts]], "found": ["ann", "bob"]}
    assert [a["name"] for a in proved([asked], [task], facts).answers] == ["Mill"]


def test_a_relation_recorded_in_both_directions_is_one_link():
    asked = {**part("rivals", "connect"), "polar": True, "readings": [{**reading("Ann", "vies"), "strategy": "connect"}]}
    facts = [fact("Ann", "vies", "Bob"), fact("Bob", "vies", "Ann")]
    reply = proved([asked], [{**done(asked, 0, []), "paths": [[f["id"]] for f in facts], "found": ["ann"]}], facts)
    assert [a["value"] for a in reply.answers] == [True] and reply.paths == [["ann-vies-bob"]]


def test_confidence_falls_with_the_reading_and_with_the_weakest_fact_of_the_best_chain():
    asked = part("what Ann owns", of="Ann", relations=("owns",))
    asked["readings"][0]["confidence"] = 0.5
    doubtful = fact("Ann", "owns", "Mill", confidence=0.6, source="")
    reply = proved([asked], [done(asked, 0, [doubtful])], [doubtful])
    assert reply.confidence == pytest.approx(0.5 * 0.6 * 0.95)
    assert reply.weakest_link["id"] == doubtful["id"] and "no source" in reply.weakest_link["why"]


@pytest.mark.parametrize("intent", ["list", "count"])
def test_what_is_recorded_is_concluded_but_no_answer_where_what_is_not_so_is_asked(intent):
    asked = {**part("what Ann does not own", intent, of="Ann", relations=("owns",)), "negated": True}
    facts = [fact("Ann", "owns", "Mill")]
    reply = proved([asked], [done(asked, 0, facts)], facts)
    assert (reply.answers, reply.paths, reply.confidence) == ([], [], 0.0)
    assert [a["name"] for a in reply.conclusions[0]["answers"]] == [{"list": "Mill", "count": "1"}[intent]]


@pytest.mark.parametrize(
    ("asked", "answers"),
    [
        ({"shared": True}, ["Mill"]),
        ({"either": True}, ["Mill", "Barn", "Kiln"]),
        ({"shared": True, "counts": True}, ["1"]),
        ({"either": True, "counts": True}, ["3"]),
    ],
)
def test_what_all_sides_or_any_side_has_is_listed_or_counted(asked, answers):
    owned = {
        "Ann": [fact("Ann", "owns", "Mill"), fact("Ann", "owns", "Barn")],
        "Bob": [fact("Bob", "owns", "Mill"), fact("Bob", "owns", "Kiln")],
    }
    sides = [part(f"what {name} owns", of=name, relations=("owns",)) for name in owned]
    whole = {**part("what Ann and Bob own", "compare"), "operands": [0, 1], **asked}
    tasks = [done(side, i, facts) for i, (side, facts) in enumerate(zip(sides, owned.values(), strict=True))]
    reply = proved([*sides, whole], tasks, [f for facts in owned.values() for f in facts])
    assert [a["name"] for a in reply.answers] == answers


def test_what_describes_a_thing_takes_its_relations_by_turns():
    asked = part("Ann", "describe", of="Ann", relations=("",))
    facts = [*(fact("Ann", "owns", f"Mill {n}") for n in range(3)), fact("Ann", "rents", "Barn"), fact("Bob", "owns", "Ann")]
    reply = proved([asked], [done(asked, 0, facts)], facts)
    assert reply.conclusions[0]["paths"] == [[facts[i]["id"]] for i in (0, 3, 4, 1, 2)]
