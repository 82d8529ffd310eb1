"""What a load did, in numbers."""

from dataclasses import dataclass


@dataclass
class LoadReport:
    """Every row read is counted once: read = created + known + supported + revised + duplicates + rejected + resumed.

    created: rows that made a new fact or entity. known: rows already in the kg. supported: rows that added evidence to a known fact.
    revised: rows that changed what was believed (a new version). duplicates: rows that repeat an earlier row of this load.
    resumed: rows that an interrupted load of the same files had already committed.
    `entities` and `facts` are what is new in the kg; `early_dates` lie before the year 1; `rate` is rows per second of `seconds`, the time
    of reading and writing rows. Vectors are counted apart: distinct texts embedded, vectors written, the seconds of each (they overlap),
    and `vector_seconds`, what the load took longer for them.
    """

    namespace: str
    shape: str
    read: int = 0
    created: int = 0
    known: int = 0
    supported: int = 0
    revised: int = 0
    duplicates: int = 0
    rejected: int = 0
    resumed: int = 0
    entities: int = 0
    facts: int = 0
    early_dates: int = 0
    texts: int = 0
    vectors: int = 0
    embedding_seconds: float = 0.0
    writing_seconds: float = 0.0
    facts_without_vectors: int = 0
    version: int = 0
    seconds: float = 0.0
    vector_seconds: float = 0.0
    rejects: str = ""

    @property
    def rate(self) -> float:
        return self.read / self.seconds if self.seconds else 0.0
