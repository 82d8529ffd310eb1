"""What the values of a relation are called: the WordNet classes and name words that most of them share."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from knowledge.identity import words
from knowledge.wording.english import STOP
from knowledge.wording.wordnet import wordnet

_YEAR = re.compile(r"\d{4}$")
_DEPTH = 5
# Classes so wide that they name nothing.
TOP_CLASSES = frozenset(
    re.findall(
        r"\w+",
        """entity physical_entity abstraction abstract_entity object whole matter thing unit attribute group person relation state act event
    organism living_thing causal_agent measure artifact""",
    )
)


@dataclass
class Naming:
    """Nouns for the members of a slot with their weight, and the lexicographer fields that most of them fall into."""

    nouns: dict[str, float] = field(default_factory=dict)
    fields: set[str] = field(default_factory=set)


def name_values(samples: Sequence[str]) -> Naming:
    """Names of at least three values, or a quarter of them, must be WordNet nouns before their classes count."""
    if not samples:
        return Naming()
    naming = _classes(samples)
    if len(samples) >= 5:
        for word, count in Counter(w for name in samples for w in set(words(name))).items():
            if count >= 0.3 * len(samples) and word not in STOP and not word.isdigit():
                naming.nouns[word] = max(naming.nouns.get(word, 0.0), 0.9)
    if sum(bool(_YEAR.match(name)) for name in samples) > 0.9 * len(samples):
        naming.nouns |= {"year": 0.9, "date": 0.9}
        naming.fields.add("noun.time")
    return naming


def _classes(samples: Sequence[str]) -> Naming:
    """The classes that at least half of the known values share."""
    net = wordnet()
    known, classes, fields = 0, Counter[int](), Counter[str]()
    for name in samples:
        senses = [] if name.isdigit() else net.senses("_".join(words(name)), "n")[:2]
        if senses:
            known += 1
            classes.update({above for sense in senses for above in (sense, *net.ancestors(sense, _DEPTH))})
            fields[net.synset(senses[0]).field] += 1
    if known < max(3, 0.25 * len(samples)):
        return Naming()
    nouns: dict[str, float] = {}
    for sense, count in classes.items():
        share, names = count / known, net.synset(sense).words
        if share >= 0.5 and not TOP_CLASSES & set(names):
            for word in names:
                nouns[word] = max(nouns.get(word, 0.0), share * min(1.0, 0.3 + net.dominance(word, sense)))
    return Naming(nouns, {f for f, count in fields.items() if count >= 0.5 * known})
