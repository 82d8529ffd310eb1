"""What no trace may keep: secrets of the settings, and the values of properties and relations that the owner names."""

import re
from collections.abc import Callable, Sequence

HIDDEN = "***"
LEAST_SECRET = 4


def redaction(secrets: Sequence[str], properties: Sequence[str]) -> Callable[[str], str]:
    """A function that hides them in a text. Values are found where a text says whose they are: `-email-> x`, `email: 'x'`, `"email": "x"`."""
    known = sorted((secret for secret in secrets if len(secret) >= LEAST_SECRET), key=len, reverse=True)
    names = "|".join(re.escape(name) for name in properties if name)
    patterns = [re.compile("|".join(map(re.escape, known)))] if known else []
    values = [_values(names), _objects(names)] if names else []

    def hide(text: str) -> str:
        for pattern in patterns:
            text = pattern.sub(HIDDEN, text)
        for pattern in values:
            text = pattern.sub(lambda found: f"{found[1]}{HIDDEN}", text)
        return text

    return hide


def _values(names: str) -> re.Pattern[str]:
    """What follows a name and a colon or an equals sign, quoted or up to the next separator."""
    return re.compile(rf"""((?<!\w)["'`]?(?:{names})["'`]?\s*(?:=>|[:=])\s*)("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s,;)}}\]]+)""", re.I)


def _objects(names: str) -> re.Pattern[str]:
    """What an arrow of that name leads to, up to the dates or the end of the line."""
    return re.compile(rf"(-(?:{names})->\s*)(.+?)(?=\s\(|\n|$)", re.I | re.M)
