"""Tool: find entities by words or meaning."""

from typing import Annotated

from pydantic import Field

from knowledge.reading.contract import Hit
from knowledge.records import Entity
from tools.arguments import Limit, Mode, Query, Reader
from tools.checked import checked
from tools.cited import Cited, by_words_note, cut, entity_line

Kinds = Annotated[tuple[str, ...], Field(max_length=20, description="Kinds to keep, as get_schema names them; empty for all")]


@checked
def search_entities(reader: Reader, query: Query, mode: Mode = "hybrid", kinds: Kinds = (), limit: Limit = 10) -> Cited[list[Hit[Entity]]]:
    """Find entities whose name, alias or summary matches. Use it to get the ids that the other tools want."""
    hits = reader.search_entities(query, mode=mode, kinds=kinds, limit=limit)
    lines = [*by_words_note(mode, reader.semantic), *(entity_line(hit.item) for hit in hits)] if hits else []
    return Cited(cut(lines, empty=f"No entity matches {query!r}. Try other words."), hits)
