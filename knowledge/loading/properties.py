"""How dates and free properties are written into the kg."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime

from knowledge.clocks import OPEN_END, OPEN_START
from knowledge.loading.period import Period
from knowledge.loading.rows import Value


def iso(value: datetime) -> str:
    """The form in which times travel to `datetime()`; equal times have equal texts."""
    return value.isoformat()


def instant(text: str) -> datetime:
    """A time as the database writes it."""
    return datetime.fromisoformat(text).astimezone(UTC)


def dated(period: Period) -> dict[str, str | None]:
    """The ends of an interval for `datetime()`; None is an open end."""
    return {
        "valid_from": None if period.start == OPEN_START else iso(period.start),
        "valid_to": None if period.end == OPEN_END else iso(period.end),
    }


def precisions(period: Period) -> dict[str, object]:
    """The precision of both dates, and the text of those before the year 1."""
    texts = {"valid_from_text": period.start_text, "valid_to_text": period.end_text}
    return {
        "valid_from_precision": period.start_precision,
        "valid_to_precision": period.end_precision,
        **{name: text for name, text in texts.items() if text},
    }


def written(properties: Mapping[str, Value]) -> str:
    """JSON with sorted keys, so that equal properties have equal texts; empty where there are none."""
    return json.dumps(properties, ensure_ascii=False, sort_keys=True) if properties else ""
