"""One question to ask, where to ask it, and what a right answer is."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from graphs.state import Result

Gold = Mapping[str, object]


@dataclass(frozen=True)
class Case:
    """`turns` are asked one after the other on one thread; the last one is scored.

    `gold` has one key that says how to score: names, value, truth, connection, sides, candidates, unknown, empty, stop_reasons or demo.
    `groups` are what the report is broken down by. `topic` ties questions about one entity together, for the intervals.
    """

    id: str
    suite: str
    world: str
    turns: tuple[str, ...]
    gold: Gold
    topic: str
    groups: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Asked:
    """What came back. `error` is what was raised, empty where there is a result; `seconds` are wall time of the last turn."""

    result: Result
    seconds: float
    error: str = ""
