"""Term resolution: how many terms of extracted assertions name a class of the corpus?

A term resolves if its normalised form equals, in this order, the normalised title of a class, the
words of a class's slug, or a normalised synonym of a class; of several classes the first in corpus
order counts. No part of a title, no word bag, no likeness: equality alone. It measures whether
extracted words land in a corpus, not whether an assertion is true. Source: paper section 11,
Table 8.

Assertions come as JSONL, one a line. Fields: ``id`` (unique within its arm), ``arm`` (or
``model``), ``terms`` (list of texts, maybe empty); and where known ``episode``, ``text`` (what is
asserted), ``confidence`` (in [0, 1], as the model states it) and ``seconds`` (how long the
extraction of its episode took; the same on every row of an arm's episode).
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from copyceiling.corpus.model import OntologyClass
from copyceiling.errors import ConfigError, listing
from copyceiling.stats import Interval, Partition, bootstrap_intervals, wilson
from copyceiling.sweep import Settings
from copyceiling.text import normalise

PATHS = ("title", "slug", "synonym")
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Assertion:
    """One extracted assertion; see the module's head for the fields."""

    id: str
    arm: str
    terms: tuple[str, ...]
    episode: str | None = None
    text: str | None = None
    confidence: float | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class Resolution:
    """What a term names.

    Attributes:
        norm: The term as compared.
        path: ``title``, ``slug`` or ``synonym``; ``none``; ``unmatchable`` where nothing is left
            of the term after normalising.
        slug: The class, None unless it resolves.
    """

    norm: str
    path: str
    slug: str | None


class Inventory:
    """The names of the classes of a corpus.

    Args:
        classes: The corpus, in corpus order.
    """

    def __init__(self, classes: Sequence[OntologyClass]) -> None:
        self._names: dict[str, dict[str, str]] = {path: {} for path in PATHS}
        for c in classes:
            for path, names in (
                ("title", (c.title,)),
                ("slug", (c.slug,)),
                ("synonym", c.synonyms),
            ):
                for name in names:
                    self._names[path].setdefault(normalise(name), c.slug)

    def resolve(self, term: str) -> Resolution:
        """Return what a term names."""
        norm = normalise(term)
        if not norm:
            return Resolution(norm, "unmatchable", None)
        for path in PATHS:
            slug = self._names[path].get(norm)
            if slug is not None:
                return Resolution(norm, path, slug)
        return Resolution(norm, "none", None)


def item_rows(assertions: Iterable[Assertion], inventory: Inventory) -> list[dict[str, Any]]:
    """Return the rows of `TERM_ITEMS`: one a term of each assertion."""
    out = []
    for a in assertions:
        for place, term in enumerate(a.terms):
            found = inventory.resolve(term)
            out.append(
                {
                    "arm": a.arm,
                    "assertion": a.id,
                    "episode": a.episode,
                    "place": place,
                    "term": term,
                    "norm": found.norm,
                    "path": found.path,
                    "slug": found.slug,
                }
            )
    return out


def term_rows(
    assertions: Sequence[Assertion],
    items: Sequence[Row],
    garbled: Sequence[re.Pattern[str]] | None,
    settings: Settings,
) -> list[dict[str, Any]]:
    """Return the rows of `TERMS`: one an arm, in order of name.

    Args:
        assertions: Of all arms.
        items: Their terms, as of `item_rows`.
        garbled: What names garbled by speech recognition look like; None leaves them uncounted,
            for without a list they cannot be told from names.
        settings: Resampling.
    """
    out = []
    for arm in sorted({a.arm for a in assertions}):
        own = [a for a in assertions if a.arm == arm]
        paths: dict[str, list[str]] = {a.id: [] for a in own}
        for item in items:
            if item["arm"] == arm:
                paths[item["assertion"]].append(item["path"])
        out.append({"arm": arm, **_counts(own, paths, settings), **_stated(own, garbled)})
    return out


def _counts(
    own: Sequence[Assertion], paths: Mapping[str, Sequence[str]], settings: Settings
) -> dict[str, Any]:
    """Count an arm's terms by path and set its intervals."""
    every = [path for found in paths.values() for path in found]
    n_terms, n_resolved = len(every), sum(path in PATHS for path in every)
    naive = wilson(n_resolved, n_terms, settings.level)
    episodes = [a.episode for a in own if a.episode is not None]
    known = len(episodes) == len(own)
    clustered = Interval(None, None)
    if known:
        (clustered,) = bootstrap_intervals(
            np.array([[sum(p in PATHS for p in paths[a.id])] for a in own], dtype=np.int64),
            np.array([len(paths[a.id]) for a in own], dtype=np.int64),
            Partition.by("episode", episodes),
            seed=settings.seed,
            resamples=settings.resamples,
            level=settings.level,
        )
    return {
        "n_assertions": len(own),
        "n_without_terms": sum(not found for found in paths.values()),
        "n_episodes": len(set(episodes)) if known else None,
        "n_terms": n_terms,
        "n_resolved": n_resolved,
        **{f"by_{path}": every.count(path) for path in PATHS},
        "n_unmatchable": every.count("unmatchable"),
        "resolved": n_resolved / n_terms if n_terms else None,
        "wilson_low": naive.low,
        "wilson_high": naive.high,
        "episode_low": clustered.low,
        "episode_high": clustered.high,
    }


def _stated(own: Sequence[Assertion], garbled: Sequence[re.Pattern[str]] | None) -> dict[str, Any]:
    """Average what an arm's rows state, and count those with a garbled name."""
    confidence = [a.confidence for a in own if a.confidence is not None]
    seconds = {a.episode: a.seconds for a in own if a.seconds is not None}
    return {
        "n_confidence": len(confidence),
        "confidence": _mean(confidence),
        "n_timed": len(seconds),
        "seconds": _mean(list(seconds.values())),
        "n_garbled": None if garbled is None else sum(_is_garbled(a, garbled) for a in own),
    }


def _mean(values: Sequence[float]) -> float | None:
    """Return the mean of values whatever their order, None without any."""
    return float(sum(map(Fraction, values)) / len(values)) if values else None


def _is_garbled(a: Assertion, garbled: Sequence[re.Pattern[str]]) -> bool:
    texts = [*a.terms, *([a.text] if a.text is not None else [])]
    return any(pattern.search(text) for pattern in garbled for text in texts)


def compile_patterns(patterns: Sequence[str] | None) -> list[re.Pattern[str]] | None:
    """Return the declared patterns compiled, None where none are declared.

    Raises:
        ConfigError: Lists every pattern that is no regular expression.
    """
    if patterns is None:
        return None
    out, faults = [], []
    for i, pattern in enumerate(patterns):
        try:
            out.append(re.compile(pattern))
        except re.error as e:
            faults.append(f"terms.garbled.{i}: '{pattern}': {e}")
    if faults:
        raise ConfigError(
            f"{len(faults)} pattern(s) are no regular expressions:\n{listing(faults)}"
        )
    return out
