"""Checks a source's raw classes against its policy and closes the hierarchy.

What is a fault, and what happens to it, is declared per corpus (DESIGN section 6): ``error``
stops with every fault listed at once; ``drop`` reports it and leaves the offending part out;
``keep`` (dangling references only) reports it and shows the reference as its bare id, which is
what the paper's engine does.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from copyceiling.corpus.model import Corpus, Issue, OntologyClass, RawClass
from copyceiling.errors import CorpusError, listing
from copyceiling.text import normalise, slugify

# Ancestors by distance, and whether the class is its own ancestor.
_Levels = tuple[list[list[str]], bool]

MAX_TITLE_CHARS = 500
MAX_DEFINITION_CHARS = 20_000

# Faults found here or by an adapter; the second is the strictest policy and the default.
FAULTS = {
    "duplicate_id": "error",
    "dangling_target": "error",
    "self_parent": "error",
    "cycle": "error",
    "empty_title": "error",
    "oversized_field": "error",
    "invalid_utf8": "error",
    "bad_record": "error",
}
_ROOT_NAMES = ("owl:Thing", "http://www.w3.org/2002/07/owl#Thing")


def local_part(identifier: str) -> str:
    """Return what follows the last ``/``, ``#`` or ``:`` of an id or IRI."""
    for mark in "/#:":
        identifier = identifier.rpartition(mark)[2]
    return identifier


class _Faults:
    """Collects faults; ``check`` says whether the policy lets the class or part stay out."""

    def __init__(self, policy: Mapping[str, str]) -> None:
        self._policy = {**FAULTS, **policy}
        self.issues: list[Issue] = []

    def add(self, kind: str, where: str, field: str, detail: str) -> str:
        self.issues.append(Issue(kind, where, field, detail))
        return self._policy[kind]

    def raise_errors(self, source: str) -> None:
        errors = [
            f"{i.where}: field '{i.field}': {i.detail} [{i.kind}]"
            for i in self.issues
            if self._policy[i.kind] == "error"
        ]
        if errors:
            kinds = sorted({i.kind for i in self.issues if self._policy[i.kind] == "error"})
            raise CorpusError(
                f"corpus '{source}' has {len(errors)} fault(s):\n{listing(errors)}\n"
                f"Mend the source, or declare a policy for them in the study config, for example "
                f"corpus: policy: {{{kinds[0]}: drop}}."
            )


def build_corpus(
    raw: Iterable[RawClass],
    *,
    source: str,
    policy: Mapping[str, str],
    issues: Sequence[Issue] = (),
    relations: Sequence[str] | None = None,
    inverses: Mapping[str, str] | None = None,
    definition_chars: int | None = None,
    branch_domains: bool = False,
) -> Corpus:
    """Return the checked corpus, in order of source id.

    Args:
        raw: Classes as read, in any order; of a duplicate id the first wins.
        source: Name for messages.
        policy: Fault kind (see `FAULTS`) to ``error``, ``drop`` or ``keep``.
        issues: Faults the adapter met while reading.
        relations: Relation types to keep, None for all.
        inverses: Relation type to the name its inverse is added under.
        definition_chars: Definitions are cut to this many characters, None for no cut.
        branch_domains: Set each class's domain to the nearest branch below a root that it
            reaches over its parents (ties by source id).

    Raises:
        CorpusError: A fault whose policy is ``error``; all such faults are listed.
    """
    faults = _Faults(policy)
    for issue in issues:
        faults.add(issue.kind, issue.where, issue.field, issue.detail)
    kept = _unique(raw, faults)
    slugs = _assign_slugs(kept)
    classes = [
        _resolve(r, slugs, faults, relations, definition_chars)
        for r in sorted(kept.values(), key=lambda r: r.id)
    ]
    if inverses:
        classes = _add_inverses(classes, inverses)
    parents = {c.slug: c.parents for c in classes}
    levels = {slug: ancestor_levels(slug, parents) for slug in parents}
    domains = _branch_domains(classes, levels) if branch_domains else {}
    classes = [
        replace(
            c,
            ancestors=_ancestors(c, kept[c.id], levels[c.slug], faults),
            domain=domains[c.slug] if branch_domains else c.domain,
        )
        for c in classes
    ]
    faults.raise_errors(source)
    return Corpus(tuple(classes), tuple(faults.issues))


def _unique(raw: Iterable[RawClass], faults: _Faults) -> dict[str, RawClass]:
    kept: dict[str, RawClass] = {}
    for r in raw:
        if r.id in kept:
            faults.add("duplicate_id", r.where, "id", f"'{r.id}' stands in {kept[r.id].where} too")
            continue
        if not r.title.strip():
            faults.add("empty_title", r.where, "title", f"class '{r.id}' has no title")
            continue
        for name, value, limit in (
            ("title", r.title, MAX_TITLE_CHARS),
            ("definition", r.definition, MAX_DEFINITION_CHARS),
        ):
            if len(value) > limit:
                detail = f"class '{r.id}': {len(value)} characters, at most {limit} allowed"
                faults.add("oversized_field", r.where, name, detail)
                r = replace(r, title=r.title[:MAX_TITLE_CHARS])
                r = replace(r, definition=r.definition[:MAX_DEFINITION_CHARS])
        kept[r.id] = r
    return kept


