"""Unicode escapes as the server reads them: anywhere in a statement, before anything else is read."""

from knowledge.cypher.refusal import Refused

_DIGITS = frozenset("0123456789abcdefABCDEF")


def decoded(text: str) -> tuple[str, list[int]]:
    """The text with every `\\uXXXX` replaced, and for each character (and the end) its offset in the text that was given.

    A backslash that is itself escaped begins no escape. Refused when four hexadecimal digits are missing.
    """
    characters: list[str] = []
    places: list[int] = []
    at = 0
    while at < len(text):
        places.append(at)
        if text[at] == "\\" and text[at + 1 : at + 2] == "u":
            characters.append(_escaped(text, at))
            at += 6
            continue
        characters.append(text[at])
        if text[at] == "\\" and text[at + 1 : at + 2] == "\\":
            places.append(at + 1)
            characters.append("\\")
            at += 1
        at += 1
    return "".join(characters), [*places, len(text)]


def _escaped(text: str, at: int) -> str:
    digits = text[at + 2 : at + 6]
    if len(digits) < 4 or not _DIGITS.issuperset(digits):
        raise Refused("unfinished", "a unicode escape needs four hexadecimal digits", at, "write the character itself")
    return chr(int(digits, 16))
