"""What is submitted: an episode, and what follows from it. The parameters are those of Graphiti's tool of the same name, and a few more."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from knowledge.clocks import moment
from knowledge.errors import DataError
from knowledge.registry.memory_name import MemoryName, memory_name
from knowledge.remember.operations import ArchiveEpisode, Operation

Source = Literal["text", "json", "message"]
LONGEST_NAME = 300
LONGEST_BODY = 200_000
MOST_OPERATIONS = 200
_UNFIT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def fit(text: str) -> str:
    """The text without what no proposal may hold."""
    return _UNFIT.sub(" ", text)


class Proposal(BaseModel):
    """`valid_at`: when it was true, a date or an instant; empty is the time of submission. `idempotency_key`: the caller's own, so that
    sending it again is safe; without one the content is its key.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(max_length=LONGEST_NAME)
    episode_body: str = Field(max_length=LONGEST_BODY)
    group_id: str = Field(max_length=200)
    source: Source = "text"
    source_description: str = Field(default="", max_length=1_000)
    valid_at: str = Field(default="", max_length=40)
    operations: tuple[Operation, ...] = Field(default=(), max_length=MOST_OPERATIONS)
    idempotency_key: str = Field(default="", max_length=200)

    @field_validator("name", "episode_body", "source_description", "idempotency_key")
    @classmethod
    def _fit(cls, value: str) -> str:
        if found := _UNFIT.search(value):
            raise ValueError(f"it holds the character U+{ord(found[0]):04X}, which no text needs; remove it")
        if not value.strip() and value:
            raise ValueError("it is blank; write what is to be remembered")
        return value

    @field_validator("valid_at")
    @classmethod
    def _date(cls, value: str) -> str:
        try:
            if value:
                moment(value)
        except DataError as error:
            raise ValueError(str(error)) from error
        return value

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.remembers and len(self.archived) < max(1, len(self.operations)):
            raise ValueError("episode_body is empty; write what is to be remembered (only archiving needs no text)")
        return self

    @classmethod
    def read(cls, given: Mapping[str, object]) -> Self:
        """DataError says in one sentence what cannot be used."""
        try:
            return cls.model_validate(given)
        except ValidationError as error:
            told = [f"{'.'.join(map(str, fault['loc']))}: {fault['msg'].removeprefix('Value error, ')}" for fault in error.errors()[:4]]
            raise DataError(f"the proposal cannot be read: {'; '.join(told)}") from error

    @cached_property
    def named(self) -> MemoryName | None:
        """The parts of the name, or None where it is not `Type: Topic - Aspect`."""
        return memory_name(self.name)

    @property
    def remembers(self) -> bool:
        """Whether it adds an episode: what only archives does not."""
        return bool(self.episode_body)

    @cached_property
    def archived(self) -> tuple[ArchiveEpisode, ...]:
        """What it takes out of sight."""
        return tuple(operation for operation in self.operations if isinstance(operation, ArchiveEpisode))

    @property
    def episodes(self) -> int:
        """How many live episodes more there would be."""
        return int(self.remembers) - len(self.archived)

    @cached_property
    def size(self) -> int:
        """Bytes of the text that would be kept."""
        if not self.remembers:
            return 0
        return len(self.episode_body.encode()) + len(self.name.encode()) + len(self.source_description.encode())

    @cached_property
    def relations(self) -> int:
        """How many facts it would add."""
        return sum(operation.op == "add_relation" for operation in self.operations)

    @cached_property
    def content(self) -> str:
        """A hash of what it says of the world: equal for two proposals that would remember the same, whoever sends them and however named."""
        told = [operation.model_dump() for operation in self.operations]
        return content_of(self.group_id, self.episode_body, self.valid_at, told)

    def key(self, principal: str) -> str:
        """The idempotency key. A caller's own key belongs to that caller alone."""
        if self.idempotency_key:
            return _digest("given", principal, self.idempotency_key)
        told = self.episode_body or self.fingerprint
        return _digest("made", principal, self.group_id, self.name, told, self.source, self.valid_at)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the whole payload: what a second use of the same key must equal."""
        return _digest(self.model_dump(exclude={"idempotency_key"}))


@dataclass(frozen=True)
class Provenance:
    """Who acted, for whom, with what: claims of the caller, recorded as such. The principal is proven and stands apart."""

    agent_id: str = ""
    run_id: str = ""
    on_behalf_of: str = ""
    tool: str = ""

    def as_json(self) -> dict[str, str]:
        return {name: value for name, value in self.__dict__.items() if value}


UNCLAIMED = Provenance()


def content_of(namespace: str, body: str, valid_at: str = "", operations: Sequence[Mapping[str, object]] = ()) -> str:
    """The hash of what a memory says of the world; spaces and line breaks make no difference."""
    return _digest(namespace, " ".join(body.split()), valid_at, list(operations))


def _digest(*parts: object) -> str:
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False, sort_keys=True, default=list).encode()).hexdigest()
