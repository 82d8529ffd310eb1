"""Time is two clocks: true in the world (`valid_*`) and believed by the kg (`known_*`). Intervals are half-open and never null."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from dateutil.parser import isoparse
from dateutil.relativedelta import relativedelta

from knowledge.errors import DataError

Precision = Literal["year", "month", "day", "instant"]
OPEN_START = datetime(1, 1, 1, tzinfo=UTC)
OPEN_END = datetime(9999, 12, 31, tzinfo=UTC)
_TICK = timedelta(microseconds=1)
_PARTIAL = re.compile(r"(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?")
_LENGTH = {"year": relativedelta(years=1), "month": relativedelta(months=1), "day": relativedelta(days=1)}


@dataclass(frozen=True)
class Moment:
    """A date with its precision: the half-open span [start, end) that it may mean. An instant is one microsecond long."""

    start: datetime
    end: datetime
    precision: Precision

    def __str__(self) -> str:
        return written(self.start, self.precision)


def moment(text: str) -> Moment:
    """Parse `2019`, `2019-05`, `2019-05-07` or an ISO instant (UTC where no zone is named). DataError otherwise."""
    value = text.strip()
    partial = _PARTIAL.fullmatch(value)
    try:
        if partial:
            year, month, day = partial.groups()
            precision: Precision = "day" if day else "month" if month else "year"
            start = datetime(int(year), int(month or 1), int(day or 1), tzinfo=UTC)
            return Moment(start, _end(start, precision), precision)
        parsed = isoparse(value)
        instant = (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).astimezone(UTC)
        return Moment(instant, instant + _TICK, "instant")
    except (ValueError, OverflowError) as error:
        raise DataError(f"{text!r} is no date; write 2019, 2019-05, 2019-05-07 or 2019-05-07T12:00:00Z") from error


def written(value: datetime, precision: str) -> str:
    """The date as a person would write it at this precision; open ends are empty."""
    if value in (OPEN_START, OPEN_END):
        return ""
    return value.isoformat()[: {"year": 4, "month": 7, "day": 10}.get(precision, 32)]


def _end(start: datetime, precision: Precision) -> datetime:
    return OPEN_END if start.year == 9999 else start + _LENGTH[precision]
