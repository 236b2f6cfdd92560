"""Rows and reports that the tests of the check build on."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from copyceiling.check import Measures, Report, check_rows
from hypothesis import strategies as st

SAMPLES = Path(__file__).parent / "samples"
FAST: dict[str, Any] = {"resamples": 200}


def row(i: object, **changes: Any) -> dict[str, Any]:
    """A question with two gold items, one of them shown, and an answer that names it."""
    given = {
        "id": f"q{i}",
        "question": "What does a dough need?",
        "gold": ["Rye Flour", "Table Salt"],
        "context": ["A dough needs rye flour."],
        "answer": "Rye flour.",
    }
    return {k: v for k, v in {**given, **changes}.items() if v is not ...}


def report(rows: Sequence[Mapping[str, Any]], **options: Any) -> Report:
    return check_rows(rows, **{**FAST, **options})


def only(found: Report, matcher: str = "paper", policy: str = "as_received") -> Measures:
    """The measures of a report's single system."""
    (system,) = found.systems
    return system.of(matcher, policy)


def write_jsonl(path: Path, rows: Sequence[Any]) -> Path:
    path.write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")
    return path


WORDS = "rye flour table salt dough levain of x ion ionic Ärger ライ麦".split()
TEXTS = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
TITLES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
GOLD = st.lists(
    TITLES | st.fixed_dictionaries({"title": TITLES, "aliases": st.lists(TEXTS, max_size=2)}),
    min_size=1,
    max_size=4,
)
_FIELDS = st.fixed_dictionaries(
    {
        "question": TITLES,
        "gold": GOLD,
        "gold_type": st.sampled_from(["all", "any"]),
        "context": st.none() | TEXTS | st.lists(TEXTS, max_size=3),
        "answer": st.none() | TEXTS,
        "raw_answer": st.none() | TEXTS,
        "status": st.sampled_from([None, "ok", "truncated", "refused", "error"]),
        "system": st.sampled_from(["a", "b"]),
        "cluster": st.sampled_from([None, "c1", "c2"]),
    }
)
ROWS = st.lists(_FIELDS, min_size=1, max_size=8).map(
    lambda rows: [{"id": f"q{i // 2}-{i % 2}", **r} for i, r in enumerate(rows)]
)
