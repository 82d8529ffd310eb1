"""Vectors of words on disk: the same vectors, without the encoder, for the next process."""

import numpy as np
import pytest

from knowledge.embedding.remembered import Remembered


class Counting:
    """An encoder that knows how often it is asked."""

    model = "counting"
    dimensions = 4

    def __init__(self):
        self.asked = []

    def embed(self, texts):
        self.asked += texts
        return np.array([[len(text), 1, 0, 0] for text in texts], dtype=np.float32)


@pytest.fixture
def encoder():
    return Counting()


def test_a_new_process_encodes_nothing_that_an_earlier_one_kept(encoder, tmp_path):
    first = Remembered(encoder, tmp_path).embed(["ship", "port", "ship"])
    later = Counting()
    np.testing.assert_array_equal(Remembered(later, tmp_path).embed(["ship", "port", "ship"]), first)
    assert (encoder.asked, later.asked) == (["ship", "port"], [])


def test_a_damaged_file_or_a_folder_that_cannot_be_written_costs_nothing_but_time(encoder, tmp_path):
    Remembered(encoder, tmp_path).embed(["ship"])
    (kept,) = (tmp_path / "words").iterdir()
    kept.write_bytes(b"no archive")
    assert Remembered(encoder, tmp_path).embed(["ship"]).shape == (1, 4)
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert Remembered(encoder, blocked).embed(["ship"]).shape == (1, 4)
    assert Remembered(encoder, tmp_path).embed([]).shape == (0, 4)
