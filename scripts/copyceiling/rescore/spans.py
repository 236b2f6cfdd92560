"""The candidate spans of a text (STUDIES section 1)."""

import re

from copyceiling.text import normalise

MAX_WORDS = 6
# Full stops, dashes, slashes and quotes cut nothing.
_CUTS = re.compile(r"[\n;,:()\[\]{}]+")


def spans(text: str) -> set[str]:
    """Return the normalised spans of a text that may name a title.

    The whole text; every chunk between newlines or any of ``; , : ( ) [ ] { }``; and every run of
    one to six words within a chunk. A text without a word has none.
    """
    whole = normalise(text)
    if not whole:
        return set()
    found = {whole}
    for chunk in _CUTS.split(text):
        norm = normalise(chunk)
        if not norm:
            continue
        found.add(norm)
        words = norm.split(" ")
        for length in range(1, min(MAX_WORDS, len(words)) + 1):
            found.update(" ".join(words[i : i + length]) for i in range(len(words) - length + 1))
    return found
