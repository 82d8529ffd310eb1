"""The registry that holds: the last version that was adopted or approved, whatever the file says meanwhile."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from sqlalchemy import select

from knowledge.errors import ScopeError
from knowledge.journal.journal import Entry, Event, Journal, as_event, body_of
from knowledge.journal.tables import events
from knowledge.registry.file import parse_registry, read_registry, registry_text
from knowledge.registry.registry import Registry
from knowledge.scope import EVERY_NAMESPACE, Principal

HOLDS = ("registry_adopted", "registry_approved")
NOTHING = Registry(0, "", {})
"""Where no registry was ever adopted: every namespace is unknown."""


@dataclass(frozen=True)
class Change:
    """A proposed change that waits. `text` is the whole registry as it would be; `stale`: another one has come to hold since."""

    id: str
    principal: str
    proposed: str
    text: str
    stale: bool


class ApprovedRegistry:
    """Call it for the registry that holds now; it may be called inside of a transaction. Changes of the file need an approval."""

    def __init__(self, journal: Journal, file: Path) -> None:
        self._journal, self._file = journal, file
        self._seen, self._registry = 0, NOTHING

    def __call__(self) -> Registry:
        latest = self._latest()
        if latest and latest.seq != self._seen:
            self._registry, self._seen = parse_registry(self._text(latest), self._file.name), latest.seq
        return self._registry

    def adopt(self) -> None:
        """Take the file as it stands, where no registry was ever taken. Not to be called inside of a transaction."""
        if self._seen or self._latest() or not self._file.exists():
            return
        text = registry_text(self._file)
        parse_registry(text, self._file.name)
        with self._journal.writing() as writing:
            first = writing.connection.execute(select(events.c.seq).where(events.c.kind.in_(HOLDS))).first()
            if first is None:
                [payload] = writing.keep([{"text": text}])
                writing.append([Entry("registry_adopted", payload=payload)])

    def changed(self) -> bool:
        """Whether the file says something else than what holds."""
        return self._file.exists() and read_registry(self._file).digest != self().digest

    def propose(self, text: str, principal: Principal) -> str:
        """The id of a change that another person must approve. RegistryError where the text is no registry."""
        parse_registry(text, self._file.name)
        with self._journal.writing() as writing:
            [payload] = writing.keep([{"text": text}])
            about = {"base": self().digest}
            [event] = writing.append([Entry("registry_proposed", principal=principal.id, about=about, payload=payload)])
        return event.event_id

    def open(self) -> list[Change]:
        """The proposed changes that nobody has approved, oldest first."""
        approved = {event.about["proposal"] for event in self._journal.events(kind="registry_approved")}
        waiting = [event for event in self._journal.events(kind="registry_proposed") if event.event_id not in approved]
        return [
            Change(event.event_id, event.principal, event.at, self._text(event), event.about.get("base") != self().digest)
            for event in waiting
        ]

    @property
    def text(self) -> str:
        """What holds, as it was written; empty where nothing was ever adopted."""
        latest = self._latest()
        return self._text(latest) if latest else ""

    def approve(self, id_: str, principal: Principal) -> Registry:
        """From now on it holds, and the file says so too. ScopeError for anyone but a person other than the proposer."""
        with self._journal.writing() as writing:
            row = writing.connection.execute(select(events).where(events.c.event_id == id_, events.c.kind == "registry_proposed")).first()
            if row is None:
                raise ScopeError(f"there is no proposed change {id_}; `gavel namespace changes` lists them")
            if principal.kind != "person" or EVERY_NAMESPACE not in principal.writes:
                raise ScopeError("the registry is changed by a person who may write everywhere")
            if row.principal == principal.id:
                raise ScopeError(
                    "nobody approves their own change of the registry; another person must, whom `gavel principal add ID --kind person"
                    " --everything` makes one"
                )
            if as_event(row._asdict()).about.get("base") != self().digest:
                raise ScopeError("another registry has come to hold since this change was proposed; propose it anew")
            body = cast(Mapping[str, str], body_of(writing.connection, row.payload))
            writing.append([Entry("registry_approved", principal=principal.id, about={"proposal": id_}, payload=row.payload)])
        _rewrite(self._file, body["text"])
        return self()

    def _latest(self) -> Event | None:
        with self._journal.reading() as connection:
            row = connection.execute(select(events).where(events.c.kind.in_(HOLDS)).order_by(events.c.seq.desc()).limit(1)).first()
        return as_event(row._asdict()) if row else None

    def _text(self, event: Event) -> str:
        with self._journal.reading() as connection:
            return cast(Mapping[str, str], body_of(connection, event.payload))["text"]


def _rewrite(file: Path, text: str) -> None:
    """Whole or not at all."""
    fresh = file.with_suffix(".new")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(file)
