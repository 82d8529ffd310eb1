"""Dates of graphs that we did not make, whatever their type: date, datetime, year as a number, or ISO text."""

from datetime import UTC, date, datetime

from knowledge.clocks import moment
from knowledge.errors import DataError

_STARTS = (
    "CASE WHEN {0} IS NULL THEN true"
    " WHEN {0} IS :: ZONED DATETIME THEN {0} < datetime($as_of_end)"
    " WHEN {0} IS :: LOCAL DATETIME THEN datetime({{datetime: {0}}}) < datetime($as_of_end)"
    " WHEN {0} IS :: DATE THEN datetime({{date: {0}}}) < datetime($as_of_end)"
    " WHEN {0} IS :: INTEGER THEN datetime({{year: {0}}}) < datetime($as_of_end)"
    " ELSE toString({0}) < $as_of_end END"
)
_ENDS = (
    "CASE WHEN {0} IS NULL THEN true"
    " WHEN {0} IS :: ZONED DATETIME THEN {0} > datetime($as_of)"
    " WHEN {0} IS :: LOCAL DATETIME THEN datetime({{datetime: {0}}}) > datetime($as_of)"
    " WHEN {0} IS :: DATE THEN datetime({{date: {0}}}) + duration('P1D') > datetime($as_of)"
    " WHEN {0} IS :: INTEGER THEN datetime({{year: {0} + 1}}) > datetime($as_of)"
    " ELSE toString({0}) + '~' > $as_of END"
)


def has_begun(expression: str) -> str:
    """A predicate: the date, null for an open start, lies before the end of `as_of`."""
    return _STARTS.format(expression)


def not_over(expression: str) -> str:
    """A predicate: the date, null for an open end, lies after the start of `as_of`. Years, days and texts are inclusive."""
    return _ENDS.format(expression)


def written_date(value: object, precision: str) -> str:
    """The date as people write it, from what the driver returns; texts that are no dates stay as they are."""
    if value is None:
        return ""
    native = value.to_native() if hasattr(value, "to_native") else value
    if isinstance(native, datetime):
        aware = native if native.tzinfo else native.replace(tzinfo=UTC)
        return aware.isoformat()[: {"year": 4, "month": 7, "day": 10}.get(precision, 32)]
    if isinstance(native, date):
        return native.isoformat()
    try:
        return str(moment(str(native)))
    except DataError:
        return str(native)
