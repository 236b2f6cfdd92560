"""Semantic retrieval and fusion against plain forms of both, and frozen hits of one query."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from copyceiling.embedding import EmbedderSpec, embedder_spec
from copyceiling.errors import EmbeddingError, MissingHitsError
from copyceiling.semantic import (
    N_HITS,
    Hit,
    class_text,
    disagreement,
    frozen_hits,
    fuse,
    nearest,
    query_key,
)
from copyceiling.stress.hits import Plan, attest, find, hit_rows, hits_by_key
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tests.conftest import make_class

SPEC = embedder_spec("all-minilm-l6-v2-int8")
NAMES = st.lists(st.sampled_from("abcdefgh"), max_size=8)


def test_class_texts() -> None:
    c = make_class("oven", definition="A hot chamber.")
    assert (
        class_text(c, "definition") == "Oven. A hot chamber." and class_text(c, "title") == "Oven"
    )
    assert class_text(make_class("oven"), "definition") == "Oven."


@settings(deadline=None)
@given(hnp.arrays(np.int8, st.tuples(st.integers(1, 9), st.just(3)), elements=st.integers(-2, 2)))
def test_nearest_equals_sorting_all(raw: np.ndarray[Any, Any]) -> None:
    """Few distinct values, so that ties abound."""
    vectors = raw.astype(np.float32) / 2
    slugs = [f"s{(7 * i) % 10}" for i in range(len(vectors))]
    for n in (1, 3, 20):
        found = nearest(vectors, vectors, slugs, n)
        for query, hits in zip(vectors, found, strict=True):
            cosines = [round(float(np.float32(query @ v)), 4) for v in vectors]
            plain = sorted(zip(slugs, cosines, strict=True), key=lambda pair: (-pair[1], pair[0]))
            assert [(h.slug, h.cosine) for h in hits] == plain[:n]


@given(st.lists(NAMES, min_size=1, max_size=3), st.integers(0, 9))
def test_fusion_equals_the_plain_sum(rankings: list[list[str]], n: int) -> None:
    """Reciprocal rank fusion as published, k = 60; a name counts at its first place."""
    scores: dict[str, float] = {}
    for ranking in rankings:
        distinct = sorted(set(ranking), key=ranking.index)
        for i, name in enumerate(distinct):
            scores[name] = scores.get(name, 0.0) + 1 / (60 + i + 1)
    plain = sorted(scores, key=lambda name: (-round(scores[name], 12), name))
    assert fuse(rankings, n) == plain[:n]


def test_fusion_prefers_what_both_find() -> None:
    assert fuse([["a", "b", "c"], ["d", "b", "e"]], 3) == ["b", "a", "d"]
    assert fuse([["a", "b"], []], 4) == ["a", "b"], "with nothing to add, a ranking stays itself"


@pytest.mark.parametrize(
    ("lexical", "semantic", "rank"),
    [
        (["a"], ["a", "b"], 1),
        (["b", "a"], ["a", "b"], 2),
        (["c"], ["a", "b"], 3),
        ([], ["a"], None),
    ],
)
def test_disagreement(lexical: list[str], semantic: list[str], rank: int | None) -> None:
    assert disagreement(lexical, semantic) == rank


class Letters:
    """A stand-in for an encoder: counts of letters, at length 1."""

    n_asked = 0

    @property
    def identity(self) -> EmbedderSpec:
        """Which encoder it stands in for."""
        return SPEC

    def encode(self, texts: Sequence[str]) -> Any:
        """Return letter counts."""
        Letters.n_asked += len(texts)
        raw = np.array([[1 + t.lower().count(c) for c in "abcdeo"] for t in texts], np.float32)
        return raw / np.linalg.norm(raw, axis=1, keepdims=True)

    def windows(self, texts: Sequence[str]) -> list[list[str]]:
        """Return each text whole."""
        return [[t] for t in texts]


@pytest.fixture
def encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("copyceiling.stress.hits.open_embedder", lambda spec: Letters())
    monkeypatch.setattr("copyceiling.stress.hits.CachedEmbedder", lambda embedder, folder: embedder)
    Letters.n_asked = 0


def plan(*queries: str, definition: str = "hot") -> Plan:
    classes = [make_class(f"c{i}", title="abc"[i] * 3, definition=definition) for i in range(3)]
    return Plan(queries, classes, SPEC)


def test_live_embeds_what_is_not_frozen_and_a_replay_needs_no_encoder(
    encoder: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = find(plan("aa"), [], "live", tmp_path, "s")
    more = find(plan("aa", "bb"), first, "live", tmp_path, "s")
    key = plan("bb").keys("title")["bb"]
    assert next(r["slug"] for r in more if r["key"] == key) == "c1"
    asked = Letters.n_asked
    assert asked == 2 * (3 + 1) * 2, "both forms of three classes, and the new query alone, twice"
    monkeypatch.setattr("copyceiling.stress.hits.open_embedder", _no_encoder)
    replayed = find(plan("bb", "aa"), more, "replay", tmp_path, "s")
    assert sorted(map(repr, replayed)) == sorted(map(repr, more)) and Letters.n_asked == asked


def _no_encoder(spec: EmbedderSpec) -> None:
    raise EmbeddingError("not at hand")


def test_a_changed_query_corpus_or_encoder_finds_nothing_frozen(
    encoder: None, tmp_path: Path
) -> None:
    rows = find(plan("aa"), [], "live", tmp_path, "s")
    for other in (plan("ab"), plan("aa", definition="cold")):
        with pytest.raises(MissingHitsError, match="1 of 1 queries were never embedded"):
            find(other, rows, "replay", tmp_path, "s")
    float32 = Plan(("aa",), plan().classes, embedder_spec("all-minilm-l6-v2"))
    with pytest.raises(MissingHitsError, match="vectors: live"):
        find(float32, rows, "replay", tmp_path, "s")
    assert query_key("a", {"x": "b"}) != query_key("b", {"x": "a"})


def test_deep_compares_cosines_to_the_last_decimal(encoder: None, tmp_path: Path) -> None:
    rows = find(plan("aa"), [], "live", tmp_path, "s")
    assert find(plan("aa"), rows, "deep", tmp_path, "s") == rows
    near = [{**r, "cosine": round(r["cosine"] + 0.0001, 4)} for r in rows]
    attest(near, rows)
    rows[1]["cosine"] -= 0.001
    with pytest.raises(MissingHitsError, match=r"1 of 6 frozen hits .*\n.* rank 2: frozen"):
        find(plan("aa"), rows, "deep", tmp_path, "s")


def test_rows_and_back() -> None:
    hits = {"aa": [Hit("c1", 0.5), Hit("c0", 0.5)]}
    rows = hit_rows(plan("aa"), "title", hits)
    assert hits_by_key(list(reversed(rows))) == {plan("aa").keys("title")["aa"]: hits["aa"]}
    assert frozen_hits(hits_by_key(rows), plan("aa").keys("title"), "x") == hits
    assert N_HITS == 20
