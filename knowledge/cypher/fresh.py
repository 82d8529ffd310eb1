"""Names for what a statement leaves without one."""

from dataclasses import replace

from knowledge.cypher.syntax import Located, Node, Query, Relationship
from knowledge.cypher.walk import words


class Fresh:
    """`made` are the names given so far; none of them stands in the statement."""

    def __init__(self, query: Query) -> None:
        self.made: set[str] = set()
        self._taken = words(query)

    def name(self) -> str:
        """A new name."""
        number = len(self.made) + 1
        while (name := f"_{number}") in self._taken:
            number += 1
        self._taken.add(name)
        self.made.add(name)
        return name

    def named(self, part: Located) -> Located:
        """The node or relationship of a pattern with a name; anything else as it is."""
        if isinstance(part, Node | Relationship) and not part.variable:
            return replace(part, variable=self.name())
        return part
