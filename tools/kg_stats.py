"""Tool: what the namespaces hold."""

from typing import Annotated, TypeAlias

from pydantic import SkipValidation

from knowledge.remember.overview import Overview as Watched
from tools.checked import checked
from tools.cited import Cited, cut

Overview: TypeAlias = Annotated[Watched, SkipValidation]


@checked
def kg_stats(overview: Overview) -> Cited[list[dict[str, object]]]:
    """How many memories, facts and bytes each namespace holds, and its limits. Only namespaces that may be known of."""
    found = overview.stats()
    lines = [
        f"{one['namespace']}: {one['episodes']} memories, {one['facts']} facts, {one['bytes']} bytes; limits {one['limits'] or 'none'}"
        for one in found
    ]
    return Cited(cut(lines, empty="No namespace is registered that you may know of."), found)
