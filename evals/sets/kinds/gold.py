"""Gold by brute force: each question carries a small program over the raw triples, and this computes what it yields."""

import json
import operator
from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from pathlib import Path
from typing import cast

from evals.worlds.triples import Triples, tab_separated
from evals.worlds.triples import json_lines as sample_triples

Program = Mapping[str, object]
Gold = dict[str, object]
QUESTIONS = Path(__file__).parent / "questions.jsonl"
SAMPLE = Path(__file__).parents[3] / "gavel" / "world"


def gold(program: Program, world: Triples) -> Gold:
    """What a program yields: one of names, value, truth, connection, sides, candidates, unknown or empty.

    ValueError where the program does not fit the world: an unknown start, a set that should not be empty, a mention that should mean nothing.
    """
    return _ENDINGS[str(program["op"])](program, world) if program["op"] in _ENDINGS else {"names": sorted(_filled(program, world))}


def names(program: Program, world: Triples) -> set[str]:
    """The set that a program of the naming kind yields."""
    return _SETS[str(program["op"])](program, world)


def _filled(program: Program, world: Triples) -> set[str]:
    found = names(program, world)
    if not found:
        raise ValueError(f"{program} yields nothing")
    return found


def _walk(program: Program, world: Triples) -> set[str]:
    """Follow the steps from one start; a way never returns to its start. `where` keeps what has a fact with a value after a step."""
    start = str(program["start"])
    if start not in world.names:
        raise ValueError(f"{start!r} is not in the world")
    reached = {start}
    for number, (relation, direction) in enumerate(cast(list[tuple[str, str]], program["steps"]), 1):
        reached = {each for name in reached for each in world.step(name, relation, direction)} - {start}
        for kept in cast(list[Program], program.get("where", [])):
            if kept["step"] == number:
                reached = {n for n in reached if kept["value"] in world.step(n, str(kept["relation"]), str(kept["direction"]))}
    return reached


def _all(program: Program, world: Triples) -> set[str]:
    adjacent = world.out if program["side"] == "subject" else world.back
    return {name for (name, relation), others in adjacent.items() if relation == program["relation"] and others}


def _of_kind(program: Program, world: Triples) -> set[str]:
    """The members of a set that are recorded as this kind of thing."""
    return {name for name in names(cast(Program, program["of"]), world) if world.kinds.get(name) == program["kind"]}


def _combined(program: Program, world: Triples) -> set[str]:
    found = [names(each, world) for each in cast(list[Program], program["of"])]
    combine: dict[str, Callable[[set[str], set[str]], set[str]]] = {
        "union": operator.or_,
        "intersect": operator.and_,
        "minus": operator.sub,
    }
    return reduce(combine[str(program["op"])], found)


def _ranked(program: Program, world: Triples) -> set[str]:
    """All members whose number of facts is the greatest (most), or the least but not none (least)."""
    relation, direction = str(program["relation"]), str(program["direction"])
    within = program.get("of") or {"op": "all", "relation": relation, "side": "subject" if direction == "out" else "object"}
    counts = {name: len(world.step(name, relation, direction)) for name in names(cast(Program, within), world)}
    return _extreme({name: count for name, count in counts.items() if count}, program["op"] == "most")


def _valued(program: Program, world: Triples) -> set[str]:
    """All members whose number over the relation is the highest or lowest; members without one are left out."""
    highest = program["op"] == "highest"
    values: dict[str, float] = {}
    for name in names(cast(Program, program["of"]), world):
        found = [float(value) for value in world.step(name, str(program["relation"]), "out")]
        if found:
            values[name] = max(found) if highest else min(found)
    return _extreme(values, highest)


def _extreme(values: Mapping[str, float], greatest: bool) -> set[str]:
    edge = (max if greatest else min)(values.values())
    return {name for name, value in values.items() if value == edge}


def _count(program: Program, world: Triples) -> Gold:
    return {"value": len(names(cast(Program, program["of"]), world))}


