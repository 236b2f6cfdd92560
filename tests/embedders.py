"""Stand-ins for encoders, so that no test but a few needs weights."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
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
