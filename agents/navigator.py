"""The navigator walks: it runs one task of the plan from where it stands and brings back what it found, with the facts that show it."""

from collections.abc import Callable, Mapping, Sequence
from itertools import islice, product

from agents.contract import NavigatorView, TaskResult, within_budget
from agents.exchange import Answer, Strategy, Task
from agents.rows import keep_rows
from agents.specs import aggregation_of, walk_of
from knowledge.cypher.loosened import fewer_filters, respelt
from knowledge.cypher.reader import CypherReader
from knowledge.cypher.refusal import Refusal
from knowledge.numbers import written
from knowledge.reading.contract import Measured
from knowledge.records import Entity, Fact, Path, Reached, Walk

ANSWERS = 200
NEIGHBOURS = 60
PAIRS = 100
DATED_FACTS = 1000
FULL_PROOFS = 30
PATH_HOPS = 3
PATHS_PER_PAIR = 2
MOST_LOOSENED = 2
ALIKE = 0.6


def navigate(view: NavigatorView, reader: CypherReader) -> TaskResult:
    """Run the view's task. One statement per task, whatever the number of starts and ends; a second one where its walk finds nothing."""
    task, result = view["task"], TaskResult()
    with within_budget(result):
        _STRATEGIES[task["strategy"]](task, view, reader, result)
    if not (result.stopped or result.found or result.values or result.error):
        result.error = f"nothing found: {task['goal']}"
    result.report = result.error or result.loosened or result.report or f"{len(result.found) or len(result.values)} found: {task['goal']}"
    return result


def _walk(task: Task, view: NavigatorView, reader: CypherReader, result: TaskResult) -> None:
    """Follow the task's walk, and the other ones where it finds nothing, or none of the ends that it should lead to."""
    wanted = set(view["ends"])
    reached = reader.follow([walk_of(view["starts"], task["spec"])], limit=ANSWERS)[0]
    others = task["spec"].get("alternatives", [])
    if not _leads_to(wanted, reached) and others:
        found = reader.follow([walk_of(other["starts"], other["spec"]) for other in others], limit=ANSWERS)
        result.alternative, reached = next(((i, some) for i, some in enumerate(found, 1) if _leads_to(wanted, some)), (0, reached))
    result.found = [one.entity.id for one in reached]
    for one in reached:
        result.keep_paths(_proofs(one, few=len(reached) > FULL_PROOFS))


def _leads_to(wanted: set[str], reached: Sequence[Reached]) -> bool:
    return any(one.entity.id in wanted for one in reached) if wanted else bool(reached)


def _explore(task: Task, view: NavigatorView, reader: CypherReader, result: TaskResult) -> None:
    facts = reader.expand(view["starts"], relations=task["spec"].get("relations", []), limit=task["spec"].get("limit", NEIGHBOURS))
    result.keep(facts)
    starts = set(view["starts"])
    ends = [end.id for fact in facts for end in (fact.subject, fact.object) if end.id not in starts]
    result.found = list(dict.fromkeys(ends))
    result.paths = [[fact.id] for fact in facts]


def _connect(task: Task, view: NavigatorView, reader: CypherReader, result: TaskResult) -> None:
    pairs = [(a, b) for a, b in product(view["starts"], view["ends"]) if a != b][:PAIRS]
    spec = task["spec"]
    found = reader.paths(
        pairs, hops=spec.get("hops", PATH_HOPS), most=spec.get("most", PATHS_PER_PAIR), relations=spec.get("relations", [])
    )
    for paths in found:
        result.keep_paths(paths)
    result.found = list(dict.fromkeys(end.id for paths in found for path in paths for end in (path.start, path.end)))


def _aggregate(task: Task, view: NavigatorView, reader: CypherReader, result: TaskResult) -> None:
    rows = reader.aggregate(aggregation_of(view["starts"], task["spec"]))
    result.values = [_answer(row, rank) for rank, row in enumerate(rows)]
    result.found = [row.entity.id for row in rows if row.entity]
    for row in rows:
        result.keep(row.facts)
        result.paths += [[fact.id] for fact in row.facts]


