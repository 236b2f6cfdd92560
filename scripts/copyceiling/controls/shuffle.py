"""The shuffled arm: the true block with its sentences and list items in another order.

Splitter ``sentences`` keeps every sentence, heading and list line whole. ``released`` is the
published rule, which cuts after full stops, semicolons and colons and so parts relations from
their targets; it is kept for comparison. Source: paper section 5.4, STUDIES sections 4 and 8.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from copyceiling.controls.blocks import Infeasible, peel
from copyceiling.scaffold import FOOTER, HEADER

# Lines that say one thing as a whole: headings, neighbours, hierarchy and relations.
_WHOLE = ("## ", "- ", "is-a: ", "ancestors: ", "relations: ")
# White space after a full stop, with closing quotes or brackets between, before no small letter.
_GAP = re.compile(r"(?<=[.!?])[\"'\u201d\u2019)\]]*(\s+)(?=[^\sa-z])")
# A wrong guess here leaves two sentences together, which is harmless; the other way cuts one.
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[\"'])(?:e\.g|i\.e|cf|vs|ca|al|fig|ref|sp|spp|subsp|var|approx|no|dr|st|"
    r"resp|incl|[A-Za-z])\.$",
    re.IGNORECASE,
)
_RELEASED = re.compile(r"(?<=[.;:])\s+|\n")


def sentences(text: str) -> list[str]:
    """Cut prose into sentences, none of them ever cut in two at a doubtful place.

    No sentence ends after an abbreviation or an initial, before a small letter, or inside
    brackets. Cutting a sentence again gives the sentence.
    """
    found, start = [], 0
    for gap in _GAP.finditer(text):
        head = text[start : gap.start(1)]
        if head.count("(") > head.count(")") or _ABBREVIATION.search(head):
            continue
        found.append(head.strip())
        start = gap.end(1)
    found.append(text[start:].strip())
    return [sentence for sentence in found if sentence]


def units(body: str) -> list[str]:
    """Return what is kept whole, in order: lines of headings and lists, sentences of prose."""
    found: list[str] = []
    for line in body.split("\n"):
        found += [line] if line.startswith(_WHOLE) else sentences(line)
    return found


def released_units(body: str) -> list[str]:
    """Return the pieces of the released rule: cut at lines and after ``. ; :``."""
    return [piece for piece in _RELEASED.split(body) if piece.strip()]


@dataclass(frozen=True)
class Splitter:
    """How a block is cut, and what its pieces are joined by."""

    cut: Callable[[str], list[str]]
    joint: str


SPLITTERS: Mapping[str, Splitter] = {
    "sentences": Splitter(units, "\n"),
    "released": Splitter(released_units, " "),
}


def shuffled(block: str, rng: np.random.Generator, splitter: str = "sentences") -> str | Infeasible:
    """Return the block with its pieces in another order, header and footer in place.

    Args:
        block: The true block.
        rng: Source of the order; an order that reads as before is drawn again.
        splitter: A name of `SPLITTERS`.
    """
    how = SPLITTERS[splitter]
    pieces = how.cut(peel(block))
    if len(set(pieces)) < 2:
        return Infeasible("the block holds a single sentence or list item: there is no other order")
    before = how.joint.join(pieces)
    while True:
        after = how.joint.join([pieces[i] for i in rng.permutation(len(pieces)).tolist()])
        if after != before:
            return "\n".join([HEADER, after, FOOTER])
