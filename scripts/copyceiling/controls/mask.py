"""The masked arm: the true block without the names of the classes it is about.

Mask ``forms`` hides every form of a name that `controls.names` declares, at word boundaries; so the
strict matcher finds no seed's title in a masked block, while the bag of words may. ``released`` is
the published rule, which replaces slugs inside longer words and misses hyphens and brackets; it is
kept for comparison. Source: paper section 5.4, STUDIES sections 4 and 8.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product

from copyceiling.controls.blocks import Infeasible
from copyceiling.controls.names import Found, Names, name_words, words_of
from copyceiling.corpus.model import OntologyClass

# Where a name runs over the end of a list item or of a line, the structure stays.
_JOINT = re.compile(r"([\W_]*[,;:.\n][\W_]*)")
# A label must not spell a name itself, nor complete one; the first that does not is taken.
_LABELS = ("Entity", "Item", "Thing", "Object", "Unit")


def masked(block: str, seeds: Sequence[OntologyClass]) -> str | Infeasible:
    """Return the block with seed k = 1.. named ``Entity-k`` throughout.

    Where names overlap the longest is taken. Where ``Entity-k`` would spell a seed's name another
    label is used.

    Args:
        block: The true block.
        seeds: The classes to hide, best first.
    """
    names = Names(seeds)
    found = [*names.found(block)]
    if not found:
        return Infeasible("the block names none of its seeds")
    titles = [_Title(c.title) for c in seeds]
    for labels in _label_sets(len(seeds)):
        text = _renamed(block, found, titles, labels)
        if not any(names.found(text)):
            return text
    return Infeasible("every label spells the name of a seed")


def released_masked(block: str, seeds: Sequence[OntologyClass]) -> str:
    """Return the block as the published rule masks it, which may be as it was.

    For seed k = 1.. in order its slug, and the slug with spaces, become ``Entity-k`` wherever they
    stand, inside longer words too, in any case.
    """
    for k, c in enumerate(seeds, 1):
        for form in dict.fromkeys((c.slug, c.slug.replace("-", " "))):
            block = re.sub(re.escape(form), f"Entity-{k}", block, flags=re.IGNORECASE)
    return block


MASKS: Mapping[str, Callable[[str, Sequence[OntologyClass]], str | Infeasible]] = {
    "forms": masked,
    "released": released_masked,
}


class _Title:
    """A title's words, and its own marks before and after them, which go with it."""

    def __init__(self, title: str) -> None:
        words = words_of(title)
        self.words = name_words(title)
        self.before = title[: words[0].start].strip() if words else ""
        self.after = title[words[-1].end :].strip() if words else ""
        self._parts = _JOINT.split(title)

    def is_written(self, text: str) -> bool:
        """Whether a text is the title as it is written, with the commas and colons it has."""
        parts = _JOINT.split(text)
        return self.words == name_words(text) and self._parts[1::2] == parts[1::2]


def _renamed(
    block: str, found: Sequence[Found], titles: Sequence[_Title], labels: Sequence[str]
) -> str:
    out: list[str] = []
    at = 0
    for name in found:
        title = titles[name.owner]
        start, end = name.start, name.end
        if name.by_title:
            start -= len(title.before) * block[at:start].endswith(title.before)
            end += len(title.after) * block.startswith(title.after, end)
        # Two names may share a character that holds two words.
        start = max(start, at)
        if end > start:
            out += [block[at:start], _label(block[start:end], title, labels[name.owner])]
            at = end
    return "".join([*out, block[at:]])


def _label(name: str, title: _Title, label: str) -> str:
    if title.is_written(name):
        return label
    parts = _JOINT.split(name)
    return "".join(part if i % 2 else label for i, part in enumerate(parts) if part)


def _label_sets(n: int) -> Iterator[list[str]]:
    for style, label in product((_number, _letter), _LABELS):
        yield [f"{label}-{style(k)}" for k in range(n)]


def _number(k: int) -> str:
    return str(k + 1)


def _letter(k: int) -> str:
    return chr(ord("A") + k % 26) * (k // 26 + 1)
