"""The words of relations, from their names and WordNet: synonyms, agent nouns, kinds of a role, what the values are called."""

from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np

from knowledge.identity import words
from knowledge.records import RelationSchema
from knowledge.wording.english import STOP
from knowledge.wording.gender import sex_of
from knowledge.wording.lexicon import Entry, Table, add_synonyms, raise_to
from knowledge.wording.relation_name import RelationName, acts, is_active_verb, parse
from knowledge.wording.values import TOP_CLASSES, name_values
from knowledge.wording.vectors import Array, vectors
from knowledge.wording.wordnet import wordnet

PERSON = "noun.person"
SHARPNESS = 8.0
MARGINAL = 0.35


@dataclass
class RelationWords:
    """What the name of one relation yields. `roles` name its object, `agents` its subject; `fields` classify its objects."""

    name: RelationName
    acting: bool
    forward: Table = field(default_factory=dict)
    backward: Table = field(default_factory=dict)
    roles: dict[str, float] = field(default_factory=dict)
    agents: dict[str, float] = field(default_factory=dict)
    places: dict[Entry, int] = field(default_factory=dict)
    fields: set[str] = field(default_factory=set)
    gloss_nouns: dict[str, float] = field(default_factory=lambda: defaultdict(float))


@dataclass(frozen=True)
class Sense:
    """One sense of one word of a name, and how well it fits the rest of the schema."""

    lemma: str
    pos: str
    id: int
    fit: float


def words_of_relations(relations: tuple[RelationSchema, ...]) -> list[RelationWords]:
    """One entry per relation, in order. The sense nearest to the whole schema counts most."""
    names = [parse(r.name) for r in relations]
    centre = vectors([" ".join(" ".join(n.content) for n in names)])[0] if names else np.zeros(1)
    return [_Reader(name, centre).read(r) for name, r in zip(names, relations, strict=True)]


