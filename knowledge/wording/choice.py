"""Which engine reads a question: by the language of its closed-class words."""

from knowledge.embedding.embedder import Embedder
from knowledge.profile.profile import GraphProfile
from knowledge.records import GraphSchema
from knowledge.wording.aligner import Aligner
from knowledge.wording.frame_model import Language


def wording_for(
    language: Language,
    schema: GraphSchema,
    profile: GraphProfile | None = None,
    embedder: Embedder | None = None,
    of_schema: Embedder | None = None,
) -> Aligner:
    """A new engine for one language; the caller keeps it per schema version. English needs no embedder, the others one that spans languages.

    `of_schema`: the same embedder for the words that the schema implies, where these are kept; the embedder itself where not.
    """
    if language == "en":
        from knowledge.wording.engine import Wording

        return Wording(schema, profile)
    if language == "zh":
        from knowledge.wording.chinese import ChineseWording

        return ChineseWording(schema, profile, embedder, of_schema)
    from knowledge.wording.vector_wording import VectorWording

    return VectorWording(schema, profile, embedder)
