"""Static word vectors, as a library is used that thinks the process is its own."""

import subprocess
import sys

import numpy as np

from knowledge.wording.vectors import vectors


def test_every_text_has_one_row_of_length_one_or_zero() -> None:
    lengths = np.linalg.norm(vectors(["river", "the old mill", ""]), axis=1)
    assert np.allclose(lengths, [1, 1, 0], atol=1e-5)


def test_the_logging_of_the_process_stays_as_it_was() -> None:
    code = "import logging; from knowledge.wording.vectors import vectors; vectors(['a']); print(logging.getLogger().handlers, logging.getLogger().level)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[] 30"
