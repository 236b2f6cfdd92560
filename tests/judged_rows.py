"""Small judged cohorts that tests of contrasts, flow, diagnostics and tables build on."""

from pathlib import Path
from typing import Any

from copyceiling.artefacts.judged_schemas import ANSWERS
from copyceiling.released.controls import import_controls
from copyceiling.released.general import import_general
from copyceiling.released.layout import find_part
from copyceiling.released.production import import_production
from copyceiling.released.reading import Reader
from copyceiling.sweep import Settings

SETTINGS = Settings(seed=42, resamples=200, level=0.95)


def cell(question: str, arm: str, of_set: str = "s", cohort: str = "production") -> dict[str, Any]:
    return {
        "cohort": cohort,
        "set": of_set,
        "question_id": question,
        "arm": arm,
        "model": "m",
    }


def answer(question: str, arm: str, status: str | None = "ok", **more: Any) -> dict[str, Any]:
    """One answer; with status None nothing is known of its end."""
    where = {k: more.pop(k) for k in ("of_set", "cohort") if k in more}
    known = None if status is None else True
    row = {c.name: None for c in ANSWERS.columns}
    return {**row, **cell(question, arm, **where), "attempted": known, "status": status, **more}


def grade(question: str, arm: str, score: int | None, **more: Any) -> dict[str, Any]:
    where = {k: more.pop(k) for k in ("of_set", "cohort") if k in more}
    status = "absent" if score is None else "graded"
    said = {"judge": "j", "status": status, "score": score, "cut": None}
    return {**cell(question, arm, **where), **said, **more}


def production() -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Two sets of three questions; served against raw.

    s: 5-2, 3-3, 4-(empty); t: 2-4 with a cut answer, (error)-1, 5-(text without a grade).
    """
    answers = [
        answer("q1", "served", engaged=True, injected_tokens=10, latency_s=1.0, n_chars=9),
        answer("q1", "raw", latency_s=2.0, n_chars=9),
        answer("q2", "served", engaged=False, latency_s=3.0, n_chars=9),
        answer("q2", "raw", latency_s=4.0, n_chars=4001),
        answer("q3", "served", engaged=True, injected_tokens=30, latency_s=5.0, n_chars=9),
        answer("q3", "raw", "empty", n_chars=0),
        answer(
            "q1", "served", "truncated", of_set="t", engaged=True, injected_tokens=20, n_chars=9
        ),
        answer("q1", "raw", of_set="t", n_chars=9),
        answer("q2", "served", "error", of_set="t"),
        answer("q2", "raw", of_set="t", n_chars=9),
        answer("q3", "served", of_set="t", n_chars=9),
        answer("q3", "raw", of_set="t", n_chars=9),
    ]
    scores = {
        ("s", "served"): (5, 3, 4),
        ("s", "raw"): (2, 3, None),
        ("t", "served"): (2, None, 5),
        ("t", "raw"): (4, 1, None),
    }
    grades = [
        grade(f"q{i}", arm, score, of_set=of_set)
        for (of_set, arm), column in scores.items()
        for i, score in enumerate(column, 1)
    ]
    return answers, grades


def controls(n: int = 6) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """A control cohort whose own rows hold scores only: true, masked and the lent arms.

    One answer of ``true`` has no score, and nothing is known of its end.
    """
    grades = []
    for i in range(n):
        scores = {"served": 4, "raw": i % 3, "true": 5 - (i % 3 == 1), "masked": 5 - (i % 3 == 2)}
        grades += [
            grade(f"q{i}", arm, None if (i, arm) == (0, "true") else s, cohort="controls")
            for arm, s in scores.items()
        ]
    answers = [
        answer(
            g["question_id"], g["arm"], None, cohort="controls", attempted=bool(g["score"]) or None
        )
        for g in grades
        if g["arm"] in ("true", "masked")
    ]
    return answers, grades


def released(shared: Path) -> tuple[list[dict[str, Any]], ...]:
    """Answers, grades and block exposure of the paper's release, as its rules read them."""
    files = {
        part: {slot: [Path(p) for p in paths] for slot, paths in slots.items()}
        for part in ("production", "controls")
        for slots in [find_part(str(shared / "release"), part)]
    }
    reader = Reader("test")
    parts = (
        import_production(reader, files["production"], {}),
        import_general(reader, files["production"], {}),
        import_controls(reader, files["controls"], {}),
    )
    reader.stop()
    answers = [row for part in parts for row in part.answers]
    return answers, [row for part in parts for row in part.grades], parts[2].exposure
