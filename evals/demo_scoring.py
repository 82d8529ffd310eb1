"""Whether an answer to a demo question has the shape and the substance that it must have."""

from collections.abc import Iterable, Mapping
from typing import cast

from graphs.state import Result

MOST_QUERIES = 12


def demo_failures(gold: Mapping[str, object], result: Result) -> list[str]:
    """What is missing. `gold`: approaches and investors (one list per company), rivals (pairs), relations (what they are called here)."""
    spent = result.get("spent", {})
    failures = [] if result.get("stop_reason") == "answered" else [f"stop reason {result.get('stop_reason')}"]
    failures += [] if spent.get("rounds", 0) >= 2 else [f"{spent.get('rounds')} rounds, wanted a second one"]
    failures += [] if spent.get("queries", 99) <= MOST_QUERIES else [f"{spent.get('queries')} queries, wanted at most {MOST_QUERIES}"]
    failures += [] if result.get("gaps") else ["no gap is named"]
    return failures + _substance(gold, result)


def _substance(gold: Mapping[str, object], result: Result) -> list[str]:
    relations = cast(Mapping[str, str], gold["relations"])
    failures = []
    for company, approaches in _sides(gold, "approaches").items():
        missing = set(approaches) - _related(result, company, relations["approach"])
        failures += [f"approaches of {company} not in evidence: {sorted(missing)}"] if missing else []
    for company, investors in _sides(gold, "investors").items():
        missing = set(investors) - _related(result, company, relations["invests"])
        failures += [f"investors of {company} not in evidence: {sorted(missing)}"] if missing else []
    proven = [_names_of(path, result) for path in result.get("paths", [])]
    pairs = [set(pair) for pair in cast(list[list[str]], gold["rivals"])]
    failures += [] if any(pair <= path for pair in pairs for path in proven) else ["no path between two rival investors"]
    unsaid = [sorted(pair) for pair in pairs if not all(name in result.get("answer", "") for name in pair)]
    return failures + ([f"the answer does not name the rivals {unsaid}"] if unsaid else [])


def _sides(gold: Mapping[str, object], key: str) -> dict[str, list[str]]:
    return cast(dict[str, list[str]], gold[key])


def _related(result: Result, company: str, relation: str) -> set[str]:
    """What evidence of this relation ties to the company, in either direction."""
    facts = [fact for fact in result.get("evidence", {}).values() if fact["relation"] == relation]
    pairs = [(fact["subject"]["name"], fact["object"]["name"]) for fact in facts]
    return {other for a, b in pairs for name, other in ((a, b), (b, a)) if name == company}


def _names_of(path: Iterable[str], result: Result) -> set[str]:
    facts = [result["evidence"][fact] for fact in path if fact in result["evidence"]]
    return {name for fact in facts for name in (fact["subject"]["name"], fact["object"]["name"])}
