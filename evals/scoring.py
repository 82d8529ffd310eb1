"""From a result to a verdict. An error is no wrong answer: it is counted apart."""

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, cast

from evals.case import Asked, Case, Gold
from evals.demo_scoring import demo_failures
from graphs.state import Result

Verdict = Literal["right", "wrong", "error"]
NOTHING_FOUND = ("not_found", "no_news")
_YES = {"yes", "true", "是", "对", "有"}
_NO = {"no", "false", "否", "不是", "没有"}


@dataclass(frozen=True)
class Score:
    """`hit`: the first answer is right. `f1` compares answer sets. `right` (the verdict) means the exact set. `why` explains what is not right.

    Where a kind of gold has no set, hit and f1 are 1 or 0 as the verdict says.
    """

    verdict: Verdict
    hit: float
    f1: float
    why: str = ""


def score(case: Case, asked: Asked) -> Score:
    """Judge the answer to the last turn of a case."""
    if asked.error or asked.result.get("stop_reason") == "failed":
        return Score("error", 0.0, 0.0, asked.error or f"the run failed: {asked.result.get('answer', '')[:300]}")
    judge = next(judge for key, judge in _JUDGES.items() if key in case.gold)
    return judge(case.gold, asked.result)


def predicted(result: Result) -> list[str]:
    """The names or written values of the answers, best first."""
    return [answer["name"] or str(answer.get("value")) for answer in result.get("answers", [])]


def _values(result: Result) -> list[object]:
    return [answer["name"] if answer.get("value") is None else answer["value"] for answer in result.get("answers", [])]


def _names(gold: Gold, result: Result) -> Score:
    return _set_score(predicted(result), [set(cast(list[str], gold["names"]))])


def _sides(gold: Gold, result: Result) -> Score:
    """A difference may be told as all that either has, or without what both have."""
    first, second = (set(side) for side in cast(list[list[str]], gold["sides"]))
    return _set_score(predicted(result), [first | second, first ^ second])


def _set_score(found: list[str], accepted: list[set[str]]) -> Score:
    f1, wanted = max(((_f1(set(found), each), each) for each in accepted), key=operator.itemgetter(0))
    hit = float(bool(found) and found[0] in wanted)
    exact = set(found) == wanted
    return Score("right" if exact else "wrong", hit, f1, "" if exact else f"answered {found[:12]}, wanted {sorted(wanted)[:12]}")


def _f1(found: set[str], wanted: set[str]) -> float:
    common = len(found & wanted)
    return 2 * common / (len(found) + len(wanted)) if common else 0.0


def _value(gold: Gold, result: Result) -> Score:
    values = _values(result)
    return _all_or_nothing(len(values) == 1 and _number(values[0]) == gold["value"], f"answered {values[:5]}, wanted {gold['value']}")


def _number(value: object) -> float | None:
    try:
        return None if isinstance(value, bool) else float(str(value))
    except ValueError:
        return None


def _truth(gold: Gold, result: Result) -> Score:
    values = _values(result)
    return _all_or_nothing(bool(values) and _yes(values[0]) is gold["truth"], f"answered {values[:5]}, wanted {gold['truth']}")


def _yes(value: object) -> bool | None:
    if isinstance(value, bool):
        return value
    said = str(value).strip().casefold()
    return True if said in _YES else False if said in _NO else None


def _connection(gold: Gold, result: Result) -> Score:
    """The shortest of the paths shown have the true length and pass through everyone who stands between."""
    connection = cast(Mapping[str, object], gold["connection"])
    hops, between = connection["hops"], set(cast(list[str], connection["between"]))
    chains = [[result["evidence"][fact] for fact in path if fact in result["evidence"]] for path in result.get("paths", []) if path]
    shortest = min((len(chain) for chain in chains), default=0)
    ends = set(cast(list[str], gold["ends"]))
    shown = {
        n for chain in chains if len(chain) == shortest for fact in chain for n in (fact["subject"]["name"], fact["object"]["name"])
    } - ends
    right = shortest == hops and shown == between
    return Score(
        "right" if right else "wrong", float(shortest == hops), _f1(shown, between), "" if right else f"{shortest} hops over {shown}"
    )


def _candidates(gold: Gold, result: Result) -> Score:
    """The ambiguity is said: every candidate is named, in the text or among the answers."""
    said = result.get("answer", "") + "\n" + "\n".join(predicted(result))
    missing = [name for name in cast(list[str], gold["candidates"]) if name not in said]
    return _all_or_nothing(not missing, f"does not name {missing}; stop reason {result.get('stop_reason')}")


def _unknown(gold: Gold, result: Result) -> Score:
    named = str(gold["unknown"]).casefold() in result.get("answer", "").casefold()
    right = named and not result.get("answers") and result.get("stop_reason") in (*NOTHING_FOUND, "ambiguous")
    return _all_or_nothing(right, f"answered {predicted(result)[:5]}; named: {named}; stop reason {result.get('stop_reason')}")


def _empty(gold: Gold, result: Result) -> Score:
    """Nothing is answered and that is said. A run that was cut off by a limit has not shown that there is nothing."""
    right = not result.get("answers") and result.get("stop_reason") in NOTHING_FOUND and bool(result.get("answer"))
    return _all_or_nothing(right, f"answered {predicted(result)[:5]}; stop reason {result.get('stop_reason')}")


def _awkward(gold: Gold, result: Result) -> Score:
    """The stop reason is a fitting one; the answer says something of each group of words, and nothing that must not be said."""
    answer = result.get("answer", "").casefold()
    groups = cast(list[list[str]], gold["mentions"])
    wrong = [f"stop reason {result.get('stop_reason')}"] if result.get("stop_reason") not in cast(list[str], gold["stop_reasons"]) else []
    wrong += [f"nothing of {group}" for group in groups if not any(word.casefold() in answer for word in group)]
    wrong += [f"says {word}" for word in [*cast(list[str], gold["forbids"]), "Traceback"] if word.casefold() in answer]
    return _all_or_nothing(bool(answer) and not wrong, "; ".join(wrong) or "no answer")


def _demo(gold: Gold, result: Result) -> Score:
    failures = demo_failures(cast(Mapping[str, object], gold["demo"]), result)
    return _all_or_nothing(not failures, "; ".join(failures))


def _all_or_nothing(right: bool, why: str) -> Score:
    return Score("right" if right else "wrong", float(right), float(right), "" if right else why)


_JUDGES: dict[str, Callable[[Gold, Result], Score]] = {
    "names": _names, "sides": _sides, "value": _value, "truth": _truth, "connection": _connection, "candidates": _candidates,
    "unknown": _unknown, "empty": _empty, "stop_reasons": _awkward, "demo": _demo,
}  # fmt: skip
