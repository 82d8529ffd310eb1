"""The navigator behind a model: it chooses where to walk, and mends Cypher that was refused or found nothing. All else runs by the rules."""

from collections.abc import Callable, Mapping
from typing import Final

from pydantic import BaseModel, Field
from rapidfuzz import process

from agents.contract import NavigatorView, TaskResult, within_budget
from agents.exchange import Evidence, Spec
from agents.llm import lines
from agents.llm.ask import Mind, Thought, Unable, ask
from agents.schema_digest import schema_digest
from knowledge.cypher.reader import CypherReader
from knowledge.records import RelationUse

MOST_REPAIRS: Final = 2
MOST_HOPS = 2
MOST_CHOSEN = 5
MOST_RELATIONS = 40
MOST_FACTS = 25
NEAREST = 3
MOST_STARTS = 10
TASK_CHARACTERS = 500
SCHEMA_CHARACTERS = 3000
LONGEST_STATEMENT = 2000
PROBLEM_CHARACTERS = 500
Rules = Callable[[NavigatorView, CypherReader], TaskResult]


class Choice(BaseModel):
    """Where the model wants to walk."""

    relations: list[str] = Field(max_length=MOST_CHOSEN)
    enough: bool = False


class Mended(BaseModel):
    """A statement that the model has mended."""

    cypher: str = Field(min_length=1, max_length=LONGEST_STATEMENT)


def _think(view: NavigatorView, reader: CypherReader, rules: Rules) -> Thought[TaskResult]:
    strategy = view["task"]["strategy"]
    if strategy == "cypher":
        return (yield from _cypher(view, reader, rules))
    if strategy == "explore" and not view["task"]["spec"].get("relations") and view["starts"]:
        return (yield from _walk(view, reader, rules))
    return rules(view, reader)


def _cypher(view: NavigatorView, reader: CypherReader, rules: Rules) -> Thought[TaskResult]:
    """Run, and mend at most twice; every statement passes the guard anew. Where the model cannot mend it, the last result stands."""
    task = view["task"]
    result, tried = rules(view, reader), set[str]()
    for _ in range(MOST_REPAIRS):
        if result.stopped or not result.error:
            return result
        statement = task["spec"].get("cypher", "")
        tried.add(statement.strip())
        try:
            mended = yield from ask(
                "cypher_repair", task["goal"], Mended, lambda mended: _is_new(mended, tried), statement=lines.indented(statement[:LONGEST_STATEMENT]),
                problem=lines.flat(result.error, PROBLEM_CHARACTERS), schema=schema_digest(reader.schema(), SCHEMA_CHARACTERS, task["goal"]),
            )  # fmt: skip
        except Unable:
            return result
        spec: Spec = {**task["spec"], "cypher": mended.cypher}
        task = {**task, "spec": spec}
        result = rules({**view, "task": task}, reader)
    return result


def _walk(view: NavigatorView, reader: CypherReader, rules: Rules) -> Thought[TaskResult]:
    """At most two hops, by the relations that the model chooses; without a choice, as the rules explore."""
    gathered, here = TaskResult(), view["starts"][:MOST_STARTS]
    for _ in range(MOST_HOPS):
        with within_budget(gathered):
            uses = _distinct(reader.relations(here))
        if gathered.stopped or not uses:
            break
        try:
            choice = yield from ask(
                "navigator", view["task"]["goal"], Choice, lambda choice, uses=uses: _check(choice, uses),  # type: ignore[misc]
                task=lines.flat(view["task"]["goal"], TASK_CHARACTERS), here=_names(here, gathered.evidence), relations=_told(uses),
                facts=lines.joined((f"- {lines.fact(one)}" for one in gathered.evidence.values()), MOST_FACTS),
            )  # fmt: skip
        except Unable:
            if gathered.evidence:
                break
            raise
        if choice.enough or not choice.relations:
            break
        spec: Spec = {**view["task"]["spec"], "relations": choice.relations}
        step = rules({**view, "starts": here, "task": {**view["task"], "spec": spec}}, reader)
        gathered.evidence |= step.evidence
        gathered.paths += step.paths
        gathered.found = list(dict.fromkeys([*gathered.found, *step.found]))
        gathered.stopped = step.stopped
        here = step.found[:MOST_STARTS]
        if step.stopped or not here:
            break
    if not gathered.evidence and not gathered.stopped:
        return rules(view, reader)
    gathered.report = f"{len(gathered.evidence)} facts: {view['task']['goal']}"
    return gathered


def _distinct(uses: Mapping[str, list[RelationUse]]) -> dict[str, int]:
    """Relations with how often they occur, either way; the most frequent first."""
    counted: dict[str, int] = {}
    for use in (use for found in uses.values() for use in found):
        counted[use.relation] = counted.get(use.relation, 0) + use.count
    return dict(sorted(counted.items(), key=lambda pair: -pair[1])[:MOST_RELATIONS])


def _is_new(mended: Mended, tried: set[str]) -> None:
    if mended.cypher.strip() in tried:
        raise ValueError("that is the statement that was refused or found nothing; change it")


def _check(choice: Choice, uses: Mapping[str, int]) -> None:
    if unknown := [name for name in choice.relations if name not in uses]:
        near = [name for name, _, _ in process.extract(lines.flat(unknown[0]), list(uses), limit=NEAREST)]
        raise ValueError(f"{lines.flat(unknown[0])!r} is not among the relations from here; near: {', '.join(map(lines.flat, near))}")


def _told(uses: Mapping[str, int]) -> str:
    return lines.joined((f"- {name}: {count} facts" for name, count in uses.items()), MOST_RELATIONS)


def _names(ids: list[str], evidence: Mapping[str, Evidence]) -> str:
    known = {end["id"]: end["name"] for fact in evidence.values() for end in (fact["subject"], fact["object"])}
    named = dict.fromkeys(lines.name(known.get(id_, "the entities of the question"), lines.SHORT_CHARACTERS) for id_ in ids)
    return ", ".join(named)


MIND = Mind(_think)
