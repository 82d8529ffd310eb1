"""The question sets by name, each as a list of cases."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import cast

from evals.case import Case, Gold
from evals.sets.kinds import gold as kinds
from evals.worlds.catalogue import PROBES, VARIANT_SEEDS, required
from evals.worlds.demo import DEMO_PAIR, DemoQuestion, demo_gold, demo_questions
from evals.worlds.triples import Triples, json_lines
from evals.worlds.variant import SYNONYMS, write_variant

Row = dict[str, object]
AWKWARD = Path(__file__).parent / "sets" / "awkward.jsonl"
EVERYDAY = Path(__file__).parent / "sets" / "everyday.jsonl"
HOPS = (1, 2, 3)


def cases(suite: str, datasets: Path, scratch: Path, *, keep_case: bool = False) -> list[Case]:
    """All cases of a suite. ConfigError where a data set is missing.

    Questions of the data sets lose their topic brackets and, unless `keep_case`, their capitals. `scratch` takes the disguised worlds.
    """
    found = SUITES[suite](datasets, scratch)
    if keep_case or suite in OWN:
        return found
    return [Case(c.id, c.suite, c.world, tuple(turn.lower() for turn in c.turns), c.gold, c.topic, c.groups) for c in found]


def _dev(part: str) -> Callable[[Path, Path], list[Case]]:
    def read(datasets: Path, scratch: Path) -> list[Case]:
        suite = f"metaqa_dev_{part}"
        files = [(hops, datasets / "metaqa" / f"{hops}hop_dev_{part}.jsonl") for hops in HOPS]
        return [case for hops, path in files for case in _natural(suite, "metaqa", path, hops)]

    return read


def _file(suite: str, world: str) -> Callable[[Path, Path], list[Case]]:
    return lambda datasets, scratch: list(_natural(suite, world, datasets / world / "natural_dev.jsonl"))


def _probes(datasets: Path, scratch: Path) -> list[Case]:
    return [case for probe in PROBES for case in _natural("probes", f"probes/{probe}", datasets / "probes" / probe / "dev.jsonl")]


def _natural(suite: str, world: str, path: Path, hops: int = 0) -> Iterator[Case]:
    for number, row in enumerate(_rows(required(path)), 1):
        text = str(row.get("text") or re.sub(r"[\[\]]", "", str(row["question"])))
        steps = hops or int(str(row.get("hop") or len(cast(list[object], row["path"]))))
        groups = {"hops": str(steps), "world": world}
        yield Case(f"{world}/{path.stem}/{number:03d}", suite, world, (text,), _answers(row), str(row["topic"]), groups)


def _answers(row: Row) -> Gold:
    answers = cast(list[object], row["answers"])
    return {"value": float(answers[0])} if isinstance(answers[0], int) else {"names": [str(answer) for answer in answers]}


def _kinds(datasets: Path, scratch: Path) -> list[Case]:
    return [_kind_case(row) for row in kinds.rows()]


def _kind_case(row: Row) -> Case:
    program = cast(dict[str, object], row["program"])
    gold = cast(Gold, row["gold"])
    if "connection" in gold:
        gold = {**gold, "ends": [program["start"], program["end"]]}
    turns = tuple(cast(list[str], row.get("turns") or [row["question"]]))
    groups = {key: str(row[key]) for key in ("kind", "language", "split", "world")}
    return Case(str(row["id"]), "kinds", str(row["world"]), turns, gold, str(row["id"]), groups)


def _awkward(datasets: Path, scratch: Path) -> list[Case]:
    return [Case(str(r["id"]), "awkward", "sample", (str(r["question"]),), cast(Gold, r["gold"]), str(r["id"])) for r in _rows(AWKWARD)]


def _everyday(datasets: Path, scratch: Path) -> list[Case]:
    return [
        Case(
            str(r["id"]), "everyday", "sample", tuple(cast(list[str], r["turns"])), cast(Gold, r["gold"]), str(r["id"]), _everyday_groups(r)
        )
        for r in kinds.rows(EVERYDAY)
    ]


def _everyday_groups(row: Row) -> dict[str, str]:
    return {key: str(row[key]) for key in ("kind", "language")}


def _demo(datasets: Path, scratch: Path) -> list[Case]:
    """The demo questions over the sample world, and over each of its disguises about two other companies."""
    plain = {name: name for name in SYNONYMS}
    found = _demo_cases("sample", kinds.SAMPLE, DEMO_PAIR, plain, demo_questions(("OpenAI", "OpenAI"), ("Anthropic", "Anthropic")))
    for seed in VARIANT_SEEDS:
        variant = write_variant(kinds.SAMPLE, scratch / f"variant-{seed}", seed)
        pair = (variant.names[variant.pair[0]], variant.names[variant.pair[1]])
        found += _demo_cases(f"variant-{seed}", variant.folder, pair, dict(SYNONYMS), variant.questions)
    return found


def _demo_cases(
    world: str, folder: Path, pair: tuple[str, str], relations: dict[str, str], questions: tuple[DemoQuestion, ...]
) -> list[Case]:
    triples = demo_gold(Triples.of(*json_lines(folder)), pair, relations)
    gold = {
        "approaches": {company: sorted(each) for company, each in zip(pair, triples.approaches, strict=True)},
        "investors": {company: sorted(each) for company, each in zip(pair, triples.investors, strict=True)},
        "rivals": sorted(sorted(pair) for pair in triples.rivals),
        "relations": relations,
    }
    return [
        Case(f"demo-{world}-{number}", "demo", world, (q.text,), {"demo": gold}, world, {"language": q.language, "world": world})
        for number, q in enumerate(questions, 1)
    ]


def _rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


SUITES: dict[str, Callable[[Path, Path], list[Case]]] = {
    "metaqa_dev_work": _dev("work"),
    "metaqa_dev_report": _dev("report"),
    "metaqa_natural": _file("metaqa_natural", "metaqa"),
    "yago_natural": _file("yago_natural", "yago_natural"),
    "family_natural": _file("family_natural", "family_natural"),
    "probes": _probes,
    "kinds": _kinds,
    "awkward": _awkward,
    "everyday": _everyday,
    "demo": _demo,
}
OWN = frozenset({"kinds", "awkward", "everyday", "demo"})
