"""The reasoner proves: answers with the chains of facts that lead to them, how sure they are, and what they lean on most."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise, zip_longest

from agents.contract import ReasonerReply, ReasonerView
from agents.exchange import Answer, Conclusion, EntityRef, Evidence, Intent, WeakestLink
from agents.findings import Finding, as_answers, asks_what_is_not, dates, entities, findings, names, value_answer
from agents.verdicts import HIGH_FIRST, claimed, extremes, of_all_sides, ranked_operands
from knowledge.reading.contract import KgReader

MOST_PATHS = 30
MOST_ANSWERS = 50
SINGLE_SOURCE = 0.95
LOOSENED = 0.3  # what was found without one of the conditions is below what counts as understood
PLANNED = 0.7  # a task that follows no reading: nothing measures how well it fits the words


@dataclass
class Proof:
    """What one part's evidence proves."""

    answers: list[Answer] = field(default_factory=list)
    paths: list[list[str]] = field(default_factory=list)


@dataclass(frozen=True)
class Case:
    """All that the proofs of one question draw on."""

    found: list[Finding]
    known: Mapping[str, EntityRef]
    evidence: Mapping[str, Evidence]


def reason(view: ReasonerView, reader: KgReader) -> ReasonerReply:
    """Prove every part that no other part builds on; the others show up in its paths.

    What is found for a part that asks what is not so is concluded, but is no answer: the kg records what is so.
    Confidence: the least over the parts of (how well the reading explains the words) x (confidence of the weakest fact on the best path),
    a single path counting .95; 0 without an answer. Not calibrated.
    """
    parts = view["understanding"]["parts"]
    case = Case(findings(parts, view["plan"]), names(view["evidence"], parts), view["evidence"])
    inner = {operand for part in parts for operand in part["operands"]}
    proofs = {f.index: _proved(f, case) for f in case.found}
    outer = [f for f in case.found if f.index not in inner and not asks_what_is_not(f.part)]
    answers = [answer for f in outer for answer in proofs[f.index].answers]
    paths = _distinct(
        (path for f in [*outer, *(f for f in case.found if f.index in inner)] for path in proofs[f.index].paths), case.evidence
    )[:MOST_PATHS]
    sure = {f.index: round(_confidence(f, proofs[f.index], case.evidence), 3) for f in case.found}
    concluded = [
        Conclusion(part=i, answers=p.answers[:MOST_ANSWERS], paths=p.paths[:MOST_PATHS], confidence=sure[i]) for i, p in proofs.items()
    ]
    weakest = _weakest(paths, case.evidence)
    report = f"{len(answers)} answers over {len(paths)} paths"
    return ReasonerReply(
        report=report, answers=answers, conclusions=concluded, paths=paths, weakest_link=weakest,
        confidence=min((sure[f.index] for f in outer), default=0.0),
    )  # fmt: skip


def _proved(finding: Finding, case: Case) -> Proof:
    """By what the part asks; what a statement computed is the answer as it is."""
    if finding.task and finding.task["strategy"] == "cypher":
        return Proof(finding.task["values"][:MOST_ANSWERS], finding.task["paths"])
    return _PROVE[finding.part["intent"]](finding, case)


def _list(finding: Finding, case: Case) -> Proof:
    paths = finding.task["paths"] if finding.task else []
    return Proof(as_answers(entities(finding, case.known)), paths)


def _describe(finding: Finding, case: Case) -> Proof:
    """As a list, but with the relations by turns, so that the first few facts tell of many sides."""
    told = _list(finding, case)
    described = {one["id"] for mention in finding.part["mentions"] for one in mention["chosen"]}
    return Proof(told.answers, _by_turns(told.paths, described, case.evidence))


def _by_turns(paths: list[list[str]], described: Collection[str], evidence: Mapping[str, Evidence]) -> list[list[str]]:
    """The first path of every relation and direction, then the second of each, and so on."""
    groups: dict[tuple[str, bool], list[list[str]]] = {}
    for path in paths:
        if path and path[0] in evidence:
            first = evidence[path[0]]
            groups.setdefault((first["relation"], first["subject"]["id"] in described), []).append(path)
    return [path for turn in zip_longest(*groups.values()) for path in turn if path is not None]


def _count(finding: Finding, case: Case) -> Proof:
    if finding.task is None:
        return Proof()
    return Proof(finding.task["values"][:1] or [value_answer(len(finding.task["found"]))], finding.task["paths"])


def _extreme(finding: Finding, case: Case) -> Proof:
    return Proof(extremes(finding.task["values"]), finding.task["paths"]) if finding.task else Proof()


