"""Small plans and facts about an invented town, for tests of what agents make of them."""

from agents.exchange import EntityRef, Evidence, Intent, Mention, Part, ReadingRef, Spec, Task, Understanding, new_part, new_task


def ref(name: str, kind: str = "person") -> EntityRef:
    return {"id": name.lower(), "name": name, "kind": kind}


def fact(subject: str, relation: str, object_: str, *, confidence: float = 1.0, source: str = "ledger", text: str = "") -> Evidence:
    return {
        "id": f"{subject}-{relation}-{object_}".lower(), "subject": ref(subject), "relation": relation, "object": ref(object_), "text": text,
        "valid_from": "", "valid_to": "", "known_from": "", "source": source, "confidence": confidence,
    }  # fmt: skip


def by_id(*facts: Evidence) -> dict[str, Evidence]:
    return {one["id"]: one for one in facts}


def mention(name: str, *others: str) -> Mention:
    return {"text": name, "chosen": [ref(name)], "candidates": [ref(name), *(ref(o) for o in others)]}


def reading(start: str, relation: str, *, confidence: float = 1.0) -> ReadingRef:
    spec: Spec = {"steps": [{"relation": relation, "direction": "out"}]}
    return {"strategy": "walk", "starts": [start.lower()], "ends": [], "spec": spec, "expects": "", "score": 1.0, "confidence": confidence}


def part(text: str, intent: Intent = "list", *, of: str = "", relations: tuple[str, ...] = ()) -> Part:
    return new_part(text, intent, mentions=[mention(of)] if of else [], readings=[reading(of, r) for r in relations])


def done(part_: Part, index: int, facts: list[Evidence], *, id_: str = "", found: list[str] | None = None) -> Task:
    """The part's first reading, completed: it found the objects of these facts."""
    read = part_["readings"][0]
    task = new_task(id_ or f"r1.{index}", read["strategy"], part_["text"], starts=read["starts"], spec=read["spec"], part=index)
    ends = found if found is not None else [f["object"]["id"] for f in facts]
    return {**task, "status": "completed", "found": ends, "paths": [[f["id"]] for f in facts]}


def failed(task: Task) -> Task:
    return {**task, "status": "failed", "error": "nothing found"}


def understood(*parts: Part, language: str = "en", ambiguous: str = "") -> Understanding:
    return {
        "kind": "fact", "language": language, "standalone": "", "parts": list(parts), "confidence": 1.0, "ambiguous": ambiguous,
    }  # fmt: skip
