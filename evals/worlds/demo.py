"""The demo questions, the pairs of companies that they can be asked about, and what an answer must hold, from the raw triples."""

from collections.abc import Mapping
from dataclasses import dataclass

from evals.worlds.triples import Triples

DEMO_PAIR = ("OpenAI", "Anthropic")
PAIRS = (DEMO_PAIR, ("Mistral AI", "xAI"), ("月之暗面", "智谱"))
_ENGLISH = (
    "Analyse how {} and {} differ in their technical approach, and whether their respective investors compete with each other",
    "Compare the technical approaches of {} and {}. Do their investors compete with each other?",
)
_CHINESE = "分析 {} 和 {} 在技术路线上的差异，以及它们各自的投资方之间是否存在竞争关系"


@dataclass(frozen=True)
class DemoQuestion:
    """A demo question as it is asked."""

    language: str
    text: str


@dataclass(frozen=True)
class DemoGold:
    """What the triples say: techniques and investors of each company, rival pairs of one investor of each, investors without a rival among them."""

    approaches: tuple[frozenset[str], frozenset[str]]
    investors: tuple[frozenset[str], frozenset[str]]
    rivals: frozenset[frozenset[str]]
    without: frozenset[str]


def demo_questions(first: tuple[str, str], second: tuple[str, str]) -> tuple[DemoQuestion, ...]:
    """The question in Chinese and its English twins about two companies, each given by its English and its Chinese name."""
    english = (DemoQuestion("en", wording.format(first[0], second[0])) for wording in _ENGLISH)
    return DemoQuestion("zh", _CHINESE.format(first[1], second[1])), *english


def demo_gold(world: Triples, pair: tuple[str, str], relations: Mapping[str, str] | None = None) -> DemoGold:
    """Computed by brute force; `relations` renames approach, invests and competes."""
    name = relations or {}
    approach, invests, competes = (name.get(each, each) for each in ("approach", "invests", "competes"))
    approaches = [frozenset(world.step(company, approach, "out")) for company in pair]
    first, second = (frozenset(world.step(company, invests, "in")) for company in pair)
    rivals = frozenset(frozenset((a, b)) for a in first for b in second if b in world.step(a, competes, "any"))
    return DemoGold((approaches[0], approaches[1]), (first, second), rivals, (first | second) - frozenset().union(*rivals))
