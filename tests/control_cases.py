"""Questions with blocks, and corpora, that tests of the negative controls build on."""

from collections.abc import Sequence

from copyceiling.controls.blocks import Case, wrap
from copyceiling.corpus.model import OntologyClass
from copyceiling.questions import GoldItem, Question
from copyceiling.scaffold import ScaffoldEngine
from hypothesis import strategies as st

from tests.conftest import make_class

# Few words, so that names nest, overlap and recur; some hold digits, marks or other scripts.
WORDS = ("cell", "wall", "growth", "of", "dna", "beta", "1", "b2", "Zell", "café", "β", "activity")
MARKS = (" ", "-", ", ", " (", ") ", "/", "_", ": ", "; ", ". ", "\n", "\n- ", "'", "")
words = st.sampled_from(WORDS)


@st.composite
def texts(draw: st.DrawFn, most: int = 12) -> str:
    """Words with marks between them, of any case."""
    parts = draw(st.lists(st.tuples(words, st.sampled_from(MARKS)), min_size=1, max_size=most))
    cases = draw(st.lists(st.sampled_from((str.lower, str.upper, str.title)), min_size=1))
    return "".join(cases[i % len(cases)](w) + mark for i, (w, mark) in enumerate(parts))


@st.composite
def corpora(draw: st.DrawFn, least: int = 3, most: int = 14) -> list[OntologyClass]:
    """Classes with titles of a few words, definitions, parents and relations among them."""
    n = draw(st.integers(least, most))
    slugs = [f"c{i}" for i in range(n)]
    refs = st.lists(st.sampled_from(slugs), max_size=2, unique=True)
    return [
        make_class(
            slug,
            title=" ".join(draw(st.lists(words, min_size=1, max_size=3))),
            definition=draw(texts(20)).replace("\n", " "),
            domain="d",
            parents=tuple(p for p in draw(refs) if p != slug),
            ancestors=tuple(a for a in draw(refs) if a != slug),
            relations={"requires": tuple(t for t in draw(refs) if t != slug)},
        )
        for slug in slugs
    ]


def question(number: int, gold: Sequence[str], prompt: str = "What?", **more: str) -> Question:
    """A question; gold by title."""
    items = tuple(GoldItem(f"g{i}", title) for i, title in enumerate(gold))
    return Question(
        id=f"q{number:04d}",
        key=f"rel:x{number}:requires",
        domain=more.get("domain", f"d{number % 3}"),
        template=more.get("template", "T-REL"),
        class_slugs=(f"x{number}",),
        prompt=prompt,
        retrieval_text=prompt,
        gold=items,
        gold_type="all",
    )


def case(
    number: int,
    seeds: Sequence[OntologyClass],
    gold: Sequence[str],
    engine: ScaffoldEngine | None = None,
    prompt: str = "What?",
) -> Case:
    """A case whose block is rendered by the engine, or the seeds' definitions under headings."""
    if engine:
        sections = engine.sections([c.slug for c in seeds])
    else:
        sections = [f"## {c.title}\n{c.definition}" for c in seeds]
    block = wrap(sections) if seeds else ""
    return Case(question(number, gold, prompt), ("Subject",), tuple(seeds), block)


@st.composite
def drawn_cases(draw: st.DrawFn, most: int = 8) -> tuple[list[OntologyClass], list[Case]]:
    """A corpus, and questions about it with the engine's own blocks; some without one."""
    classes = draw(corpora())
    engine = ScaffoldEngine(classes)
    seeds = st.lists(st.sampled_from(classes), max_size=3, unique_by=lambda c: c.slug)
    gold = st.lists(st.sampled_from([c.title for c in classes]), min_size=1, max_size=2)
    n = draw(st.integers(1, most))
    return classes, [
        case(i, draw(seeds), draw(gold), engine, f"What of {draw(words)}?") for i in range(n)
    ]


def plain_cases(n: int) -> list[Case]:
    """Questions with a class each, of equal length, that expose nothing of one another."""
    seeds = [make_class(f"s{i}", title=f"Loaf{i:02d}", definition="Baked.") for i in range(n)]
    return [case(i, [seeds[i]], [f"Gold{i:02d}"]) for i in range(n)]
