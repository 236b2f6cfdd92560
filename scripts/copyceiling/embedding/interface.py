"""What every encoder offers."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from copyceiling.embedding.spec import EmbedderSpec

Vectors = npt.NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into vectors of length 1, so that a dot product is a cosine."""

    @property
    def identity(self) -> EmbedderSpec:
        """Name, sha256 of weights and tokenizer, dimension and window."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one vector a text, in order: shape (n, dimension), rows of Euclidean length 1.

        A text beyond the window is never cut short: its vector is the mean of those of its
        `windows`, brought back to length 1.

        Raises:
            EmbeddingError: A text is blank.
        """

    def windows(self, texts: Sequence[str]) -> list[list[str]]:
        """Return each text in pieces that fit the window: itself alone where it does.

        Pieces follow one another without overlap and end between words. Where a text is scored by
        its best piece rather than their mean, encode the pieces.
        """
