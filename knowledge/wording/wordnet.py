"""WordNet 3.0 as far as the rules brain needs it: lemmas, senses, hypernyms, hyponyms, derivations, definitions, tag counts."""

import gzip
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path

TABLE = Path(__file__).parent / "data" / "wordnet.tsv.gz"
POS = "nvar"
ENDINGS = {
    "n": (("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("men", "man"), ("ies", "y")),
    "v": (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    "a": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "r": (),
}
DOUBLING = {"ed", "ing"}


Link = tuple[int, int, int]


@dataclass(frozen=True)
class Synset:
    """One sense. `derived`, `opposites`: (index of the word here, synset, index of the word there).

    `field`: the lexicographer file, `noun.person`.
    """

    pos: str
    field: str
    words: tuple[str, ...]
    hypernyms: tuple[int, ...]
    hyponyms: tuple[int, ...]
    derived: tuple[Link, ...]
    opposites: tuple[Link, ...]
    definition: str

    @property
    def glosses(self) -> list[str]:
        """The parts of the definition, which semicolons separate."""
        return self.definition.split(";")


@dataclass(frozen=True)
class WordReading:
    """One way to read a surface form. `share`: how much of its tagged use is this lemma and part of speech."""

    lemma: str
    pos: str
    share: float


class WordNet:
    """Senses are numbers, in the order of the table. Rows are parsed when they are first asked for."""

    def __init__(self, path: Path = TABLE) -> None:
        sections = _sections(gzip.decompress(path.read_bytes()).decode())
        self._fields = sections["fields"]
        self._rows = sections["synsets"]
        self._index = {tuple(row.split("\t", 2)[:2]): row for row in sections["index"]}
        self._exceptions = {(form, pos): lemma for form, pos, lemma in (row.split("\t") for row in sections["exceptions"])}
        self._synsets: dict[int, Synset] = {}
        self._senses: dict[tuple[str, str], tuple[tuple[int, ...], tuple[int, ...]]] = {}
        self._readings: dict[str, list[WordReading]] = {}

    def synset(self, sense: int) -> Synset:
        found = self._synsets.get(sense)
        if found is None:
            pos, field, words, up, down, derived, opposites, definition = self._rows[sense].split("\t")
            found = self._synsets[sense] = Synset(
                pos=pos,
                field=self._fields[int(field)],
                words=tuple(words.split()),
                hypernyms=tuple(map(int, up.split())),
                hyponyms=tuple(map(int, down.split())),
                derived=_links(derived),
                opposites=_links(opposites),
                definition=definition,
            )
        return found

    def knows(self, lemma: str, pos: str) -> bool:
        return (lemma, pos) in self._index

    def _entry(self, lemma: str, pos: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Senses and their tag counts."""
        key = (lemma, pos)
        found = self._senses.get(key)
        if found is None:
            row = self._index.get(key)
            if row is None:
                return (), ()
            _, _, senses, counts = row.split("\t")
            numbers = tuple(map(int, senses.split()))
            tagged = tuple(map(int, counts.split()))
            found = self._senses[key] = numbers, tagged + (0,) * (len(numbers) - len(tagged))
        return found

    def senses(self, lemma: str, pos: str) -> tuple[int, ...]:
        """Most frequent first."""
        return self._entry(lemma, pos)[0]

    def dominance(self, lemma: str, sense: int) -> float:
        """Use of this sense relative to the most used sense of the lemma with the same part of speech, smoothed by 0.5."""
        senses, counts = self._entry(lemma, self.synset(sense).pos)
        own = counts[senses.index(sense)] if sense in senses else 0
        return (own + 0.5) / (max(counts, default=0) + 0.5)

    def lemmas(self, form: str) -> list[tuple[str, str]]:
        """All (lemma, part of speech) that a surface form may stand for."""
        return [(r.lemma, r.pos) for r in self.readings(form)]

    def readings(self, form: str) -> list[WordReading]:
        """All readings of a surface form, nouns first."""
        found = self._readings.get(form)
        if found is None:
            pairs = [(lemma, pos) for pos in POS for lemma in dict.fromkeys(self._candidates(form, pos))]
            weights = [sum(self._entry(*pair)[1]) + 0.5 for pair in pairs]
            total = sum(weights)
            found = [WordReading(lemma, pos, w / total) for (lemma, pos), w in zip(pairs, weights, strict=True)]
            self._readings[form] = found
        return found

    def _candidates(self, form: str, pos: str) -> list[str]:
        """Lemmas of one part of speech, by exception list and by endings."""
        known = [form] if self.knows(form, pos) else []
        irregular = self._exceptions.get((form, pos))
        found = [irregular, *known] if irregular else known
        for ending, replacement in ENDINGS[pos]:
            if form.endswith(ending) and len(form) > len(ending) + 1:
                lemma = form[: -len(ending)] + replacement
                if ending in DOUBLING and len(lemma) > 2 and lemma[-1] == lemma[-2] and not self.knows(lemma, pos):
                    lemma = lemma[:-1]
                if self.knows(lemma, pos):
                    found.append(lemma)
        return found

    def derived(self, sense: int, lemma: str) -> list[tuple[str, int]]:
        """Words that are derived from this sense of this lemma, with their senses: direct → director."""
        synset = self.synset(sense)
        return [(self.synset(to).words[there], to) for here, to, there in synset.derived if synset.words[here] == lemma]

    def opposites(self, sense: int, lemma: str) -> list[tuple[str, int]]:
        """Words that WordNet sets against this sense of this lemma, with their senses: parent → child, but also brother → sister."""
        synset = self.synset(sense)
        return [(self.synset(to).words[there], to) for here, to, there in synset.opposites if synset.words[here] == lemma]

    def ancestors(self, sense: int, depth: int) -> list[int]:
        """Hypernyms up to `depth` levels, a sense as often as it is reached."""
        found: list[int] = []
        level = [sense]
        for _ in range(depth):
            level = [up for below in level for up in self.synset(below).hypernyms]
            found += level
        return found

    def descendants(self, sense: int) -> list[int]:
        """Hyponyms, then the hyponyms of those."""
        below = self.synset(sense).hyponyms
        return [*below, *(lower for one in below for lower in self.synset(one).hyponyms)]

    def share(self, form: str, pos: str) -> float:
        """How much of the use of a surface form is this part of speech."""
        return sum(r.share for r in self.readings(form) if r.pos == pos)

    def field_of(self, lemma: str, pos: str) -> str:
        """The lexicographer file of the first sense, empty when unknown."""
        senses = self.senses(lemma, pos)
        return self.synset(senses[0]).field if senses else ""


def _links(text: str) -> tuple[Link, ...]:
    return tuple((int(here), int(to), int(there)) for here, to, there in (link.split(":") for link in text.split()))


def _sections(text: str) -> dict[str, list[str]]:
    """The lines under each heading `# name`."""
    sections: dict[str, list[str]] = {}
    name = ""
    for heading, group in groupby(text.split("\n"), key=lambda line: line.startswith("# ")):
        if heading:
            name = next(group)[2:]
        else:
            sections[name] = list(group)
    return sections


@cache
def wordnet() -> WordNet:
    """The bundled table, read once."""
    return WordNet()
