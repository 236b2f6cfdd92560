"""The corpus as every later stage sees it: classes in corpus order.

An adapter reads a source into `RawClass` rows; `copyceiling.corpus.build` checks them, closes the
hierarchy and returns a `Corpus`. Source: DESIGN section 6.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class RawClass:
    """One class as a source states it, before checks. References are source ids.

    ``where`` says where it was read (file and line or record), for error messages.
    """

    id: str
    title: str
    where: str
    slug: str | None = None
    definition: str = ""
    domain: str | None = None
    quality: float | None = None
    maturity: str | None = None
    synonyms: Sequence[str] = ()
    parents: Sequence[str] = ()
    relations: Mapping[str, Sequence[str]] = field(default_factory=dict)
    ancestors: Sequence[str] | None = None


@dataclass(frozen=True, slots=True)
class OntologyClass:
    """One class of a checked corpus. All references are slugs.

    Attributes:
        id: Identifier as the source gives it (``GO:0006915`` or an IRI).
        slug: ``[a-z0-9-]+``, unique in the corpus; the scaffold engine's "id".
        title: Preferred name, as shown to models.
        definition: Plain text, possibly empty.
        domain: Name of the part of the corpus it belongs to, or None.
        quality: Editorial quality in [0, 1], or None where the source states none (or 0).
        maturity: Free text of the source, or None.
        synonyms: Other names.
        parents: Direct parents, in order of assertion.
        ancestors: Inferred ancestors that are not direct parents, nearest level first.
        relations: Relation type to targets, each in source order, first occurrences only.
    """

    id: str
    slug: str
    title: str
    definition: str
    domain: str | None
    quality: float | None
    maturity: str | None
    synonyms: tuple[str, ...]
    parents: tuple[str, ...]
    ancestors: tuple[str, ...]
    relations: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Issue:
    """One fault of a source: what it is, where, and whether the class was kept."""

    kind: str
    where: str
    field: str
    detail: str


@dataclass(frozen=True)
class Reading:
    """What a reader made of a source, before checks.

    Attributes:
        classes: As the source states them.
        issues: Faults that the reader met.
        sha256: Of the source's bytes.
        n_lost: Records (stanzas, lines or pages) that could not be read; they are no class.
        passed_over: Reason to how many pages hold no class for it. Only pages are passed over.
    """

    classes: Sequence[RawClass]
    issues: Sequence[Issue]
    sha256: str
    n_lost: int = 0
    passed_over: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Corpus:
    """Classes in corpus order, with the faults that the policy reported and dropped."""

    classes: tuple[OntologyClass, ...]
    issues: tuple[Issue, ...] = ()

    def by_slug(self) -> dict[str, OntologyClass]:
        """Return the classes by slug, in corpus order."""
        return {c.slug: c for c in self.classes}
