"""Builds a study's calibration items from its corpus and questions."""

from collections.abc import Mapping, Sequence

from copyceiling.calibration.edges import edges_of
from copyceiling.calibration.grade_items import grade_items, topics_of
from copyceiling.calibration.items import Item
from copyceiling.calibration.relation_items import Sources, relation_items
from copyceiling.calibration.relations import COMMON, Relation
from copyceiling.calibration.variants import Filler
from copyceiling.corpus.model import OntologyClass
from copyceiling.errors import ConfigError
from copyceiling.questions import Question


def calibration_items(
    classes: Sequence[OntologyClass],
    questions: Sequence[Question],
    relations: Mapping[str, Relation],
    *,
    count: int,
    seed: int,
) -> list[Item]:
    """Return the items of both rubrics.

    Args:
        classes: The corpus, in corpus order.
        questions: The study's questions; their subjects are the topics of the grades.
        relations: The study's relations by type, see `relations_of`.
        count: Items a construct, where the corpus gives so many.
        seed: Study seed.

    Raises:
        ConfigError: The study gives no edge, or no class with enough assertions, to ask about.
    """
    by_slug = {c.slug: c for c in classes}
    edges = edges_of(questions, by_slug, relations)
    subjects = [slug for q in questions for slug in q.class_slugs]
    topics = topics_of(subjects, by_slug, relations)
    if not edges or not topics:
        raise ConfigError(
            f"judging: {len(edges)} gold item(s) and {len(topics)} class(es) of the study can be "
            "made into calibration items; both are needed. Ask more questions, or leave the "
            "section 'judging' out"
        )
    filler = Filler(classes, seed)
    # The phrase for two subjects makes no sentence about one.
    single = [relation for kind, relation in relations.items() if kind != COMMON]
    return [
        *relation_items(Sources(edges, single, seed, filler), count),
        *grade_items(topics, count, seed=seed, filler=filler),
    ]
