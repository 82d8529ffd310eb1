"""The one member that writes. It is in the second team alone, and works from the human's own message."""

from functools import partial

from langgraph.graph import END
from typing_extensions import TypedDict

from agents.contract import Brains, WriterReply
from graphs.boundary import think
from graphs.context import Run
from graphs.member import Member, Told, close_turn, member
from graphs.state import Submitted
from graphs.waiting import Work
from graphs.writing import key, nothing, now, observed, submitted
from knowledge.remember.inbox import WRITER


class WriterChannels(TypedDict):
    """What of the team's state reaches the writer: the human's messages, and neither evidence nor what another agent wants written."""

    asked: str
    before: str


class Wrote(Told, total=False):
    """What the writer adds."""

    receipts: list[Submitted]


def writer_member(brains: Brains) -> Member:
    """Ends the round, since what it submits is not for others to go on with."""
    return member("writer", WriterChannels, Wrote, partial(_write, brains), then=END)


def _write(brains: Brains, state: WriterChannels, run: Run) -> Work[Wrote]:
    assert brains.writer is not None
    view, _ = observed(run, state["asked"], state["before"])
    reply = yield from think(run, WRITER, brains.writer, view, WriterReply, mind=brains.minds.writer, blind=True)
    made = [submitted(run, draft, key(view, draft, place)) for place, draft in enumerate(reply.drafts)]
    away = run.desk.apply()
    receipts = [now(run, receipt) for receipt in made] or [nothing("", f"Nothing was proposed: {reply.report}.")]
    if away:
        receipts[-1]["said"] += f"; {away}"
    return {"receipts": receipts, "messages": close_turn(run, WRITER, reply, f"{len(made)} proposed")["messages"]}
