from itertools import product

import numpy as np

from knowledge.records import GraphSchema, RelationSchema, RelationUse, Step
from knowledge.wording.steps import MOST_PATHS, Steps


def schema(names: list[str], copies: dict[Step, Step] | None = None) -> GraphSchema:
    """All relations join one kind to itself."""
    relations = tuple(RelationSchema(name, 9, 9, 9, "kind0", "kind0") for name in names)
    steps = [Step(name, d) for name in names for d in ("out", "in") if not copies or Step(name, d) not in copies]
    return GraphSchema("1", 9, 9, relations, ("kind0",), copies or {}, frozenset(product(steps, steps)))


def test_paths_have_every_length_up_to_the_limit() -> None:
    steps = Steps(schema(["owns"]))
    first = steps.first([RelationUse("owns", "out", 3)])
    assert sorted(map(len, steps.paths(first, 3, np.zeros(2)))) == [1, 2, 2, 3, 3, 3, 3]


def test_a_copy_is_never_walked_but_its_words_count() -> None:
    steps = Steps(schema(["calf", "dam"], {Step("dam", "in"): Step("calf", "out")}))
    assert Step("dam", "in") not in {step for _, step in steps.walked()}
    assert steps.first([RelationUse("dam", "in", 1), RelationUse("calf", "out", 1)]) == (0,)
    assert steps.inverse[steps.number[Step("dam", "out")]] == steps.number[Step("calf", "out")]
    assert steps.fold(np.array([0.1, 0.0, 0.2, 0.9])).tolist() == [0.9, 0.0, 0.2, 0.9]


def test_relations_that_the_schema_does_not_know_are_left_out() -> None:
    assert Steps(schema(["owns"])).first([RelationUse("sells", "out", 1)]) == ()


def test_on_wide_graphs_later_steps_need_evidence() -> None:
    steps = Steps(schema([f"word{n}" for n in range(90)]))
    first = steps.first([RelationUse("word0", "out", 1)])
    evidence = np.zeros(180)
    evidence[7] = 1
    paths = steps.paths(first, 3, evidence)
    assert 0 < len(paths) < MOST_PATHS
    assert (0, 7) in paths


def test_on_wide_graphs_neighbours_narrow_the_second_step() -> None:
    steps = Steps(schema([f"word{n}" for n in range(90)]))
    first = steps.first([RelationUse("word0", "out", 1)])
    neighbours = {Step("word0", "out"): {Step("word80", "in")}}
    paths = steps.paths(first, 2, np.zeros(180), neighbours)
    assert (0, 161) in paths
    assert {path for path in paths if len(path) == 2} == {(0, 161)} or len(paths) > 2
