"""What the rows of a statement mean for a task: the things and numbers that answer it, and the facts among them as evidence."""

from collections.abc import Iterator, Mapping

from agents.contract import TaskResult
from agents.exchange import Answer
from knowledge.cypher.rows import Seen, SeenPath
from knowledge.cypher.verdict import Result
from knowledge.records import Entity, Fact

LARGEST_LIST = 20


def keep_rows(result: TaskResult, outcome: Result) -> None:
    """One answer per row: its first entity with its first plain value, or its plain values alone; its facts are its chain."""
    seen: dict[str, Answer] = {}
    for row in outcome.rows:
        facts = [record for record in _records(row) if isinstance(record, Fact)]
        result.keep(facts)
        if facts:
            result.paths.append([fact.id for fact in facts])
        if answer := _answer(row, facts):
            seen.setdefault(answer["id"] or repr(answer["value"]), {**answer, "score": round(1 / (1 + len(seen)), 4)})
    result.values = list(seen.values())
    result.found = [answer["id"] for answer in result.values if answer["id"]]


def _answer(row: Mapping[str, object], facts: list[Fact]) -> Answer | None:
    entities = [record for record in _records(row) if isinstance(record, Entity)] or [fact.object for fact in facts]
    plain = [value for value in row.values() if isinstance(value, str | int | float | bool)]
    if entities:
        first = entities[0]
        return {"id": first.id, "name": first.name, "kind": first.kind, "value": _value(plain[0], facts) if plain else None, "score": 0.0}
    if not plain:
        return None
    name = ", ".join(str(value) for value in plain)
    return {"id": "", "name": name, "kind": "", "value": _value(plain[0], facts) if len(plain) == 1 else name, "score": 0.0}


def _value(value: str | float | bool, facts: list[Fact]) -> str | float | bool:
    """Numbers as such; the date of one of the row's facts as precisely as it is known."""
    if isinstance(value, str):
        return next((fact.valid_from for fact in facts if fact.valid_from and value.startswith(fact.valid_from)), value)
    return value if isinstance(value, bool) else float(value)


def _records(row: Mapping[str, object]) -> Iterator[Entity | Fact]:
    for value in row.values():
        for one in value[:LARGEST_LIST] if isinstance(value, list) else [value]:
            if isinstance(one, SeenPath):
                yield from (step.record for step in one.facts)
            elif isinstance(one, Seen):
                yield one.record
