"""Rows to numbers: shares with intervals, cost and time, whole sets and their groups."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from evals.floors import FLOORS, Floor
from evals.intervals import Interval, bootstrap, wilson
from evals.journal import Row


@dataclass(frozen=True)
class Share:
    """A mean between 0 and 1 with its 95 % interval."""

    value: float
    interval: Interval


@dataclass(frozen=True)
class Summary:
    """One line of a report. Shares are over the cases without error; `errors` counts the others. Pairs are p50 and p95."""

    suite: str
    setting: str
    dimension: str
    group: str
    cases: int
    errors: int
    hit: Share
    f1: Share
    exact: Share
    queries: tuple[float, float]
    milliseconds: tuple[float, float]
    floor: float | None = None
    met: bool | None = None


def summaries(rows: Sequence[Row]) -> list[Summary]:
    """Per set and setting: the whole, then each group of each dimension that has more than one."""
    found = []
    for suite, shape, profile in dict.fromkeys((row.suite, row.shape, row.profile) for row in rows):
        some = [row for row in rows if (row.suite, row.shape, row.profile) == (suite, shape, profile)]
        found.append(_summary(some, "", ""))
        for dimension in dict.fromkeys(key for row in some for key in row.groups):
            groups = sorted({row.groups.get(dimension, "") for row in some})
            if len(groups) > 1:
                found += [_summary([row for row in some if row.groups.get(dimension, "") == g], dimension, g) for g in groups]
    return found


def _summary(rows: Sequence[Row], dimension: str, group: str) -> Summary:
    first = rows[0]
    clean = [row for row in rows if row.verdict != "error"]
    topics = [row.topic for row in clean]
    hit = _share([float(row.hit) for row in clean])
    exact = _share([float(row.verdict == "right") for row in clean])
    overlap = [row.f1 for row in clean]
    f1 = Share(float(np.mean(overlap)) if overlap else 0.0, bootstrap(overlap, topics))
    floor = _floor(first, dimension, group)
    reached = (hit if floor and floor.measure == "hit" else exact).value
    setting = f"{first.shape}, {'with' if first.profile else 'without'} profile"
    return Summary(
        first.suite, setting, dimension, group, len(rows), len(rows) - len(clean), hit, f1, exact,
        _percentiles(row.queries for row in clean), _percentiles(row.milliseconds for row in clean),
        floor.least if floor else None, reached >= floor.least and len(clean) == len(rows) if floor else None,
    )  # fmt: skip


def _share(values: Sequence[float]) -> Share:
    return Share(sum(values) / len(values) if values else 0.0, wilson(sum(values), len(values)))


def _percentiles(values: Iterable[float]) -> tuple[float, float]:
    known = list(values)
    return (float(np.percentile(known, 50)), float(np.percentile(known, 95))) if known else (0.0, 0.0)


def _floor(row: Row, dimension: str, group: str) -> Floor | None:
    wanted = (dimension, group) if dimension else None
    return next((f for f in FLOORS if f.suite == row.suite and f.group == wanted and f.profile in (None, row.profile)), None)
