"""The weights of the Chinese engine's sum: those of the method for English, set before any Chinese question was seen."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ChineseWeights:
    """Evidence of a word is 0 to 1; a word weighs by its informativeness."""

    missing_step: float = 0.8  # a step that no word names
    only_step: float = 0.5  # factor on a missing first step where the entity offers no other
    hop: float = 0.2  # every step
    expected_kind: float = 1.0  # the walk ends at the kind asked for, or does not
    kind_word: float = 0.85  # a word that names a kind, beside one that names a relation
    far_start: float = 0.4  # a word for the start's kind that does not stand beside the mention
    inverse_pair: float = 0.8  # one mention covers a step and its inverse
    inverse_pair_shared: float = 0.95  # the same, when a sharing word says so
    shared: float = 0.4  # a sharing word and a return
    unshared_return: float = 0.15  # a return without a sharing word
    detour: float = 1.5  # there and back without a word for both
    unexplained: float = 1.1  # what no step explains, times the word's weight
    possessive: float = 1.0  # one step for two words with 的 between
    against_direction: float = 0.7  # factor on evidence for a step against the wording's direction
    second_order: float = 0.3  # the less natural reading order
    backwards: float = 0.03  # a step backwards within one kind
    han_inside: float = 0.6  # a Chinese character inside the mention
    word_inside: float = 1.3  # a Latin word inside the mention
    most_inside: float = 5.0  # a mention is worth no more than this
    quoted: float = 0.5  # a mention in quotes
    contained: float = 0.5  # a mention inside a longer one
    relational_name: float = 0.5  # a mention that also names a relation or a kind
    as_written: float = 0.2  # a mention that is spelt exactly like the entity
    degree: float = 0.03  # per log of the entity's facts
    condition: float = 0.3  # a condition on the answers, beside what its words are worth
    unused_name: float = 0.5  # another name of which the reading makes nothing
    dissimilar_match: float = 1.0  # a mention that is not spelt like the entity, times its distance


WEIGHTS = ChineseWeights()
