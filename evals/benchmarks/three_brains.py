"""The same sixty questions through rules, a played model in this process, and the real client against the loopback server. `python -m evals.benchmarks.three_brains`."""

import argparse
import json
import statistics
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import cast, get_type_hints

from pydantic import SecretStr

from agents.contract import ROLES, Role
from evals.benchmarks.servers import fresh
from evals.loopback.chat import PlayedChat
from evals.loopback.plain_sense import plain_sense
from evals.loopback.server import LoopbackOpenAI
from evals.sets.brains.harbour import PROFILE, QUESTIONS, build_harbour
from gavel import settings as settings_of_gavel
from gavel.app import App
from gavel.asking import asked
from gavel.settings import Settings
from graphs.door import AskGraph
from graphs.models.model import Model, schema_ways
from graphs.state import Result

BRAINS = ("rules", "played", "openai")


@dataclass
class Told:
    """How one brain did: which questions it answered right, and what was wrong with the form of its results."""

    right: dict[str, bool] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)
    calls: int = 0
    tokens: int = 0


def main() -> None:
    """Print how many each brain answered right, by language and need, and where they differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--neo4j-version", default=settings_of_gavel.load().neo4j_version)
    parser.add_argument("--format", choices=("text", "json"), default="text")
    options = parser.parse_args()
    questions = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    with fresh(options.neo4j_version) as bench:
        build_harbour(bench.database)
        running = bench.running
        base = Settings(
            data_dir=running.home.parent,
            neo4j_uri=running.uri,
            neo4j_user=running.user,
            neo4j_password=SecretStr(running.password),
            profile=PROFILE,
        )
        told = {name: _asked_all(name, base, questions) for name in BRAINS}
    sys.stdout.write(
        json.dumps({name: vars(one) for name, one in told.items()}) + "\n" if options.format == "json" else _text(told, questions)
    )


def _asked_all(name: str, base: Settings, questions: Sequence[Mapping[str, object]]) -> Told:
    told = Told()
    with _graph(name, base) as graph:
        for question in questions:
            result = asked(graph, str(question["question"]))
            told.right[str(question["id"])] = answers(result) == {str(answer) for answer in cast(list[object], question["answers"])}
            told.faults += [f"{question['id']}: {fault}" for fault in contract_faults(result, "rules" if name == "rules" else "")]
            told.milliseconds.append(result["spent"]["milliseconds"])
            told.calls += result["spent"]["model_calls"]
            told.tokens += result["spent"]["tokens"]
    return told


@contextmanager
def _graph(name: str, base: Settings) -> Iterator[AskGraph]:
    if name == "openai":
        with (
            LoopbackOpenAI(plain_sense) as server,
            App(base.model_copy(update={"model": "openai:played", "model_base_url": server.url})) as app,
        ):
            yield app.graph()
        return
    with App(base) as app:
        if name == "played":
            model = Model("played", PlayedChat(policy=plain_sense), ways=schema_ways("function_calling"))
            app.models = dict.fromkeys(cast(Sequence[Role], ROLES), model)
        yield app.graph()


def answers(result: Result) -> set[str]:
    """The answers by name or value, numbers without their point."""
    values = [one["name"] if one["id"] else one["value"] for one in result["answers"]]
    return {str(int(value)) if isinstance(value, float) else str(value) for value in values}


def contract_faults(result: Result, brain: str) -> Iterator[str]:
    """What of the result's contract does not hold; `brain`: the only one that may have been used, empty for any."""
    if missing := set(get_type_hints(Result)) - set(result):
        yield f"lacks {', '.join(sorted(missing))}"
    if strange := set(result["citations"]) - set(result["evidence"]):
        yield f"cites {len(strange)} that are no evidence"
    if any(fact not in result["evidence"] for path in result["paths"] for fact in path):
        yield "a path holds what is no evidence"
    if not result["answer"] or not 0 <= result["confidence"] <= 1:
        yield "has no answer, or a confidence beyond bounds"
    if brain and set(result["brains"].values()) != {brain}:
        yield f"used {result['brains']}"
    spent = result["spent"]
    if sum(cost["tokens"] for cost in spent["roles"].values()) != spent["tokens"]:
        yield "roles do not add up"


def _text(told: Mapping[str, Told], questions: Sequence[Mapping[str, object]]) -> str:
    lines = [f"{len(questions)} questions, {sum(bool(q['needs']) for q in questions)} of which count, group, filter or order"]
    for name, one in told.items():
        by = Counter((str(q["language"]), bool(q["needs"])) for q in questions if one.right[str(q["id"])])
        parts = ", ".join(f"{language}{' with conditions' if needs else ''} {count}" for (language, needs), count in sorted(by.items()))
        lines.append(
            f"{name}: {sum(one.right.values())} right ({parts}); {len(one.faults)} faults of form; p50 {statistics.median(one.milliseconds):.0f} ms;"
            f" {one.calls} calls, {one.tokens} tokens"
        )
        lines += [f"  {fault}" for fault in one.faults]
    for question in questions:
        id_ = str(question["id"])
        verdicts = {name: one.right[id_] for name, one in told.items()}
        if not all(verdicts.values()):
            lines.append(
                f"  {id_} {question['question']}: "
                + ", ".join(f"{name} {'right' if right else 'wrong'}" for name, right in verdicts.items())
            )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
