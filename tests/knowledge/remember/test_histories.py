"""Random histories of remembering, archiving, undoing and redacting: after every step the kg believes what a brute-force oracle says."""

import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from knowledge.database.connection import Database
from knowledge.journal.tables import counters
from knowledge.journal.verify import verify
from knowledge.loading.canonical import believed_hash, canonical_hash
from knowledge.registry.contract import Contract, SizeLimit
from knowledge.remember.proposal import Proposal
from knowledge.remember.redaction import Redaction
from knowledge.remember.replay import replay
from knowledge.remember.undo import Undo
from knowledge.remember.worker import Worker
from knowledge.scope import EVERY_NAMESPACE
from tests.knowledge.remember.oracle import Refused, World
from tests.knowledge.remember.world import Office, principal

SPACES = ("red", "green")
HUMAN = principal("ann", "person", frozenset(SPACES), frozenset({EVERY_NAMESPACE}))
SINGLE = frozenset({"leads"})
CONTRACTS = {
    name: Contract(name, "what is random", "any_agent", ("Fact",), SizeLimit(), "self_service", single_valued=SINGLE) for name in SPACES
}
NAMES = ("Ada", "Bo", "Cy")
KEYS = {name: f"key of {name}" for name in NAMES}
WEIGHTS = {"tell": 6, "archive": 3, "undo": 4, "redact": 1}
BUSY = ("undoing", "erasing")


@dataclass
class Memory:
    """What was proposed, and what becomes of it by the oracle. `at`: its place among all that were resolved."""

    receipt: str
    proposal: Proposal
    status: str = "accepted"
    at: int = 0

    @property
    def uuid(self) -> str:
        one = self.receipt
        return f"{one[:8]}-{one[8:12]}-{one[12:16]}-{one[16:20]}-{one[20:]}"

    @property
    def archives(self) -> list[str]:
        return [told.episode for told in self.proposal.archived]


