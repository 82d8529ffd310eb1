"""What a Chinese word says about a graph: the owner's Chinese phrases exactly, everything else by sentence vectors across languages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from knowledge.embedding.embedder import Embedder
from knowledge.profile.profile import GraphProfile
from knowledge.records import GraphSchema
from knowledge.wording.chinese_grammar import is_stop
from knowledge.wording.chinese_words import segment
from knowledge.wording.lexicon import BEHIND, Meanings, Table, agents_of
from knowledge.wording.profile_lexicon import meanings_of
from knowledge.wording.relation_name import parse
from knowledge.wording.vectors import Array
from knowledge.wording.wordnet import wordnet

RELATIONS = (0.35, 0.25)
KINDS = (0.5, 0.3)
CONTRAST = 0.12
SURE_ENOUGH = 0.75
MOST_ANCHORS = 12
VECTOR_WEIGHT = 0.95
PART_OF_PHRASE = 0.7
BEHIND_WORDS = frozenset({"背后", "幕后"})
_REMEMBERED = 20_000


@dataclass(frozen=True)
class WordEvidence:
    """`steps` (2·R): column 2·i + d is relation i forwards (d = 0) or backwards (d = 1). `kinds` (K): the word names this kind.

    `exact`: the owner's own phrase, whose direction is meant.
    """

    steps: Array
    kinds: Array
    exact: bool = False

    @property
    def relational(self) -> float:
        return float(self.steps.max(initial=0))

    @property
    def strongest(self) -> float:
        return max(self.relational, float(self.kinds.max(initial=0)))


class ChineseLexicon:
    """Built once per schema and profile. English words that the schema's names imply are the anchors that Chinese words are compared with."""

    def __init__(self, schema: GraphSchema, profile: GraphProfile, embedder: Embedder, of_schema: Embedder | None = None) -> None:
        self.schema = schema
        self.meanings = meanings_of(schema, profile)
        self._embedder = embedder
        self._width = 2 * len(schema.relations)
        self._kind_exact = {word: self._kind_column(kind) for kind, nouns in profile.kinds.items() for word in nouns if _is_han(word)}
        self._exact = self._exact_phrases(profile)
        texts = _relation_anchors(schema, self.meanings)
        kinds = [_anchors(table) for table in self.meanings.kind_words]
        self._relation_rows = _Anchors(texts, of_schema or embedder)
        self._kind_rows = _Anchors(kinds, of_schema or embedder)
        self._known: dict[str, WordEvidence] = {}

    def _kind_column(self, kind: str) -> int:
        return self.schema.kinds.index(kind) if kind in self.schema.kinds else -1

    def _exact_phrases(self, profile: GraphProfile) -> Mapping[str, Array]:
        """Word or whole phrase → evidence per step."""
        found: dict[str, Array] = {}
        names = {r.name: i for i, r in enumerate(self.schema.relations)}
        for name, owned in profile.relations.items():
            if name not in names:
                continue
            for side, phrases in enumerate(((*owned.roles, *owned.forward), owned.backward)):
                for phrase in filter(_is_han, phrases):
                    self._add_phrase(found, phrase, 2 * names[name] + side)
        return found

    def _add_phrase(self, found: dict[str, Array], phrase: str, column: int) -> None:
        words = [w for w in segment(phrase) if not is_stop(w) and w not in self._kind_exact]
        weights = {"".join(words): 1.0, phrase: 1.0, **({w: PART_OF_PHRASE for w in words} if len(words) > 1 else {})}
        for word, weight in weights.items():
            if word:
                row = found.setdefault(word, np.zeros(self._width))
                row[column] = max(row[column], weight)

    def prepare(self, words: Sequence[str]) -> None:
        """Embed all words that are not known yet, in one call."""
        missing = [w for w in dict.fromkeys(words) if w not in self._known]
        if not missing:
            return
        if len(self._known) > _REMEMBERED:
            self._known.clear()
        rows = np.asarray(self._embedder.embed(missing), dtype=np.float64)
        for word, row in zip(missing, rows, strict=True):
            self._known[word] = self._read(word, row)

    def evidence(self, word: str) -> WordEvidence:
        self.prepare([word])
        return self._known[word]

    def _read(self, word: str, row: Array) -> WordEvidence:
        near = self._relation_rows.similarity(row, self._width)
        near_kinds = self._kind_rows.similarity(row, len(self.schema.kinds))
        nearest = max(near.max(initial=0), near_kinds.max(initial=0))
        relations, kinds = _graded(near, nearest, RELATIONS), _graded(near_kinds, nearest, KINDS)
        exact = self._exact.get(word)
        if exact is not None:
            relations = np.maximum(exact, relations * (0.5 if exact.max() >= SURE_ENOUGH else 1.0))
        if word in BEHIND_WORDS:
            relations = np.maximum(relations, BEHIND * agents_of(self.meanings))
        column = self._kind_exact.get(word, -1)
        if column >= 0:
            kinds = kinds * 0.5
            kinds[column] = 1.0
            relations = relations * (0.5 if exact is None else 1.0)
        return WordEvidence(relations, kinds, exact is not None)


class _Anchors:
    """Vectors of weighted English words, grouped; a group is a step or a kind."""

    def __init__(self, groups: Sequence[Mapping[str, float]], embedder: Embedder) -> None:
        words = sorted({w for group in groups for w in group})
        self._rows = np.asarray(embedder.embed(words), dtype=np.float64) if words else np.zeros((0, 1))
        place = {w: i for i, w in enumerate(words)}
        self._groups = [(np.array([place[w] for w in g], dtype=np.int64), np.array(list(g.values()))) for g in groups]

    def similarity(self, row: Array, width: int) -> Array:
        out = np.zeros(width)
        if len(self._rows):
            cosine = self._rows @ row
            for i, (places, weights) in enumerate(self._groups):
                if len(places):
                    out[i] = (cosine[places] * weights).max()
        return out


def _graded(similarity: Array, nearest: float, scale: tuple[float, float]) -> Array:
    """Cosine → evidence; `scale` is (where evidence begins, how far to full evidence). What is far below the nearest relation or kind is no evidence."""
    scaled: Array = np.clip((similarity - scale[0]) / scale[1], 0, 1) * np.exp((similarity - nearest) / CONTRAST) * VECTOR_WEIGHT
    return scaled


def _relation_anchors(schema: GraphSchema, meanings: Meanings) -> list[Mapping[str, float]]:
    """One group per step. A noun for the subject ("investor") speaks for the way back only."""
    groups: list[Mapping[str, float]] = []
    for i, relation in enumerate(schema.relations):
        name = parse(relation.name)
        own = {name.text: 1.0, " ".join(name.content): 1.0}
        agents = dict(meanings.agents[i]) if i < len(meanings.agents) else {}
        forward = {w: v for w, v in _anchors(meanings.forward[i]).items() if w not in agents}
        groups += [own | forward, own | _anchors(meanings.backward[i]) | {w: 1.0 for w, v in agents.items() if v >= 0.4}]
    return groups


def _anchors(table: Table) -> dict[str, float]:
    """The surest words of a table; what WordNet does not know is made up of name parts."""
    known = ((e if isinstance(e, str) else e[0], weight) for e, weight in table.items())
    sure = [(w.replace("_", " "), v) for w, v in known if v >= SURE_ENOUGH and (wordnet().lemmas(w) or _is_han(w))]
    return dict(sorted(sure, key=lambda pair: (-pair[1], pair[0]))[:MOST_ANCHORS])


def _is_han(text: str) -> bool:
    return any("\u3400" <= c <= "\u9fff" for c in text)
