"""The masked arm: the true block without the names of the classes it is about.

A class is named by its title's words in order, whatever marks and spaces stand between them and in
whatever case; so are its slug's words, the words of a title written together in camel case, the
part of a title before a closing bracket, and what stands in that bracket where it is the initials
of that part. So the strict matcher finds no seed's title in a masked block, while the bag of words
may. Names are found at word boundaries: a plural, or a longer word that holds a name, stays. The
released rule replaces slugs inside longer words and misses hyphens and brackets. Source: paper
section 5.4, STUDIES sections 4 and 8.
"""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product

from copyceiling.controls.blocks import Infeasible
from copyceiling.corpus.model import OntologyClass

Form = tuple[str, ...]
# Words in any script: boundaries of the matcher's ASCII words would cut a name after an umlaut.
_WORD = re.compile(r"[^\W_]+")
_BEFORE, _AFTER = r"(?<![^\W_])", r"(?![^\W_])"
_BETWEEN = r"[\W_]+"
# Where a name runs over the end of a list item or of a line, the structure stays.
_JOINT = re.compile(r"([\W_]*[,;:.\n][\W_]*)")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_BRACKET = re.compile(r"(.*\w)\s+[(\[]([^()\[\]]+)[)\]]")
# A label must not spell a name itself, nor complete one; the first that does not is taken.
_LABELS = ("Entity", "Item", "Thing", "Object", "Unit")


def name_words(text: str) -> Form:
    """Return the words of a text as names are compared: lowercase, letters and digits alone."""
    return tuple(word.lower() for word in _WORD.findall(text))


def surface_forms(title: str, slug: str) -> list[Form]:
    """Return the ways in which a class is named, as words in order; the title first."""
    readings = [title, _CAMEL.sub(" ", title), slug]
    bracket = _BRACKET.fullmatch(title.strip())
    if bracket:
        before, inside = bracket.groups()
        readings.append(before)
        if inside.lower() == "".join(word[0] for word in name_words(before)) and len(inside) > 1:
            readings.append(inside)
    return [form for form in dict.fromkeys(map(name_words, readings)) if form]


def names_left(text: str, forms: Sequence[Form]) -> list[Form]:
    """Return the forms that a text still holds, word for word."""
    words = f" {' '.join(name_words(text))} "
    return [form for form in forms if f" {' '.join(form)} " in words]


def masked(block: str, seeds: Sequence[OntologyClass]) -> str | Infeasible:
    """Return the block with seed k = 1.. named ``Entity-k`` throughout.

    Where names overlap the longest is taken. Where ``Entity-k`` would spell a seed's name another
    label is used.

    Args:
        block: The true block.
        seeds: The classes to hide, best first.
    """
    forms = [form for c in seeds for form in _forms(c)]
    if not names_left(block, forms):
        return Infeasible("the block names none of its seeds")
    pattern, owners = _pattern(seeds)
    titles = [c.title.lower() for c in seeds]
    for labels in _label_sets(len(seeds)):
        text = pattern.sub(partial(_renamed, labels, owners, titles), block)
        if not names_left(text, forms):
            return text
    return Infeasible("every label spells the name of a seed")


def _renamed(
    labels: Sequence[str], owners: Sequence[int], titles: Sequence[str], found: re.Match[str]
) -> str:
    k = owners[(found.lastindex or 0) - 1]
    if found[0].lower() == titles[k]:
        return labels[k]
    parts = _JOINT.split(found[0])
    return "".join(part if i % 2 else labels[k] for i, part in enumerate(parts) if part)


def _label_sets(n: int) -> Iterator[list[str]]:
    for style, label in product((_number, _letter), _LABELS):
        yield [f"{label}-{style(k)}" for k in range(n)]


def _number(k: int) -> str:
    return str(k + 1)


def _letter(k: int) -> str:
    return chr(ord("A") + k % 26) * (k // 26 + 1)


def _pattern(seeds: Sequence[OntologyClass]) -> tuple[re.Pattern[str], list[int]]:
    """Return what matches a name, longest first, and whose name each of its groups is.

    What is one class's title and another's shorter name is the title's; of one name twice the
    better seed's.
    """
    named = [(i, k, form) for k, c in enumerate(seeds) for i, form in enumerate(_forms(c))]
    owner: dict[Form, int] = {}
    spelled: dict[Form, str] = {}
    for i, k, form in sorted(named):
        if form not in owner:
            owner[form] = k
            spelled[form] = _spelled(form, seeds[k].title if i == 0 else "")
    ordered = sorted(owner, key=lambda form: (-len(form), -sum(map(len, form)), form))
    groups = "|".join(f"({spelled[form]})" for form in ordered)
    return re.compile(groups, re.IGNORECASE), [owner[form] for form in ordered]


def _forms(c: OntologyClass) -> list[Form]:
    return surface_forms(c.title, c.slug)


def _spelled(form: Form, title: str) -> str:
    """Return a form as a pattern; a title's own marks before and after its words go with it."""
    words = _BETWEEN.join(re.escape(word) for word in form)
    spans = [m.span() for m in _WORD.finditer(title)]
    before = title[: spans[0][0]].strip() if spans else ""
    after = title[spans[-1][1] :].strip() if spans else ""
    return f"{_optional(before)}{_BEFORE}{words}{_AFTER}{_optional(after)}"


def _optional(marks: str) -> str:
    return f"(?:{re.escape(marks)})?" if marks else ""
