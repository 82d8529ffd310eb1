"""A journal of its own for each test, in either engine."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.knowledge.remember.world import Office


@pytest.fixture
def office(tmp_path: Path, journal_url: str) -> Iterator[Office]:
    made = Office(tmp_path, url=journal_url)
    yield made
    made.journal.close()
