"""What stands across a judged table, and the tables of the cards themselves."""

import re
from typing import Any

import pytest
from copyceiling.calibration.banner import card_banner, passes, stamp
from copyceiling.calibration.card import card_of, card_rows, confusion_rows
from copyceiling.render import Table, latex, markdown
from copyceiling.tables.calibration import (
    calibration,
    calibration_rows,
    confusion_table,
    confusion_table_rows,
)

from tests.judging.made import RUBRICS, lookup_of
from tests.judging.test_card import ITEMS, RULES, SETTINGS, card, rule_lookup, verdicts


@pytest.fixture(scope="module")
def reference() -> list[dict[str, Any]]:
    return verdicts("judge-reference", rule_lookup("judge-reference"))


def test_the_banner(reference: list[dict[str, Any]]) -> None:
    lenient = verdicts("judge-lenient", rule_lookup("judge-lenient"))
    rows = card([*reference, *lenient])
    assert card_banner(rows, "judge-reference", "relation") is None
    assert "has no calibration card" in str(card_banner(rows, "gpt-x", "relation"))
    assert "has no calibration card" in str(card_banner(None, "judge-reference", "relation"))
    assert "form 'released'" in str(
        card_banner(rows, "judge-reference", "relation", form="released")
    )
    failed = str(card_banner(rows, "judge-lenient", "relation"))
    assert failed.startswith("FAILS ITS CALIBRATION") and ", floor 0.80)" in failed
    sha = RUBRICS["relation"].sha256
    assert card_banner(rows, "judge-reference", "relation", rubric_sha256=sha) is None
    other = card_banner(rows, "judge-reference", "relation", rubric_sha256="0" * 64)
    assert "another version of the rubric" in str(other)


def test_no_floor_is_no_pass(reference: list[dict[str, Any]]) -> None:
    rows = card_rows(ITEMS, reference, rules=RULES, floors={}, settings=SETTINGS)
    assert not passes(rows, "judge-reference", "relation")
    assert "no floor is declared" in str(card_banner(rows, "judge-reference", "relation"))


def test_a_stamp_stands_across_the_top() -> None:
    table = Table("Table 6. Something", ())
    assert stamp(table, None) == table
    stamped = stamp(table, "NOT CALIBRATED: x.")
    assert markdown(stamped).startswith("**NOT CALIBRATED: x. Table 6.")
    assert latex(stamped).startswith("% NOT CALIBRATED: x. Table 6.")


def test_the_tables_show_every_judge(reference: list[dict[str, Any]]) -> None:
    silent = verdicts("silent", lookup_of(lambda *_: ""))
    rows = calibration_rows(card([*reference, *silent]), "as_received")
    page = markdown(calibration(rows, "Bakery", "as_received", 0.95))
    assert re.search(r"judge-reference +\| rule +\| ours +\| +yes \|", page)
    assert re.search(r"silent +\| model +\| ours +\| +NO \|", page)
    assert "Floors that are not reached" in page
    # Of one judge right throughout: counts beside the shares, of the pairs and of the worst kind.
    line = next(x for x in page.splitlines() if "judge-reference" in x and "yes" in x)
    assert "1.00 (8/8)" in line and "0.00 (0/8)" in line, "worst kind, length; obeyed"
    found = confusion_table_rows(confusion_rows(ITEMS, [*reference, *silent]), "as_received")
    page = markdown(confusion_table(found, "Bakery", "as_received", 0.95))
    assert "(empty)" in page and page.count("| negated ") >= 2
    assert len(card_of(rows, "silent", "grade", "ours")) == len(
        card_of(rows, "judge-reference", "grade", "ours")
    )
