"""A result as something one would show a colleague: the answer, its proof, how sure it is, what is missing, why it stopped, what it cost."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from gavel.cli.output import one_line, plain
from gavel.proof import Leg, dates, drawn, legs, spoken
from graphs.state import Evidence, Gap, Result, Spent

PATHS_SHOWN = 5
ANSWERS_SHOWN = 20
GAPS_SHOWN = 5
_BRACKETED = re.compile(r"\[([^\[\]]+)\]")
_LIMITS = {"rounds", "turns", "queries", "model_calls", "tokens", "wall_time"}
_ENDINGS = {
    "answered": "answered",
    "not_found": "nothing in the graph answers this",
    "ambiguous": "the question can mean several things",
    "out_of_scope": "this is not something the graph can be asked",
    "no_news": "the last rounds brought nothing new",
    "loop": "the same step came up again and again",
    "cancelled": "cancelled",
    "failed": "something broke; see the trace",
}
_COSTS = (("queries", "query", "queries"), ("rounds", "round", "rounds"), ("turns", "turn", "turns"))
_OPTIONAL_COSTS = (("model_calls", "model call", "model calls"), ("tokens", "token", "tokens"))


def render(result: Result) -> RenderableType:
    """The whole result; nothing is shown for a part that is empty."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="bold", no_wrap=True)
    grid.add_column(overflow="fold")
    for label, lines in _sections(result):
        grid.add_row(label, Text("\n").join(Text(one_line(line)) for line in lines))
    return Group(Text(plain(_with_names_on_one_line(_numbered(result), result))), Text(""), grid)


def _with_names_on_one_line(answer: str, result: Result) -> str:
    """The answer in its own lines, without those that a name would begin."""
    names = {answer["name"] for answer in result.get("answers", [])}
    for fact in result.get("evidence", {}).values():
        names |= {fact["subject"]["name"], fact["object"]["name"], fact["relation"], fact["source"]}
    for name in sorted(names, key=len, reverse=True):
        if name and one_line(name) != name:
            answer = answer.replace(name, one_line(name))
    return answer


def _sections(result: Result) -> Iterator[tuple[str, list[str]]]:
    sections = (
        ("Answers", _answers(result)),
        ("Proof", _proof(result)),
        ("Confidence", _confidence(result)),
        ("Missing", [_gap(gap) for gap in sorted(result.get("gaps", []), key=lambda gap: gap["priority"])[:GAPS_SHOWN]]),
        ("Stopped", [_ending(result)]),
        ("Cost", [_cost(result.get("spent", Spent()), result.get("brains", {}))]),
        ("Trace", [result["trace_id"]] if result.get("trace_id") else []),
    )
    return ((label, lines) for label, lines in sections if lines)


def _numbered(result: Result) -> str:
    """The answer with evidence ids in brackets replaced by numbers."""
    places = _places(result)
    return _BRACKETED.sub(lambda found: f"[{places[found[1]]}]" if found[1] in places else found[0], result.get("answer", ""))


def _places(result: Result) -> dict[str, int]:
    """The evidence ids that the answer names, numbered as they come."""
    named = dict.fromkeys(key for key in _BRACKETED.findall(result.get("answer", "")) if key in result.get("evidence", {}))
    return {key: place for place, key in enumerate(named, 1)}


def _answers(result: Result) -> list[str]:
    answers = [answer for answer in result.get("answers", []) if answer["id"]]
    names = [answer["name"] for answer in answers]
    told = result.get("answer", "").casefold()
    if len(answers) < 2 or all(name.casefold() in told for name in names):
        return []
    shown = [f"{name}  ({answer['kind']})" if answer["kind"] else name for name, answer in zip(names, answers, strict=True)]
    return shown[:ANSWERS_SHOWN] + ([f"… and {len(shown) - ANSWERS_SHOWN} more"] if len(shown) > ANSWERS_SHOWN else [])


