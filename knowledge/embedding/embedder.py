"""What turns text into vectors."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
TEXT_CHARACTERS = 2_000
"""What an embedder reads of a text; the rest is left out."""


class Embedder(Protocol):
    """`model` names index and stored vectors, so that vectors of two models never meet."""

    @property
    def model(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit-length row per text, shape (len(texts), dimensions)."""
        ...
