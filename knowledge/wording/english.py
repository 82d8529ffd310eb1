"""English words that carry no relation: function words, sharing words, question words, and a few idioms that WordNet lacks."""

from functools import cache


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


STOP = _set(
    """a an the this that these those it its s t d ll re i me my we us our you your he him his she her they them their there here
    is are was were be been being am do does did done doing have has had having can could may might will would shall should must
    of in on at by to for from with without as into onto about over under up out off than then and or but nor so if
    among amongst between within during after before through against via per upon since until while because
    who whom whose which what when where why how not no any some all each every please much many more most
    everything anything something nothing
    name list give tell find show know want like get got let need there just ever one ones"""
)
SHARING = _set("same share shares shared sharing also other others common both together co another similar besides too else")
FUNCTION_WORDS = STOP | SHARING
PREPOSITIONS = _set("of with by for from in alongside as")
AUXILIARIES = _set("is are was were do does did has have had")
RELATIVE_PRONOUNS = _set("that which who whom")
PASSIVE = _set("is was were are been being be got gets")
FORMS_OF_BE = _set("is are was were")
FORMS_OF_DO = _set("do does did")
PERSON_QUESTIONS = frozenset(("who", "whom", "whose"))
THING_QUESTIONS = frozenset(("which", "what", "when", "where", "how"))

# Which lexicographer field of WordNet a question word asks for, and the nouns that ask for the same.
QUESTION_FIELDS = {"who": "noun.person", "whom": "noun.person", "when": "noun.time", "where": "noun.location"}
QUESTION_NOUNS = {"who": ("person", "people"), "whom": (), "when": ("date", "time"), "where": ("place", "location")}

IDIOMS = {
    ("other", "half"): "better_half",
    ("significant", "other"): "better_half",
    ("do", "for", "a", "living"): "occupation",
    ("does", "for", "a", "living"): "occupation",
    ("put", "money"): "invest",
    ("puts", "money"): "invest",
    ("head", "office"): "headquarters",
    ("head", "offices"): "headquarters",
    ("heir",): "offspring",
    ("heirs",): "offspring",
    ("heiress",): "offspring",
}


@cache
def informativeness(word: str) -> float:
    """How much a word tells: 0 for function words, else 0.6 (frequent) to 1.3 (rare), from its Zipf frequency."""
    from wordfreq import zipf_frequency

    if word in FUNCTION_WORDS:
        return 0.0
    return min(1.3, max(0.6, (8.2 - float(zipf_frequency(word, "en"))) / 3.2))


def load_frequencies() -> None:
    """Read the frequency list now rather than within the first question."""
    informativeness("word")
