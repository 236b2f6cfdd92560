"""Where titles are marked: exactly where the matcher gives credit, in the text as written."""

import pytest
from copyceiling.matching import Text, Title, match
from copyceiling.report.spans import Raw, Span, find_spans, utf16
from copyceiling.text import normalise
from hypothesis import given, settings
from hypothesis import strategies as st

# Letters that few titles lack, separators, and characters that lowercase to another length or to
# ASCII (dotted capital I, Kelvin sign), beyond the basic plane, or in another script.
_CHARS = st.sampled_from("aAbB9 -.\n\u0130\u212a\u03a3\U0001f600\u00e9\u4e2d")
_WORDS = st.sampled_from(["alpha", "Beta", "gamma", "delta", "alphabet", "a", "of", "\u0130"])
_GAPS = st.sampled_from([" ", "  ", "-", ", ", "\n", "\U0001f600", ""])
TEXTS = st.one_of(
    st.text(_CHARS, max_size=30),
    st.lists(st.tuples(_WORDS, _GAPS), max_size=12).map(
        lambda pairs: "".join(word + gap for word, gap in pairs)
    ),
)
TITLES = st.one_of(
    st.text(_CHARS, max_size=6), st.lists(_WORDS, max_size=6).map(lambda words: " ".join(words))
)


@settings(max_examples=600, deadline=None)
@given(TITLES, TEXTS)
def test_a_title_is_marked_exactly_where_the_matcher_credits_it(title: str, text: str) -> None:
    found = match(Title.of(title), Text.of(text))
    spans = find_spans(title, Raw.of(text))
    assert bool(spans) == found.paper
    kinds = {s.kind for s in spans}
    if found.path == "word_bag":
        assert kinds == {"word"}
    elif found.path == "substring":
        assert kinds <= {"whole", "inside"}
        assert ("whole" in kinds) == found.strict


@settings(max_examples=600, deadline=None)
@given(TITLES, TEXTS)
def test_a_span_slices_back_to_what_was_matched(title: str, text: str) -> None:
    prepared = Title.of(title)
    for span in find_spans(title, Raw.of(text)):
        piece = normalise(text[span.start : span.end])
        if span.kind == "word":
            assert piece in prepared.long_words
        else:
            # A character that lowercases to several may bring along one that was not matched.
            assert prepared.norm in piece


@settings(max_examples=300, deadline=None)
@given(TEXTS, st.data())
def test_positions_for_javascript(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    (span,) = utf16(text, [Span(start, end, "whole")])
    units = text.encode("utf-16-le")
    assert units[2 * span.start : 2 * span.end].decode("utf-16-le") == text[start:end]


@pytest.mark.parametrize(
    ("title", "text", "marked"),
    [
        # Any run of separators is one space to the matcher.
        ("Load Test", "a load -\n test.", [("load -\n test", "whole")]),
        # Boundary-blind credit: the title stands inside other words.
        ("art", "Start of art", [("art", "inside"), ("art", "whole")]),
        # Four of five long words.
        (
            "alpha beta gamma delta epsilon",
            "delta; gamma, beta (alpha)",
            [("delta", "word"), ("gamma", "word"), ("beta", "word"), ("alpha", "word")],
        ),
        # Three of five are not enough.
        ("alpha beta gamma delta epsilon", "delta; gamma, beta", []),
        # The whole occurrence overlaps one inside a word.
        ("a a", "xa a a", [("a a", "inside"), ("a a", "whole")]),
        # The Kelvin sign lowercases to k.
        ("kelvin", "\u212aelvin", [("\u212aelvin", "whole")]),
        ("\u4e2d\u6587", "\u4e2d\u6587", []),
    ],
)
def test_spans_by_example(title: str, text: str, marked: list[tuple[str, str]]) -> None:
    spans = find_spans(title, Raw.of(text))
    assert [(text[s.start : s.end], s.kind) for s in spans] == marked
