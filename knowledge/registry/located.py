"""YAML read as values that know their lines. Whatever is wrong is collected, so that one reading tells everything."""

import re
from collections.abc import Collection
from dataclasses import dataclass, field

import yaml
from yaml.reader import ReaderError

from knowledge.errors import RegistryError

MOST_CHARACTERS = 262_144
DEEPEST = 8
_SHOWN = 60
_WRITTEN_OUT = "write the value out, or put text that begins with & or * in quotes"
_STRING, _NUMBER, _MAPPING, _SEQUENCE = (f"tag:yaml.org,2002:{kind}" for kind in ("str", "int", "map", "seq"))
_KINDS = {
    "map": "a mapping",
    "seq": "a list",
    "str": "text",
    "int": "a number",
    "float": "a number",
    "null": "nothing",
    "bool": "yes or no",
}
_WHOLE = re.compile(r"[+-]?(0|[1-9][0-9]{0,14})")
_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_PLAIN_KEY = re.compile(r"[\w-]{1,64}")


@dataclass(frozen=True)
class Problems:
    """What is wrong with one file. `found` holds (line, text) and is what readers add to."""

    file: str
    found: list[tuple[int, str]] = field(default_factory=list)

    def add(self, line: int, place: str, what: str) -> None:
        """`place` is the dotted way to the value, empty for the file itself."""
        self.found.append((line, f"{self.file}:{line}: {place + ': ' if place else ''}{what}"))

    def end_if_any(self) -> None:
        """RegistryError with every problem, in the order of the lines."""
        if self.found:
            raise RegistryError(*(text for _, text in sorted(self.found, key=lambda problem: problem[0])))


@dataclass(frozen=True)
class Value:
    """One value of the file. A reader that finds another type adds a problem and gives the empty value of its own type."""

    node: yaml.Node
    line: int
    place: str
    problems: Problems

    def refuse(self, what: str) -> None:
        """`what` says what is wrong and, after a semicolon, what to write."""
        self.problems.add(self.line, self.place, what)

    def entries(self, instead: str) -> "dict[str, Value]":
        """The values of a mapping by their keys; refused keys are left out."""
        if not self.is_mapping:
            self._refuse_kind(instead)
            return {}
        found: dict[str, Value] = {}
        for key, node in self.node.value:
            name = self._key(key)
            if name is not None and name in found:
                self.problems.add(_line(key), self._within(name), f"stands twice, first in line {found[name].line}; keep one")
            elif name is not None:
                found[name] = Value(node, _line(key), self._within(name), self.problems)
        return found

    def items(self, instead: str) -> "list[Value]":
        """The values of a list."""
        if not isinstance(self.node, yaml.SequenceNode) or self.node.tag != _SEQUENCE:
            self._refuse_kind(instead)
            return []
        return [Value(node, _line(node), self.place, self.problems) for node in self.node.value]

    def text(self, instead: str) -> str:
        """Text without spaces around it. A word that YAML reads as something else, such as `no` or 7, must be quoted."""
        if not isinstance(self.node, yaml.ScalarNode) or self.node.tag != _STRING:
            self._refuse_kind(instead)
            return ""
        text = str(self.node.value).strip()
        if not text:
            self.refuse(f"is empty; write {instead}")
        elif _STEERING.search(text):
            self.refuse(f"holds a control character or half of one ({text[:_SHOWN]!r}); write {instead}")
        return text

    def number(self, least: int, instead: str) -> int:
        """A whole number in decimal digits."""
        if self.node.tag != _NUMBER or not _WHOLE.fullmatch(str(self.node.value)):
            self._refuse_kind(instead)
            return least
        number = int(self.node.value)
        if number < least:
            self.refuse(f"is {number}; write {instead}")
        return number

    def under(self, key: str) -> "Value":
        """The value of a key that has been read before; this one where there is none."""
        pairs = self.node.value if self.is_mapping else []
        found = next(((name, node) for name, node in pairs if name.value == key), None)
        return Value(found[1], _line(found[0]), self._within(key), self.problems) if found else self

    @property
    def is_mapping(self) -> bool:
        """Whether it has keys, for values that may be written in two ways."""
        return isinstance(self.node, yaml.MappingNode) and self.node.tag == _MAPPING

    @property
    def is_empty(self) -> bool:
        """Whether it is a list or a mapping of nothing."""
        return isinstance(self.node, yaml.CollectionNode) and not self.node.value

    def _key(self, key: yaml.Node) -> str | None:
        if isinstance(key, yaml.ScalarNode) and key.tag == _STRING:
            return str(key.value)
        self.problems.add(_line(key), self.place, f"has {_kind(key)} for a key; put the key in quotes")
        return None

    def _within(self, name: str) -> str:
        shown = name if _PLAIN_KEY.fullmatch(name) else repr(name[:_SHOWN])
        return f"{self.place}.{shown}" if self.place else shown

    def _refuse_kind(self, instead: str) -> None:
        self.refuse(f"is {_kind(self.node)}; write {instead}")


def read(text: str, problems: Problems) -> Value | None:
    """The whole document, or None with the reason in `problems`. No anchors: a few lines of them can stand for gigabytes."""
    if len(text) > MOST_CHARACTERS:
        problems.add(1, "", f"has {len(text):,} characters; keep it within {MOST_CHARACTERS:,}")
        return None
    try:
        if not _is_plain(text, problems):
            return None
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problems.add(mark.line + 1 if mark else 1, "", f"is no YAML ({error.problem or error.context}); correct the line")
        return None
    except ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        problems.add(line, "", f"holds a character that YAML does not allow ({error.reason}); remove it")
        return None
    if node is None:
        problems.add(1, "", "is empty; write version and namespaces")
        return None
    return Value(node, _line(node), "", problems)


def _is_plain(text: str, problems: Problems) -> bool:
    depth, line, plain = 0, 1, True
    try:
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            line = event.start_mark.line + 1 if event.start_mark else line
            if isinstance(event, yaml.NodeEvent) and event.anchor is not None:
                problems.add(line, "", f"holds an anchor or an alias (& or *); {_WRITTEN_OUT}")
                plain = False
            if depth > DEEPEST:
                problems.add(line, "", f"is nested more than {DEEPEST} deep; write namespaces as docs/namespaces.md shows them")
                return False
    except (ValueError, OverflowError):  # PyYAML makes the character of an escape without looking at its number
        problems.add(line, "", "is followed by an escape that is no character; correct it")
        return False
    return plain


def listed(names: Collection[str]) -> str:
    """Names for a message."""
    return ", ".join(names) or "nothing"


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1


def _kind(node: yaml.Node) -> str:
    name = str(node.tag).rpartition(":")[2]
    kind = _KINDS.get(name, f"a value tagged {name[:_SHOWN]!r}")
    if isinstance(node, yaml.ScalarNode) and name not in {"null", "str"}:
        return f"{kind} ({str(node.value)[:_SHOWN]!r})"
    return kind
