"""Tool: how entities are connected."""

from itertools import product
from typing import Annotated

from pydantic import Field

from knowledge.records import Path
from tools.arguments import EntityIds, Reader, Relations
from tools.checked import checked
from tools.cited import Cited, cut, path_line
from tools.errors import ToolError

MOST_PAIRS = 50
Hops = Annotated[int, Field(ge=1, le=5, description="Longest path to look for")]
Most = Annotated[int, Field(ge=1, le=10, description="At most this many paths per pair")]


@checked
def find_paths(
    reader: Reader,
    starts: EntityIds,
    ends: EntityIds,
    hops: Hops = 4,
    most: Most = 3,
    relations: Relations = (),
) -> Cited[list[list[Path]]]:
    """Find the shortest paths between each start and each end, those over the given relations first. Ids of the facts are in brackets."""
    pairs = [(a, b) for a, b in product(dict.fromkeys(starts), dict.fromkeys(ends)) if a != b]
    if not pairs:
        raise ToolError("starts and ends are the same entity; give two different ones")
    if len(pairs) > MOST_PAIRS:
        raise ToolError(f"{len(pairs)} pairs are too many; give starts and ends that make at most {MOST_PAIRS}")
    found = reader.paths(pairs, hops=hops, most=most, relations=relations)
    lines = [path_line(path) for paths in found for path in paths]
    return Cited(cut(lines, empty=f"No path of at most {hops} hops connects them. Try more hops or other entities."), found)
