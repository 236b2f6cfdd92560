"""Published values of audit, suppression and rewrites against what the released rows give.

Source of every number: reference/expected.yaml of the paper's material.
"""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from copyceiling.published.audit import audit_values
from copyceiling.published.audit_rows import AuditRows
from copyceiling.published.compare import DIFFERS, judge
from copyceiling.published.expected import Published, load_published
from copyceiling.published.paraphrase import paraphrase_values
from copyceiling.published.recomputed import Recomputed
from copyceiling.published.rescore import rescore_values
from copyceiling.published.suppression import suppression_values
from copyceiling.rewrites import paraphrase_rows

from tests.paper_rows import SETTINGS, audit_of, rewrites_of, sweep_of

# Family to values published, and those that the rows at hand determine.
COUNTS = {
    "audit": (167, 150),
    "suppression": (21, 5),
    "paraphrase": (21, 15),
    "rescore": (230, 2),
}
NOTHING = AuditRows([], [], [], [], [], [], [], [], [], [], {})


@pytest.fixture(scope="module")
def published(shared: Path) -> dict[str, Published]:
    values = load_published(shared / "reference" / "expected.yaml")
    return {v.key: v for v in values if v.family in COUNTS}


def check_of(shared: Path) -> list[dict[str, Any]]:
    from copyceiling.audit.exposure import exposure_check_rows

    sweep = sweep_of(shared)
    exposed: Counter[str] = Counter()
    for row in sweep.exposure:
        exposed[row["question_id"]] += row["exposed"]
    names = {m: sweep.labels.get(m, m) for m in sorted({r["model"] for r in sweep.scores})}
    folder = shared / "release" / "sweep"
    files = {m: folder / f"scores-{name}-scaffold.jsonl" for m, name in names.items()}
    return exposure_check_rows(files, exposed)


@pytest.fixture(scope="module")
def recomputed(shared: Path) -> dict[str, Recomputed]:
    sweep, rows = sweep_of(shared), audit_of(shared)
    rewrites = rewrites_of(shared)
    domains = {q.id: q.domain for q in sweep.questions}
    return {
        **audit_values(rows),
        **suppression_values(rows, sweep.scores),
        **paraphrase_values(rewrites, paraphrase_rows(rewrites, domains, SETTINGS)),
        **rescore_values(rows.models, sweep.scores, check_of(shared), sweep.labels, {}),
    }


def test_every_published_key_is_covered_and_no_other(
    published: dict[str, Published], recomputed: dict[str, Recomputed]
) -> None:
    assert recomputed.keys() == published.keys()


def test_no_recomputed_value_differs(
    published: dict[str, Published], recomputed: dict[str, Recomputed]
) -> None:
    verdicts = {key: judge(published[key], ours) for key, ours in recomputed.items()}
    wrong = {
        key: (published[key].value, recomputed[key].value)
        for key, (word, _) in verdicts.items()
        if word == DIFFERS
    }
    assert wrong == {}


def test_how_many_are_recomputed_by_family(recomputed: dict[str, Recomputed]) -> None:
    total = Counter(key.partition(".")[0] for key in recomputed)
    ours = Counter(key.partition(".")[0] for key, v in recomputed.items() if v.value is not None)
    found = {family: (total[family], ours[family]) for family in COUNTS}
    print(found)
    assert found == COUNTS


def test_the_census_settles_what_score_rows_only_bound(shared: Path) -> None:
    """Paper section 10.2: 9,865, 735, 3 and 757 units; none of these is in the configuration."""
    whole = {r["category"]: r for r in audit_of(shared).frame if r["model"] == "(pooled)"}
    sizes = {category: audit_of(shared).units(category) for category in whole}
    assert {c: r["n"] for c, r in sizes.items() if r} == {
        "n11": 9865,
        "n10": 735,
        "n01": 3,
        "n00": 757,
    }
    n11 = sizes["n11"]
    assert n11 is not None and n11["n_low"] < n11["n"] and n11["source"] == "census"


def test_a_value_that_rests_on_the_census_says_so(recomputed: dict[str, Recomputed]) -> None:
    for key in ("audit.R", "audit.frame_cells.n00", "suppression.scaffold"):
        assert "audit.census" in str(recomputed[key].note)
    assert recomputed["audit.credit_precision"].note is None


