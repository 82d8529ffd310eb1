"""The words of the kinds of things, from the roles of the relations that lead to them, and what each question word asks for."""

import re
from collections import Counter, defaultdict

import numpy as np

from knowledge.records import GraphSchema
from knowledge.wording.english import QUESTION_FIELDS, QUESTION_NOUNS
from knowledge.wording.lexicon import Meanings, Table, add_synonyms, raise_to
from knowledge.wording.name_lexicon import RelationWords, words_of_relations
from knowledge.wording.relation_name import parse
from knowledge.wording.vectors import vectors
from knowledge.wording.wordnet import wordnet

INDUCED = re.compile(r"kind\d+$")
MANY_COORDINATES = 60


def meanings_of_names(schema: GraphSchema) -> Meanings:
    """Everything that the schema's names and samples say."""
    relations = words_of_relations(schema.relations)
    kinds = _Kinds(schema, relations)
    out = Meanings(
        relations=[r.name for r in schema.relations],
        kinds=schema.kinds,
        forward=[r.forward for r in relations],
        backward=[r.backward for r in relations],
        relation_phrases=[[" ".join(r.name.content), *r.name.content] for r in relations],
        question_kinds=kinds.questions,
        places=[r.places for r in relations],
        agents=[r.agents for r in relations],
        acting=[r.acting for r in relations],
    )
    for kind in schema.kinds:
        words, roles = kinds.read(kind)
        out.kind_words.append(words)
        out.role_words.append(roles)
        out.kind_phrases.append([e for e, weight in words.items() if weight > 0.8 and isinstance(e, str) and "_" not in e])
    return out


class _Kinds:
    """Reads one kind after another; what question words ask for is collected on the way."""

    def __init__(self, schema: GraphSchema, relations: list[RelationWords]) -> None:
        self.net = wordnet()
        self.relations = relations
        self.leading_to: dict[str, list[int]] = defaultdict(list)
        self.leaving: dict[str, list[int]] = defaultdict(list)
        for i, relation in enumerate(schema.relations):
            for kind in relation.object_kinds:
                self.leading_to[kind].append(i)
            for kind in relation.subject_kinds:
                self.leaving[kind].append(i)
        self.questions: dict[str, set[str]] = defaultdict(set)
        self.unnamed = _unnamed_kind(relations)

    def read(self, kind: str) -> tuple[Table, Table]:
        """(words for the kind itself, role nouns that imply it)"""
        into, out_of = self.leading_to[kind], self.leaving[kind]
        words: Table = defaultdict(float)
        roles: Table = defaultdict(float)
        for i in into:
            alone = len(into) == 1 and not out_of
            for role, weight in self.relations[i].roles.items():
                self._add_role(kind, words if alone else roles, role, weight)
        for i in self._acting(out_of):
            for role, weight in self.relations[i].agents.items():
                if weight > 0.3:
                    self._add_role(kind, roles, role, weight)
        self._add_question_words(kind, into, words)
        if not INDUCED.match(kind):
            self._add_own_name(kind, words)
        elif not into and out_of and not any(kind in asked for asked in self.questions.values()):
            self._add_unnamed(words)
        for word, count in Counter(w for i in out_of for w in self.relations[i].name.owner).items():
            raise_to(words, word, min(1.0, 1.5 * count / len(out_of)))
        return dict(words), dict(roles)

    def _acting(self, out_of: list[int]) -> list[int]:
        """A lone agent noun does not make the subjects persons: three relations in ten must have one."""
        return out_of if sum(bool(self.relations[i].agents) for i in out_of) >= 0.3 * len(out_of) else []

    def _add_role(self, kind: str, table: Table, role: str, weight: float) -> None:
        raise_to(table, role, weight)
        senses = self.net.senses(role, "n")
        fields = {self.net.synset(sense).field for sense in senses[:3]}
        for question, field in QUESTION_FIELDS.items():
            if field in fields:
                self.questions[question].add(kind)
        for sense in senses[:1]:
            for up in self.net.synset(sense).hypernyms[:1]:
                above = self.net.synset(up)
                add_synonyms(table, above.words, up, 0.55)
                if len(above.hyponyms) < MANY_COORDINATES:
                    for beside in above.hyponyms:
                        add_synonyms(table, self.net.synset(beside).words, beside, 0.5)

    def _add_question_words(self, kind: str, into: list[int], words: Table) -> None:
        for question, field in QUESTION_FIELDS.items():
            if any(field in self.relations[i].fields for i in into):
                self.questions[question].add(kind)
        if any(self.relations[i].name.words[-1] in {"in", "at"} and len(self.relations[i].name.words) > 1 for i in into):
            self.questions["where"].add(kind)
        for question, asked in self.questions.items():
            if kind in asked:
                for word in QUESTION_NOUNS[question]:
                    raise_to(words, word, 0.9)

    def _add_own_name(self, kind: str, words: Table) -> None:
        """A label or a kind that the owner named."""
        for word in parse(kind).content:
            raise_to(words, word, 1.0)
            for sense in self.net.senses(word, "n")[:1]:
                add_synonyms(words, self.net.synset(sense).words, sense, 0.7)

    def _add_unnamed(self, words: Table) -> None:
        for word in self.unnamed[:2]:
            words[word] = 1.0
            for sense in self.net.senses(word, "n")[:1]:
                for synonym in self.net.synset(sense).words:
                    raise_to(words, synonym, 0.9)


def _unnamed_kind(relations: list[RelationWords]) -> list[str]:
    """Nouns for the kind that no relation names: frequent in the definitions of the names' senses and close to the whole schema."""
    net = wordnet()
    named = {w for r in relations for w in r.name.content}
    named |= {lemma for w in named for lemma, _ in net.lemmas(w)}
    counts: dict[str, float] = defaultdict(float)
    for relation in relations:
        for noun, count in relation.gloss_nouns.items():
            counts[noun] += count
    nouns = [noun for noun in sorted(counts, key=lambda n: -counts[n])[:150] if noun not in named and len(noun) > 2]
    if not nouns:
        return []
    centre = vectors([" ".join(" ".join(r.name.content) for r in relations)])[0]
    near = vectors(nouns) @ centre
    score = {noun: float(s) * (1 + np.log1p(counts[noun])) for noun, s in zip(nouns, near, strict=True)}
    return sorted(score, key=lambda noun: -score[noun])
