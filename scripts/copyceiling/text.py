"""Text primitives shared by retrieval and matching.

Both sides of every comparison go through these functions, so that a title, a context and an
answer are always cut into words in the same way. Sources: DESIGN section 8 (words, stop list,
slugs) and STUDIES section 0 (normalisation).
"""

import re

_WORD = re.compile(r"[a-z0-9]+")

STOP_WORDS = frozenset(
    "a an the of and or to in on for with is are was were be been what how why when where which "
    "who whom me my mine i you your we our it its this that these those about tell explain "
    "describe does do did can could would should will vs versus between using use please give "
    "show".split()
)

# One byte to one byte: anything that is not [a-z0-9] becomes a space. Translating bytes is about
# six times as fast as a regular expression over the same text.
_KEEP = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789")
_TABLE = bytes(b if b in _KEEP else 0x20 for b in range(256))


def words(text: str) -> list[str]:
    """Return the runs of ``[a-z0-9]`` in the lowercased text, in order, repeats kept."""
    return _WORD.findall(text.lower())


def slugify(text: str) -> str:
    """Return the words of a text joined by hyphens: ``[a-z0-9-]*``, empty if it has no word."""
    return "-".join(words(text))


def normalise(text: str) -> str:
    """Return the text as the matcher sees it: ``[a-z0-9 ]*``, single spaces, trimmed.

    Lowercases, turns each run of other characters into one space, trims. Characters outside
    ASCII are separators, so a title in another script normalises to the empty string and is
    *unmatchable* (the caller counts it). Idempotent. Source: STUDIES section 0.
    """
    ascii_bytes = text.lower().encode("ascii", "replace")
    return b" ".join(ascii_bytes.translate(_TABLE).split()).decode("ascii")
