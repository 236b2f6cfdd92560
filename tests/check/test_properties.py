"""What no figure may depend on, and identities that always hold."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from copyceiling.check import check_files, check_rows, page, write_report
from copyceiling.check.fields import CheckRow, parse
from copyceiling.check.measure import COLUMNS, measure, shown_to
from copyceiling.matching import MATCHERS
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.check.made import FAST, ROWS, row, write_jsonl

SEEDS = st.integers(0, 2**32)
Rows = list[dict[str, Any]]


def text_of(rows: Rows, **options: Any) -> str:
    """All that a report says: its figures, its page and its rows."""
    found = check_rows(rows, **{**FAST, **options})
    return json.dumps([found.to_dict(), page(found), found.rows.to_pylist()], sort_keys=True)


@given(ROWS, SEEDS)
@settings(deadline=None, max_examples=40)
def test_order_of_rows_changes_nothing(rows: Rows, seed: int) -> None:
    assert text_of(rows) == text_of(random.Random(seed).sample(rows, len(rows)))


@given(ROWS, SEEDS)
@settings(
    deadline=None, max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_splitting_a_file_changes_nothing(tmp_path: Path, rows: Rows, seed: int) -> None:
    rng = random.Random(seed)
    cut = rng.randint(0, len(rows))
    parts = [rows[:cut], rows[cut:]]
    whole = check_files([write_jsonl(tmp_path / "whole.jsonl", rows)], **FAST)
    files = [write_jsonl(tmp_path / f"{i}.jsonl", part) for i, part in enumerate(parts)]
    rng.shuffle(files)
    split = check_files(files, **FAST)
    assert whole.to_dict() == split.to_dict() and whole.rows.equals(split.rows)


@given(ROWS)
@settings(deadline=None, max_examples=30)
def test_copies_of_rows_change_no_figure(rows: Rows) -> None:
    once = check_rows(rows, **FAST)
    twice = check_rows([*rows, *rows], skip_bad=True, **FAST)
    assert twice.n_bad == len(rows) and twice.n_read == 2 * len(rows)
    assert once.systems == twice.systems and once.pairs == twice.pairs
    assert once.rows.equals(twice.rows)


def test_number_of_workers_changes_nothing(tmp_path: Path) -> None:
    """Enough rows for several chunks, so that both processes measure."""
    rows = [
        row(
            i,
            system=f"s{i % 2}",
            cluster=f"c{i % 7}",
            answer="Rye flour." if i % 3 else None,
            raw_answer="table salt" if i % 5 else None,
            context="rye flour " * (i % 50) + "x" * 3000,
        )
        for i in range(3000)
    ]
    path = write_jsonl(tmp_path / "rows.jsonl", rows)
    found = [check_files([path], workers=n, **FAST) for n in (1, 2)]
    assert found[0].to_dict() == found[1].to_dict() and found[0].rows.equals(found[1].rows)
    files = [write_report(f, tmp_path / str(i)) for i, f in enumerate(found)]
    for one, two in zip(*files, strict=True):
        assert one.read_bytes() == two.read_bytes(), one.name


@given(ROWS)
@settings(deadline=None, max_examples=60)
def test_counts_sum_and_scores_are_bounded(rows: Rows) -> None:
    found = check_rows(rows, **FAST)
    for system in found.systems:
        assert sum(system.status.values()) == system.n_rows
        for m in system.measures:
            assert m.n11 + m.n10 + m.n01 + m.n00 == m.n_gold
            assert m.n10_compliant <= m.n10_any <= m.n10
            assert m.n_question <= m.n11 + m.n10, "what the question exposes is exposed"
            if m.n:
                assert m.recall is not None and m.ceiling is not None and m.gain is not None
                assert 0 <= m.recall <= 1 and 0 <= m.ceiling <= 1
                assert m.gain == pytest.approx(m.recall - m.ceiling)
        paper, strict = system.of("paper", "as_received"), system.of("strict", "as_received")
        assert strict.n11 + strict.n01 <= paper.n11 + paper.n01, "strict credit is credit"


@given(ROWS)
@settings(deadline=None, max_examples=60)
def test_the_ceiling_is_the_score_of_the_visible_input_as_an_answer(rows: Rows) -> None:
    for given_row in rows:
        parsed = parse(given_row)
        assert isinstance(parsed, CheckRow)
        copy = parse({**given_row, "answer": shown_to(parsed), "status": None})
        assert isinstance(copy, CheckRow)
        found = dict(zip(COLUMNS, measure(copy), strict=True))
        for m in MATCHERS:
            assert found[f"{m}_recall_num"] == found[f"{m}_ceiling_num"]
            assert found[f"{m}_n10"] == found[f"{m}_n01"] == 0


@given(ROWS)
@settings(deadline=None, max_examples=30)
def test_one_list_of_gold_as_titles_or_as_records(rows: Rows) -> None:
    plain = [
        {**r, "gold": [g if isinstance(g, str) else g["title"] for g in r["gold"]]} for r in rows
    ]
    records = [{**r, "gold": [{"title": t} for t in r["gold"]]} for r in plain]
    assert text_of(plain) == text_of(records)
