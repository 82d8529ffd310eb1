"""The weights of the one sum by which entity and path are chosen. They were set once over several small graphs, none of them per graph."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Weights:
    """Evidence of a word is 0 to 1; a word weighs by its informativeness."""

    missing_step: float = 0.8  # a step that no word names
    hop: float = 0.2  # every step
    expected_kind: float = 1.0  # the walk ends at the kind asked for, or does not
    kind_word: float = 0.85  # a word that names a kind, beside one that names a relation
    inverse_pair: float = 0.8  # one mention covers a step and its inverse
    inverse_pair_shared: float = 0.95  # the same, when a sharing word says so
    shared: float = 0.4  # the step that is shared is the one next to the sharing word
    unshared_return: float = 0.15  # a return without a sharing word
    unexplained: float = 1.1  # what no step explains, times the word's weight
    inside: float = 1.15  # a word inside the mention
    inside_each: float = 0.25  # any word inside the mention
    relational_name: float = 0.5  # a mention whose words also name relations
    far_start: float = 0.4  # a word for the start's kind that does not stand beside the mention
    second_order: float = 0.3  # the reading order that goes left first
    degree: float = 0.03  # per log of the entity's facts
    same_step: float = 0.4  # one step for two words with a preposition or a possessive between
    role_noun: float = 0.3  # the walk ends with the relation that the asked noun names
    contained: float = 0.5  # a mention inside a longer one
    against_direction: float = 0.7  # factor on evidence for a step against the wording's direction
    against_particle: float = 0.7  # the same, for a relation whose particle is another than the one that follows the word
    too_few: float = 1.2  # per noun chunk without a step
    detour: float = 0.3  # there and back without a word for both
    question_what: float = 0.2  # "what" asks rather for no person
    similarity: float = 0.5  # of the whole question with the text of the path
    similarity_uncovered: float = 2.0  # the same, times the share of words that are not known
    value_word: float = 0.9  # a word that a condition explains
    value: float = 0.6  # every condition
    backwards: float = 0.03  # a step backwards within one kind
    returns_second: float = 0.05  # the second step returns
    dissimilar_match: float = 1.0  # a mention that is not spelt like the entity, times its distance


WEIGHTS = Weights()
