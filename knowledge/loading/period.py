"""When something was true, as files write it: inclusive ends become half-open intervals, dates before year 1 keep their text."""

import re
from dataclasses import dataclass
from datetime import datetime

from knowledge.clocks import OPEN_END, OPEN_START, Moment, Precision, moment
from knowledge.errors import DataError

_BARE_YEAR = re.compile(r"\d{1,3}")
_BEFORE_YEAR_ONE = re.compile(r"-\d+(-\d{2}){0,2}|0000(-\d{2}){0,2}|-\d+-\d{2}-\d{2}T\S+")


@dataclass(frozen=True)
class Period:
    """Half-open [start, end). A text is kept where the date lies before the year 1, which is stored as the open start."""

    start: datetime = OPEN_START
    end: datetime = OPEN_END
    start_precision: Precision = "instant"
    end_precision: Precision = "instant"
    start_text: str = ""
    end_text: str = ""

    @property
    def early(self) -> int:
        """How many of the two dates lie before the year 1."""
        return bool(self.start_text) + bool(self.end_text)


ALWAYS = Period()


def period(valid_from: str, valid_to: str) -> Period:
    """The interval that two cells of a file mean; empty cells are open ends.

    An end of year, month or day precision is inclusive, an instant exclusive. DataError for what is no date and for from > to.
    """
    if not (valid_from or valid_to):
        return ALWAYS
    first = _moment("valid_from", valid_from)
    last = _moment("valid_to", valid_to)
    start = first.start if first else OPEN_START
    end = OPEN_END if last is None else last.start if last.precision == "instant" else last.end
    empty = start == end and last is not None and last.precision != "instant"
    if start > end or empty or (first and last and _year(valid_from) > _year(valid_to)):
        raise DataError(f"valid_from {valid_from} is later than valid_to {valid_to}; correct one of them")
    return Period(
        start,
        end,
        first.precision if first else "instant",
        last.precision if last else "instant",
        valid_from if _early(valid_from) else "",
        valid_to if _early(valid_to) else "",
    )


def _early(text: str) -> bool:
    return bool(_BEFORE_YEAR_ONE.fullmatch(text))


def _year(text: str) -> int:
    """The year of a date before the year 1; 0 for every other."""
    return -int(text[1:].partition("-")[0]) if text.startswith("-") and _early(text) else 0


def _moment(column: str, text: str) -> Moment | None:
    if not text:
        return None
    if _early(text):
        return Moment(OPEN_START, OPEN_START, "instant")
    try:
        return moment(text.zfill(4) if _BARE_YEAR.fullmatch(text) else text)
    except DataError as error:
        raise DataError(f"{column}: {error}") from error