def _truth(program: Program, world: Triples) -> Gold:
    """Whether `member` is in the set, or, without a member, whether the set holds anything."""
    found = names(cast(Program, program["of"]), world)
    member = program.get("member")
    return {"truth": member in found if member else bool(found)}


def _connection(program: Program, world: Triples) -> Gold:
    """Length of the shortest paths over any relation, and who stands between on any of them."""
    near = world.neighbours()
    start, end = str(program["start"]), str(program["end"])
    ahead, behind = _distances(near, start), _distances(near, end)
    hops = ahead.get(end)
    if hops is None or hops < 2:
        raise ValueError(f"{start} and {end} are not connected through others")
    between = {name for name, steps in ahead.items() if 0 < steps < hops and steps + behind.get(name, hops) == hops}
    return {"connection": {"hops": hops, "between": sorted(between)}}


def _distances(near: Mapping[str, set[str]], start: str, most: int = 5) -> dict[str, int]:
    distances, edge = {start: 0}, {start}
    for steps in range(1, most + 1):
        edge = {other for name in edge for other in near.get(name, ())} - distances.keys()
        distances |= dict.fromkeys(edge, steps)
    return distances


def _sides(program: Program, world: Triples) -> Gold:
    """What each of two entities has; a difference may be told with or without what both have."""
    first, second = (_filled(each, world) for each in cast(list[Program], program["of"]))
    return {"sides": [sorted(first), sorted(second)]}


def _candidates(program: Program, world: Triples) -> Gold:
    found = world.called(str(program["mention"]))
    if len(found) < 2:
        raise ValueError(f"{program['mention']!r} is not ambiguous: {found}")
    return {"candidates": sorted(found)}


def _unknown(program: Program, world: Triples) -> Gold:
    mention = str(program["mention"])
    if world.called(mention):
        raise ValueError(f"{mention!r} is in the world")
    return {"unknown": mention}


def _empty(program: Program, world: Triples) -> Gold:
    if found := names(cast(Program, program["of"]), world):
        raise ValueError(f"{program} should yield nothing but yields {found}")
    return {"empty": True}


_SETS: dict[str, Callable[[Program, Triples], set[str]]] = {
    "walk": _walk, "all": _all, "kind": _of_kind, "union": _combined, "intersect": _combined, "minus": _combined, "most": _ranked, "least": _ranked,
    "highest": _valued, "lowest": _valued, "these": lambda program, _: set(cast(list[str], program["names"])),
}  # fmt: skip
_ENDINGS: dict[str, Callable[[Program, Triples], Gold]] = {
    "count": _count, "truth": _truth, "connection": _connection, "sides": _sides, "candidates": _candidates, "unknown": _unknown,
    "empty": _empty,
}  # fmt: skip


def world(name: str, datasets: Path | None = None) -> Triples:
    """The raw triples of `sample`, or of a world under `datasets`. FileNotFoundError where that folder lacks it."""
    if name == "sample":
        return Triples.of(*sample_triples(SAMPLE))
    if datasets is None:
        raise FileNotFoundError(f"world {name} needs the data sets; set GAVEL_DATASETS")
    return Triples.of(tab_separated(datasets / name / "kb.tsv"))


def rows(path: Path = QUESTIONS) -> list[dict[str, object]]:
    """The questions as they are committed."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def recomputed(questions: Iterable[Mapping[str, object]], worlds: Mapping[str, Triples]) -> list[dict[str, object]]:
    """The same rows with gold computed anew for every world that is given."""
    return [
        {**row, "gold": gold(cast(Program, row["program"]), worlds[str(row["world"])])} if row["world"] in worlds else dict(row)
        for row in questions
    ]


def main(datasets: Path) -> None:
    """Recompute all gold in place."""
    worlds = {name: world(name, datasets) for name in ("sample", "metaqa", "yago_natural")}
    lines = [json.dumps(row, ensure_ascii=False) for row in recomputed(rows(), worlds)]
    QUESTIONS.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    import sys

    main(Path(sys.argv[1]))
