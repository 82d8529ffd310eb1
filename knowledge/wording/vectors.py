"""Static word vectors from the weights that ship inside the wordllama wheel; nothing is ever downloaded."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
_known: dict[str, Array] = {}
_LIMIT = 50_000


class _Model(Protocol):
    def embed(self, texts: list[str], *, norm: bool) -> NDArray[np.float32]: ...


@cache
def _model() -> _Model:
    with _logging_left_alone():
        import wordllama

    model: _Model = wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)
    return model


@contextmanager
def _logging_left_alone() -> Iterator[None]:
    """wordllama configures the logging of the whole process when it is imported, but only where nobody has."""
    root, stand_in = logging.getLogger(), logging.NullHandler()
    root.addHandler(stand_in)
    try:
        yield
    finally:
        root.removeHandler(stand_in)


def vectors(texts: Sequence[str]) -> Array:
    """One unit-length row per text, zeros where the text has no token; remembered per text."""
    missing = [text for text in dict.fromkeys(texts) if text not in _known]
    if missing:
        if len(_known) + len(missing) > _LIMIT:
            _known.clear()
            missing = list(dict.fromkeys(texts))
        with np.errstate(invalid="ignore", divide="ignore"):  # a text without a known token has length zero
            rows = np.nan_to_num(_model().embed(missing, norm=True)).astype(np.float64)
        _known.update(zip(missing, rows, strict=True))
    return np.array([_known[text] for text in texts])
