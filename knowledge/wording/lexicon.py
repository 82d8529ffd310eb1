"""What a word says about a graph: how strongly it names each relation in each direction, and each kind of thing."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from knowledge.wording.english import FUNCTION_WORDS, STOP
from knowledge.wording.relation_name import parse
from knowledge.wording.vectors import Array, vectors
from knowledge.wording.wordnet import WordReading, wordnet

# A word or lemma stated by name or owner, or (lemma, part of speech) inferred from WordNet.
Entry = str | tuple[str, str]
Table = dict[Entry, float]

SOFT_WEIGHT = 0.8
SOFT_RANGE = (0.22, 0.6)
CONTRAST_RANGE = (0.02, 0.45)
DAMPING = 0.9
GLOSS_WEIGHT = 0.5
BEHIND = 0.6
MOST_VERB_SENSES = 6
_PARENTHESES = re.compile(r"\(.*?\)")
_WORD = re.compile(r"\w+")


@dataclass
class Meanings:
    """What is known of a graph's words, per relation (in schema order) and per kind; made from names, from a profile, or from both.

    `places`: which content word of the relation's name an entry comes from. `agents`: nouns for the subject (`owns` → owner).
    `acting`: the subject acts on the object. `question_kinds`: question word → the kinds it asks for.
    """

    relations: Sequence[str]
    kinds: Sequence[str]
    forward: list[Table] = field(default_factory=list)
    backward: list[Table] = field(default_factory=list)
    kind_words: list[Table] = field(default_factory=list)
    role_words: list[Table] = field(default_factory=list)
    relation_phrases: list[list[str]] = field(default_factory=list)
    kind_phrases: list[list[str]] = field(default_factory=list)
    question_kinds: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    places: list[dict[Entry, int]] = field(default_factory=list)
    agents: list[dict[str, float]] = field(default_factory=list)
    acting: list[bool] = field(default_factory=list)


@dataclass(frozen=True)
class Evidence:
    """What one word says. `steps` (2·R): column 2·i + d is relation i forwards (d = 0) or backwards (d = 1).

    `kinds` (K): the word names this kind. `roles` (K): the same, with role nouns ("director") counting for the kind of their object.
    """

    steps: Array
    kinds: Array
    roles: Array

    @property
    def relation(self) -> Array:
        """The better direction per relation, (R,)."""
        best: Array = self.steps.reshape(-1, 2).max(1)
        return best

    @property
    def strongest(self) -> float:
        return float(self.steps.max(initial=0))


def names_subject(meanings: Meanings, relation: int, noun: str) -> bool:
    """Whether the noun stands for who is at the subject's end of the relation: the owner, of `owns`."""
    nouns = {noun, *(lemma for lemma, _ in wordnet().lemmas(noun))}
    return relation < len(meanings.agents) and bool(meanings.agents[relation].keys() & nouns)


class Postings:
    """Tables turned over: entry → (column, weight)."""

    def __init__(self, tables: Iterable[Table]) -> None:
        self._columns: dict[Entry, list[tuple[int, float]]] = defaultdict(list)
        self.width = 0
        for column, table in enumerate(tables):
            self.width = column + 1
            for entry, weight in table.items():
                self._columns[entry].append((column, weight))

    def of(self, entry: Entry) -> Sequence[tuple[int, float]]:
        return self._columns.get(entry, ())

    def score(self, keys: Iterable[tuple[Entry, float]]) -> Array:
        """The best weighted hit per column."""
        best = np.zeros(self.width)
        for entry, factor in keys:
            for column, weight in self.of(entry):
                best[column] = max(best[column], weight * factor)
        return best


class Phrases:
    """Vectors of the phrases of each relation or kind."""

    def __init__(self, phrases: Sequence[Sequence[str]]) -> None:
        self._starts = np.cumsum([0, *(len(p) for p in phrases)])
        self._rows = vectors([text for group in phrases for text in group]) if self._starts[-1] else np.zeros((0, 1))
        self._empty = np.array([not group for group in phrases], dtype=bool)

    def similarity(self, query: Array) -> Array:
        """The best cosine per group with any row of `query` (n, dim); -1 where a group has no phrase."""
        if not len(self._rows):
            return np.full(len(self._empty), -1.0)
        best = (self._rows @ query.T).max(1)
        out: Array = np.full(len(self._empty), -1.0)
        for group in np.nonzero(~self._empty)[0]:
            out[group] = best[self._starts[group] : self._starts[group + 1]].max()
        return out


def agents_of(meanings: Meanings) -> Array:
    """1 for every step to the one that acts: back to the subject of `makes`, on to the object of `made_by`. (2·R,)"""
    steps: Array = np.zeros(2 * len(meanings.relations))
    steps[1::2] = np.array(meanings.acting or [False] * len(meanings.relations), dtype=np.float64)
    steps[0::2] = np.array([parse(name).passive for name in meanings.relations], dtype=np.float64)
    return steps


def forms(word: str) -> Iterator[tuple[Entry, float]]:
    """Every entry that a word can stand for, with the weight of that reading: itself, its lemmas, what is derived from its senses."""
    table = wordnet()
    yield word, 1.0
    for r in table.readings(word):
        yield r.lemma, 1.0
        yield (r.lemma, r.pos), min(1.0, 0.1 + 1.5 * r.share)
        for rank, sense in enumerate(table.senses(r.lemma, r.pos)[:4]):
            for derived, _ in table.derived(sense, r.lemma):
                yield derived, (0.85 if rank < 2 else 0.6) * min(1.0, 0.3 + r.share)


