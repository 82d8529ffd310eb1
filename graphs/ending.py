"""How a run ends: its one reason, the level of its confidence, and an answer in plain words where the synthesizer has none."""

from collections.abc import Sequence

from agents.contract import SynthesizerReply, SynthesizerView
from agents.exchange import Understanding
from graphs.context import Run
from graphs.state import Level, Proof, StopReason, Submitted

HIGH, MEDIUM = 0.8, 0.5
SHOWN_ANSWERS = 20


def reason(understanding: Understanding, proof: Proof, run: Run) -> StopReason:
    """The limit that stopped the run, else what the question turned out to be."""
    if stopped := run.ledger.stop_reason:
        return stopped
    if understanding["kind"] in ("write", "out_of_scope"):
        return "out_of_scope"
    if understanding["ambiguous"]:
        return "ambiguous"
    if proof["answers"]:
        return "answered"
    return "failed" if run.failures else "not_found"


def told(receipts: Sequence[Submitted]) -> SynthesizerReply:
    """What became of what was to be remembered, one line each."""
    return SynthesizerReply(report=f"{len(receipts)} receipts", answer="\n".join(str(receipt["said"]) for receipt in receipts))


def proposed(ended: StopReason, receipts: Sequence[Submitted]) -> StopReason:
    """Answered where something was proposed, whatever the verdict; a limit that was reached is still the reason."""
    return "answered" if ended == "out_of_scope" and promised(receipts) else ended


def promised(receipts: Sequence[Submitted]) -> bool:
    """Whether there is a receipt among them."""
    return any(receipt["receipt"] for receipt in receipts)


def level(confidence: float) -> Level:
    """high from 0.8, medium from 0.5, none at 0."""
    if confidence >= HIGH:
        return "high"
    return "medium" if confidence >= MEDIUM else "low" if confidence > 0 else "none"


def plain_answer(view: SynthesizerView) -> str:
    """The answers by name, or what went wrong, or that nothing was found."""
    names = [answer["name"] or str(answer["value"]) for answer in view["answers"][:SHOWN_ANSWERS]]
    if names:
        return ", ".join(names)
    if view["failures"]:
        return f"This question could not be answered: {view['failures'][-1]}"
    missing = "; ".join(gap["why"] for gap in view["gaps"])
    return f"Nothing was found. {missing}".strip()


def unread(asked: str) -> Understanding:
    """What is known of a question that intake could not read."""
    return {
        "kind": "compound" if asked else "out_of_scope", "language": "", "standalone": asked, "parts": [], "confidence": 0.0, "ambiguous": "",
    }  # fmt: skip