def _assign_slugs(kept: Mapping[str, RawClass]) -> dict[str, str]:
    """Return source id to slug: unique, in order of id, a collision gets the local part."""
    slugs: dict[str, str] = {}
    used: set[str] = set()
    for identifier in sorted(kept):
        r = kept[identifier]
        slug = r.slug or slugify(r.title) or slugify(local_part(identifier))
        if slug in used or not slug:
            slug = "-".join(filter(None, [slug, slugify(local_part(identifier))]))
        stem, n = slug, 2
        while slug in used or not slug:
            slug, n = f"{stem or 'class'}-{n}", n + 1
        used.add(slug)
        slugs[identifier] = slug
    return slugs


def _resolve(
    r: RawClass,
    slugs: Mapping[str, str],
    faults: _Faults,
    relations: Sequence[str] | None,
    definition_chars: int | None,
) -> OntologyClass:
    def targets(field: str, references: Sequence[str]) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for reference in references:
            if reference in _ROOT_NAMES:
                continue
            slug = slugs.get(reference)
            if slug is None:
                detail = f"class '{r.id}' refers to '{reference}', which is no class of the corpus"
                if faults.add("dangling_target", r.where, field, detail) != "keep":
                    continue
                slug = local_part(reference)
            found[slug] = None
        return tuple(found)

    own = slugs[r.id]
    if r.id in r.parents:
        faults.add("self_parent", r.where, "parents", f"class '{r.id}' is its own parent")
    resolved = {
        name: targets(name, r.relations[name])
        for name in r.relations
        if relations is None or name in relations
    }
    return OntologyClass(
        id=r.id,
        slug=own,
        title=r.title.strip(),
        definition=r.definition[:definition_chars].strip(),
        domain=r.domain or None,
        quality=r.quality or None,
        maturity=r.maturity or None,
        synonyms=tuple(dict.fromkeys(s for s in r.synonyms if s.strip())),
        parents=tuple(p for p in targets("parents", r.parents) if p != own),
        ancestors=targets("ancestors", r.ancestors) if r.ancestors is not None else (),
        relations={name: found for name, found in resolved.items() if found},
    )


def _add_inverses(
    classes: Sequence[OntologyClass], inverses: Mapping[str, str]
) -> list[OntologyClass]:
    known = {c.slug for c in classes}
    extra: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for c in classes:
        for name, inverse in inverses.items():
            for target in c.relations.get(name, ()):
                if target in known:
                    extra[target][inverse].append(c.slug)
    out = []
    for c in classes:
        if c.slug not in extra:
            out.append(c)
            continue
        merged = {name: list(found) for name, found in c.relations.items()}
        for name, found in extra[c.slug].items():
            merged.setdefault(name, []).extend(found)
        out.append(replace(c, relations={n: tuple(dict.fromkeys(f)) for n, f in merged.items()}))
    return out


def _ancestors(
    c: OntologyClass, raw: RawClass, levels: _Levels, faults: _Faults
) -> tuple[str, ...]:
    """Return the ancestors stated, else those inferred; report a cycle."""
    above, cyclic = levels
    if cyclic:
        faults.add("cycle", raw.where, "parents", f"class '{c.id}' is its own ancestor")
    if raw.ancestors is not None:
        return c.ancestors
    return tuple(slug for level in above[1:] for slug in level)


def ancestor_levels(slug: str, parents: Mapping[str, Sequence[str]]) -> _Levels:
    """Return a class's ancestors by distance, and whether it is its own ancestor.

    The first level keeps the order of assertion, later ones are alphabetical; each ancestor
    stands in its nearest level only. Source: DESIGN section 6.
    """
    seen = {slug}
    cyclic = False
    level = list(parents.get(slug, ()))
    levels: list[list[str]] = []
    while level:
        seen.update(level)
        levels.append(level)
        above = {p for s in level for p in parents.get(s, ())}
        cyclic = cyclic or slug in above
        level = sorted(above - seen)
    return levels, cyclic


def _branch_domains(
    classes: Sequence[OntologyClass], levels: Mapping[str, _Levels]
) -> dict[str, str | None]:
    """Return the nearest branch below a root that each class reaches, ties by source id."""
    roots = {c.slug for c in classes if not c.parents}
    # Corpus order is order of source id, so ties go to the lowest id.
    branches = {c.slug: i for i, c in enumerate(classes) if roots.intersection(c.parents)}
    out: dict[str, str | None] = {}
    for c in classes:
        near = ([s for s in level if s in branches] for level in [[c.slug], *levels[c.slug][0]])
        nearest = next(filter(None, near), None)
        out[c.slug] = min(nearest, key=branches.__getitem__) if nearest else None
    return out


def unmatchable(classes: Iterable[OntologyClass]) -> list[OntologyClass]:
    """Return the classes whose title the matcher cannot see (it normalises to nothing)."""
    return [c for c in classes if not normalise(c.title)]