def noun_forms(word: str) -> Iterator[tuple[Entry, float]]:
    """As `forms`, but as a noun and without derivations."""
    yield word, 1.0
    for r in wordnet().readings(word):
        if r.pos == "n":
            yield r.lemma, 1.0
            yield (r.lemma, r.pos), min(1.0, 0.1 + 1.5 * r.share)


def soft(similarity: Array) -> Array:
    """Cosine → weight."""
    low, high = SOFT_RANGE
    scaled: Array = SOFT_WEIGHT * np.clip((similarity - low) / (high - low), 0, 1)
    return scaled


def standing_out(similarity: Array) -> Array:
    """How far each relation stands out from the next three, as a weight."""
    if len(similarity) <= 3:
        return np.zeros(len(similarity))
    top = np.sort(similarity)[::-1][:4]
    rest = np.where(similarity >= top[3], (top.sum() - similarity) / 3, top[:3].mean())
    low, width = CONTRAST_RANGE
    scaled: Array = SOFT_WEIGHT * np.clip((similarity - rest - low) / width, 0, 1)
    return scaled


class Lexicon:
    """Looks words up in Meanings; remembers what it found."""

    def __init__(self, meanings: Meanings) -> None:
        self.meanings = meanings
        both = [t for pair in zip(meanings.forward, meanings.backward, strict=True) for t in pair]
        self._relations = Postings(both)
        self._kinds = Postings(meanings.kind_words)
        self._roles = Postings(meanings.role_words)
        self._relation_phrases = Phrases(meanings.relation_phrases)
        self._kind_phrases = Phrases(meanings.kind_phrases)
        self._known: dict[str, Evidence] = {}

    def evidence(self, word: str) -> Evidence:
        found = self._known.get(word)
        if found is None:
            found = self._known[word] = self._look_up(word)
        return found

    def relation(self, word: str) -> Array:
        return self.evidence(word).relation

    def _look_up(self, word: str) -> Evidence:
        if word in FUNCTION_WORDS:
            return Evidence(np.zeros(self._relations.width), np.zeros(self._kinds.width), np.zeros(self._kinds.width))
        steps = self._relations.score(forms(word))
        kinds = self._kinds.score(noun_forms(word))
        roles = np.maximum(kinds, self._roles.score(noun_forms(word)))
        if steps.max(initial=0) < 0.5 and kinds.max(initial=0) < 0.5:
            steps = np.maximum(steps, self._by_definition(word))
        soft_steps, soft_kinds = self._by_similarity(word)
        if word == "behind":
            steps = np.maximum(steps, BEHIND * agents_of(self.meanings))
        trust = 1 - DAMPING * max(steps.max(initial=0), kinds.max(initial=0))
        kinds = np.maximum(kinds, trust * soft_kinds)
        return Evidence(np.maximum(steps, trust * soft_steps), kinds, np.maximum(roles, kinds))

    def _by_definition(self, word: str) -> Array:
        """An unknown word is worth half of what the words of its definition are: "mentor: a wise and trusted guide and advisor"."""
        table = wordnet()
        best = np.zeros((self._relations.width // 2, 2))
        for r in table.readings(word):
            if r.share > 0.3 and r.pos in "nv":
                for sense in (*table.senses(r.lemma, r.pos)[:1], *_agents(r)):
                    for term in _defining_words(table.synset(sense).definition):
                        for column, weight in self._relations.of(term):
                            if weight >= 0.95 and not column % 2:
                                best[column // 2] = np.maximum(best[column // 2], GLOSS_WEIGHT * weight)
        return best.reshape(-1)

    def _by_similarity(self, word: str) -> tuple[Array, Array]:
        lemmas = [r.lemma for r in wordnet().readings(word) if r.share > 0.4 and r.lemma != word]
        query = vectors([w.replace("_", " ") for w in (word, *lemmas)])
        similarity = self._relation_phrases.similarity(query)
        return np.repeat(np.maximum(soft(similarity), standing_out(similarity)), 2), soft(self._kind_phrases.similarity(query))

    def place(self, word: str, relation: int) -> int | None:
        """Which content word of the relation's name this word stands for; None when unknown."""
        if not self.meanings.places:
            return None
        weights, places = self.meanings.forward[relation], self.meanings.places[relation]
        known = [(weights.get(entry, 0.0), entry) for entry, _ in forms(word) if entry in places]
        best = max((w for w, _ in known), default=0.0)
        return next((places[entry] for w, entry in known if w == best), None) if best else None


def _agents(reading: WordReading) -> list[int]:
    """The senses of the nouns for those who do what the verb says: back → backer, "invests in a theatrical production"."""
    table = wordnet()
    if reading.pos != "v":
        return []
    derived = [to for sense in table.senses(reading.lemma, "v")[:MOST_VERB_SENSES] for _, to in table.derived(sense, reading.lemma)]
    return [to for to in dict.fromkeys(derived) if table.synset(to).field == "noun.person"]


def _defining_words(definition: str) -> set[str]:
    plain = _PARENTHESES.sub("", definition).split(";")[0].lower()
    words = [w for w in _WORD.findall(plain) if w not in STOP]
    return {form for w in words for form in (w, *(lemma for lemma, _ in wordnet().lemmas(w)))}


def raise_to(table: Table, entry: Entry, weight: float) -> None:
    """Keep the larger weight."""
    table[entry] = max(table.get(entry, 0.0), weight)


def add_synonyms(table: Table, words: Iterable[str], sense: int, weight: float) -> None:
    """Add words of a sense; a word for which this sense is marginal counts less."""
    net = wordnet()
    pos = net.synset(sense).pos
    for word in words:
        raise_to(table, (word, pos), weight * min(1.0, 0.15 + 1.2 * net.dominance(word, sense)))
