"""Accesses for the tests."""

from dataclasses import replace
from typing import Any

from knowledge.access.access import Access

ROW = Access("2026-01-01T00:00:00.000000+00:00", "bot", "run-1", "link", ("team",), "0" * 64, ("id-1",), 0, 1, restricted=False)


def access(principal: str = "bot", **given: Any) -> Access:
    return replace(ROW, principal=principal, **given)
