"""Whether the vectors of a model can be searched yet."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

from knowledge.database.connection import Database
from knowledge.database.ddl import vector_index

RECHECK_SECONDS = 10.0


@dataclass
class VectorsReady:
    """Looks once whether both indexes of a model are online, and while they are not, again at most every `RECHECK_SECONDS`.

    The look is part of opening the kg and is not charged to a run.
    """

    database: Database
    clock: Callable[[], float] = monotonic
    _online: dict[str, bool] = field(default_factory=dict)
    _looked: dict[str, float] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def of(self, model: str) -> bool:
        with self._lock:
            if not self._online.get(model) and self.clock() - self._looked.get(model, -RECHECK_SECONDS) >= RECHECK_SECONDS:
                self._looked[model] = self.clock()
                self._online[model] = self._look(model)
            return self._online[model]

    def _look(self, model: str) -> bool:
        rows = self.database.read(
            "SHOW VECTOR INDEXES YIELD name, state WHERE name IN $names AND state = 'ONLINE' RETURN name",
            {"names": [vector_index("entity", model), vector_index("fact", model)]},
        )
        return len(rows) == 2
