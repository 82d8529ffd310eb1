"""What a file says, row by row, after checking: entities and facts with their dates, scope and source."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from knowledge.loading.period import ALWAYS, Period
from knowledge.scope import EVERYONE

Value = str | int | float | bool | list[str]


@dataclass(frozen=True)
class Origin:
    """Where a row stands; `source` names the observation: the row's source column, else the file's content hash."""

    file: str
    line: int
    source: str


@dataclass(frozen=True)
class EntityRow:
    """One entity as declared. `key` is the caller's, else the name itself. Without an access level a new entity is public, a known one
    keeps its level.
    """

    origin: Origin
    key: str
    name: str
    kind: str = ""
    aliases: tuple[str, ...] = ()
    summary: str = ""
    properties: Mapping[str, Value] = field(default_factory=dict)
    confidence: float = 1.0
    access_level: str = ""
    visibility_group: str = EVERYONE
    period: Period = ALWAYS

    @property
    def size(self) -> int:
        """About how many characters the row holds."""
        return len(self.key) + len(self.name) + len(self.summary) + sum(map(len, self.aliases)) + _size(self.properties)


@dataclass(frozen=True)
class FactRow:
    """One fact between two entities named by their keys. `place` tells two statements of one source apart.

    Without an access level a new fact is public, a known one keeps its level.
    """

    origin: Origin
    subject: str
    relation: str
    object: str
    subject_kind: str = ""
    object_kind: str = ""
    text: str = ""
    properties: Mapping[str, Value] = field(default_factory=dict)
    confidence: float = 1.0
    place: str = ""
    access_level: str = ""
    visibility_group: str = EVERYONE
    period: Period = ALWAYS

    @property
    def size(self) -> int:
        """About how many characters the row holds."""
        return len(self.subject) + len(self.relation) + len(self.object) + len(self.text) + _size(self.properties)


def _size(properties: Mapping[str, Value]) -> int:
    return sum(len(name) + len(str(value)) for name, value in properties.items())


Row = EntityRow | FactRow
