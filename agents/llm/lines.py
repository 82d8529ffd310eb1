"""State in lines for a prompt: everything numbered, so that a reply can name it, and bounded, so that no prompt grows with the kg."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from agents.exchange import Answer, EntityRef, Evidence, Gap, Part, RoundSummary
from agents.specs import described

LINE_CHARACTERS = 220
MOST_PARTS = 4
MOST_GAPS = 5
MOST_ROUNDS = 3
MOST_TASKS = 6
NOTHING = "(none)"


def joined(lines: Iterable[str], most: int) -> str:
    """At most so many lines, each cut; what is left out is counted."""
    told = [line if len(line) <= LINE_CHARACTERS else f"{line[:LINE_CHARACTERS]}…" for line in lines]
    left = [f"(and {len(told) - most} more)"] if len(told) > most else []
    return "\n".join([*told[:most], *left]) or NOTHING


def numbered(letter: str, ids: Iterable[str], most: int) -> dict[str, str]:
    """Handles (e1, e2, …) for the first so many distinct ids."""
    return {f"{letter}{place}": id_ for place, id_ in enumerate(islice(dict.fromkeys(ids), most), 1)}


def entity(ref: EntityRef) -> str:
    """`Name (kind)`, on one line."""
    name = " ".join(ref["name"].split())
    return f"{name} ({ref['kind']})" if ref["kind"] else name


def fact(one: Evidence) -> str:
    """`Subject -relation-> Object (from – to)`, on one line."""
    dated = f" ({one['valid_from'] or '…'} – {one['valid_to'] or 'now'})" if one["valid_from"] or one["valid_to"] else ""
    return f"{_flat(one['subject']['name'])} -{one['relation']}-> {_flat(one['object']['name'])}{dated}"


def facts(handles: Mapping[str, str], evidence: Mapping[str, Evidence]) -> str:
    """Facts by handle, one per line."""
    return joined((f"{handle} {fact(evidence[id_])}" for handle, id_ in handles.items()), len(handles))


def answer(one: Answer) -> str:
    """An answer's name, with its value where it has both."""
    name = _flat(one["name"])
    return f"{name}: {one['value']}" if one["id"] and one["value"] is not None else name


def parts(given: Sequence[Part]) -> str:
    """The parts by number, with what each asks for."""
    return joined((f"{place}: {part['intent']}: {_flat(part['text'])}" for place, part in enumerate(given)), MOST_PARTS)


def gaps(given: Sequence[Gap]) -> str:
    """What is missing, most urgent first."""
    told = sorted(given, key=lambda gap: gap["priority"])
    return joined((f"{gap['kind']}: {_flat(gap['about'])} {gap['relation']}: {_flat(gap['why'])}" for gap in told), MOST_GAPS)


def rounds(given: Sequence[RoundSummary]) -> str:
    """The last rounds, with what their tasks tried and found."""
    lines = [
        f"round {summary['round']}, {task['id']}: {_flat(task['goal'])} {described(task['spec'])}: {task['status']}, {len(task['found'])} found"
        for summary in given[-MOST_ROUNDS:]
        for task in summary["tasks"][:MOST_TASKS]
    ]
    return joined(lines, MOST_ROUNDS * MOST_TASKS)


def _flat(text: str) -> str:
    return " ".join(text.split())
