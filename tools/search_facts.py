"""Tool: find facts by words or meaning."""

from knowledge.reading.contract import Hit
from knowledge.records import Fact
from tools.arguments import Limit, Mode, Query, Reader
from tools.checked import checked
from tools.cited import Cited, by_words_note, cut, fact_line


@checked
def search_facts(reader: Reader, query: Query, mode: Mode = "hybrid", limit: Limit = 10) -> Cited[list[Hit[Fact]]]:
    """Find facts that say something like the query. Each line begins with the id to cite."""
    hits = reader.search_facts(query, mode=mode, limit=limit)
    lines = [*by_words_note(mode, reader.semantic), *(fact_line(hit.item) for hit in hits)] if hits else []
    return Cited(cut(lines, empty=f"No fact matches {query!r}. Try other words or search_entities."), hits)
