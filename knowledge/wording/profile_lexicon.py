"""The words of relations and kinds from what the owner says, and the same laid over the words of the names."""

import re
from collections import Counter, defaultdict
from itertools import chain

import numpy as np

from knowledge.identity import words
from knowledge.profile.profile import GraphProfile, RelationProfile
from knowledge.records import GraphSchema
from knowledge.wording.english import QUESTION_FIELDS, STOP
from knowledge.wording.kind_lexicon import meanings_of_names
from knowledge.wording.lexicon import Meanings, Table, add_synonyms, raise_to
from knowledge.wording.question import nominal
from knowledge.wording.relation_name import parse
from knowledge.wording.vectors import Array, vectors
from knowledge.wording.wordnet import wordnet

_HEAD_END = re.compile(r" of the | that ")
MARGINAL = 0.35
PART_OF_NOUN = 0.8


def meanings_of(schema: GraphSchema, profile: GraphProfile) -> Meanings:
    """Names and WordNet, and the owner's words over them where there are some."""
    named = meanings_of_names(schema)
    if not (profile.kinds or profile.relations):
        return named
    return _overlaid(named, _Owner(schema, profile).meanings())


def _overlaid(named: Meanings, owned: Meanings) -> Meanings:
    """The larger weight of both; a question word asks for what either says."""
    for mine, theirs in (
        (named.forward, owned.forward),
        (named.backward, owned.backward),
        (named.kind_words, owned.kind_words),
        (named.role_words, owned.role_words),
    ):
        for table, over in zip(mine, theirs, strict=True):
            for entry, weight in over.items():
                raise_to(table, entry, weight)
    for agents, said in zip(named.agents, owned.agents, strict=True):
        agents.update(said)
    for phrases, more in chain(
        zip(named.relation_phrases, owned.relation_phrases, strict=True), zip(named.kind_phrases, owned.kind_phrases, strict=True)
    ):
        phrases += [text for text in more if text not in phrases]
    for question, kinds in owned.question_kinds.items():
        named.question_kinds.setdefault(question, set()).update(kinds)
    return named