def _yes_no(finding: Finding, case: Case) -> Proof:
    if finding.task is None:
        return Proof([value_answer(finding.part["negated"])] if finding.tried else [])
    hits = claimed(entities(finding, case.known), finding.part)
    holds = bool(hits) if finding.part["claim"] else bool(finding.task["found"])
    paths = [path for path in finding.task["paths"] if not hits or _ends_in(path, {h["id"] for h in hits}, case.evidence)]
    return Proof([value_answer(holds != finding.part["negated"])], paths)


def _dates(finding: Finding, case: Case) -> Proof:
    found = dates(finding, case.evidence)
    if found and (measure := finding.part["measure"]):
        chosen = max(found) if measure in HIGH_FIRST else min(found)
        found = {chosen: found[chosen]}
    return Proof([value_answer(date, kind="date") for date in found], list(found.values()))


def _compare(finding: Finding, case: Case) -> Proof:
    sides = [case.found[i] for i in finding.part["operands"]]
    paths = [path for side in sides for path in (side.task["paths"] if side.task else [])]
    if finding.part["measure"]:
        return Proof(ranked_operands(sides, case.known, finding.part["measure"]), paths)
    members = [entities(side, case.known) if side.task else [] for side in sides]
    found = of_all_sides(members, finding.part)
    if finding.part["polar"] and finding.part["shared"]:
        shared = {one["id"] for one in found}
        return Proof(
            [value_answer(bool(found) != finding.part["negated"])], [p for p in paths if not found or _ends_in(p, shared, case.evidence)]
        )
    return Proof([value_answer(len(found))] if finding.part["counts"] else as_answers(found), paths)


def _connect(finding: Finding, case: Case) -> Proof:
    task = finding.task
    paths = _distinct(task["paths"], case.evidence) if task else []
    if claim := set(finding.part["claim"]):
        paths = [path for path in paths if _ends_in(path, claim, case.evidence)]
    if finding.part["polar"] and not paths and finding.untried:
        return Proof()
    if finding.part["polar"]:
        return Proof([value_answer(bool(paths) != finding.part["negated"])] if finding.tried else [], paths)
    between = [e for path in paths for e in _inside(path, case.evidence)]
    return Proof(as_answers({e["id"]: e for e in between}.values()), paths)


def _inside(path: list[str], evidence: Mapping[str, Evidence]) -> list[EntityRef]:
    """The entities on a chain that two of its facts share."""
    facts = [evidence[id_] for id_ in path if id_ in evidence]
    joints = []
    for before, after in pairwise(facts):
        ids = {after["subject"]["id"], after["object"]["id"]}
        joints += [end for end in (before["subject"], before["object"]) if end["id"] in ids]
    return joints


def _ends_in(path: list[str], ids: set[str], evidence: Mapping[str, Evidence]) -> bool:
    last = evidence.get(path[-1]) if path else None
    return bool(last) and bool(ids & {last["subject"]["id"], last["object"]["id"]}) if last else False


def _confidence(finding: Finding, proof: Proof, evidence: Mapping[str, Evidence]) -> float:
    if not proof.answers:
        return 0.0
    reading = finding.reading
    sure = reading["confidence"] if reading else PLANNED if finding.task else 1.0
    if finding.task and finding.task["strategy"] == "cypher" and finding.task["error"]:
        sure *= LOOSENED
    chains = [min((evidence[id_]["confidence"] for id_ in path if id_ in evidence), default=1.0) for path in proof.paths if path]
    return sure * max(chains, default=1.0) * (SINGLE_SOURCE if len(chains) < 2 else 1.0)


def _weakest(paths: list[list[str]], evidence: Mapping[str, Evidence]) -> WeakestLink:
    used = [evidence[id_] for path in paths for id_ in path if id_ in evidence]
    if not used:
        return {"id": "", "why": ""}
    weakest = min(used, key=lambda fact: (fact["confidence"], bool(fact["source"]), fact["id"]))
    why = [f"confidence {weakest['confidence']:.2f}"] if weakest["confidence"] < 1 else []
    why += [] if weakest["source"] else ["no source recorded"]
    why += ["undated"] if not weakest["valid_from"] else []
    return {"id": weakest["id"], "why": ", ".join(why) or "the only fact for this step"}


def _distinct(paths: Iterable[list[str]], evidence: Mapping[str, Evidence]) -> list[list[str]]:
    """Each chain once; a relation recorded in both directions between the same two things is one link."""
    seen: dict[tuple[tuple[str, ...], ...], list[str]] = {}
    for path in paths:
        links = [(evidence[id_]["relation"], *sorted((evidence[id_]["subject"]["id"], evidence[id_]["object"]["id"]))) for id_ in path]
        seen.setdefault(tuple(links), path)
    return list(seen.values())


_PROVE: Mapping[Intent, Callable[[Finding, Case], Proof]] = {
    "list": _list, "count": _count, "extreme": _extreme, "yes_no": _yes_no, "began": _dates, "ended": _dates,
    "compare": _compare, "connect": _connect, "describe": _describe,
}  # fmt: skip
