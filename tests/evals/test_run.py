"""The runner asks each case once per setting, survives errors, and goes on where it stopped."""

import json
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from evals.case import Case
from evals.door import Setting
from evals.journal import Journal
from evals.report import write_report
from evals.run import run, selected
from evals.worlds.catalogue import World
from tests.evals.results import result

MEMORY = Setting("memory", False)


class Toy:
    """A product that answers by a table and counts what it was asked."""

    def __init__(self, answers):
        self.answers = answers
        self.asked = []
        self.opened = []

    @contextmanager
    def opener(self, world, shape):
        self.opened.append((world.name, shape))
        yield self

    def ask(self, profile):
        def ask(turns):
            self.asked.append((turns[-1], profile))
            answer = self.answers[turns[-1]]
            if isinstance(answer, Exception):
                raise answer
            return result(*answer)

        return ask

    command = ask


def case(name, suite="suite", **groups):
    return Case(name, suite, "w", (f"{name}?",), {"names": ["a"]}, name, groups)


def ran(toy, cases, path, settings=(MEMORY,), product="p1", fresh=False, profile=None):
    journal = Journal(path, product, fresh=fresh)
    run(cases, settings, lambda name: World(name, (), profile), toy.opener, journal, lambda *_: None)
    journal.close()
    return journal.rows()


def test_an_exception_is_an_error_and_the_run_goes_on(tmp_path):
    toy = Toy({"one?": ValueError("boom"), "two?": ["a"]})
    rows = ran(toy, [case("one"), case("two")], tmp_path / "j.jsonl")
    assert [(row.verdict, row.why) for row in rows] == [("error", "ValueError: boom"), ("right", "")]


def test_a_second_run_asks_only_what_is_missing_or_ended_in_an_error(tmp_path):
    toy = Toy({"one?": ValueError("boom"), "two?": ["a"]})
    ran(toy, [case("one"), case("two")], tmp_path / "j.jsonl")
    toy.answers["one?"] = ["a"]
    toy.asked.clear()
    rows = ran(toy, [case("one"), case("two")], tmp_path / "j.jsonl")
    assert toy.asked == [("one?", False)]
    assert {row.verdict for row in rows} == {"right"}


@pytest.mark.parametrize("again", [{"product": "p2"}, {"fresh": True}])
def test_other_code_or_a_fresh_run_asks_everything_again(tmp_path, again):
    toy = Toy({"one?": ["a"]})
    ran(toy, [case("one")], tmp_path / "j.jsonl")
    ran(toy, [case("one")], tmp_path / "j.jsonl", **again)
    assert len(toy.asked) == 2


def test_a_half_written_last_line_is_asked_again(tmp_path):
    toy = Toy({"one?": ["a"], "two?": ["a"]})
    ran(toy, [case("one"), case("two")], tmp_path / "j.jsonl")
    written = (tmp_path / "j.jsonl").read_text()
    (tmp_path / "j.jsonl").write_text(written[:-30])
    ran(toy, [case("one"), case("two")], tmp_path / "j.jsonl")
    assert len(toy.asked) == 3


def test_every_setting_is_asked_and_a_world_without_profile_only_without(tmp_path):
    toy = Toy({"one?": ["a"]})
    settings = [Setting("memory", False), Setting("memory", True), Setting("native", True)]
    assert len(ran(toy, [case("one")], tmp_path / "with.jsonl", settings, profile=Path("p.yaml"))) == 3
    assert toy.opened == [("w", "memory"), ("w", "native")]
    assert len(ran(toy, [case("one")], tmp_path / "without.jsonl", settings)) == 1


def test_a_split_and_a_limit_choose_cases():
    cases = [case(f"c{i}", split="work" if i % 2 else "report") for i in range(10)] + [case("x", "other")]
    assert {c.groups.get("split") for c in selected(cases, "work", 0)} == {"work", None}
    assert len(selected(cases, "", 3)) == 4


def test_a_report_counts_the_wrong_answers_of_report_halves_without_showing_them(tmp_path):
    toy = Toy({"secret?": ["b"], "open?": ["b"]})
    rows = ran(toy, [case("secret", split="report"), case("open", split="work")], tmp_path / "j.jsonl")
    lines = write_report(rows, tmp_path / "report", "p1", datetime(2026, 1, 2, tzinfo=UTC))
    text = (tmp_path / "report.md").read_text()
    assert "open?" in text
    assert "secret?" not in text
    assert "1 wrong answers of the report halves" in text
    assert json.loads((tmp_path / "report.json").read_text())["summaries"][0]["cases"] == lines[0].cases == 2