class _Owner:
    """Reads a profile. A word weighs by how few (relation, direction) lines of the profile hold it."""

    def __init__(self, schema: GraphSchema, profile: GraphProfile) -> None:
        self.net = wordnet()
        self.schema = schema
        self.kinds = profile.kinds
        self.relations = [profile.relations.get(r.name, RelationProfile()) for r in schema.relations]
        self.kind_nouns = {kind: {w for text in texts for w in words(text)} for kind, texts in profile.kinds.items()}
        self.all_kind_nouns = set().union(*self.kind_nouns.values())
        self.lines = [self._lines(i) for i in range(len(self.relations))]
        self.spread = Counter(word for line in self.lines for word in self._forms(line[0] + line[1]))
        texts = " ".join(text for r in self.relations for text in r.forward)
        self.centre = vectors([texts])[0]

    def meanings(self) -> Meanings:
        out = Meanings(relations=[r.name for r in self.schema.relations], kinds=self.schema.kinds)
        for i in range(len(self.relations)):
            forward, backward = self._relation(i)
            out.forward.append(forward)
            out.backward.append(backward)
            out.relation_phrases.append(self._phrases(i, forward, backward))
            out.agents.append({noun: 1.0 for noun in self._heads(self.relations[i].backward) if noun not in self.all_kind_nouns})
        for kind in self.schema.kinds:
            table = self._kind(kind, out)
            out.kind_words.append(table)
            out.role_words.append(self._roles(kind, table))
            out.kind_phrases.append([entry for entry in table if isinstance(entry, str)])
        return out

    def _lines(self, i: int) -> tuple[Counter[str], Counter[str]]:
        """The content words of the phrases of either direction, each with the role nouns and the name."""
        relation = self.relations[i]
        if not (relation.forward or relation.backward or relation.roles):
            return Counter(), Counter()
        common = (*relation.roles, parse(self.schema.relations[i].name).text)
        forward, backward = (
            Counter(w for text in (*phrases, *common) for w in words(text) if w not in STOP)
            for phrases in (relation.forward, relation.backward)
        )
        return forward, backward

    def _forms(self, line: Counter[str]) -> set[str]:
        return {form for word in line for form in (word, *(lemma for lemma, _ in self.net.lemmas(word)))}

    def _relation(self, i: int) -> tuple[Table, Table]:
        """Words of one direction count nine tenths for the other."""
        foreign = set().union(*(nouns for kind, nouns in self.kind_nouns.items() if kind not in self.schema.relations[i].object_kinds))
        one, other = (self._direction(line, foreign) for line in self.lines[i])
        both = {entry: 0.9 * max(one.get(entry, 0.0), other.get(entry, 0.0)) for entry in {**one, **other}}
        forward: Table = {entry: max(one.get(entry, 0.0), weight) for entry, weight in both.items()}
        backward: Table = {entry: max(other.get(entry, 0.0), weight) for entry, weight in both.items()}
        return forward, backward

    def _direction(self, line: Counter[str], foreign: set[str]) -> Table:
        """A word for another kind says nothing about this relation."""
        table: Table = defaultdict(float)
        for word in line:
            readings = self.net.readings(word)
            if word in foreign or any(r.lemma in foreign and r.pos == "n" and r.share > 0.5 for r in readings):
                continue
            for form in (word, *(r.lemma for r in readings)):
                raise_to(table, form, 1.0 / self.spread[form] ** 0.7)
            if self.spread[word] == 1:
                self._add_fitting_synonyms(table, word, foreign)
        return table

    def _add_fitting_synonyms(self, table: Table, word: str, foreign: set[str]) -> None:
        """Synonyms of the senses that fit the profile."""
        senses = [s for r in self.net.readings(word) if r.share > 0.3 for s in self.net.senses(r.lemma, r.pos)]
        if not senses:
            return
        near = vectors([self.net.synset(s).glosses[0] for s in senses]) @ self.centre
        fits: Array = np.exp(8.0 * (near - near.max()))
        for sense, fit in zip(senses, fits, strict=True):
            if fit > MARGINAL:
                add_synonyms(table, [w for w in self.net.synset(sense).words if w not in foreign], sense, 0.7 * float(fit))

    def _phrases(self, i: int, forward: Table, backward: Table) -> list[str]:
        said = [w for line, table in zip(self.lines[i], (forward, backward), strict=True) for w in line if table.get(w, 0.0) > 0.7]
        return [*self.relations[i].roles, *dict.fromkeys(said)]

    def _kind(self, kind: str, out: Meanings) -> Table:
        """A word of a longer noun counts less, and not at all where it is another kind's own noun ("venture firm", "firm")."""
        table: Table = defaultdict(float)
        nouns, whole = self.kind_nouns.get(kind, set()), set(self.kinds.get(kind, ()))
        elsewhere = {noun for other, texts in self.kinds.items() if other != kind for noun in texts}
        for word in sorted(nouns):
            if word in QUESTION_FIELDS:
                for question in ("who", "whom") if word == "who" else (word,):
                    out.question_kinds[question].add(kind)
            elif word not in STOP and (word in whole or word not in elsewhere):
                table[word] = 1.0 if word in whole else PART_OF_NOUN
        return table

    def _roles(self, kind: str, table: Table) -> Table:
        """Role nouns and heads of phrases: "winners of the prize" name its subject. Adds to `table` where one relation names the kind."""
        roles: Table = defaultdict(float)
        into = [i for i, r in enumerate(self.schema.relations) if kind in r.object_kinds]
        out_of = [i for i, r in enumerate(self.schema.relations) if kind in r.subject_kinds]
        for i in into:
            relation = self.relations[i]
            heads = [noun for role in relation.roles for noun in self._nouns(role)[-1:]]
            for noun in (*heads, *self._heads(relation.forward)):
                raise_to(table if len(into) == 1 and not out_of else roles, noun, 0.9)
        for i in out_of:
            for noun in self._heads(self.relations[i].backward):
                if noun not in self.all_kind_nouns:
                    raise_to(roles, noun, 0.9)
        for word in [entry for entry in table if isinstance(entry, str)]:
            for sense in self.net.senses(word, "n")[:1]:
                add_synonyms(table, [w for w in self.net.synset(sense).words if w not in self.all_kind_nouns], sense, 0.7)
        return roles

    def _heads(self, phrases: tuple[str, ...]) -> list[str]:
        """The nouns before `of the` or `that`."""
        openings = [parts[0] for parts in map(_HEAD_END.split, phrases) if len(parts) > 1]
        return [noun for opening in openings for noun in self._nouns(opening) if any(r.pos == "n" for r in self.net.readings(noun))]

    def _nouns(self, phrase: str) -> list[str]:
        """Words that are nouns at least two times in five, or that no dictionary knows."""
        return [w for w in words(phrase) if w not in STOP and nominal(w)]
