"""The race for the last place: counted from what the journal holds, so that a lost or doubled place shows."""

from pathlib import Path

from evals.benchmarks.races import race


def test_each_round_has_one_winner_and_a_round_that_has_not_is_counted(tmp_path: Path) -> None:
    run = race(tmp_path, rounds=2, processes=3)
    assert (run["rounds"], run["processes"], run["failures"]) == (2, 3, 0)
    assert race(tmp_path, rounds=2, processes=2)["failures"] == 2, "three were told, and two competed"
