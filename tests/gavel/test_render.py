"""What a person reads: whole results, printed without colour at a fixed width."""

import io

from rich.console import Console

from gavel.render import render
from graphs.state import Result
from tests.gavel.results import competition, fact


def printed(result: Result, width: int = 120) -> str:
    sink = io.StringIO()
    Console(file=sink, width=width, markup=False, highlight=False, emoji=False).print(render(result))
    return "\n".join(line.rstrip() for line in sink.getvalue().splitlines())


def test_a_whole_result_reads_from_the_answer_down_to_its_cost() -> None:
    assert (
        printed(competition())
        == """\
Yes: Boreal, an investor of Alder [1], competes with Cobalt [2], an investor of Dune [3].

Proof       Alder ◀──invested in── Boreal ──competes with──▶ Cobalt ──invested in──▶ Dune
              [1] invested in: since 2019-07, source world.tsv
              [3] invested in: 2023 to 2024, source world.tsv
Confidence  high, 0.83 (not calibrated)
            weakest link: Boreal ──competes with──▶ Cobalt, one undated source
Missing     missing relation: Dune regulated by, no such fact in scope
Stopped     answered
Cost        11 queries · 2 rounds · 9 turns · 0.14 s · rules
Trace       t-1"""
    )


def test_nothing_is_said_about_parts_that_are_empty() -> None:
    shown = printed({"answer": "I found no Zorblax.", "stop_reason": "not_found", "spent": {"queries": 1}})
    assert "nothing in the graph answers this" in shown
    assert not any(label in shown for label in ("Proof", "Confidence", "Missing", "Trace"))


def test_a_limit_names_the_option_that_raises_it() -> None:
    assert "at the limit on wall time; --max-wall-time raises it" in printed({**competition(), "stop_reason": "wall_time"})


def test_a_list_that_the_text_does_not_spell_out_is_shown_and_cut() -> None:
    names = [{"id": str(n), "name": f"Film {n}", "kind": "film", "value": None, "score": 1.0} for n in range(25)]
    shown = printed({**competition(), "answers": names})
    assert "Film 19  (film)" in shown
    assert "… and 5 more" in shown
    assert "Film 20" not in shown


def test_text_from_the_graph_cannot_steer_the_terminal() -> None:
    hostile = fact("f1", "\x1b[31mRed\u202e", "paints", "[bold]Blue[/bold]")
    shown = printed({**competition(), "answer": "a\x1b]0;title\x07b", "evidence": {"f1": hostile}, "paths": [["f1"]]})
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "──paints──▶ [bold]Blue[/bold]" in shown


def test_a_chain_with_a_hole_shows_the_hole() -> None:
    evidence = {"a": fact("a", "A", "knows", "B"), "c": fact("c", "C", "knows", "D")}
    assert "A ──knows──▶ B; C ──knows──▶ D" in printed({**competition(), "evidence": evidence, "paths": [["a", "gone", "c"]]})


def test_evidence_without_paths_is_still_shown_as_proof() -> None:
    assert "Boreal ──competes with──▶ Cobalt" in printed({**competition(), "paths": []})


def test_each_kind_of_path_is_shown_before_the_second_of_a_kind() -> None:
    many = {f"m{n}": fact(f"m{n}", "Alder", "makes", f"Thing {n}", source="list.tsv") for n in range(8)}
    evidence = {**competition()["evidence"], **many}
    shown = printed({**competition(), "evidence": evidence, "paths": [*([key] for key in many), ["f1", "f2", "f3"]]})
    assert shown.index("──makes──▶ Thing 0  (source list.tsv)") < shown.index("──competes with──▶") < shown.index("──makes──▶ Thing 1")
    assert "… and 4 more" in shown


def test_a_gap_that_explains_itself_is_not_told_twice() -> None:
    gap = {**competition()["gaps"][0], "about": "Dune", "why": "nothing ties Dune to Alder"}
    assert "missing relation: nothing ties Dune to Alder" in printed({**competition(), "gaps": [gap]})


def test_a_fallback_of_a_brain_is_visible() -> None:
    assert "model (rules after a timeout), rules" in printed(
        {**competition(), "brains": {"planner": "model (rules after a timeout)", "navigator": "rules"}}
    )
