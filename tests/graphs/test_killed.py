"""A process that is killed in the middle of a model's reply loses that question; its thread goes on elsewhere, with a budget of its own."""

import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from langgraph.checkpoint.sqlite import SqliteSaver

from evals.loopback.plain_sense import plain_sense
from evals.loopback.played import Asked, Played
from evals.loopback.server import LoopbackOpenAI
from graphs.door import AskGraph
from tests.graphs.scripted import FACT
from tests.graphs.thinking import thinking

CONFIG: Any = {"configurable": {"thread_id": "t"}}
LATEST = 30.0
SCRIPT = """
import sys
from langgraph.checkpoint.sqlite import SqliteSaver
from tests.graphs.scripted import FACT
from tests.graphs.thinking import thinking
with SqliteSaver.from_conn_string(sys.argv[1]) as saver:
    graph = thinking(sys.argv[2], checkpointer=saver)
    for _ in range(2):
        graph.invoke({"question": FACT}, {"configurable": {"thread_id": "t"}})
        print("answered", flush=True)
        sys.stdin.readline()
"""


def asked_on(graph: AskGraph, server: LoopbackOpenAI) -> Any:
    """The result, after checking that the ledger saw what the provider saw."""
    before = len(server.asked)
    result = graph.invoke({"question": FACT}, CONFIG)
    assert result["spent"]["model_calls"] == len(server.asked) - before > 0
    return result


def test_a_killed_question_costs_its_thread_nothing_and_the_next_one_is_counted_exactly(tmp_path: Path) -> None:
    hangs = False

    def policy(asked: Asked) -> Played:
        return Played(delay=60) if hangs else plain_sense(asked)

    file = str(tmp_path / "threads.sqlite")
    with LoopbackOpenAI(policy) as server:
        child = subprocess.Popen([sys.executable, "-c", SCRIPT, file, server.url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert child.stdin is not None and child.stdout is not None and child.stdout.readline() == "answered\n"
        hangs, before, latest = True, len(server.asked), time.monotonic() + LATEST
        child.stdin.write("\n")
        child.stdin.flush()
        while len(server.asked) <= before and time.monotonic() < latest:
            time.sleep(0.02)
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdin.close()
        child.stdout.close()
        hangs = False
        with SqliteSaver.from_conn_string(file) as saver:
            result = asked_on(thinking(server.url, checkpointer=saver), server)
    assert [message.type for message in result["messages"]] == ["human", "ai"] * 2
    assert result["spent"]["thread"]["questions"] == 2
    assert result["stop_reason"] == "answered"
