"""Tool: is a memory there, and unchanged."""

from typing import Annotated, TypeAlias

from pydantic import Field, SkipValidation

from knowledge.remember.overview import Found
from knowledge.remember.overview import Overview as Watched
from tools.checked import checked
from tools.cited import Cited

Overview: TypeAlias = Annotated[Watched, SkipValidation]
Receipt: TypeAlias = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$", description="A receipt, as add_memory gave it")]


@checked
def verify(overview: Overview, receipt: Receipt) -> Cited[Found]:
    """Whether the memory of a receipt is in the database as it was sent: unchanged, changed, missing, not written, or unknown."""
    found = overview.verify(receipt)
    return Cited(f"{receipt}: {found}", found)