def _by_date(task: Task, view: NavigatorView, reader: CypherReader, result: TaskResult) -> None:
    """Follow all steps but the last, then rank the facts of the last one by when they began; none where there are too many to see all."""
    walk = walk_of(view["starts"], task["spec"])
    *before, last = walk.steps
    starts = view["starts"]
    if before:
        reached = reader.follow([Walk(tuple(starts), tuple(before))], limit=ANSWERS)[0]
        starts = [one.entity.id for one in reached]
        for one in reached:
            result.keep_paths(_proofs(one, few=True))
    facts = reader.expand(starts, relations=[last.relation], direction=last.direction, limit=DATED_FACTS)
    if len(facts) == DATED_FACTS or (before and len(starts) == ANSWERS):
        result.error = f"too many to tell the first from the last: {task['goal']}"
        return
    dated = sorted(
        (fact for fact in facts if fact.valid_from), key=lambda fact: fact.valid_from, reverse=task["spec"]["measure"] == "highest"
    )
    ranked: dict[str, tuple[Entity, Fact]] = {}
    for fact in dated:
        end = fact.object if last.direction == "out" else fact.subject
        if walk.keep_start or end.id not in walk.starts:
            ranked.setdefault(end.id, (end, fact))
    result.found = list(ranked)
    result.values = [_answer(Measured(end, fact.valid_from), rank) for rank, (end, fact) in enumerate(ranked.values())]
    result.keep(fact for _, fact in ranked.values())
    result.paths += [[fact.id] for _, fact in ranked.values()]


def _cypher(task: Task, view: NavigatorView, reader: CypherReader, result: TaskResult) -> None:
    """Run the task's statement through the guard; what the guard says against it is the task's error.

    Where it finds nothing, its texts are first spelt as the kg spells them; then one filter after the other is left out, and what that finds
    is told as the closest that is recorded, since it is no answer.
    """
    statement = task["spec"].get("cypher", "")
    _run(statement, reader, result)
    if result.error or not _empty(result):
        return
    if spelt := respelt(statement, lambda text: _spelling(text, reader)):
        statement, result.report = spelt.text, spelt.change
        _run(statement, reader, result)
    for fewer in islice(fewer_filters(statement), MOST_LOOSENED):
        if result.error or result.values:
            return
        _run(fewer.text, reader, result)
        result.loosened = fewer.change if result.values else ""


def _run(statement: str, reader: CypherReader, result: TaskResult) -> None:
    """Rows into the result; a refusal is its error."""
    outcome = reader.cypher(statement)
    if isinstance(outcome, Refusal):
        result.error = f"refused: {outcome}"
    else:
        keep_rows(result, outcome)


def _empty(result: TaskResult) -> bool:
    """Whether nothing was found, or nothing counted."""
    return not any(answer["id"] or answer["value"] for answer in result.values)


def _spelling(text: str, reader: CypherReader) -> str:
    """The name in the kg that the text most likely means; the text itself where it is one, empty where none is near."""
    near = reader.suggest(text, limit=1)
    return near[0].entity.name if near and (near[0].match != "vector" or near[0].similarity >= ALIKE) else ""


def _search(task: Task, view: NavigatorView, reader: CypherReader, result: TaskResult) -> None:
    hits = reader.search_facts(task["spec"].get("text", task["goal"]), limit=task["spec"].get("limit", 10))
    result.keep(hit.item for hit in hits)
    result.found = list(dict.fromkeys(end.id for hit in hits for end in (hit.item.subject, hit.item.object)))
    result.paths = [[hit.item.id] for hit in hits]


def _proofs(one: Reached, *, few: bool) -> tuple[Path, ...]:
    return one.proofs[:1] if few else one.proofs


def _answer(row: Measured, rank: int) -> Answer:
    entity = row.entity
    return {
        "id": entity.id if entity else "", "name": entity.name if entity else _written(row.value), "kind": entity.kind if entity else "",
        "value": row.value, "score": 1 / (1 + rank),
    }  # fmt: skip


def _written(value: float | str) -> str:
    return written(value) if isinstance(value, float) else value


_STRATEGIES: Mapping[Strategy, Callable[[Task, NavigatorView, CypherReader, TaskResult], None]] = {
    "walk": _walk, "explore": _explore, "connect": _connect, "aggregate": _aggregate, "by_date": _by_date, "search": _search,
    "cypher": _cypher,
}  # fmt: skip
