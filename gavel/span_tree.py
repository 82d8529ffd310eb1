"""A run as a tree of spans: turns, the thoughts in them, and what each thought read and asked. Read from the events that were kept."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from gavel.runs import Run
from graphs.trace import Event

_SPANS = frozenset({"turn", "thought", "statement", "model"})


@dataclass
class Span:
    """`began` and `ended` in milliseconds after the run began. `told`: short events inside it, such as reports and fallbacks."""

    id: int
    kind: str
    began: float
    ended: float
    detail: Mapping[str, object]
    inside: list["Span"] = field(default_factory=list)
    told: list[Event] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Who or what it is."""
        key = {"run": "question", "turn": "agent", "thought": "role", "statement": "method", "model": "model"}[self.kind]
        return str(self.detail.get(key, self.kind))

    def as_json(self) -> dict[str, object]:
        """For programs."""
        return {
            "kind": self.kind, "name": self.name, "began": self.began, "ended": self.ended, **self.detail,
            "events": [{"kind": event.kind, "at": event.milliseconds, **event.detail} for event in self.told],
            "spans": [span.as_json() for span in self.inside],
        }  # fmt: skip


@dataclass(frozen=True)
class Sum:
    """What the spans of a run add up to."""

    queries: int
    model_calls: int
    tokens: int
    money: float


def tree(run: Run) -> Span:
    """The root span, which is the run itself; a span whose parent was not kept hangs on the root."""
    root = Span(
        0, "run", 0.0, _number(run.spent.get("milliseconds")), {"question": run.question, "stop_reason": run.stop_reason, **run.spent}
    )
    spans = {0: root} | {event.span: _span(event) for event in run.events if event.kind in _SPANS}
    for event in run.events:
        parent = spans.get(event.parent, root)
        if event.kind in _SPANS:
            parent.inside.append(spans[event.span])
        else:
            parent.told.append(event)
    _settle(root)
    return root


def totals(events: Sequence[Event]) -> Sum:
    """What the events say that was spent; equal to what the ledger says."""
    calls = [event.detail for event in events if event.kind == "model"]
    return Sum(
        queries=sum(len(cast(Sequence[str], event.detail["cypher"])) for event in events if event.kind == "statement"),
        model_calls=len(calls),
        tokens=sum(cast(int, call["prompt_tokens"]) + cast(int, call["completion_tokens"]) for call in calls),
        money=sum(_number(call["money"]) for call in calls),
    )


def _span(event: Event) -> Span:
    took = _number(event.detail.get("took"))
    return Span(event.span, event.kind, round(max(0.0, event.milliseconds - took), 2), event.milliseconds, event.detail)


def _settle(span: Span) -> None:
    """In the order of their beginnings; a turn lasts as long as what is inside it."""
    for inner in span.inside:
        _settle(inner)
    span.inside.sort(key=lambda inner: (inner.began, inner.id))
    ends = [inner.ended for inner in span.inside] + [event.milliseconds for event in span.told]
    span.ended = max([span.ended, *ends])


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
