"""A policy of plain sense: it plays every role from the prompt alone, as a careful small model would. It knows no question and no answer."""

import json
import re

from evals.loopback.played import Asked, Played

_ROLES = {
    "You read one question": "intake", "You lead a small team": "supervisor", "You plan how to answer": "planner", "You walk through": "navigator",
    "You mend one": "cypher_repair", "You judge the answers": "reasoner", "You compare what": "gap_detector", "You tell a person": "synthesizer",
    "You name and place": "writer",
}  # fmt: skip
MOST_NAMED = 12


def role_of(asked: Asked) -> str:
    """Whose prompt it is; empty for none of ours."""
    return next((role for opening, role in _ROLES.items() if asked.system.startswith(opening)), "")


def plain_sense(asked: Asked) -> Played:
    """The reply in the form that was asked for."""
    role = role_of(asked)
    if role == "supervisor":
        return _supervisor(asked)
    if role == "synthesizer":
        return Played(_synthesizer(asked))
    value = _VALUES[role](asked) if role in _VALUES else {}
    if asked.form == "function_calling" and asked.tools:
        return Played(calls=[(asked.tools[0], value)])
    return Played(json.dumps(value, ensure_ascii=False))


def section(asked: Asked, title: str) -> list[str]:
    """The lines under a title of the prompt, without placeholders."""
    found = re.search(rf"^{re.escape(title)}\n(.*?)(?=^[A-Z][^\n]*:$|\Z)", asked.system, re.S | re.M)
    lines = found[1].strip().splitlines() if found else []
    return [line for line in lines if line and line != "(none)" and not line.startswith("(and ")]


def _supervisor(asked: Asked) -> Played:
    view = json.JSONDecoder().raw_decode(asked.system, asked.system.index("{"))[0]
    order = [
        (not view["planned"], "planner"), (view["tasks"].get("pending"), "investigate"),
        (view["tasks"].get("completed") and not view["proved"], "reasoner"),
    ]  # fmt: skip
    chosen = next((agent for wanted, agent in order if wanted and agent not in view["stopped"]), None)
    return Played(calls=[(f"to_{chosen}", {"task": f"round {view['round']}"})]) if chosen else Played("The round is done.")


def _intake(asked: Asked) -> dict[str, object]:
    return {"standalone": asked.question, "kind": "question", "names": [], "parts": []}


def _planner(asked: Asked) -> dict[str, object]:
    """The first reading of each part; where there is none, the surroundings of the entities, if any are known."""
    first: dict[str, str] = {}
    for line in section(asked, "Readings by grammar:"):
        number, part = re.match(r"(\d+): part (\d+)", line).groups()  # type: ignore[union-attr]
        first.setdefault(part, number)
    tasks: list[dict[str, object]] = [
        {"id": f"t{i}", "part": int(part), "how": "reading", "reading": int(number)} for i, (part, number) in enumerate(first.items(), 1)
    ]
    entities = [line.split()[0] for line in section(asked, "Entities of the question:") if ", perhaps meant by " not in line]
    if not tasks and entities:
        tasks = [{"id": "t1", "part": 0, "how": "explore", "start": entities, "goal": "what is around"}]
    return {"tasks": tasks}


def _navigator(asked: Asked) -> dict[str, object]:
    return {"relations": [], "enough": True}


def _repair(asked: Asked) -> dict[str, object]:
    return {"cypher": "\n".join(section(asked, "Statement:")) or "MATCH (n) RETURN n LIMIT 1"}


def _reasoner(asked: Asked) -> dict[str, object]:
    answers = [line.split()[0] for line in section(asked, "Proposed answers:")]
    return {"answers": answers, "facts": [], "confidence": 1.0}


def _gap_detector(asked: Asked) -> dict[str, object]:
    return {"gaps": [], "can_answer_now": bool(section(asked, "Answers:"))}


def _writer(asked: Asked) -> dict[str, object]:
    """The first namespace with its first type; the first words as topic."""
    first = section(asked, "Namespaces:")[0]
    types = re.search(r"types ([^,;]+)", first)
    words = " ".join(re.findall(r"\w+", asked.question)[:4]) or "general"
    return {"namespace": first.split()[0], "type": types[1] if types else "", "topic": words, "aspect": words, "facts": []}


def _synthesizer(asked: Asked) -> str:
    names, facts = [line.removeprefix("- ") for line in section(asked, "Answers:")], [line.split()[0] for line in section(asked, "Facts:")]
    chinese = "in Chinese" in asked.system
    mark = f" [{facts[0]}]" if facts else ""
    if not names:
        return f"没有找到答案{mark}。" if chinese else f"Nothing was found that answers this{mark}."
    told = ("、" if chinese else ", ").join(names[:MOST_NAMED])
    return f"答案：{told}{mark}。" if chinese else f"{told}{mark}."


_VALUES = {
    "intake": _intake, "planner": _planner, "navigator": _navigator, "cypher_repair": _repair, "reasoner": _reasoner,
    "gap_detector": _gap_detector, "writer": _writer,
}  # fmt: skip
