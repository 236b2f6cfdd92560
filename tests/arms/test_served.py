"""The served node in process: confidence gate, budget scaling, wrapper."""

from dataclasses import replace

import pytest
from copyceiling.requests import Message, build_messages
from copyceiling.served import LEXICAL, NO_MATCH, Confidence, serve, wrap
from hypothesis import given
from hypothesis import settings as settings_of
from hypothesis import strategies as st

from tests.arms.made import ENGINE, GENERATION, QUESTIONS

scores = st.floats(0, 100, allow_nan=False)


@pytest.mark.parametrize(
    ("policy", "requested", "score", "budget"),
    [
        (Confidence(), 1500, 3.5, 656),  # STUDIES section 3 (c): what scaling would have given
        (Confidence(), 1500, 2.0, 600),
        (Confidence(), 1500, 8.0, 1500),
        (Confidence(), 1500, 19.5, 1500),
        (Confidence(), 1500, 1.99, None),
        (Confidence(), 1, 2.0, 1),
        (Confidence(strong=0), 1500, 2.0, 1500),
        (Confidence(strong=-1), 1500, 2.0, 1500),
        (Confidence(scaling=False), 1500, 0.0, 1500),
        (Confidence(min_inject=9.0), 1500, 8.5, None),
    ],
)
def test_budgets_by_score(
    policy: Confidence, requested: int, score: float, budget: int | None
) -> None:
    """STUDIES section 6, confidence policy."""
    assert policy.budget(requested, score) == budget


@settings_of(deadline=None)
@given(st.integers(1, 5000), scores, scores)
def test_a_better_match_never_earns_less(requested: int, one: float, other: float) -> None:
    low, high = sorted((one, other))
    less, more = (Confidence().budget(requested, s) or 0 for s in (low, high))
    assert 0 <= less <= more <= requested
    assert less == 0 or less >= max(1, int(0.4 * requested))


def test_what_is_served_is_the_engines_block_at_the_budget_earned() -> None:
    query = QUESTIONS[0].retrieval_text
    found = serve(ENGINE, query, 200, Confidence(), GENERATION)
    assert found.path == LEXICAL and found.engaged and found.top_score is not None
    assert found.top_score >= 8.0 and found.effective_budget == 200
    assert found.block == ENGINE.with_budget(200).scaffold(query).block
    weak = serve(ENGINE, query, 200, Confidence(strong=10 * found.top_score), GENERATION)
    assert weak.effective_budget == 80 and weak.block_tokens <= 80
    gated = serve(ENGINE, query, 200, Confidence(min_inject=1000.0), GENERATION)
    assert (gated.path, gated.block, gated.effective_budget) == (NO_MATCH, "", None)
    assert gated.top_score == found.top_score, "telemetry says what was found all the same"
    nothing = serve(ENGINE, "zzz", 200, Confidence(), GENERATION)
    assert (nothing.path, nothing.top_score, nothing.seeds) == (NO_MATCH, None, ())
    tiny = serve(ENGINE, query, 1, replace(Confidence(), floor=1.0), GENERATION)
    assert tiny.path == LEXICAL and not tiny.engaged, "found, but no section fits"


def test_the_wrapper_joins_whatever_system_message_there_is() -> None:
    """STUDIES section 6, wrapper: the first system message, its right end trimmed."""
    user = Message("user", "Q")
    assert wrap([user], "P", "") == (user,)
    assert wrap([user], "P", "B") == build_messages("P", "B", "Q"), "as the sweep shows it"
    own = Message("system", "Be brief. \n\n")
    later = Message("system", "later")
    assert wrap([user, own, later], "P", "B") == (
        user,
        Message("system", "Be brief.\n\nP\n\nB"),
        later,
    )
    assert wrap([Message("system", " "), user], "P", "B")[0].content == "P\n\nB"
