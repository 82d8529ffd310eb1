"""The server's own plan of a statement: which operators it has, what they read, and how many rows they expect."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from knowledge.cypher.limits import Limits
from knowledge.cypher.refusal import Refused

_READING = frozenset(
    [
        "ProduceResults",
        "Projection",
        "Filter",
        "Argument",
        "EmptyRow",
        "EmptyResult",
        "Eager",
        "CacheProperties",
        "NodeByLabelScan",
        "UnionNodeByLabelsScan",
        "IntersectionNodeByLabelsScan",
        "SubtractionNodeByLabelsScan",
        "NodeIndexSeek",
        "NodeUniqueIndexSeek",
        "NodeIndexSeekByRange",
        "NodeUniqueIndexSeekByRange",
        "NodeIndexScan",
        "NodeIndexContainsScan",
        "NodeIndexEndsWithScan",
        "MultiNodeIndexSeek",
        "NodeByElementIdSeek",
        "NodeByIdSeek",
        "AssertSameNode",
        "DirectedRelationshipTypeScan",
        "UndirectedRelationshipTypeScan",
        "DirectedUnionRelationshipTypesScan",
        "UndirectedUnionRelationshipTypesScan",
        "DirectedRelationshipIndexSeek",
        "UndirectedRelationshipIndexSeek",
        "DirectedRelationshipIndexSeekByRange",
        "UndirectedRelationshipIndexSeekByRange",
        "DirectedRelationshipIndexScan",
        "UndirectedRelationshipIndexScan",
        "DirectedRelationshipUniqueIndexSeek",
        "UndirectedRelationshipUniqueIndexSeek",
        "DirectedRelationshipIndexContainsScan",
        "UndirectedRelationshipIndexContainsScan",
        "DirectedRelationshipIndexEndsWithScan",
        "UndirectedRelationshipIndexEndsWithScan",
        "DirectedRelationshipByElementIdSeek",
        "UndirectedRelationshipByElementIdSeek",
        "DirectedRelationshipByIdSeek",
        "UndirectedRelationshipByIdSeek",
        "Expand",
        "OptionalExpand",
        "VarLengthExpand",
        "BFSPruningVarLengthExpand",
        "PruningVarLengthExpand",
        "ProjectEndpoints",
        "Repeat",
        "BidirectionalRepeat",
        "ShortestPath",
        "AllShortestPaths",
        "StatefulShortestPath",
        "NullifyMetadata",
        "Apply",
        "SemiApply",
        "AntiSemiApply",
        "SelectOrSemiApply",
        "SelectOrAntiSemiApply",
        "LetSemiApply",
        "LetAntiSemiApply",
        "LetSelectOrSemiApply",
        "LetSelectOrAntiSemiApply",
        "RollUpApply",
        "ConditionalApply",
        "AntiConditionalApply",
        "Optional",
        "TriadicSelection",
        "TriadicBuild",
        "TriadicFilter",
        "ValueHashJoin",
        "NodeHashJoin",
        "NodeLeftOuterHashJoin",
        "NodeRightOuterHashJoin",
        "CartesianProduct",
        "Union",
        "OrderedUnion",
        "Unwind",
        "EagerAggregation",
        "OrderedAggregation",
        "Distinct",
        "OrderedDistinct",
        "Sort",
        "PartialSort",
        "Top",
        "PartialTop",
        "Top1WithTies",
        "Limit",
        "ExhaustiveLimit",
        "Skip",
        "NodeCountFromCountStore",
        "RelationshipCountFromCountStore",
    ]
)
_ALL_NODES = frozenset({"AllNodesScan", "PartitionedAllNodesScan"})
_ALL_FACTS = frozenset({"DirectedAllRelationshipsScan", "UndirectedAllRelationshipsScan"})


@dataclass(frozen=True)
class Operator:
    """One step of a plan."""

    name: str
    details: str
    rows: float


def operators(plan: Mapping[str, object]) -> Iterator[Operator]:
    """Every step of a plan as the driver gives it, by its bare name: without the database, and without variants such as `(All, Trail)`."""
    arguments = plan.get("args")
    said = arguments if isinstance(arguments, Mapping) else {}
    name = str(plan.get("operatorType", "")).split("@")[0].split("(")[0]
    yield Operator(name, str(said.get("Details", "")), float(said.get("EstimatedRows", 0)))
    children = plan.get("children")
    for child in children if isinstance(children, list) else []:
        yield from operators(child)


def check_plan(plan: Mapping[str, object], limits: Limits, *, scoped: bool) -> None:
    """Refused (`Refused`) for an operator that is not known to read only, and for what costs too much.

    `scoped`: whether every element carries the predicate of the scope. Then a scan of everything is no leak, and the planner prefers one in
    small graphs; but estimates count what is hidden, so that the message does not tell them.
    """
    for operator in operators(plan):
        _check_operator(operator, limits.scan if scoped else 0)
        most = limits.product if operator.name == "CartesianProduct" else limits.estimated
        if operator.rows > most:
            told = "too many rows" if scoped else f"about {operator.rows:.0f} rows, {most:.0f} are allowed"
            if operator.name == "CartesianProduct":
                raise Refused("product", f"patterns that share no variable make {told}", instead="connect the patterns by a relationship")
            raise Refused("too_many_rows", f"a step would make {told}", instead="ask for fewer things: a label, a name, a shorter path")


def _check_operator(operator: Operator, smallest: float) -> None:
    if operator.name in _ALL_NODES | _ALL_FACTS:
        if operator.rows > smallest or not smallest:
            raise _scan(operator)
    elif operator.name == "ProcedureCall":
        raise Refused("procedure", f"the statement calls {operator.details.split('(')[0]}", instead="use MATCH")
    elif operator.name not in _READING:
        raise Refused(
            "operator", f"the plan has {operator.name or 'no operators'}, which is not known to read only", instead="use MATCH … RETURN"
        )


def _scan(operator: Operator) -> Refused:
    if operator.name in _ALL_NODES:
        return Refused("scan", "the statement looks at every node", instead="give a label: (n:Label)")
    return Refused(
        "scan", "the statement looks at every relationship", instead="give a type, or the label of an end: (:Label)-[r:TYPE]->()"
    )
