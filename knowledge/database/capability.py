"""What a server can do, decided once from its version, so that no other module compares versions."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Capability:
    """`version` as (5, 26) or (2026, 9)."""

    version: tuple[int, int]
    edition: str = "community"

    @classmethod
    def of(cls, version: str, edition: str) -> "Capability":
        """From what `dbms.components()` reports, such as `2026.09.0` and `community`."""
        numbers = [int("".join(c for c in part if c.isdigit()) or 0) for part in version.split(".")[:2]]
        return cls((numbers[0], numbers[1] if len(numbers) > 1 else 0), edition)

    @property
    def cypher25(self) -> bool:
        """The Cypher 25 language: in-index vector filters and `toFloatList` of a vector value."""
        return self.version >= (2025, 6)

    @property
    def vector_filters(self) -> bool:
        """`SEARCH … WHERE` inside a vector index."""
        return self.version >= (2026, 1)

    @property
    def vector_values(self) -> bool:
        """Vectors as parameters of their own type, packed, instead of lists of floats."""
        return self.version >= (2025, 10)
