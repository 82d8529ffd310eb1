"""Which words say male or female, as WordNet defines them."""

import re
from functools import cache
from typing import Literal

from knowledge.wording.wordnet import wordnet

Sex = Literal["male", "female"]
_MALE = frozenset({"male", "man", "boy", "men", "masculine"})
_FEMALE = frozenset({"female", "woman", "girl", "women", "feminine"})
_FIELDS = frozenset({"noun.person", "adj.all", "noun.animal"})
_WORD = re.compile(r"\w+")


@cache
def sex_of(sense: int, depth: int = 2) -> Sex | None:
    """The sex that a sense implies: by its words, the start of its definition, or its hypernyms."""
    table = wordnet()
    synset = table.synset(sense)
    if synset.field not in _FIELDS:
        return None
    opening = _WORD.findall(re.sub(r"\w+'s", "", synset.glosses[0].lower()))[:5]
    for words in [*(re.split("[_ -]", w) for w in synset.words), opening]:
        male, female = bool(_MALE & set(words)), bool(_FEMALE & set(words))
        if male != female:
            return "male" if male else "female"
    if not depth or synset.field != "noun.person":
        return None
    above = {sex_of(up, depth - 1) for up in synset.hypernyms} - {None}
    return above.pop() if len(above) == 1 else None


@cache
def word_sex(word: str) -> Sex | None:
    """The sex that the commonest noun or adjective reading of a word implies."""
    table = wordnet()
    for reading in table.readings(word):
        for sense in table.senses(reading.lemma, reading.pos)[:1]:
            if reading.pos in "na" and reading.share > 0.3 and (sex := sex_of(sense)):
                return sex
    return None
