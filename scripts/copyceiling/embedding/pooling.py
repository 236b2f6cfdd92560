"""From token numbers to one vector a text, whatever runs the network."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from copyceiling.embedding.interface import Vectors
from copyceiling.embedding.spec import EmbedderSpec, Pooling
from copyceiling.embedding.tokens import Tokens

# Token numbers of texts of equal length, shape (b, t), to last hidden states, (b, t, dimension).
Network = Callable[[npt.NDArray[np.int64]], Vectors]
_BATCH_TEXTS, _BATCH_TOKENS = 64, 2048  # the latter bounds memory
_MOST_WORKERS = 8


class Encoder:
    """An `Embedder` made of a tokenizer and a network."""

    def __init__(self, spec: EmbedderSpec, tokens: Tokens, network: Network) -> None:
        self._spec, self._tokens, self._network = spec, tokens, network

    @property
    def identity(self) -> EmbedderSpec:
        """Which encoder this is."""
        return self._spec

    def windows(self, texts: Sequence[str]) -> list[list[str]]:
        """Return each text in pieces that fit the window."""
        return self._tokens.windows(texts)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one vector of length 1 a text; see `Embedder`."""
        pieces = self.windows(texts)
        flat = self._encode_pieces([piece for text in pieces for piece in text])
        if all(len(text) == 1 for text in pieces):
            return flat
        bounds = np.cumsum([0, *(len(text) for text in pieces)])[:-1]
        return unit(np.add.reduceat(flat, bounds, axis=0))

    def _encode_pieces(self, pieces: Sequence[str]) -> Vectors:
        ids = self._tokens.ids(pieces)
        out = np.empty((len(pieces), self._spec.dimension), dtype=np.float32)

        def fill(rows: list[int]) -> None:
            hidden = self._network(np.array([ids[i] for i in rows], dtype=np.int64))
            out[rows] = unit(pool(hidden, self._spec.pooling))

        batches = same_length(ids, _BATCH_TEXTS, _BATCH_TOKENS)
        with ThreadPoolExecutor(_workers()) as workers:
            for _ in workers.map(fill, batches):  # raises what a batch raised
                pass
        return out


def _workers() -> int:
    """Return how many batches run at once; which thread runs one changes nothing in it."""
    return min(_MOST_WORKERS, os.cpu_count() or 1)


def same_length(ids: Sequence[Sequence[int]], texts: int, tokens: int) -> Iterator[list[int]]:
    """Yield the numbers of texts of equal length, short ones first.

    At most so many texts at once, and so many tokens, but always one text.

    Nothing is padded, so a vector does not depend on what it is computed beside, but for the last
    bits of a sum.
    """
    order = sorted(range(len(ids)), key=lambda i: (len(ids[i]), i))
    start = 0
    while start < len(order):
        length = len(ids[order[start]])
        end = min(len(order), start + max(1, min(texts, tokens // max(1, length))))
        stop = start + 1
        while stop < end and len(ids[order[stop]]) == length:
            stop += 1
        yield order[start:stop]
        start = stop


def pool(hidden: Vectors, pooling: Pooling) -> Vectors:
    """Return (b, d) of (b, t, d): the mean over tokens, or the first token's state."""
    pooled: Vectors = hidden.mean(axis=1) if pooling == "mean" else hidden[:, 0]
    return pooled


def unit(vectors: Vectors) -> Vectors:
    """Return rows at Euclidean length 1."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Vectors = (vectors / lengths).astype(np.float32)
    return scaled
