"""What the agents think with: the rules, which need no model, no key and no network, and the minds that take their place for roles with a model."""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from agents.contract import Brains, Minds
from agents.gap_detector import detect
from agents.intake import RulesIntake
from agents.llm import gap_detector, intake, navigator, planner, reasoner, synthesizer, writer
from agents.navigator import navigate
from agents.planner import plan
from agents.reasoner import reason
from agents.synthesizer import synthesize
from agents.writer import RulesWriter
from knowledge.embedding.choice import embedder
from knowledge.embedding.remembered import Remembered
from knowledge.profile.profile import GraphProfile
from knowledge.records import GraphSchema
from knowledge.wording.aligner import Aligner, Aligners
from knowledge.wording.choice import wording_for
from knowledge.wording.frame_model import Language

SCHEMAS_KEPT = 8
MINDS = Minds(intake.MIND, planner.MIND, navigator.MIND, reasoner.MIND, gap_detector.MIND, synthesizer.MIND, writer.MIND)


def rules(profile: Callable[[], GraphProfile], folder: Path | None = None, similarity: Callable[[str, str], float] | None = None) -> Brains:
    """The brains of every role, over the wording of one profile, which is asked for with the first question.

    `folder`: where vectors of the schema's words are kept for later processes.
    """
    return Brains(
        intake=RulesIntake(aligners(profile, folder)),
        planner=plan,
        navigator=navigate,
        reasoner=reason,
        gap_detector=detect,
        synthesizer=synthesize,
        minds=MINDS,
        writer=RulesWriter(similarity),
    )


def aligners(profile: Callable[[], GraphProfile], folder: Path | None = None) -> Aligners:
    """Makes the engine of a language for a schema; engines of the last few schemas are kept."""

    kept_words = Remembered(embedder(), folder) if folder else None

    @lru_cache(maxsize=SCHEMAS_KEPT)
    def made(language: Language, version: str) -> list[Aligner]:
        return []

    def of(language: Language, schema: GraphSchema) -> Aligner:
        kept = made(language, schema.version)
        if not kept:
            kept.append(wording_for(language, schema, profile(), of_schema=kept_words))
        return kept[0]

    return of
