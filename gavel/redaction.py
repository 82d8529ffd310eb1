"""What no trace may keep: secrets of the settings, and the values of properties and relations that the owner names."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import lru_cache

from knowledge.records import Entity, Fact, RelationSchema

HIDDEN = "***"
LEAST_SECRET = 4
COMPUTED = ("cypher", "aggregate")


class Redaction:
    """Hides secrets wherever they stand. Values of the named properties and relations are hidden where a text says whose they are
    (`-email-> x`, `email: 'x'`, `"email": "x"`), and everywhere once a read has brought them up.
    """

    def __init__(self, secrets: Sequence[str], properties: Sequence[str]) -> None:
        names = "|".join(re.escape(name) for name in properties if name)
        self._secrets = _any_of(frozenset(secret for secret in secrets if len(secret) >= LEAST_SECRET))
        self._names = frozenset(name.casefold() for name in properties if name)
        self._said = [_values(names), _objects(names)] if names else []
        self._mentioned = re.compile(rf"(?<!\w)(?:{names})(?!\w)", re.I)

    @property
    def by_name(self) -> bool:
        """Whether there is anything to hide that only a read brings up."""
        return bool(self._names)

    def hide(self, text: str, values: frozenset[str] = frozenset()) -> str:
        """The text without them; `values` are those that reads of this run have brought up."""
        text = self._secrets.sub(HIDDEN, text)
        for pattern in self._said:
            text = pattern.sub(lambda found: f"{found[1]}{HIDDEN}", text)
        return _words_of(values).sub(HIDDEN, text)

    def values(self, call: Sequence[object], result: object) -> frozenset[str]:
        """What a read brought up. All that is computed over a named property counts as its value: a column may have any name."""
        if not self._names:
            return frozenset()
        computed = call[0] in COMPUTED and self._mentioned.search(str(call[1:])) is not None
        return frozenset(text for value in self._found(result, computed) if (text := str(value).strip()))

    def _found(self, value: object, named: bool) -> Iterator[object]:
        if isinstance(value, Mapping):
            for key, inner in value.items():
                yield from self._found(inner, named or str(key).casefold() in self._names)
        elif isinstance(value, list | tuple):
            for inner in value:
                yield from self._found(inner, named)
        elif isinstance(value, Entity):
            yield from [value.name] if named else []
        elif isinstance(value, Fact | RelationSchema):
            yield from self._of_relation(value, named)
        elif is_dataclass(value):
            for field in fields(value):
                yield from self._found(getattr(value, field.name), named)
        elif named and value is not None and not isinstance(value, bool):
            yield value

    def _of_relation(self, found: Fact | RelationSchema, named: bool) -> Iterator[object]:
        if isinstance(found, Fact):
            yield from [found.object.name] if named or found.relation.casefold() in self._names else []
        elif found.name.casefold() in self._names:
            yield from found.object_samples


@lru_cache(maxsize=64)
def _words_of(values: frozenset[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{_any_of(values).pattern})(?!\w)")


def _any_of(texts: frozenset[str]) -> re.Pattern[str]:
    """Longest first; without any, a pattern that is found nowhere."""
    return re.compile("|".join(map(re.escape, sorted(texts, key=len, reverse=True))) or r"(?!)")


def _values(names: str) -> re.Pattern[str]:
    """What follows a name and a colon or an equals sign, quoted or up to the next separator."""
    return re.compile(rf"""((?<!\w)["'`]?(?:{names})["'`]?\s*(?:=>|[:=])\s*)("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s,;)}}\]]+)""", re.I)


def _objects(names: str) -> re.Pattern[str]:
    """What an arrow of that name leads to, up to the dates or the end of the line."""
    return re.compile(rf"(-(?:{names})->\s*)(.+?)(?=\s\(|\n|$)", re.I | re.M)
