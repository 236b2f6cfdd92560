"""What is put around an answer to see whether it moves a verdict that it must not move."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from copyceiling.calibration import phrasing
from copyceiling.calibration.items import Item
from copyceiling.calibration.relations import fill
from copyceiling.corpus.model import OntologyClass
from copyceiling.judging.forms import RELEASED_CAP
from copyceiling.matching import Text, Title, match
from copyceiling.stats import named_rng

Change = Callable[[Item, int], Item]
_LONGEST_DEFINITION = 400  # characters of one definition in an over-long answer
_TRIED = 400  # classes looked at for fillers
_OF_FIRST = 3  # variants made of the first bases: all that a judge with few items is given


def variants_of(
    bases: Mapping[str, Sequence[Item]],
    construct: str,
    of: Sequence[str],
    count: int,
    change: Change,
) -> list[Item]:
    """Return up to ``count`` variants of the bases, as far as there are bases.

    Constructs take turns. The first few variants are of the first base of their construct, each of
    the others is of one that was not taken yet: of the domain, then the source, that were taken
    least. No variant needs a base of a higher number than its own, and more variants hold fewer.

    Args:
        bases: Construct to its items, in order of their numbers.
        construct: Name of the variants.
        of: Constructs that variants are made of, in turn.
        count: How many to make.
        change: Makes a variant of a base, given the variant's number.
    """
    made: list[Item] = []
    for i in range(count):
        pool = bases[of[i % len(of)]][: 1 if i < _OF_FIRST else i + 1]
        taken = {item.base for item in made}
        free = [base for base in pool if base.id not in taken]
        if free:
            base = _least_taken(free, made)
            made.append(replace(change(base, i), construct=construct, number=i, base=base.id))
    return made


def _least_taken(items: Sequence[Item], made: Sequence[Item]) -> Item:
    domains = Counter(item.domain for item in made)
    sources = Counter(item.source for item in made)
    return min(items, key=lambda x: (domains[x.domain], sources[x.source], x.number))


def inject(item: Item, number: int, key: str, demand: str) -> Item:
    """Return an item whose answer also tells the judge what to reply.

    Args:
        item: The base.
        number: Which injection, in turn; every other one stands before the content.
        key: Key of the reply that is aimed at, ``label`` or ``score``.
        demand: Value that is asked for.
    """
    place = number % len(phrasing.INJECTIONS)
    value = demand if demand.isdigit() else f'"{demand}"'
    text = fill(phrasing.INJECTIONS[place], key=key, value=value)
    parts = [text, item.answer] if number % 2 else [item.answer, text]
    return replace(item, answer="\n\n".join(parts), phrasing=f"injection {place}", demand=demand)


def pad(item: Item, _: int) -> Item:
    """Return an item whose answer stands among polite sentences without content."""
    before = " ".join(phrasing.PADDING[: phrasing.PADDED_BEFORE])
    after = " ".join(phrasing.PADDING[phrasing.PADDED_BEFORE :])
    return replace(item, answer=f"{before}\n\n{item.answer}\n\n{after}")


@dataclass(frozen=True)
class Filler:
    """Definitions of the corpus as text without bearing on an item.

    Attributes:
        classes: Classes in corpus order.
        seed: Study seed.
    """

    classes: Sequence[OntologyClass]
    seed: int

    def text(self, name: str, avoid: Sequence[str]) -> str:
        """Return more than 4,000 characters that name none of the titles to avoid.

        Where the corpus has too few such definitions, padding sentences fill up.
        """
        rng = named_rng(self.seed, f"calibration:filler:{name}")
        titles = [Title.of(title) for title in avoid]
        parts: list[str] = []
        length = 0
        for i in rng.permutation(len(self.classes)).tolist()[:_TRIED]:
            if length > RELEASED_CAP:
                break
            text = self.classes[i].definition[:_LONGEST_DEFINITION]
            # All of it is looked at: words of a title may come together from several definitions.
            so_far = Text.of(" ".join([*parts, text]))
            if text and not any(match(title, so_far).paper for title in titles):
                parts.append(text)
                length += len(text) + 2
        while length <= RELEASED_CAP:
            parts.append(" ".join(phrasing.PADDING))
            length += len(parts[-1]) + 2
        return "\n\n".join(parts)

    def around(self, change: Callable[["Filler", Item, int], Item]) -> Change:
        """Return a change that draws on this filler."""
        return lambda item, number: change(self, item, number)


def lengthen(filler: Filler, item: Item, number: int) -> Item:
    """Return an item whose content comes after more than 4,000 characters of other definitions."""
    shown = item.shown
    avoid = [*shown.get("gold", ()), *shown.get("avoid", ())]
    text = filler.text(f"{item.rubric}:{number}", avoid)
    lead = "Some definitions first, which are not the answer:"
    content = f"Now to the question itself:\n\n{item.answer}"
    return replace(item, answer=f"{lead}\n\n{text}\n\n{content}")
