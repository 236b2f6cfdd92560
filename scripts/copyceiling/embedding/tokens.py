"""Cuts texts into tokens and, beyond an encoder's window, into windows."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from copyceiling.errors import EmbeddingError, listing

_SPECIAL = 2  # the tokens before and after a text


class Tokens:
    """A WordPiece tokenizer that never cuts a text short."""

    def __init__(self, file: Path, window: int) -> None:
        from tokenizers import Tokenizer

        self._tokenizer: Any = Tokenizer.from_file(str(file))
        # The file may ask for either; a cut text would pass for a whole one.
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._room = window - _SPECIAL

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the token numbers of each text, special ones included.

        Raises:
            EmbeddingError: A text has no token: blank ones have no meaning to encode.
        """
        found = [e.ids for e in self._tokenizer.encode_batch(list(texts))]
        blank = [repr(t[:40]) for t, ids in zip(texts, found, strict=True) if len(ids) <= _SPECIAL]
        if blank:
            raise EmbeddingError(f"{len(blank)} text(s) have no token to encode:\n{listing(blank)}")
        return found

    def windows(self, texts: Sequence[str]) -> list[list[str]]:
        """Return each text as consecutive pieces that fit the window, cut between words.

        Greedy: every piece but the last holds as many whole words as fit. A word that does not
        fit by itself is cut between tokens.
        """
        encoded = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return [
            [text] if len(e.ids) <= self._room else self._pieces(text, e)
            for text, e in zip(texts, encoded, strict=True)
        ]

    def _pieces(self, text: str, encoding: Any) -> list[str]:
        words, offsets = encoding.word_ids, encoding.offsets
        starts = [0]
        while len(words) - starts[-1] > self._room:
            end = starts[-1] + self._room
            whole = end
            while whole > starts[-1] and words[whole] == words[whole - 1]:
                whole -= 1
            starts.append(whole if whole > starts[-1] else end)
        bounds = [offsets[i][0] for i in starts[1:]]
        cuts = zip([0, *bounds], [*bounds, len(text)], strict=True)
        return [text[a:b].strip() for a, b in cuts]