class _Reader:
    """Fills RelationWords for one relation."""

    def __init__(self, name: RelationName, centre: Array) -> None:
        self.net = wordnet()
        self.centre = centre
        self.name = name
        self.out = RelationWords(name, acts(name, self.net))
        self.table: Table = defaultdict(float)
        self.weights: dict[Entry, float] = {}
        self.role_candidates: list[tuple[str, float]] = []
        self.agents: list[tuple[str, float]] = []
        self.converses: Table = {}

    def read(self, relation: RelationSchema) -> RelationWords:
        for place, word in enumerate(self.name.content):
            self._read_word(place, word)
        self._settle_roles()
        self._add_sexes_of_roles()
        self._add_converses()
        self._add_name_parts()
        self._add_values(relation)
        self.out.agents = dict(self.agents)
        return self.out

    def _read_word(self, place: int, word: str) -> None:
        names_role = place == self.name.head and not self.name.passive and not self.name.prepositional
        lemmas = self.net.lemmas(word) or [(word, "n")]
        if self.name.passive and any(pos == "v" for _, pos in lemmas):
            lemmas = [(lemma, pos) for lemma, pos in lemmas if pos == "v"]
        for entry in (word, *(lemma for lemma, _ in lemmas)):
            self.table[entry] = 1.0
        senses = [(lemma, pos, sense) for lemma, pos in lemmas for sense in self.net.senses(lemma, pos)]
        if not senses:
            self.out.places[word], self.weights[word] = place, 1.0
            self.role_candidates += [(word, 1.0)] if names_role else []
            return
        acting = not self.name.passive and is_active_verb(self.name, word, self.net)
        for sense in self._weighed(senses, is_head=place == self.name.head):
            self._count_gloss(sense, len(senses))
            if sense.fit >= MARGINAL:
                self._read_sense(sense, acting)
        if names_role:
            self.role_candidates += [(r.lemma, r.share) for r in self.net.readings(word) if r.pos == "n" and r.share > 0.4]
        self._note_places(place)

    def _weighed(self, senses: list[tuple[str, str, int]], *, is_head: bool) -> list[Sense]:
        """Which sense fits the rest of the schema? Near in vectors, and in use; 1 for the best."""
        near = vectors([self.net.synset(s).glosses[0] for _, _, s in senses]) @ self.centre
        dominance = np.array([self.net.dominance(lemma, s) for lemma, _, s in senses])
        fit = np.exp(SHARPNESS * (near - near.max())) * dominance**0.3
        fit /= fit.max()
        if self.name.passive:
            with_agent = np.array([self._has_agent(lemma, s) for lemma, _, s in senses])
            if with_agent.any():
                fit = np.minimum(1, fit / fit[with_agent].max())
        else:
            common_head = np.array([pos == "n" and is_head for _, pos, _ in senses]) & (dominance >= 0.5)
            fit = np.where(common_head, np.maximum(fit, 0.6), fit)
        return [Sense(lemma, pos, s, float(f)) for (lemma, pos, s), f in zip(senses, fit, strict=True)]

    def _has_agent(self, lemma: str, sense: int) -> bool:
        return any(self.net.synset(to).field == PERSON for _, to in self.net.derived(sense, lemma))

    def _count_gloss(self, sense: Sense, senses: int) -> None:
        for word in words(self.net.synset(sense.id).definition):
            for lemma, pos in self.net.lemmas(word):
                if pos == "n" and word not in STOP:
                    self.out.gloss_nouns[lemma] += sense.fit / (1 + senses**0.5)

    def _read_sense(self, sense: Sense, acting: bool) -> None:
        synset = self.net.synset(sense.id)
        add_synonyms(self.table, synset.words, sense.id, 0.75 * sense.fit)
        self._read_derived(sense, acting)
        for up in synset.hypernyms:
            deep = sense.pos == "n" and len(self.net.ancestors(up, 6)) > 3
            add_synonyms(self.table, self.net.synset(up).words, up, (0.6 if deep else 0.4) * sense.fit)
        if sense.pos == "n" and not self.name.passive:
            self._read_definition(sense)
        for down in synset.hyponyms:
            add_synonyms(self.table, self.net.synset(down).words, down, 0.5 * sense.fit)

    def _read_derived(self, sense: Sense, acting: bool) -> None:
        """painted_by → painter and kinds of painters; owns → owner."""
        for word, to in self.net.derived(sense.id, sense.lemma):
            synset = self.net.synset(to)
            raise_to(self.table, word, 0.95 * sense.fit)
            person = synset.field == PERSON
            if person and self.name.passive:
                self.role_candidates.append((word, sense.fit))
            if person and acting and sense.pos == "v" and word != sense.lemma:
                self.agents.append((word, sense.fit))
            add_synonyms(self.table, synset.words, to, 0.6 * sense.fit)
            if person and self.name.passive:
                self._read_kinds_of_role(to, sense.fit)
            else:
                for down in synset.hyponyms:
                    add_synonyms(self.table, self.net.synset(down).words, down, 0.6 * sense.fit)

    def _read_kinds_of_role(self, role: int, fit: float) -> None:
        """Kinds of writer or director: those closest to the schema count most."""
        below = self.net.descendants(role)
        if not below:
            return
        synsets = [self.net.synset(s) for s in below]
        near = vectors([" ".join(s.words[:3]).replace("_", " ") + " " + s.glosses[0] for s in synsets]) @ self.centre
        rise = (near - near.mean()) / (near.max() - near.mean() + 1e-6)
        for synset, sense, lift in zip(synsets, below, rise, strict=True):
            add_synonyms(self.table, synset.words, sense, 0.95 * max(0.7, float(lift)) * max(fit, 0.9))

    def _read_definition(self, sense: Sense) -> None:
        """nationality: "belonging to a particular nation" → nation, country."""
        for word in words(self.net.synset(sense.id).glosses[0]):
            for r in self.net.readings(word) if word not in STOP else ():
                if r.pos == "n" and r.share > 0.6:
                    raise_to(self.table, r.lemma, 0.4 * sense.fit)
                    for first in self.net.senses(r.lemma, "n")[:1]:
                        names = self.net.synset(first).words
                        if not TOP_CLASSES & set(names):
                            add_synonyms(self.table, names, first, 0.36 * sense.fit)

    def _note_places(self, place: int) -> None:
        """Entries whose weight has risen come from this word of the name."""
        for entry, weight in self.table.items():
            if weight > self.weights.get(entry, 0.0):
                self.weights[entry], self.out.places[entry] = weight, place

    def _settle_roles(self) -> None:
        most = max((weight for _, weight in self.role_candidates), default=1.0) or 1.0
        self.out.roles = {word: weight / most for word, weight in self.role_candidates if weight / most > 0.5}
        for word, weight in self.role_candidates:
            if weight / most > 0.5:
                raise_to(self.table, word, 0.95 * weight / most)

    def _add_sexes_of_roles(self) -> None:
        """A kind of the role that differs in sex only (parent → father) names it fully."""
        for word in self.out.roles:
            for sense in self.net.senses(word, "n")[:2]:
                if self.net.synset(sense).field == PERSON and self.net.dominance(word, sense) > 0.4:
                    for below in self.net.descendants(sense):
                        if sex_of(below):
                            add_synonyms(self.table, self.net.synset(below).words, below, 0.9)

    def _add_converses(self) -> None:
        """What WordNet sets against a role names the other side: parent → child, employer → employee; not brother → sister."""
        for word in self.out.roles:
            for sense in self.net.senses(word, "n")[:2]:
                if self.net.synset(sense).field != PERSON or self.net.dominance(word, sense) <= 0.4 or sex_of(sense):
                    continue
                for other, to in self.net.opposites(sense, word):
                    if not sex_of(to):
                        self.agents.append((other, 0.9))
                        raise_to(self.converses, other, 0.9)
                        for below in (to, *(s for s in self.net.descendants(to) if sex_of(s))):
                            add_synonyms(self.converses, self.net.synset(below).words, below, 0.9)

    def _add_name_parts(self) -> None:
        for word in self.name.owner:
            raise_to(self.table, word, 0.3)
        for word in self.name.inner:
            for form in (word, *(lemma for lemma, _ in self.net.lemmas(word))):
                raise_to(self.table, form, 0.7)
        for joined in ("".join(self.name.content), "".join(self.name.content[::-1])):
            raise_to(self.table, joined, 1.0)

    def _add_values(self, relation: RelationSchema) -> None:
        """Forwards the words for its objects, backwards those for its subjects."""
        objects, subjects = name_values(relation.object_samples), name_values(relation.subject_samples)
        self.out.fields = objects.fields
        for side, naming, more in (("forward", objects, {}), ("backward", subjects, self.converses)):
            table: Table = dict(self.table)
            for entry, weight in more.items():
                raise_to(table, entry, weight)
            for word, weight in naming.nouns.items():
                raise_to(table, word, 0.6 * weight)
            setattr(self.out, side, {entry: weight for entry, weight in table.items() if weight >= 0.2})
