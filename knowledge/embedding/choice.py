"""The embedder that a setting names."""

from functools import lru_cache

from knowledge.embedding.embedder import Embedder
from knowledge.embedding.transformer import TransformerEmbedder
from knowledge.embedding.use import UseEmbedder
from knowledge.errors import ConfigError

DEFAULT = "usem3"
_TRANSFORMER = "sentence-transformers:"


@lru_cache(maxsize=4)
def embedder(spec: str = DEFAULT) -> Embedder:
    """`usem3` or `sentence-transformers:<id or folder>`; one per process and setting. ConfigError for any other."""
    if spec == DEFAULT:
        return UseEmbedder()
    if spec.startswith(_TRANSFORMER) and spec != _TRANSFORMER:
        return TransformerEmbedder(spec.removeprefix(_TRANSFORMER))
    raise ConfigError(f"{spec!r} is no embedder; use {DEFAULT} or {_TRANSFORMER}<id or folder>")
