"""Tool: how the database, the journal and its workers are."""

from typing import Annotated, TypeAlias

from pydantic import SkipValidation

from knowledge.remember.overview import Health
from knowledge.remember.overview import Overview as Watched
from tools.checked import checked
from tools.cited import Cited

Overview: TypeAlias = Annotated[Watched, SkipValidation]


@checked
def health(overview: Overview) -> Cited[Health]:
    """Whether what is proposed can be kept and applied now: the database, the journal, what waits, what failed."""
    found = overview.health()
    waits = ", ".join(f"{count} {status}" for status, count in sorted(found.work.items())) or "nothing was proposed yet"
    return Cited(f"database {found.database}; journal of {found.events} events in {found.journal}; {waits}; {found.workers} at work", found)
