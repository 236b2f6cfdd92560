"""A judge behind a real socket that misbehaves: every case still ends in a declared status."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from copyceiling.judging.forms import FORMS
from copyceiling.judging.harness import STATUSES, Case, judge
from copyceiling.live.runner import run_calls

from tests.judging.made import RUBRICS, SEED, grade
from tests.live.hostile_provider import HostileProvider
from tests.live.playing import FREE, settings, spec


@pytest.fixture(scope="module")
def provider() -> Iterator[HostileProvider]:
    with HostileProvider() as server:
        yield server


@pytest.mark.parametrize(
    ("plan", "status", "asked"),
    [
        ("ok", "unparsed", 2),
        ("empty", "empty", 1),
        ("null", "empty", 1),
        ("length", "truncated", 1),
        ("at_budget", "truncated", 1),
        ("refusal", "refused", 1),
        ("filtered", "refused", 1),
        ("policy", "refused", 1),
        ("surrogate", "unparsed", 2),
        ("malformed", "error", 2),
        ("no_choices", "error", 2),
        ("500", "error", 2),
        ("500, ok", "unparsed", 3),
    ],
)
def test_every_case_ends(
    provider: HostileProvider, tmp_path: Path, plan: str, status: str, asked: int
) -> None:
    """The plan stands in the answer that is judged, where the played server reads it."""
    tag = f"judge {plan}"
    judged = spec(provider.base_url, budgets=(50,))
    how = settings(tmp_path, prices={"played": FREE}, max_tries=2)
    (found,) = judge(
        [Case(grade(f"[[{tag}: {plan}]]"))],
        spec=judged,
        rubric=RUBRICS["grade"],
        form=FORMS["ours"],
        seed=SEED,
        lookup=lambda calls: run_calls(calls, judged, how),
    )
    assert found.heard.status == status in STATUSES
    assert found.heard.value is None
    assert provider.asked[tag] == asked
