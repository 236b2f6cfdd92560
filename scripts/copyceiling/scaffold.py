"""The scaffold: the context block of a question, byte for byte as engine v1 writes it.

A section a seed, sections joined by blank lines between a header and a footer line, whole
sections dropped from the end until the block fits its token budget. Source: DESIGN section 8.
"""

import copy
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from copyceiling.corpus.model import OntologyClass
from copyceiling.retrieval import MAX_SEEDS, RetrievalIndex, Seed

HEADER = "[ONTOLOGY CONTEXT]"
FOOTER = "[END ONTOLOGY CONTEXT]"
RELATION_ORDER = (
    "hasPart",
    "requires",
    "enables",
    "dependsOn",
    "implements",
    "uses",
    "partOf",
    "relatedTo",
    "bridgesTo",
    "supports",
    "standardizedBy",
    "contrastsWith",
)
BUDGET_TOKENS = 1500
CHARS_PER_TOKEN = 4
MAX_ANCESTORS = 5
MAX_TARGETS = 3
MAX_NEIGHBOURS = 2
NEIGHBOUR_CHARS = 220
_ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"


@dataclass(frozen=True, slots=True)
class Scaffold:
    """The frozen context of one question.

    Attributes:
        seeds: Retrieved classes, best first; sections may hold fewer (see ``n_sections``).
        block: The block text, or "" if nothing was retrieved or nothing fits the budget.
        n_sections: Sections that fitted.
    """

    seeds: tuple[Seed, ...]
    block: str
    n_sections: int

    @property
    def tokens(self) -> int:
        """Estimated tokens of the block (four characters each, rounded up)."""
        return estimate_tokens(self.block)

    @property
    def sha256(self) -> str:
        """Hex digest of the block's UTF-8 bytes."""
        return hashlib.sha256(self.block.encode()).hexdigest()


def estimate_tokens(text: str) -> int:
    """Return the engine's token estimate: ceil(characters / 4)."""
    return -(-len(text) // CHARS_PER_TOKEN)


def truncate(text: str, limit: int = NEIGHBOUR_CHARS) -> str:
    """Cut a definition to ``limit`` characters where a reader would.

    At the last full stop followed by a space at or past the half, keeping the stop; else at the
    last space at or past the half, with an ellipsis; else at the limit, with an ellipsis.
    """
    if len(text) <= limit:
        return text
    head = text[:limit]
    stop = head.rfind(". ")
    if stop >= limit // 2:
        return head[: stop + 1]
    space = head.rfind(" ")
    if space >= limit // 2:
        head = head[:space]
    return head.rstrip() + _ELLIPSIS


class ScaffoldEngine:
    """Renders blocks over one corpus; holds the index, so build it once.

    Args:
        classes: The corpus, in corpus order.
        relation_order: Relation types that come first, in this order; others follow by name.
        budget_tokens: Estimated tokens a block may take.
        max_seeds: Most sections a block starts from.
        hops: 1 adds neighbour definitions, 0 leaves them out.

    Attributes:
        index: Retrieval over the corpus.
        max_seeds: Most seeds of a block.
    """

    def __init__(
        self,
        classes: Sequence[OntologyClass],
        *,
        relation_order: Sequence[str] = RELATION_ORDER,
        budget_tokens: int = BUDGET_TOKENS,
        max_seeds: int = MAX_SEEDS,
        hops: int = 1,
    ) -> None:
        self._classes: Mapping[str, OntologyClass] = {c.slug: c for c in classes}
        self.index = RetrievalIndex(classes)
        self._order = {name: i for i, name in enumerate(relation_order)}
        self._budget = budget_tokens
        self.max_seeds = max_seeds
        self._hops = hops

    def with_budget(self, budget_tokens: int) -> "ScaffoldEngine":
        """Return this engine at another budget; both share one index."""
        other = copy.copy(self)
        other._budget = budget_tokens
        return other

    def scaffold(self, query: str) -> Scaffold:
        """Retrieve the seeds of a query and render the block that fits the budget."""
        seeds = self.seeds(query)
        block, n_sections = self.block([seed.slug for seed in seeds])
        return Scaffold(tuple(seeds), block, n_sections)

    def seeds(self, query: str) -> list[Seed]:
        """Retrieve the seeds of a query, best first."""
        return self.index.seeds(query, self.max_seeds)

    def block(self, slugs: Sequence[str]) -> tuple[str, int]:
        """Return the block of these classes and its number of sections ("" and 0 if none fits)."""
        return self.clamp(self.sections(slugs))

    def sections(self, slugs: Sequence[str]) -> list[str]:
        """Render these classes, a section each, whatever the budget."""
        taken = frozenset(slugs)
        return [self.section(self._classes[slug], taken) for slug in slugs]

    def clamp(self, sections: Sequence[str]) -> tuple[str, int]:
        """Join as many sections, from the first, as the budget holds; "" and 0 if not one fits."""
        for n in range(len(sections), 0, -1):
            text = "\n".join([HEADER, "\n\n".join(sections[:n]), FOOTER])
            if estimate_tokens(text) <= self._budget:
                return text, n
        return "", 0

    def section(self, c: OntologyClass, taken: frozenset[str]) -> str:
        """Render one class; classes in ``taken`` are not repeated as neighbours."""
        about = [c.domain] if c.domain else []
        if c.maturity:
            about.append(f"maturity: {c.maturity}")
        lines = [f"## {c.title} ({', '.join(about)})" if about else f"## {c.title}"]
        if c.definition:
            lines.append(c.definition)
        lines.extend(self._hierarchy_line(c))
        ordered = sorted(
            c.relations, key=lambda name: (self._order.get(name, len(self._order)), name)
        )
        relations = [
            f"{name}: {self._titles(c.relations[name][:MAX_TARGETS])}"
            for name in ordered
            if c.relations[name]
        ]
        if relations:
            lines.append("relations: " + "; ".join(relations))
        if self._hops:
            lines.extend(self._neighbour_lines(c, ordered, taken))
        return "\n".join(lines)

    def _hierarchy_line(self, c: OntologyClass) -> list[str]:
        parts = []
        if c.parents:
            parts.append("is-a: " + self._titles(c.parents))
        if c.ancestors:
            parts.append("ancestors: " + self._titles(c.ancestors[:MAX_ANCESTORS]))
        return ["; ".join(parts)] if parts else []

    def _neighbour_lines(
        self, c: OntologyClass, ordered: Iterable[str], taken: frozenset[str]
    ) -> list[str]:
        lines: dict[str, str] = {}
        for name in ordered:
            for slug in c.relations[name]:
                other = self._classes.get(slug)
                if other is None or slug in taken or slug in lines or not other.definition:
                    continue
                lines[slug] = f"- {other.title}: {truncate(other.definition)}"
                if len(lines) == MAX_NEIGHBOURS:
                    return list(lines.values())
        return list(lines.values())

    def _titles(self, slugs: Iterable[str]) -> str:
        return ", ".join(self._classes[s].title if s in self._classes else s for s in slugs)
