"""Spans of a text, and its best cosines with titles, against loops that do the same."""

import numpy as np
import pytest
from copyceiling.errors import ConfigError
from copyceiling.rescore.cosines import hits, measure, scaled, threshold_of
from copyceiling.rescore.plan import Plan, digest
from copyceiling.rescore.spans import spans
from copyceiling.rescore.study import matcher_name
from copyceiling.text import normalise
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.embedders import StubEmbedder, made_spec
from tests.rescore_toy import THRESHOLDS

# -- spans


def naive_spans(text: str) -> set[str]:
    """Spans by walking over the characters, without regular expressions for the cuts."""
    found = {normalise(text)}
    chunk = ""
    for character in text + "\n":
        if character in "\n;,:()[]{}":
            words = normalise(chunk).split()
            found.add(" ".join(words))
            for start in range(len(words)):
                for stop in range(start + 1, min(start + 6, len(words)) + 1):
                    found.add(" ".join(words[start:stop]))
            chunk = ""
        else:
            chunk += character
    return found - {""}


@given(st.text(alphabet="ab1 .,;:()[]{}\n-/'\"é", max_size=60))
def test_spans_equal_brute_force(text: str) -> None:
    assert spans(text) == naive_spans(text)


def test_what_cuts_a_chunk_and_what_does_not() -> None:
    """Source: STUDIES section 1: full stop, dash, slash and quotes are no delimiters."""
    assert "a b" in spans("a. b") and "a b" in spans("a-b") and "a b" in spans('a/"b"')
    for mark in "\n;,:()[]{}":
        assert "a b" not in spans(f"a{mark}b c") and "a b c" in spans(f"a{mark}b c"), repr(mark)


def test_runs_have_at_most_six_words_and_the_chunk_stands_whole() -> None:
    found = spans("a b c d e f g h; i")
    assert "a b c d e f" in found and "a b c d e f g" not in found
    assert "a b c d e f g h" in found and "a b c d e f g h i" in found
    assert spans("") == spans(" .;\n") == set()


# -- cosines


def naive_best(embedder: StubEmbedder, text: str, title: str) -> int:
    """The best cosine by loops over spans, windows and numbers."""
    best = -1.0
    wanted = embedder.vector(title)
    for span in naive_spans(text):
        words = span.split(" ")
        for i in range(0, len(words), embedder.identity.window):
            piece = embedder.vector(" ".join(words[i : i + embedder.identity.window]))
            best = max(best, sum(a * b for a, b in zip(piece, wanted, strict=True)))
    return round(best * 10_000)


spoken_words = st.sampled_from(["cell", "wall", "growth", "of", ";", "x1"])
texts = st.lists(st.lists(spoken_words, max_size=14).map(" ".join), max_size=4)
some_titles = st.sampled_from(["cell wall", "growth of cell", "x1", "wall"])
titles = st.lists(some_titles, min_size=1, max_size=3)


@settings(max_examples=60, deadline=None)
@given(texts, titles)
def test_best_cosines_equal_brute_force(found: list[str], wanted: list[str]) -> None:
    stub, plan = StubEmbedder(), Plan()
    for text in found:
        plan.add(text, wanted)
    measured = {(r["text"], r["gold"]): r for r in measure(plan, stub)} if plan.texts else {}
    spoken = [text for text in found if normalise(text)]
    assert set(measured) == {(digest(t), digest(g)) for t in spoken for g in wanted}
    for text in spoken:
        for title in wanted:
            row = measured[digest(text), digest(title)]
            assert abs(row["cosine"] - naive_best(stub, text, title)) <= 1
            assert row["n_spans"] == len(naive_spans(text))
    assert len(stub.asked) == len(set(stub.asked)), "each distinct string is embedded once"


def test_a_span_beyond_the_window_counts_with_its_best_window() -> None:
    """Its mean would lie far from the title that stands in its second window."""
    stub = StubEmbedder(made_spec(window=8))
    long = "a b c d e f g h cell wall growth of root hair in water"
    plan = Plan()
    plan.add(long, ["cell wall growth of root hair in water"])
    (row,) = measure(plan, stub)
    assert row["cosine"] == 10_000 and row["n_long"] == 1
    whole = np.mean([stub.vector(w) for w in stub.windows([long])[0]], axis=0)
    assert scaled(float(whole @ stub.vector(long[16:])) / float(np.linalg.norm(whole))) < 9_500


def test_thresholds_and_their_names() -> None:
    assert [threshold_of(t) for t in (0.8, 0.85, 0.9, 1, 0.8125)] == [*THRESHOLDS, 10_000, 8125]
    names = ["cosine@0.80", "cosine@0.8125", "cosine@1.00"]
    assert [matcher_name(t) for t in (8000, 8125, 10_000)] == names
    with pytest.raises(ConfigError, match="more than four decimals"):
        threshold_of(0.80001)
    assert hits([8000, 7999, None], 8000) == [True, False, False]
