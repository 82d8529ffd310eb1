"""How alike a text is to texts that have nothing to do with it: the ground from which a related one must stand out.

Cosines of different embedders are not comparable, so no fixed one says "near". A text is related when its cosine lies three standard
deviations above those of everyday sentences; for normally distributed noise, one unrelated text in 740 does.
"""

from knowledge.embedding.embedder import Embedder, Vectors

DEVIATIONS = 3.0
EVERYDAY = (
    "The bread has to rise for two hours before it is baked.",
    "A cold front brings rain to the coast tonight.",
    "Their team won the cup after extra time.",
    "The old bridge was painted green last summer.",
    "She plays the violin in a small orchestra.",
    "Tomatoes need much sun and little wind.",
    "The bus to the harbour leaves every quarter of an hour.",
    "His knee hurts when he climbs the stairs.",
    "The museum shows paintings of the sea.",
    "Two whales were seen near the island.",
    "The price of wheat fell in spring.",
    "They moved to a flat with a balcony.",
    "The judge will hear the witness on Monday.",
    "A comet can be seen before sunrise.",
    "The dog is afraid of thunder.",
    "Her new coat is made of wool.",
    "The river froze in January.",
    "Children learn to swim at the lake.",
    "The king signed the treaty in his tent.",
    "The hotel has forty rooms and a garden.",
    "This cheese is made from the milk of goats.",
    "The miners went on strike for higher wages.",
    "The actor forgot his lines on the stage.",
    "A nurse looked after him during the night.",
)
_VECTORS: dict[str, Vectors] = {}


def least_related(vector: Vectors, embedder: Embedder) -> float:
    """The cosine with `vector`, of unit length, above which a text is related to it."""
    if embedder.model not in _VECTORS:
        _VECTORS[embedder.model] = embedder.embed(EVERYDAY)
    cosines = _VECTORS[embedder.model] @ vector
    return float(cosines.mean() + DEVIATIONS * cosines.std())
