"""Questions while the embedded server is stopped, ended from outside, or killed: each gets an answer, and the next one works again."""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from gavel.app import App
from gavel.asking import asked
from gavel.settings import Settings
from knowledge.loading.loader import load

QUESTION = "What did Ann Alder found?"
ENDINGS: dict[str, Callable[[App], object]] = {
    "stopped": lambda app: app.server.stop(),
    "ended": lambda app: psutil.Process(app.server.status().pid).send_signal(signal.SIGTERM),
    "killed": lambda app: psutil.Process(app.server.status().pid).send_signal(signal.SIGKILL),
}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, neo4j_version: str) -> Iterator[App]:
    """An app whose server the tests may end in any way."""
    folder: Path = tmp_path_factory.mktemp("own")
    (folder / "facts.tsv").write_text("Ann Alder\tfounded\tBoreal\nAnn Alder\tfounded\tCumulus\nBob Birch\tfounded\tBoreal\n")
    with App(Settings(data_dir=folder, neo4j_version=neo4j_version, embedder="none")) as app:
        load(app.database, [folder / "facts.tsv"], "firms")
        yield app
        app.server.stop()


@pytest.mark.parametrize("ending", ["stopped", *(pytest.param(other, marks=pytest.mark.full) for other in ("ended", "killed"))])
def test_questions_asked_while_the_server_ends_are_answered_or_say_what_to_do(served: App, ending: str) -> None:
    graph, results, over = served.graph(), [], threading.Event()

    def ask() -> None:
        while not over.is_set():
            results.append(asked(graph, QUESTION))

    before, askers = served.database and served.server.status().pid, [threading.Thread(target=ask) for _ in range(2)]
    for asker in askers:
        asker.start()
    while not results:
        time.sleep(0.01)
    ENDINGS[ending](served)
    while served.server.status().pid in (before, 0) or results[-1]["stop_reason"] != "answered":
        assert any(asker.is_alive() for asker in askers)
        time.sleep(0.05)
    over.set()
    for asker in askers:
        asker.join(timeout=120)
    assert not any(asker.is_alive() for asker in askers)
    for result in results:
        told = {answer["name"] for answer in result["answers"]} == {"Boreal", "Cumulus"}
        assert told or (result["stop_reason"] == "failed" and "try again" in result["answer"]), result["answer"]
    assert sum(result["stop_reason"] == "failed" for result in results) <= len(askers)


def test_a_question_whose_server_is_stopped_on_the_way_says_so_and_the_next_is_answered(served: App) -> None:
    states = served.graph().stream({"question": QUESTION}, stream_mode="values")
    next(state for state in states if state.get("understanding"))
    served.server.stop()
    *_, last = states
    assert last["stop_reason"] == "failed"
    assert "the database does not answer" in last["answer"]
    assert "Nothing is recorded" not in last["answer"]
    assert asked(served.graph(), QUESTION)["stop_reason"] == "answered"


def test_cancelling_starts_no_server(served: App) -> None:
    served.server.stop()
    with pytest.raises(Exception, match="does not answer"):
        served._terminate("a run")
    assert served.server.status().state == "stopped"
