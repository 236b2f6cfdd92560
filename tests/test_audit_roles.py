"""A label whose role is missing counts as a label, and nowhere as a role."""

from typing import Any

import pytest
from copyceiling.artefacts.audit_unit_schemas import AUDIT_HUMAN
from copyceiling.artefacts.store import to_table
from copyceiling.audit.confusion import NO_ROLE, confusion_rows
from copyceiling.audit.human import Sheet, human_rows
from copyceiling.audit.labels import LABELS, ROLES
from copyceiling.audit.panels import Panel
from copyceiling.audit.rates import rate_rows
from copyceiling.sweep import Settings
from hypothesis import given, settings
from hypothesis import strategies as st

SETTINGS = Settings(7, 50, 0.95)


def verdict(number: int, label: str | None, role: str | None) -> dict[str, Any]:
    return {
        "part": "sample", "category": "n10", "unit_id": f"u{number}", "model": "m",
        "question_id": f"q{number}", "template": "T-REL", "gold_type": "any",
        "status": "graded" if label else "unparsed", "label": label, "role": role,
        "gate": "not_needed" if label in (None, "absent") else "verified", "verbatim": None,
    }  # fmt: skip


SAID = st.lists(
    st.tuples(st.sampled_from(LABELS), st.sampled_from([*ROLES, None])) | st.just((None, None)),
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(SAID)
def test_rates_against_brute_force(said: list[tuple[str | None, str | None]]) -> None:
    rows = rate_rows([verdict(i, *one) for i, one in enumerate(said)], SETTINGS)
    got = {
        r["rate"]: (r["k"], r["n"], r["n_left_out"])
        for r in rows
        if (r["by"], r["rule"], r["reading"]) == ("all", "as_run", "stands")
    }
    labels = [label for label, _ in said if label]
    roles = [role for _, role in said if role]
    absent = [role for label, role in said if label == "absent" and role]
    others = len([label for label in labels if label != "absent"])
    if said:
        total = len(said)
        k, n = roles.count("alternative"), len(roles)
        assert got["alternative"] == (k, n, total - n)
        omitted = sum(role != "alternative" for role in absent)
        n = others + len(absent)
        assert got["true_omission"] == (omitted, n, total - n)
        k = labels.count("correct_relation")
        assert got["correct"] == (k, len(labels), total - len(labels))


def test_a_missing_role_is_counted_beside_the_roles() -> None:
    rows = [
        verdict(0, "absent", None),
        verdict(1, "absent", "n/a"),
        verdict(2, None, None),
        verdict(3, "negated", None),
    ]
    found = confusion_rows(rows, 0.95)
    roles = {r["value"]: (r["n"], r["of"]) for r in found if r["field"] == "role"}
    assert roles == {"required": (0, 4), "alternative": (0, 4), "n/a": (1, 4), NO_ROLE: (2, 4)}


def test_people_and_judges_are_compared_on_the_roles_that_there_are() -> None:
    codes = {("sample", f"u{i}"): f"c{i}" for i in range(4)}
    sheet = Sheet(dict.fromkeys(codes.values(), "n10"), codes, {"n10": 8})
    judged = [verdict(i, "absent", role) for i, role in enumerate(["n/a", None, "required", None])]
    people = [
        {"annotator": "p", "code": code, "label": "absent", "role": "n/a", "note": ""}
        for code in codes.values()
    ]
    rows = human_rows(people, [Panel("j", 0, "model", "ours", None, judged)], sheet, 0.95)
    to_table(rows, AUDIT_HUMAN)
    found = {r["measure"]: (r["k"], r["n"]) for r in rows if r["judge"] == "j"}
    assert found["agreement on label"] == (4, 4) and found["agreement on role"] == (1, 2)


def test_where_every_role_is_missing_a_rate_of_roles_has_no_value() -> None:
    rows = rate_rows([verdict(i, "absent", None) for i in range(3)], SETTINGS)
    shares = {r["rate"]: r["share"] for r in rows if (r["by"], r["reading"]) == ("all", "stands")}
    assert shares["alternative"] is None is shares["true_omission"]
    assert shares["correct"] == pytest.approx(0.0)
