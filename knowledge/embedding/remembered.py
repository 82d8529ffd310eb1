"""Vectors of a schema's words on disk, so that a new process need not encode them again."""

import os
import tempfile
import threading
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from knowledge.embedding.embedder import Embedder, Vectors
from knowledge.identity import digest

MOST_WORDS = 6_000


class Remembered:
    """An embedder that keeps what it encoded. For words that a schema or profile implies; what people ask is no business of a file.

    One file per model in `<folder>/words`, readable by its owner only. A damaged file counts as empty, one that cannot be written is left
    alone, and of two processes that write at once the later one wins. Thread-safe.
    """

    def __init__(self, embedder: Embedder, folder: Path) -> None:
        self._embedder = embedder
        self._file = folder / "words" / f"{digest(embedder.model)}.npz"
        self._lock = threading.Lock()
        self._known: dict[str, Vectors] | None = None

    @property
    def model(self) -> str:
        return self._embedder.model

    @property
    def dimensions(self) -> int:
        return self._embedder.dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit-length row per text; only what is not remembered is encoded."""
        with self._lock:
            if self._known is None:
                self._known = self._read()
            known = dict(self._known)
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        if missing:
            known.update(zip(missing, self._embedder.embed(missing), strict=True))
            self._keep({text: known[text] for text in missing})
        return np.array([known[text] for text in texts], dtype=np.float32).reshape(len(texts), self.dimensions)

    def _keep(self, new: dict[str, Vectors]) -> None:
        with self._lock:
            known = self._known or {}
            if new and len(known) + len(new) <= MOST_WORDS:
                self._known = known | new
                self._write(self._known)

    def _read(self) -> dict[str, Vectors]:
        try:
            with np.load(self._file, allow_pickle=False) as stored:
                words, rows = stored["words"].tolist(), stored["rows"]
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return {}
        fits = rows.shape == (len(words), self.dimensions) and rows.dtype == np.float32
        return dict(zip(words, rows, strict=True)) if fits else {}

    def _write(self, known: dict[str, Vectors]) -> None:
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor, written = tempfile.mkstemp(dir=self._file.parent, suffix=".part")
            with os.fdopen(descriptor, "wb") as file:
                np.savez(file, words=np.array(list(known)), rows=np.array(list(known.values()), dtype=np.float32))
            Path(written).replace(self._file)
        except OSError:
            return
