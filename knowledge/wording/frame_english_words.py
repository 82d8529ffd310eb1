"""Closed-class English of whole clauses: what denies, what says how many, and what cannot stand inside a bare name."""

import re

_NOT_DENYING = r"(?! (?:only|just|merely|necessarily|least|to mention)\b)"
NEGATION = re.compile(
    rf"(?<!whether or )(?<!why )(?<!if )\bnot\b{_NOT_DENYING}|n't\b|\b(?:never|none|without|neither|nor)\b|\bno\b(?!\.? ?\d| matter\b)",
    re.I,
)
_NUMBER = r"(?:(?:total|overall|absolute) )?(?:numbers?|amounts?|counts?|quantity) of"
_GREATEST, _LEAST = (
    re.compile(rf"\b(?:{words}) {_NUMBER}\b", re.I) for words in ("largest|greatest|highest|biggest|most", "smallest|lowest|fewest|least")
)
_GREATER, _FEWER = (
    re.compile(rf"\b(?:(?:an?|the) )?(?:{words}) {_NUMBER}\b", re.I) for words in ("larger|greater|higher|bigger", "smaller|lower|fewer")
)
_PREPOSITIONS = (
    "of|in|by|for|with|at|on|to|from|behind|above|below|under|over|near|after|before|against|between|among|beside|inside|outside|within|"
    "without|about|across|around|beyond|into|through|towards?|alongside|next"
)
NOT_A_NAME = re.compile(
    rf"\b(?:{_PREPOSITIONS}|the|an?|that|who|which|it|its|he|his|she|her|they|their|my|your|our|i|me)\b|'s?\b|\d|^(?:\w+ly )?\w{{2,}}ing \S",
    re.I,
)


def counted(text: str) -> str:
    """The text with "the largest number of" as "the most" and "a higher number of" as "more"."""
    for pattern, word in ((_GREATEST, "most"), (_LEAST, "fewest"), (_GREATER, "more"), (_FEWER, "fewer")):
        text = pattern.sub(word, text)
    return text
