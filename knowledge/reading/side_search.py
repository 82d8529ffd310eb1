"""Search in a graph to which nothing is added: the side index ranks, the database checks the scope of every row before any limit."""

from collections.abc import Sequence

import numpy as np

from knowledge.reading.dialect import About, Clause, SideDialect
from knowledge.reading.sameness import Alone
from knowledge.search.segments import segments
from knowledge.search.side import Place

RANKED = 5_000
AROUND = 30
FACTS_PER_NODE = 50


class ThroughSide(Alone):
    """The part of a `SideDialect` that looks names, words and vectors up in its side index."""

    def named(self: SideDialect, mentions: Sequence[str]) -> Clause:
        places = [{"mention": mention, "ref": place.ref, "name": place.name} for mention, place in self.side.called(mentions)]
        return Clause(f"UNWIND $places AS place {self.at('n', 'place')} WITH place.mention AS mention, n", {"places": places})

    def entities_about(self: SideDialect, about: About) -> Clause:
        return entities(self, about)

    def facts_about(self: SideDialect, about: About) -> Clause:
        return facts(self, about)

    def entities_like(self: SideDialect, about: About) -> Clause:
        return like(self, about)


def entities(d: SideDialect, about: About) -> Clause:
    """What `Dialect.entities_about` binds."""
    return _found(d, about, d.side.with_words(about.text, d.inside, about.kinds, RANKED) if about.words else [])


def like(d: SideDialect, about: About) -> Clause:
    """What `Dialect.entities_like` binds: names alike in letters first, then those that share words."""
    best: dict[str, Place] = {}
    for place in (*d.side.alike(about.text, d.inside, about.most), *d.side.with_words(about.text, d.inside, about.kinds, about.most)):
        best.setdefault(place.ref, place)
    return _found(d, about, list(best.values()))


def facts(d: SideDialect, about: About) -> Clause:
    """Facts around the best entities; one counts for what its ends score, and for the words of the question in its relation's name."""
    found = entities(d, about)
    terms = segments(about.text)
    clause = (
        f"{found.clause}\nWITH source, score, n ORDER BY score DESC WITH source, collect({{score: score, node: n}})[..{AROUND}] AS best\n"
        "UNWIND best AS b WITH source, b.score AS score, b.node AS n\n"
        f"CALL (n) {{ MATCH (n){d.fact('f', 'both')}{d.node('m')} WHERE {d.sees_fact('f')} AND {d.sees_node('m')}"
        f" RETURN f AS r LIMIT {FACTS_PER_NODE} }}\n"
        f"WITH source, r, sum(score) * (1 + size([t IN $terms WHERE toLower({d.relation('r')}) CONTAINS t])) AS score\n"
        f"ORDER BY source, score DESC WITH source, collect({{score: score, fact: r}})[..{about.most}] AS ranked\n"
        "UNWIND ranked AS hit WITH source, hit.score AS score, hit.fact AS r"
    )
    return Clause(clause, {**found.parameters, "terms": terms})


def _found(d: SideDialect, about: About, by_words: list[Place]) -> Clause:
    vector = np.asarray(about.vector, dtype=np.float32)
    by_vector = d.side.nearest(vector, d.model, d.inside, about.kinds, RANKED) if about.vector else []
    ranked = [{"source": source, "places": _plain(places)} for source, places in (("words", by_words), ("vector", by_vector))]
    return Clause(
        "UNWIND $ranked AS ranking CALL (ranking) {\n"
        f"UNWIND ranking.places AS place {d.at('n', 'place')} RETURN n, place.score AS score LIMIT {about.most} }}\n"
        "WITH ranking.source AS source, score, n",
        {"ranked": ranked},
    )


def _plain(places: list[Place]) -> list[dict[str, object]]:
    return [{"ref": place.ref, "name": place.name, "score": place.score} for place in places]
