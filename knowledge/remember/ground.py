"""Where the replay of a namespace begins: at nothing, or at a snapshot that holds what the journal keeps no text of."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, select

from knowledge.journal.journal import Event, as_event
from knowledge.journal.tables import events
from knowledge.loading.log import ENDED, LOADED
from knowledge.remember import snapshot_file
from knowledge.remember.snapshot import Snapshot, live

RELEASED = "released"
COMMITS = ("applied", "refused", "undone", "erased")


@dataclass(frozen=True)
class Ground:
    """`file` is where the snapshot stands; None where the replay begins at nothing. `last`: the last version that anything tells of.

    `lacking`: what neither the snapshot nor the journal can bring back; empty where that is nothing.
    """

    namespace: str
    version: int = 0
    file: Path | None = None
    last: int = 0
    lacking: str = ""


def grounds(connection: Connection, offered: Sequence[Path] = ()) -> list[Ground]:
    """Of every namespace that something was written to. `offered`: files that may be snapshots, moved from where they were taken."""
    hashes = {snapshot_file.sha256(file): file for file in offered}
    kinds = (*COMMITS, LOADED, "baseline", "snapshot")
    found = connection.execute(select(events.c.namespace).where(events.c.kind.in_(kinds)).distinct().order_by(events.c.namespace))
    return [_ground(connection, str(row.namespace), hashes) for row in found]


def ground_of(connection: Connection, namespace: str) -> Ground:
    """Of one namespace, by the snapshots that stand where they were taken."""
    return _ground(connection, namespace, {})


def _ground(connection: Connection, namespace: str, offered: dict[str, Path]) -> Ground:
    told = _events(connection, namespace)
    snapshot, file = _newest(live(connection, namespace), offered)
    begins = snapshot.version if snapshot else 0
    known = {_version(event) for event in told if event.kind in COMMITS}
    return Ground(namespace, begins, file, max({begins, *known}), _lacking(told, known, snapshot, file))


def _newest(snapshots: Iterable[Snapshot], offered: dict[str, Path]) -> tuple[Snapshot | None, Path | None]:
    """The last one whose file is there and is what was vouched for."""
    for snapshot in reversed([one for one in snapshots if one.seq]):
        for file in (offered.get(snapshot.sha256), snapshot.file):
            if file and snapshot_file.sha256(file) == snapshot.sha256:
                return snapshot, file
    return None, None


def _lacking(told: Sequence[Event], known: Collection[int], snapshot: Snapshot | None, file: Path | None) -> str:
    begins, seq = (snapshot.version, snapshot.seq) if snapshot else (0, 0)
    if missing := _unheld(told, seq, file):
        return f"{len(missing)} batches of files (the first of event {missing[0].seq}) were loaded, and no snapshot at hand holds them"
    baselines = [event for event in told if event.kind == "baseline" and not set(range(begins + 1, _version(event) + 1)) <= set(known)]
    if baselines:
        return f"no snapshot at hand holds what the baseline of event {baselines[-1].seq} recorded"
    if known and min(known) > 1 and not snapshot and not any(event.kind == LOADED for event in told):
        return "it held something before the first event that tells of it"
    return ""


def _unheld(told: Sequence[Event], seq: int, file: Path | None) -> list[Event]:
    """The loaded batches that a snapshot does not hold. One that was told of before it and never went on was never written."""
    loaded = [event for event in told if event.kind == LOADED]
    if not loaded or file is None:
        return loaded
    held = {line["properties"]["event_id"] for line in snapshot_file.read(file) if line["is"] == "GavelAudit"}  # type: ignore[index]
    went_on = {event.receipt for event in told if event.kind in (LOADED, ENDED) and event.seq > seq}
    return [event for event in loaded if event.event_id not in held and (event.seq > seq or event.receipt in went_on)]


def _events(connection: Connection, namespace: str) -> list[Event]:
    """Since it was last released: nothing of what was told before is Gavel's any more, and nothing had been written."""
    kinds = (*COMMITS, LOADED, ENDED, "baseline", RELEASED)
    chosen = select(events).where(events.c.namespace == namespace, events.c.kind.in_(kinds)).order_by(events.c.seq)
    told = [as_event(row._asdict()) for row in connection.execute(chosen)]
    released = [place for place, event in enumerate(told, start=1) if event.kind == RELEASED]
    return told[released[-1] if released else 0 :]


def _version(event: Event) -> int:
    return int(str(event.about.get("version", 0)))
