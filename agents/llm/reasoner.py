"""The reasoner behind a model: it judges what the rules proved, may drop, reorder and add answers that the facts show, and may only lower confidence."""

from collections.abc import Callable, Mapping, Sequence

from pydantic import BaseModel, Field

from agents.contract import ReasonerReply, ReasonerView
from agents.exchange import Answer, Conclusion, EntityRef, Evidence
from agents.findings import as_answers, names
from agents.llm import lines
from agents.llm.ask import Mind, Thought, ask
from knowledge.cypher.reader import CypherReader

MOST_ANSWERS = 15
MOST_FACTS = 40
MOST_ENTITIES = 25
SURE = 0.8  # what the rules proved so surely, a model may put in another order and doubt, but not drop
ADDED = 0.6  # what the rules could not prove: nothing measures how well the model read it
Rules = Callable[[ReasonerView, CypherReader], ReasonerReply]


class Verdict(BaseModel):
    """What the model holds to be shown."""

    answers: list[str] = Field(max_length=MOST_ANSWERS + MOST_ENTITIES)
    facts: list[str] = Field(default=[], max_length=MOST_FACTS)
    confidence: float = Field(default=1.0, ge=0, le=1)


def _think(view: ReasonerView, reader: CypherReader, rules: Rules) -> Thought[ReasonerReply]:
    proof = rules(view, reader)
    if not view["evidence"] or any(answer["value"] is not None for answer in proof.answers):
        return proof  # nothing to judge, or computed in the database
    handles = lines.numbered(
        "f", [*(id_ for path in proof.paths for id_ in path if id_ in view["evidence"]), *view["evidence"]], MOST_FACTS
    )
    proposed = {f"a{place}": answer for place, answer in enumerate(proof.answers[:MOST_ANSWERS], 1)}
    others = _others(view, proof, handles)
    shown = {handle: view["evidence"][id_] for handle, id_ in handles.items()}
    verdict = yield from ask(
        "reasoner", view["understanding"]["standalone"] or view["asked"], Verdict, lambda verdict: _check(verdict, proposed, others, shown),
        asks=lines.parts(view["understanding"]["parts"]), facts=lines.facts(handles, view["evidence"]),
        answers=lines.joined((f"{handle} {lines.answer(one)}" for handle, one in proposed.items()), MOST_ANSWERS),
        entities=lines.joined((f"{handle} {lines.entity(ref)}" for handle, ref in others.items()), MOST_ENTITIES),
    )  # fmt: skip
    return _judged(proof, verdict, proposed, others, handles, view["evidence"])


def _others(view: ReasonerView, proof: ReasonerReply, handles: Mapping[str, str]) -> dict[str, EntityRef]:
    """The entities of the facts that are shown, other than the proposed answers and what the question names."""
    parts = view["understanding"]["parts"]
    named = {e["id"] for part in parts for m in part["mentions"] for e in m["chosen"]}
    shown = names({id_: view["evidence"][id_] for id_ in handles.values()}, [])
    taken = named | {answer["id"] for answer in proof.answers}
    left = lines.numbered("x", (id_ for id_ in shown if id_ not in taken), MOST_ENTITIES)
    return {handle: shown[id_] for handle, id_ in left.items()}


def _check(verdict: Verdict, proposed: Mapping[str, Answer], others: Mapping[str, EntityRef], shown: Mapping[str, Evidence]) -> None:
    """ValueError for a number of nothing, and for an entity added without a fact that is about it."""
    if unknown := [handle for handle in verdict.answers if handle not in proposed and handle not in others]:
        raise ValueError(f"answers: {_few(unknown)}: no proposed answer (a…) and no other entity (x…) has this number")
    if unknown := [handle for handle in verdict.facts if handle not in shown]:
        raise ValueError(f"facts: {_few(unknown)}: no fact has this number; facts are numbered f1 to f{len(shown)}")
    told = {end["id"] for handle in verdict.facts for end in (shown[handle]["subject"], shown[handle]["object"])}
    if unproved := [handle for handle in verdict.answers if handle in others and others[handle]["id"] not in told]:
        raise ValueError(f"answers: {_few(unproved)}: name in facts the numbers of those that show it, or leave it out")


def _met(path: Sequence[str], evidence: Mapping[str, Evidence]) -> set[str]:
    """The entities on a chain."""
    return {end["id"] for id_ in path if id_ in evidence for end in (evidence[id_]["subject"], evidence[id_]["object"])}


def _few(handles: Sequence[str]) -> str:
    return ", ".join(lines.flat(handle, 20) for handle in handles[:5])


def _conclude(conclusions: list[Conclusion], added: Sequence[Answer], path: list[str]) -> None:
    """Added answers belong to the first part that has none, else to the first."""
    at = next((i for i, one in enumerate(conclusions) if not one["answers"]), 0)
    one = conclusions[at]
    conclusions[at] = {
        **one, "answers": [*one["answers"], *added], "paths": [path, *one["paths"]], "confidence": max(one["confidence"], ADDED),
    }  # fmt: skip


def _judged(
    proof: ReasonerReply,
    verdict: Verdict,
    proposed: Mapping[str, Answer],
    others: Mapping[str, EntityRef],
    handles: Mapping[str, str],
    evidence: Mapping[str, Evidence],
) -> ReasonerReply:
    kept = [proposed[handle] for handle in dict.fromkeys(verdict.answers) if handle in proposed]
    if proof.confidence >= SURE:
        kept += [answer for answer in proposed.values() if answer not in kept]
    added = as_answers(others[handle] for handle in dict.fromkeys(verdict.answers) if handle in others)
    unseen = proof.answers[MOST_ANSWERS:] if len(kept) == len(proposed) else []
    path = [handles[handle] for handle in dict.fromkeys(verdict.facts)]
    kept_ids = {answer["id"] for answer in (*kept, *unseen)}
    dropped = {answer["id"] for answer in proof.answers} - kept_ids

    def proves(chain: Sequence[str]) -> bool:
        met = _met(chain, evidence)
        return not met & dropped or bool(met & kept_ids)

    proof.paths = [*([path] if added else []), *filter(proves, proof.paths)]
    proof.conclusions = [
        {**one, "answers": [a for a in one["answers"] if a["id"] not in dropped], "paths": list(filter(proves, one["paths"]))}
        for one in proof.conclusions
    ]
    if added and proof.conclusions:
        _conclude(proof.conclusions, added, path)
    sure = max(proof.confidence, ADDED if added else 0.0)
    proof.answers = [{**answer, "score": round(1 / (1 + rank), 4)} for rank, answer in enumerate([*kept, *added, *unseen])]
    proof.confidence = round(min(sure, verdict.confidence), 3) if proof.answers else 0.0
    proof.report = f"{len(proof.answers)} answers: {len(kept)} kept of {len(proposed)}, {len(added)} added"
    return proof


MIND = Mind(_think)
