"""Results made by hand, for scoring."""

from itertools import pairwise

from graphs.state import Result


def result(*names: str, **more: object) -> Result:
    answers = [{"id": name, "name": name, "kind": "", "value": None, "score": 1.0} for name in names]
    return {"answer": "text", "answers": answers, "stop_reason": "answered", "spent": {"queries": 3, "milliseconds": 5}, **more}  # type: ignore[typeddict-item]


def valued(value: object) -> Result:
    return result() | {"answers": [{"id": "", "name": "", "kind": "", "value": value, "score": 1.0}]}  # type: ignore[return-value]


def linked(*chains: tuple[str, ...]) -> Result:
    """Paths through these names; every step is a fact of its own."""
    evidence = {}
    paths = []
    for chain in chains:
        evidence |= {f"{a}-{b}": _fact(f"{a}-{b}", a, b) for a, b in pairwise(chain)}
        paths.append([f"{a}-{b}" for a, b in pairwise(chain)])
    return result(evidence=evidence, paths=paths)


def _fact(key: str, subject: str, object_: str) -> dict[str, object]:
    return {"id": key, "subject": {"name": subject}, "relation": "knows", "object": {"name": object_}}
