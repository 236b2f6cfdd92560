"""Rewrites questions from the corpus's own synonyms and definitions, without a model.

Each subject is described anew (see `describe`), and the question keeps its wording: a name takes
the title's place, a definition is quoted ahead of the question, which then asks about *it*. Part
(iii) of the gate holds by construction: the subject is the same class and the wording asks the
same of it, so the answers are the same as far as the description tells the class from others.
"""

from collections.abc import Mapping, Sequence

from copyceiling.corpus.model import OntologyClass
from copyceiling.errors import CopyCeilingError, listing
from copyceiling.stats import named_rng
from copyceiling.stress.describe import Description, descriptions
from copyceiling.stress.lexicon import Lexicon
from copyceiling.stress.reword import Rewording
from copyceiling.stress.rewriting import BY_CONSTRUCTION, Attempt, Proposal, Task

# The sentences that a description comes in; retrieval may leave their words out.
ONE = 'Take the term defined as "{0}". '
TWO = "Take two terms. The first is {0}. The second is {1}. "
PRONOUNS = (("it",), ("the first", "the second"))
NAMED, DEFINED = 'known as "{0}"', 'defined as "{0}"'
FRAMES = (ONE, TWO, NAMED, DEFINED, *PRONOUNS[1])
NO_TITLE = "the question does not hold its subject's title"


class SynonymRewriter:
    """Proposes a question's descriptions one after another.

    Args:
        classes: The corpus.
        glossary: Declared words for common ones, see `reword`.
        seed: Study seed; each subject of each question draws by its own name.
    """

    def __init__(
        self, classes: Sequence[OntologyClass], glossary: Mapping[str, str], seed: int
    ) -> None:
        self._classes = {c.slug: c for c in classes}
        self._lexicon = Lexicon.of(classes)
        self._glossary = glossary
        self._seed = seed

    def propose(self, tasks: Sequence[tuple[Task, Sequence[Attempt]]]) -> list[Proposal]:
        """Return each question's next rewrite; see `Rewriter`."""
        return [self._next(task, len(attempts)) for task, attempts in tasks]

    def verdicts(self, pairs: Sequence[tuple[Task, str]]) -> list[tuple[str | None, bool]]:
        """Return that the answers are the same by construction."""
        return [(BY_CONSTRUCTION, True) for _ in pairs]

    def _next(self, task: Task, n_before: int) -> Proposal:
        if not all(title in task.question.prompt for title in task.titles):
            return Proposal(None, NO_TITLE)
        found = [self.describe(task, slug) for slug in task.question.class_slugs]
        if not all(found):
            return Proposal(None, "no description without the title's words")
        if n_before >= max(map(len, found)):
            return Proposal(None, "no further description")
        chosen = [d[min(n_before, len(d) - 1)] for d in found]
        return Proposal(compose(task, chosen), " + ".join(d.rule for d in chosen))

    def describe(self, task: Task, slug: str) -> list[Description]:
        """Return the descriptions of one subject that hold no banned word of the question."""
        rng = named_rng(self._seed, f"rewrite:{task.question.key}:{slug}")
        words = Rewording(self._lexicon, self._glossary, task.banned, rng)
        return descriptions(self._classes[slug], words)


def compose(task: Task, chosen: Sequence[Description]) -> str:
    """Return the question about its subjects as described."""
    prompt = task.question.prompt
    if all(d.is_name for d in chosen):
        return _replaced(prompt, task.titles, [d.text for d in chosen])
    pronouns = PRONOUNS[len(chosen) - 1]
    asked = _replaced(prompt, task.titles, pronouns)
    if len(chosen) == 1:
        return ONE.format(chosen[0].text) + asked
    said = [(NAMED if d.is_name else DEFINED).format(d.text) for d in chosen]
    return TWO.format(*said) + asked


def _replaced(text: str, titles: Sequence[str], others: Sequence[str]) -> str:
    """Replace each title once; the longer title first, for one may hold the other."""
    order = sorted(range(len(titles)), key=lambda i: -len(titles[i]))
    for i in order:
        text = text.replace(titles[i], f"\0{i}\0", 1)
    for i in order:
        text = text.replace(f"\0{i}\0", others[i])
    return text


def parse_glossary(text: str, where: str) -> dict[str, str]:
    """Read a glossary: a header line, then a phrase and its other words a line, tab-separated.

    Raises:
        CopyCeilingError: Lists every line that is no pair, and every phrase that stands twice.
    """
    found: dict[str, str] = {}
    faults = []
    for number, line in enumerate(text.splitlines()[1:], 2):
        phrase, tab, other = line.partition("\t")
        if not (tab and phrase.strip() and other.strip()) or "\t" in other:
            faults.append(f"{where}:{number}: expected a phrase, a tab and other words")
        elif phrase.lower() in found:
            faults.append(f"{where}:{number}: '{phrase}' stands twice")
        found[phrase.lower()] = other
    if faults:
        raise CopyCeilingError(f"glossary has {len(faults)} fault(s):\n{listing(faults)}")
    return found