def test_without_the_census_nothing_that_needs_it_is_stated(shared: Path) -> None:
    from copyceiling.audit.corrected import corrected_rows
    from copyceiling.audit.frame import answers, frame_rows, weights_of

    rows = audit_of(shared)
    frame = frame_rows(answers(sweep_of(shared).scores), rows.verdicts, None, None)
    corrected = corrected_rows(rows.verdicts, weights_of(frame), SETTINGS)
    found = audit_values(replace(rows, frame=frame, corrected=corrected))
    for key in ("audit.R", "audit.R.ci95_question", "audit.frame_cells.n11", "audit.gap_pp"):
        assert found[key].value is None and "titles of hits" in str(found[key].reason)
    grounded = suppression_values(replace(rows, frame=frame), [])["suppression.scaffold"]
    assert "3 to 749" in str(grounded.reason)


def test_nothing_at_hand_gives_no_value_and_a_reason_for_each(
    shared: Path, published: dict[str, Published]
) -> None:
    models, labels = audit_of(shared).models, sweep_of(shared).labels
    nothing = replace(NOTHING, models=models, labels=labels)
    found = {
        **audit_values(nothing),
        **suppression_values(nothing, []),
        **paraphrase_values([], []),
        **rescore_values(models, [], [], labels, {}),
    }
    assert found.keys() == published.keys()
    assert [key for key, v in found.items() if v.value is not None or not v.reason] == []


def raw_hit(unit: str, model: str, label: str, gate: str) -> dict[str, Any]:
    return {
        "part": "raw_hits",
        "unit_id": unit,
        "model": model,
        "question_id": unit,
        "category": "n01",
        "template": "T-REL",
        "gold_type": "all",
        "label": label,
        "role": "required",
        "gate": gate,
        "verbatim": None,
    }


def test_raw_hits_of_the_full_release_are_read() -> None:
    """Hand-made: three judged hits of ten slots, one unresolved."""
    from copyceiling.audit.confusion import confusion_rows
    from copyceiling.audit.rates import rate_rows
    from copyceiling.sweep import Settings

    verdicts = [
        raw_hit("q1", "m", "correct_relation", "verified"),
        raw_hit("q2", "m", "correct_relation", "unresolved"),
        raw_hit("q3", "n", "absent", "not_needed"),
    ]
    frame = [
        {"model": "(pooled)", "template": "(all)", "category": c, "n": n, "n_low": n, "n_high": n}
        | {"source": "rows", "n_sampled": 0}
        for c, n in (("n01", 0), ("n00", 10))
    ]
    rows = replace(
        NOTHING,
        verdicts=verdicts,
        counts=confusion_rows(verdicts, 0.95),
        rates=rate_rows(verdicts, Settings(1, 200, 0.95)),
        frame=frame,
    )
    found = {
        k.removeprefix("suppression."): v.value for k, v in suppression_values(rows, []).items()
    }
    assert found["raw"] == 0.3 and found["raw_per_model"] == {"m": 2, "n": 1}
    assert found["raw_correct"] == pytest.approx(2 / 3)
    assert found["raw_correct.excluded"] == 0.5
    assert found["validated_per_model"] == {"m": 1}
    assert (found["raw.gate_adjudicated"], found["raw.gate_unresolved"]) == (1, 1)
    assert found["raw.absent"] == 1 and found["relational_raw"] == 0.2


def test_items_of_the_full_release_settle_raw_recovery_and_credit_by_words() -> None:
    """Hand-made: of one question's three items the scaffold hides two; the raw arm finds one."""
    exposure = [
        {"question_id": "q1", "item": i, "exposed": exposed}
        for i, exposed in enumerate((True, False, False))
    ]
    paths = {"raw": ("none", "word_bag", "none"), "scaffold": ("word_bag", "none", "none")}
    items = [
        {"model": "m", "question_id": "q1", "item": i, "arm": arm, "path": path}
        | {"recovered": path != "none"}
        for arm, found in paths.items()
        for i, path in enumerate(found)
    ]
    frame = [
        {"model": "(pooled)", "template": "(all)", "category": c, "n": n, "n_low": n, "n_high": n}
        | {"source": "rows", "n_sampled": 0}
        for c, n in (("n01", 0), ("n00", 2))
    ]
    rows = replace(NOTHING, exposure=exposure, items=items, frame=frame, labels={"m": "M-1"})
    found = suppression_values(rows, [])
    assert found["suppression.raw"] == Recomputed(0.5)
    assert found["suppression.raw_per_model"] == Recomputed({"M-1": 1})
    assert rows.by_words == {"n11": 1, "n10": 0, "n01": 0, "n00": 0}
