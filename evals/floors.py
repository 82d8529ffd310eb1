"""The least that a share of right first answers (or, for kinds, of exact sets) must reach, by set, group and knowledge of the profile."""

from dataclasses import dataclass
from typing import Literal

Measure = Literal["hit", "exact"]


@dataclass(frozen=True)
class Floor:
    """`group` is a (dimension, value) of the report, or None for the whole set; `profile` None means either."""

    suite: str
    measure: Measure
    least: float
    profile: bool | None = False
    group: tuple[str, str] | None = None


_PROTOTYPE_SLACK = 0.05
_PROBES = {"company": 0.91, "football": 0.80, "music": 0.87, "scholars": 0.84}
_KINDS = (
    "one_hop", "two_hops", "three_hops", "connection", "listing", "counting", "extremes", "yes_no", "comparison", "unknown_entity",
    "ambiguous_name", "empty_result", "chinese", "follow_up",
)  # fmt: skip

FLOORS: tuple[Floor, ...] = (
    Floor("metaqa_dev_report", "hit", 0.94, False),
    Floor("metaqa_dev_report", "hit", 0.98, True),
    Floor("metaqa_natural", "hit", round(0.970 - _PROTOTYPE_SLACK, 3)),
    Floor("yago_natural", "hit", round(0.986 - _PROTOTYPE_SLACK, 3)),
    Floor("family_natural", "hit", round(0.931 - _PROTOTYPE_SLACK, 3)),
    *(Floor("probes", "hit", round(h - _PROTOTYPE_SLACK, 3), False, ("world", f"probes/{name}")) for name, h in _PROBES.items()),
    *(Floor("kinds", "exact", 0.70, True, ("kind", kind)) for kind in _KINDS),
    Floor("demo", "exact", 1.0, True),
    Floor("awkward", "exact", 1.0, True),
)
