"""Stand-ins for encoders, so that no test but a few needs weights."""

import json
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from copyceiling.artefacts.store import file_sha256
from copyceiling.embedding import EmbedderSpec, Vectors
from copyceiling.stats import named_rng

SHA = "0" * 64


def made_spec(name: str = "stub", **fields: object) -> EmbedderSpec:
    given: dict[str, object] = {
        "name": name,
        "backend": "onnx",
        "weights": "nowhere",
        "weights_sha256": SHA,
        "tokenizer": "nowhere",
        "tokenizer_sha256": SHA,
        "revision": "made up",
        "pooling": "mean",
        "dimension": 16,
        "window": 8,
        "get": "make it",
    }
    return EmbedderSpec(**{**given, **fields})  # type: ignore[arg-type]


class StubEmbedder:
    """Words are random directions, a text their mean: texts that share words are near."""

    def __init__(self, spec: EmbedderSpec | None = None) -> None:
        self._spec = spec or made_spec()
        self.asked: list[str] = []

    @property
    def identity(self) -> EmbedderSpec:
        return self._spec

    def windows(self, texts: Sequence[str]) -> list[list[str]]:
        n = self._spec.window
        return [
            [" ".join(text.split(" ")[i : i + n]) for i in range(0, len(text.split(" ")), n)]
            for text in texts
        ]

    def vector(self, text: str) -> list[float]:
        """One text's vector, computed by itself."""
        d = self._spec.dimension
        total = sum((named_rng(0, w).standard_normal(d) for w in text.split()), np.zeros(d))
        return [float(x) for x in total / np.linalg.norm(total)]

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        return np.array([self.vector(t) for t in texts], dtype=np.float32).reshape(
            len(texts), self._spec.dimension
        )


def write_tokenizer(path: Path, letters: int = 6) -> None:
    """Write a WordPiece tokenizer whose words are runs of single letters a, b, c, ..."""
    pieces = [chr(ord("a") + i) for i in range(letters)]
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *pieces, *(f"##{p}" for p in pieces)]
    document = {
        "version": "1.0",
        # As shipped: it asks for cuts and padding, which must be switched off.
        "truncation": {
            "max_length": 5,
            "strategy": "LongestFirst",
            "stride": 0,
            "direction": "Right",
        },
        "padding": {
            "strategy": {"Fixed": 5},
            "direction": "Right",
            "pad_to_multiple_of": None,
            "pad_id": 0,
            "pad_type_id": 0,
            "pad_token": "[PAD]",
        },
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [
                {"SpecialToken": {"id": "[CLS]", "type_id": 0}},
                {"Sequence": {"id": "A", "type_id": 0}},
                {"SpecialToken": {"id": "[SEP]", "type_id": 0}},
            ],
            "pair": [{"Sequence": {"id": "A", "type_id": 0}}],
            "special_tokens": {
                name: {"id": name, "ids": [i], "tokens": [name]}
                for name, i in (("[CLS]", 2), ("[SEP]", 3))
            },
        },
        "decoder": None,
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": {token: i for i, token in enumerate(vocabulary)},
        },
    }
    path.write_text(json.dumps(document), encoding="utf-8")


def made_bert(
    width: int = 64, inner: int = 12, layers: int = 2, words: int = 9, places: int = 7
) -> dict[str, np.ndarray[Any, Any]]:
    """Return the arrays of a BERT encoder of that size, drawn."""
    rng = np.random.Generator(np.random.PCG64(3))

    def draw(*shape: int) -> np.ndarray[Any, Any]:
        return (0.3 * rng.standard_normal(shape)).astype(np.float32)

    found = {
        "embeddings.word_embeddings.weight": draw(words, width),
        "embeddings.position_embeddings.weight": draw(places, width),
        "embeddings.token_type_embeddings.weight": draw(2, width),
    }
    norms = ["embeddings.LayerNorm"]
    for i in range(layers):
        at = f"encoder.layer.{i}"
        dense = {f"{at}.attention.self.{n}": (width, width) for n in ("query", "key", "value")}
        dense[f"{at}.attention.output.dense"] = (width, width)
        dense[f"{at}.intermediate.dense"] = (inner, width)
        dense[f"{at}.output.dense"] = (width, inner)
        for name, shape in dense.items():
            found[f"{name}.weight"], found[f"{name}.bias"] = draw(*shape), draw(shape[0])
        norms += [f"{at}.attention.output.LayerNorm", f"{at}.output.LayerNorm"]
    for name in norms:
        found[f"{name}.weight"], found[f"{name}.bias"] = 1 + draw(width), draw(width)
    return found


def write_safetensors(path: Path, tensors: Mapping[str, np.ndarray[Any, Any]]) -> None:
    """Write arrays as a safetensors file."""
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    body = b""
    for name, array in tensors.items():
        data = array.tobytes()
        offsets = [len(body), len(body) + len(data)]
        header[name] = {"dtype": "F32", "shape": list(array.shape), "data_offsets": offsets}
        body += data
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + body)


def write_encoder(folder: Path) -> dict[str, object]:
    """Write an encoder that is quick, and alike only for texts of like letters; return its row."""
    window, width, letters = 256, 32, 26
    folder.mkdir(parents=True)
    write_tokenizer(folder / "tokenizer.json", letters)
    arrays = made_bert(width, layers=0, words=4 + 2 * letters, places=window)
    write_safetensors(folder / "model.safetensors", arrays)
    weights, tokenizer = folder / "model.safetensors", folder / "tokenizer.json"
    return {
        "backend": "safetensors",
        "weights": weights,
        "weights_sha256": file_sha256(weights),
        "tokenizer": tokenizer,
        "tokenizer_sha256": file_sha256(tokenizer),
        "pooling": "mean",
        "dimension": width,
        "window": window,
    }


def replace_encoder(table: Path, name: str, row: Mapping[str, object]) -> None:
    """Change columns of a row of a table of encoders."""
    head, *lines = [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        if line[0] == name:
            line[:] = [str(row.get(column, had)) for column, had in zip(head, line, strict=True)]
    text = "\n".join("\t".join(line) for line in [head, *lines])
    table.write_text(f"{text}\n", encoding="utf-8")
