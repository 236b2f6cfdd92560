"""Blocks: golden files where they are at hand, and worked pieces."""

from pathlib import Path

import pytest
from copyceiling.corpus.read import read_corpus
from copyceiling.scaffold import ScaffoldEngine, estimate_tokens, truncate

from tests.conftest import make_class

PROMPT = "Explain how a knowledge graph uses a graph database"


@pytest.mark.parametrize(
    ("file", "prompt", "options"),
    [
        ("golden_default.txt", PROMPT, {}),
        ("golden_hops0.txt", PROMPT, {"hops": 0}),
        ("golden_budget60.txt", PROMPT, {"budget_tokens": 60}),
        ("golden_irrelevant.txt", "best sourdough starter recipe", {}),
    ],
)
def test_golden_blocks_byte_for_byte(
    shared: Path, file: str, prompt: str, options: dict[str, int]
) -> None:
    """Source: the released engine's parity anchors (reference/golden/meta.json)."""
    golden = shared / "reference" / "golden"
    corpus, _ = read_corpus(
        {
            "name": "fixture",
            "version": "1",
            "source": "",
            "licence": "",
            "format": "index",
            "path": str(golden / "fixture.json"),
            "policy": {},
            "domains": "source",
        }
    )
    block = ScaffoldEngine(corpus.classes, **options).scaffold(prompt).block
    assert block.encode() == (golden / file).read_bytes()


def test_sections_are_dropped_whole_from_the_end() -> None:
    classes = [
        make_class("red-ball", definition="r" * 100),
        make_class("red-cube", definition="c" * 100),
    ]
    one = ScaffoldEngine(classes, budget_tokens=50).scaffold("red ball red cube")
    both = ScaffoldEngine(classes, budget_tokens=100).scaffold("red ball red cube")
    assert (one.n_sections, both.n_sections) == (1, 2)
    assert "Red Cube" not in one.block
    assert one.tokens <= 50
    assert [s.slug for s in one.seeds] == ["red-ball", "red-cube"], "seeds are kept when cut"


def test_truncate() -> None:
    assert truncate("short") == "short"
    assert truncate("One. " + "two " * 60, 20) == "One. two two two" + "\N{HORIZONTAL ELLIPSIS}"
    assert truncate("A sentence here. Another one goes on", 20) == "A sentence here."
    assert truncate("x" * 30, 20) == "x" * 20 + "\N{HORIZONTAL ELLIPSIS}"


def test_estimate_rounds_up() -> None:
    assert [estimate_tokens("x" * n) for n in (0, 1, 4, 5)] == [0, 1, 1, 2]


def test_a_reference_to_no_class_shows_as_itself() -> None:
    classes = [make_class("red-ball", relations={"uses": ("no-such-thing",)})]
    assert "uses: no-such-thing" in ScaffoldEngine(classes).scaffold("red ball").block
