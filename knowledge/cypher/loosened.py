"""A statement that found nothing, loosened: its texts as the kg spells them, or one filter fewer. What comes out passes the guard like any other."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from knowledge.cypher.refusal import Refused
from knowledge.cypher.tokens import Token, tokens
from knowledge.database.ddl import literal

MOST_TEXTS = 3
_CLAUSES = frozenset({"MATCH", "OPTIONAL", "WITH", "RETURN", "UNWIND", "CALL", "UNION", "ORDER", "SKIP", "LIMIT"})
_OPENING, _CLOSING = ("(", "[", "{"), (")", "]", "}")


@dataclass(frozen=True)
class Loosened:
    """Another statement, and in words what was changed."""

    text: str
    change: str


def texts_in(statement: str) -> list[str]:
    """The first few texts that the statement holds, each once; none where it cannot be read."""
    return list(dict.fromkeys(token.text for token in _tokens(statement) if token.kind == "string" and token.text.strip()))[:MOST_TEXTS]


def respelt(statement: str, spelling: Callable[[str], str]) -> Loosened | None:
    """With each of its texts as `spelling` gives it; None where that changes nothing."""
    known = {text: spelling(text) for text in texts_in(statement)}
    changed = {text: new for text, new in known.items() if new and new != text}
    if not changed:
        return None
    made, end = "", 0
    for token in _tokens(statement):
        if token.kind == "string" and token.text in changed:
            made += statement[end : token.at] + literal(changed[token.text])
            end = token.end
    return Loosened(made + statement[end:], ", ".join(f"{text!r} read as {new!r}" for text, new in changed.items()))


def fewer_filters(statement: str) -> Iterator[Loosened]:
    """Without the last condition of its last WHERE, then without the one before as well, and so on to none."""
    while cut := _without_last(statement):
        statement = cut.text
        yield cut


def _without_last(statement: str) -> Loosened | None:
    read = _tokens(statement)
    places = [i for i, token in enumerate(read) if token.word == "WHERE"]
    if not places:
        return None
    start = places[-1]
    ends = _end_of(read, start)
    conjunctions = [i for i, depth in _depths(read, start + 1, ends) if depth == 0 and read[i].word == "AND"]
    first = conjunctions[-1] if conjunctions else start
    begin, finish = read[first].at, read[ends - 1].end
    condition = statement[read[first].end : finish].strip()
    return Loosened(f"{statement[:begin].rstrip()} {statement[finish:].lstrip()}".strip(), f"without the condition {condition}")


def _end_of(read: list[Token], start: int) -> int:
    """The place after the last token of the WHERE at `start`."""
    for i, depth in _depths(read, start + 1, len(read)):
        if depth < 0 or (depth == 0 and read[i].word in _CLAUSES):
            return i
    return len(read)


def _depths(read: list[Token], start: int, end: int) -> Iterator[tuple[int, int]]:
    """Each place with how many brackets (CASE is one) are open before it; negative where the surrounding one closes."""
    depth = 0
    for i in range(start, end):
        token = read[i]
        if token.is_symbol(*_CLOSING) or token.word == "END":
            depth -= 1
        yield i, depth
        if token.is_symbol(*_OPENING) or token.word == "CASE":
            depth += 1


def _tokens(statement: str) -> list[Token]:
    try:
        return [token for token in tokens(statement) if token.text or token.kind == "string"]
    except Refused:
        return []
