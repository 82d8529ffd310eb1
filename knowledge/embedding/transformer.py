"""Any sentence-transformers model, by its id or the folder that holds it. Needs the extra of that name."""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from knowledge.embedding.embedder import TEXT_CHARACTERS, Vectors
from knowledge.errors import ConfigError


class TransformerEmbedder:
    """Loads the model with the first text or question about it. Thread-safe."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._loaded: Any = None

    @property
    def model(self) -> str:
        """The last part of id or folder, so that moving a folder does not orphan its vectors."""
        return Path(self._name).name

    @property
    def dimensions(self) -> int:
        return int(self._encoder().encode(["a"]).shape[1])

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit-length row per text. ConfigError where the extra or the model is missing."""
        if not texts:
            return np.empty((0, self.dimensions), dtype=np.float32)
        clipped = [text[:TEXT_CHARACTERS] for text in texts]
        vectors = self._encoder().encode(clipped, normalize_embeddings=True, show_progress_bar=False, convert_to_numpy=True)
        return np.asarray(vectors, dtype=np.float32)

    def _encoder(self) -> Any:
        with self._lock:
            if self._loaded is None:
                self._loaded = self._load()
            return self._loaded

    def _load(self) -> Any:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise ConfigError("sentence-transformers is not installed; run pip install 'gavel[sentence-transformers]'") from error
        try:
            return SentenceTransformer(self._name)
        except (OSError, ValueError) as error:
            raise ConfigError(
                f"the model {self._name!r} cannot be loaded ({error}); give the id of a model or the folder of one"
            ) from error
