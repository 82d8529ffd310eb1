"""What the executed readings say together: answers ranked over readings, and how far the first reading is ahead."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from knowledge.records import Entity
from knowledge.wording.reading import Reading

TEMPERATURE = 0.25
START_FACTOR = 0.99


class Executed(NamedTuple):
    """A reading and the entities that its walk reached; leave out readings that reached nothing."""

    reading: Reading
    reached: Sequence[Entity]


def probabilities(readings: Sequence[Reading]) -> list[float]:
    """A softmax over the scores, temperature 0.25."""
    if not readings:
        return []
    best = max(r.score for r in readings)
    weights = [math.exp((r.score - best) / TEMPERATURE) for r in readings]
    total = sum(weights)
    return [w / total for w in weights]


def rank(executed: Sequence[Executed]) -> list[tuple[Entity, float]]:
    """Each reached entity once, with the total probability of the readings that reach it; the start itself ranks behind its equals."""
    found: dict[str, tuple[Entity, float]] = {}
    for one, probability in zip(executed, probabilities([e.reading for e in executed]), strict=True):
        for entity in one.reached:
            share = probability * (START_FACTOR if entity.id in one.reading.walk.starts else 1.0)
            found[entity.id] = entity, found.get(entity.id, (entity, 0.0))[1] + share
    return sorted(found.values(), key=lambda pair: -pair[1])


def margin(readings: Sequence[Reading]) -> float:
    """How far the first of two or more readings is ahead of the second: 0 for a tie, near 1 for a clear lead, 1 for a single one."""
    if len(readings) < 2:
        return float(len(readings))
    return 1 - math.exp((readings[1].score - readings[0].score) / TEMPERATURE)
