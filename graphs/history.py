"""The question in the input, and the turns of the thread before it."""

from agents.exchange import Answer, EntityRef, Turn, Understanding
from graphs.state import State

QUESTION_CHARACTERS = 4000
TEXT_CHARACTERS = 500
MAX_TURNS = 3
MAX_ENTITIES = 10


def asked_in(state: State) -> str:
    """`question`, or the last human message; at most 4,000 characters. Half characters, which no store takes, become question marks."""
    asked = state.get("question") or next((m.text for m in reversed(state.get("messages") or []) if m.type == "human"), "")
    return asked.encode("utf-8", "replace").decode().strip()[:QUESTION_CHARACTERS]


def said_before(state: State) -> str:
    """The human's message before that one, as far as a message may go; empty where there is none."""
    said = [message.text for message in state.get("messages") or [] if message.type == "human"]
    earlier = said if state.get("question") else said[:-1]
    return earlier[-1].encode("utf-8", "replace").decode().strip()[:QUESTION_CHARACTERS] if earlier else ""


def earlier_turns(state: State) -> list[Turn]:
    """At most three turns before this one, oldest first. The channels of the turn before still hold what it was about."""
    turns = _pairs(state)[-MAX_TURNS:]
    if turns and state.get("understanding") and state.get("answer") and turns[-1]["asked"] == _cut(state["asked"]):
        turns[-1]["mentioned"] = _mentioned(state["understanding"])
        turns[-1]["answered"] = [_answered(answer) for answer in state["answers"] if answer["id"]][:MAX_ENTITIES]
    return turns


def _pairs(state: State) -> list[Turn]:
    messages = list(state.get("messages") or [])
    if not state.get("question"):
        last = max((at for at, m in enumerate(messages) if m.type == "human"), default=0)
        messages = messages[:last]
    turns: list[Turn] = []
    for message in messages:
        if message.type == "human":
            turns.append({"asked": _cut(message.text), "answer": "", "mentioned": [], "answered": []})
        elif turns and message.type == "ai":
            turns[-1]["answer"] = _cut(message.text)
    return turns


def _answered(answer: Answer) -> EntityRef:
    return {"id": answer["id"], "name": answer["name"], "kind": answer["kind"]}


def _cut(text: str) -> str:
    return text.strip()[:TEXT_CHARACTERS]


def _mentioned(understanding: Understanding) -> list[EntityRef]:
    mentions = [mention for part in understanding["parts"] for mention in part["mentions"]]
    refs = {ref["id"]: ref for mention in mentions for ref in [*mention["chosen"], *mention["candidates"]]}
    return list(refs.values())[:MAX_ENTITIES]