@dataclass
class History:
    """One random history of an office and a database, and the oracle's account of it."""

    office: Office
    database: Database
    chance: random.Random
    memories: list[Memory] = field(default_factory=list)
    worlds: dict[str, World] = field(
        default_factory=lambda: {space: World(SINGLE, KEYS | {key: key for key in KEYS.values()}) for space in SPACES}
    )
    done: dict[str, list[tuple[str, Memory]]] = field(default_factory=lambda: {space: [] for space in SPACES})
    told: list[str] = field(default_factory=list)

    def begin(self) -> dict[str, str]:
        """Entities are there from the beginning and by one key everywhere; what is believed then."""
        for space in SPACES:
            self.submit(space, "Who there is.", [{"op": "add_entity", "name": name, "key": KEYS[name]} for name in NAMES])
        self.work()
        return self.believed()

    def step(self) -> None:
        """One more thing that somebody does; the worker comes by, or later."""
        kind = self.chance.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
        getattr(self, kind)()
        if self.chance.random() < 0.7:
            self.work()
            self.check()

    def tell(self) -> None:
        space = self.chance.choice(SPACES)
        operations = [self.relation(space) for _ in range(self.chance.randint(1, 3))]
        if self.chance.random() < 0.15 and (known := self.among(space)):
            operations.append(self.archiving(self.chance.choice(known)))
        self.submit(space, f"Memory {len(self.memories)}.", operations)

    def archive(self) -> None:
        space = self.chance.choice(SPACES)
        if known := self.among(space):
            self.submit(
                space, "", [self.archiving(one) for one in self.chance.sample(known, min(len(known), self.chance.choice((1, 1, 2))))]
            )

    def undo(self) -> None:
        if known := self.memories[len(SPACES) :]:
            self.take_back(self.chance.choice(known))

    def take_back(self, memory: Memory) -> None:
        self.told.append(f"undo {self.memories.index(memory)}")
        done = Undo(self.office.journal, self.office.registry, HUMAN).undo(memory.receipt).done
        assert done == (memory.status in ("applied", "undoing", "undone")), self.told
        memory.status = "undoing" if memory.status == "applied" else memory.status

    def redact(self) -> None:
        if not (known := self.memories[len(SPACES) :]):
            return
        memory = self.chance.choice(known)
        self.told.append(f"redact {self.memories.index(memory)}")
        done = Redaction(self.office.journal, self.office.registry, HUMAN).redact(memory.receipt).done
        assert done == (memory.status not in BUSY), self.told
        memory.status = memory.status if memory.status in (*BUSY, "redacted") else "erasing" if memory.at else "redacted"

    def relation(self, space: str) -> dict[str, object]:
        since, until = self.chance.choice((None, 2020, 2021, 2022, 2023)), self.chance.choice((None, None, None, 2023, 2024))
        subject, object_ = self.chance.sample(NAMES, 2)
        subject = self.chance.choice((subject, KEYS[subject]))
        about = {"subject": subject, "relation": self.chance.choice(("leads", "leads", "knows")), "object": object_}
        if self.chance.random() < 0.25:
            return {"op": "invalidate_relation", **about, "valid_to": str(until or 2022)}
        dates = {"valid_from": str(since or ""), "valid_to": str(until or "")}
        return {"op": "add_relation", **about, **dates, "confidence": self.chance.choice((1.0, 0.5, 0.7))}

    def among(self, space: str) -> list[Memory]:
        return [one for one in self.memories[len(SPACES) :] if one.proposal.group_id == space and one.proposal.remembers]

    def archiving(self, memory: Memory) -> dict[str, object]:
        return {"op": "archive_episode", "episode": memory.uuid, "facts": self.chance.choice(("end", "end", "keep"))}

    def submit(self, space: str, body: str, operations: list[dict[str, object]]) -> None:
        given: dict[str, Any] = {"name": "Fact: random - history", "group_id": space, "idempotency_key": f"no {len(self.memories)}"}
        proposal = Proposal.read({**given, "episode_body": body, "operations": operations})
        receipt = self.office.inbox(HUMAN).submit(proposal)
        self.told.append(f"{len(self.memories)} in {space}: {body} {operations}")
        if receipt.status == "rejected":
            assert receipt.verdict.code == "duplicate", receipt
            return
        assert receipt.status == "accepted", receipt
        self.memories.append(Memory(receipt.id, proposal))

    def work(self) -> None:
        """The worker does all that is due: what was accepted in its order, then what is to be taken back in the order of writing."""
        Worker(self.office.journal, self.office.registry, lambda: self.database).drain()
        for memory in self.memories:
            if memory.status == "accepted":
                self._write(memory)
        for memory in sorted(self.memories, key=lambda one: one.at):
            if memory.status in BUSY:
                self._take_back(memory)

    def _write(self, memory: Memory) -> None:
        memory.at = 1 + max(one.at for one in self.memories)
        space = memory.proposal.group_id
        try:
            self.worlds[space].write(memory.uuid, memory.proposal)
        except Refused:
            memory.status = "rejected"
            return
        memory.status = "applied"
        self.done[space].append(("write", memory))

    def _take_back(self, memory: Memory) -> None:
        space = memory.proposal.group_id
        if memory.status == "undoing":
            self.worlds[space].undo(memory.uuid, memory.archives)
            self.done[space].append(("undo", memory))
            memory.status = "undone"
            return
        memory.status = "redacted"
        self.done[space] = [(kind, one) for kind, one in self.done[space] if one is not memory]
        if memory.proposal.operations:
            self.worlds[space] = self._anew(space)

    def _anew(self, space: str) -> World:
        world = World(SINGLE, self.worlds[space].keys, again=True)
        for kind, memory in self.done[space]:
            if kind == "write":
                world.write(memory.uuid, memory.proposal)
            else:
                world.undo(memory.uuid, memory.archives)
        world.again = False
        return world

    def check(self) -> None:
        story = "\n".join(self.told)
        assert {one.receipt: self._status(one) for one in self.memories} == {one.receipt: one.status for one in self.memories}, story
        facts = self.database.read(
            "MATCH ()-[r:RELATES_TO]->() WHERE r.known_to.year = 9999 RETURN [r.group_id, r.from_key, r.name, r.to_key, r.valid_from.year] AS fact,"
            " [r.valid_to.year, r.observation_count, r.confidence] AS belief"
        )
        expected = {(space, *fact): belief for space, world in self.worlds.items() for fact, belief in world.believed().items()}
        assert len(facts) == len({tuple(row["fact"]) for row in facts}), story
        assert {tuple(row["fact"]): tuple(row["belief"]) for row in facts} == expected, story
        live = {row["uuid"] for row in self.database.read("MATCH (e:Episodic) RETURN e.uuid AS uuid")}
        assert live == {uuid for world in self.worlds.values() for uuid, episode in world.episodes.items() if episode.live}, story
        self._check_counters(story)

    def _check_counters(self, story: str) -> None:
        expected = {}
        for space, world in self.worlds.items():
            sizes = [episode.size for episode in world.episodes.values() if episode.live]
            expected[space] = (len(sizes), len(world.believed()), sum(sizes))
        kept = self.database.read("MATCH (n:GavelNamespace) RETURN n.group_id AS n, n.episodes AS e, n.facts AS f, n.bytes AS b")
        assert {row["n"]: (row["e"], row["f"], row["b"]) for row in kept} == expected, story
        with self.office.journal.reading() as connection:
            assert {row[0]: tuple(row[1:]) for row in connection.execute(select(counters))} == expected, story

    def _status(self, memory: Memory) -> str:
        found = self.office.inbox(HUMAN).receipt(memory.receipt)
        return found.status if found else ""

    def believed(self) -> dict[str, str]:
        return {space: believed_hash(self.database, space) for space in SPACES}

    def hashes(self) -> dict[str, str]:
        return {space: canonical_hash(self.database, space) for space in SPACES}

    def end(self, first: dict[str, str]) -> None:
        """Written anew from the journal it is the same, and with everything undone it is what it was at the beginning."""
        self.work()
        self.check()
        once = self.hashes()
        self.database.write("MATCH (n) WHERE NOT n:GavelSchema DETACH DELETE n")
        replay(self.office.journal, self.database)
        assert self.hashes() == once, "\n".join(self.told)
        rest = self.memories[len(SPACES) :]
        for memory in self.chance.sample(rest, len(rest)):
            self.take_back(memory)
            self.work()
        self.check()
        assert self.believed() == first, "\n".join(self.told)
        assert verify(self.office.journal) == []


TELLING = (102, 103, 107, 111, 119)
"""Seeds in which the code that this test was first written for went wrong."""
SEEDS = [seed if seed in TELLING else pytest.param(seed, marks=pytest.mark.full) for seed in range(100, 160)]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_kg_believes_what_the_oracle_says(memory: Database, tmp_path: Path, seed: int) -> None:
    history = History(Office(tmp_path, contracts=CONTRACTS), memory, random.Random(seed))
    first = history.begin()
    history.check()
    for _ in range(14):
        history.step()
    history.end(first)
    history.office.journal.close()
