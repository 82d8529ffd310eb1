"""Results made by hand, as the graph would return them."""

from typing import Any

from graphs.state import EntityRef, Evidence, Result


def entity(name: str, kind: str = "company") -> EntityRef:
    return {"id": name.lower(), "name": name, "kind": kind}


def fact(key: str, subject: str, relation: str, object_: str, **more: Any) -> Evidence:
    dated = {"valid_from": "", "valid_to": "", "known_from": "", "source": "", "confidence": 1.0, "text": ""}
    return {"id": key, "subject": entity(subject), "relation": relation, "object": entity(object_), **dated, **more}  # type: ignore[typeddict-item]


def competition() -> Result:
    """An answer over three facts that form one path between two companies."""
    facts = (
        fact("f1", "Boreal", "invested_in", "Alder", valid_from="2019-07", source="world.tsv"),
        fact("f2", "Boreal", "competes_with", "Cobalt"),
        fact("f3", "Cobalt", "invested_in", "Dune", valid_from="2023", valid_to="2024", source="world.tsv"),
    )
    return {
        "answer": "Yes: Boreal, an investor of Alder [f1], competes with Cobalt [f2], an investor of Dune [f3].",
        "answers": [{"id": "", "name": "", "kind": "", "value": "yes", "score": 0.9}],
        "citations": ["f1", "f2", "f3"],
        "evidence": {item["id"]: item for item in facts},
        "paths": [["f1", "f2", "f3"]],
        "confidence": 0.83,
        "confidence_level": "high",
        "calibrated": False,
        "weakest_link": {"id": "f2", "why": "one undated source"},
        "gaps": [
            {
                "kind": "missing_relation",
                "about": "Dune",
                "relation": "regulated_by",
                "why": "no such fact in scope",
                "priority": 1,
                "required": False,
                "closable": False,
            }
        ],
        "can_answer_now": True,
        "stop_reason": "answered",
        "spent": {"rounds": 2, "turns": 9, "queries": 11, "milliseconds": 143.2, "model_calls": 0, "tokens": 0, "money": 0},
        "brains": {"planner": "rules", "navigator": "rules"},
        "trace_id": "t-1",
    }
