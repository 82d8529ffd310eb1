"""Small invented graphs for the tests of the wording engine."""

from evals.wording.memory_graph import MemoryGraph
from knowledge.profile.profile import GraphProfile
from knowledge.reading.induce import declared_kinds, induce
from knowledge.wording.engine import Wording
from knowledge.wording.reading import Reading

HARBOUR = [
    ("Sea Otter", "captain", "Mara Lund"),
    ("Blue Heron", "captain", "Jon Tarn"),
    ("Grey Gull", "captain", "Mara Lund"),
    ("Red Knot", "captain", "Ada Voss"),
    ("Sea Otter", "repaired_by", "Pell Orr"),
    ("Blue Heron", "repaired_by", "Ada Voss"),
    ("Grey Gull", "repaired_by", "Pell Orr"),
    ("Red Knot", "repaired_by", "Nils Bram"),
    ("Sea Otter", "anchors_in", "Stavik"),
    ("Blue Heron", "anchors_in", "Morrow Bay"),
    ("Grey Gull", "anchors_in", "Morrow Bay"),
    ("Red Knot", "anchors_in", "Stavik"),
    ("Stavik", "country", "Norland"),
    ("Morrow Bay", "country", "Westerland"),
    ("Sea Otter", "built", "1931"),
    ("Blue Heron", "built", "1948"),
    ("Grey Gull", "built", "1948"),
    ("Red Knot", "built", "1952"),
]

CLAN = [
    *[(child, "parents", parent) for child, parent in [
        ("Bo", "Ann"), ("Bo", "Carl"), ("Dee", "Ann"), ("Dee", "Carl"), ("Finn", "Bo"), ("Finn", "Eve"),
        ("Gia", "Bo"), ("Gia", "Eve"), ("Hal", "Dee"), ("Hal", "Ivo"), ("Jo", "Dee"), ("Jo", "Ivo"), ("Eve", "Lea"), ("Eve", "Max"),
    ]],
    *[(name, "sex", "male") for name in ("Bo", "Carl", "Finn", "Hal", "Ivo", "Max")],
    *[(name, "sex", "female") for name in ("Ann", "Dee", "Gia", "Eve", "Jo", "Lea")],
    *[(name, "occupation", job) for name, job in [
        ("Ann", "baker"), ("Bo", "nurse"), ("Carl", "pilot"), ("Dee", "pilot"), ("Eve", "judge"), ("Ivo", "baker"), ("Max", "farmer"),
    ]],
]  # fmt: skip

CREW = [(f"hand{n}", "led_by", f"hand{n // 3}") for n in range(1, 30)]


class World:
    """A graph with its engine, asked as the product asks it."""

    def __init__(self, triples: list[tuple[str, str, str]], profile: GraphProfile | None = None) -> None:
        self.graph = MemoryGraph(triples)
        owner = profile or GraphProfile()
        self.wording = Wording(induce(self.graph.census(), version="1", declared=declared_kinds(owner)), owner)

    def readings(self, question: str) -> list[Reading]:
        links = self.graph.link(self.wording.spans(question))
        return self.wording.read(question, links, self.graph.relations(c.entity.id for found in links.values() for c in found))

    def answers(self, question: str) -> set[str]:
        """What the best reading that reaches anything reaches."""
        reached = (self.graph.follow(reading.walk) for reading in self.readings(question)[:6])
        return next((found for found in reached if found), set())
