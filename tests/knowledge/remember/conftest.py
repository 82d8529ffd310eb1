"""A journal of its own for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.knowledge.remember.world import Office


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    made = Office(tmp_path)
    yield made
    made.journal.close()