def _proof(result: Result) -> list[str]:
    evidence = result.get("evidence", {})
    cited = [key for key in result.get("citations", []) if key in evidence]
    chains: Sequence[Sequence[str]] = result.get("paths") or [[key] for key in cited]
    walks = [walk for chain in chains if (walk := legs(chain, evidence))]
    places = _places(result)
    lines = [line for walk in _varied(walks)[:PATHS_SHOWN] for line in _chain(walk, places)]
    return lines + ([f"… and {len(walks) - PATHS_SHOWN} more"] if len(walks) > PATHS_SHOWN else [])


def _varied(walks: Sequence[Sequence[Leg]]) -> list[Sequence[Leg]]:
    """The first walk over each sequence of relations, then the second of each, and so on."""
    seen: Counter[tuple[str, ...]] = Counter()
    turns: list[int] = []
    for walk in walks:
        shape = tuple(leg.fact["relation"] for leg in walk)
        turns.append(seen[shape])
        seen[shape] += 1
    return [walk for _, walk in sorted(zip(turns, walks, strict=True), key=lambda pair: pair[0])]


def _chain(walk: Sequence[Leg], places: Mapping[str, int]) -> list[str]:
    """The walk on one line; when and by whom it was said behind it, or below it where it has several facts."""
    if len(walk) == 1:
        said = _said(walk[0].fact)
        return [drawn(walk) + (f"  ({said})" if said else "")]
    details = [(leg.fact, said) for leg in walk if (said := _said(leg.fact))]
    return [drawn(walk), *(f"  {_place(fact, places)}{spoken(fact['relation'])}: {said}" for fact, said in details)]


def _place(fact: Evidence, places: Mapping[str, int]) -> str:
    return f"[{places[fact['id']]}] " if fact["id"] in places else ""


def _said(fact: Evidence) -> str:
    return ", ".join(part for part in (dates(fact), fact["source"] and f"source {fact['source']}") if part)


def _confidence(result: Result) -> list[str]:
    if not result.get("answers") and not result.get("evidence"):
        return []
    calibrated = "" if result.get("calibrated") else " (not calibrated)"
    lines = [f"{result.get('confidence_level', 'none')}, {result.get('confidence', 0.0):.2f}{calibrated}"]
    weakest = result.get("weakest_link")
    if weakest and weakest["why"]:
        chain = drawn(legs([weakest["id"]], result.get("evidence", {})))
        lines.append(f"weakest link: {chain + ', ' if chain else ''}{weakest['why']}")
    return lines


def _gap(gap: Gap) -> str:
    kind = gap["kind"].replace("_", " ")
    if gap["about"] and gap["about"] in gap["why"]:
        return f"{kind}: {gap['why']}"
    about = " ".join(part for part in (gap["about"], spoken(gap["relation"]) if gap["relation"] else "") if part)
    return f"{kind}: {about}{', ' + gap['why'] if gap['why'] else ''}"


def _ending(result: Result) -> str:
    reason = result.get("stop_reason", "failed")
    if reason in _LIMITS:
        return f"at the limit on {reason.replace('_', ' ')}; --max-{reason.replace('_', '-')} raises it"
    ending = _ENDINGS[reason]
    complete = reason != "answered" or result.get("can_answer_now", True)
    return ending if complete else f"{ending}, though not everything that was asked"


def _cost(spent: Spent, brains: Mapping[str, str]) -> str:
    numbers = {unit: value for unit, value in spent.items() if isinstance(value, int | float)}
    parts = [_counted(int(numbers.get(key, 0)), one, many) for key, one, many in _COSTS]
    parts += [_counted(int(numbers[key]), one, many) for key, one, many in _OPTIONAL_COSTS if numbers.get(key)]
    if spent.get("money"):
        parts.append(f"${spent['money']:.4f}")
    parts.append(f"{spent.get('milliseconds', 0.0) / 1000:.2f} s")
    minds = sorted(set(brains.values()))
    return " · ".join(parts) + (f" · {', '.join(minds)}" if minds else "")


def _counted(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
