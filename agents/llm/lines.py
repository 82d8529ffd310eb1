"""State in lines for a prompt: everything numbered, so that a reply can name it, and bounded, so that no prompt grows with the kg.

What others wrote stays in its line, and nothing in it looks like one of our numbers in brackets.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from agents.exchange import Answer, EntityRef, Evidence, Gap, Part, RoundSummary
from agents.specs import described

LINE_CHARACTERS = 220
NAME_CHARACTERS = 180  # fits into a line with its number
SHORT_CHARACTERS = 60
MOST_PARTS = 4
MOST_GAPS = 5
MOST_ROUNDS = 3
MOST_TASKS = 6
NOTHING = "(none)"
_CITATION = re.compile(r"\[(\s*f\d[^\[\]]*)\]", re.I)


def joined(lines: Iterable[str], most: int) -> str:
    """At most so many lines, each cut; what is left out is counted."""
    given = iter(lines)
    told = [flat(line) for line in islice(given, most)]
    more = sum(1 for _ in given)
    return "\n".join([*told, *([f"(and {more} more)"] if more else [])]) or NOTHING


def flat(text: str, most: int = LINE_CHARACTERS) -> str:
    """The text on one line, cut."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most]}…"


def block(text: str, most: int) -> str:
    """The first whole lines of a text that has lines of its own."""
    cut = text if len(text) <= most else text[:most].rpartition("\n")[0] or text[:most]
    return cut or NOTHING


def indented(text: str) -> str:
    """A text that keeps its own lines, none of which begins where the prompt's do."""
    return "\n".join(f"  {line}" for line in text.splitlines())


def name(text: str, most: int = NAME_CHARACTERS) -> str:
    """A name as prompts write it: on one line, cut, with round brackets where it would read as a citation (`Track [f1]`)."""
    return flat(_CITATION.sub(r"(\1)", text), most)


def numbered(letter: str, ids: Iterable[str], most: int) -> dict[str, str]:
    """Handles (e1, e2, …) for the first so many distinct ids."""
    return {f"{letter}{place}": id_ for place, id_ in enumerate(islice(dict.fromkeys(ids), most), 1)}


def entity(ref: EntityRef) -> str:
    """`Name (kind)`, on one line."""
    return f"{name(ref['name'])} ({ref['kind']})" if ref["kind"] else name(ref["name"])


def fact(one: Evidence) -> str:
    """`Subject -relation-> Object (from – to)`, on one line; names are cut short where it would be too long, so that it shows all of them."""
    dated = f" ({one['valid_from'] or '…'} – {one['valid_to'] or 'now'})" if one["valid_from"] or one["valid_to"] else ""
    whole, short = (
        f"{name(one['subject']['name'], most)} -{name(one['relation'], most)}-> {name(one['object']['name'], most)}{dated}"
        for most in (NAME_CHARACTERS, SHORT_CHARACTERS)
    )
    return whole if len(whole) <= LINE_CHARACTERS else short


def facts(handles: Mapping[str, str], evidence: Mapping[str, Evidence]) -> str:
    """Facts by handle, one per line."""
    return joined((f"{handle} {fact(evidence[id_])}" for handle, id_ in handles.items()), len(handles))


def answer(one: Answer) -> str:
    """An answer's name, with its value where it has both."""
    told = name(one["name"])
    return f"{told}: {one['value']}" if one["id"] and one["value"] is not None else told


def answers(given: Iterable[Answer], most: int) -> str:
    """Answers that have no number, one per line."""
    return joined((f"- {answer(one)}" for one in given), most)


def parts(given: Sequence[Part]) -> str:
    """The parts by number, with what each asks for."""
    return joined((f"{place}: {part['intent']}: {part['text']}" for place, part in enumerate(given)), MOST_PARTS)


def gaps(given: Sequence[Gap]) -> str:
    """What is missing, most urgent first."""
    told = sorted(given, key=lambda gap: gap["priority"])
    return joined(
        (f"{gap['kind']}: {name(gap['about'], SHORT_CHARACTERS)} {flat(gap['relation'], SHORT_CHARACTERS)}: {gap['why']}" for gap in told),
        MOST_GAPS,
    )


def rounds(given: Sequence[RoundSummary]) -> str:
    """The last rounds, with what their tasks tried and found."""
    lines = [
        f"round {summary['round']}, {task['id']}: {task['status']}, {len(task['found'])} found: {task['goal']} {described(task['spec'])}"
        for summary in given[-MOST_ROUNDS:]
        for task in summary["tasks"][:MOST_TASKS]
    ]
    return joined(lines, MOST_ROUNDS * MOST_TASKS)
