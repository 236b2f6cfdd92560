"""Diagnostics of any study: what its contexts share, and what its exposure rests on.

A question template that names a class of the corpus makes retrieval return that class for every
question; and a title that occurs inside longer words is credited as though it were named. Both are
counted here, of whatever study. Source: DESIGN sections 7 and 9, STUDIES sections 2 and 8.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from copyceiling.cohorts import Row
from copyceiling.stats import Interval

TOP_SEEDS = 5
FREQUENT = 0.25  # a class that at least this share of all questions retrieves
SEEDS = "retrieval"
CREDIT = "exposure"
COMMONEST = "score of the most frequent seed, commonest value"
INSIDE_WORDS = "substring that breaks a word boundary"
WORD_BAG = "word bag"
QUESTION_ALONE = "question alone exposes it"


def diagnostic(
    name: str,
    what: str,
    value: float | None,
    *,
    unit: str,
    source: str,
    n: int | None = None,
    of: int | None = None,
    interval: Interval | None = None,
    judges: Sequence[str] = (),
) -> dict[str, Any]:
    """Return a row of `DIAGNOSTICS`."""
    return {
        "name": name,
        "what": what,
        "value": value,
        "value_low": interval.low if interval else None,
        "value_high": interval.high if interval else None,
        "n": n,
        "of": of,
        "unit": unit,
        "source": source,
        "judges": sorted(set(judges)),
        "caution": None,
    }


def share(
    name: str, what: str, n: int, of: int, source: str, judges: Sequence[str] = ()
) -> dict[str, Any]:
    """Return a row of `DIAGNOSTICS` for n of some; its value is missing where there are none."""
    value = n / of if of else None
    return diagnostic(name, what, value, unit="share", source=source, n=n, of=of, judges=judges)


def retrieval_rows(scaffolds: Sequence[Row], exposure: Sequence[Row]) -> list[dict[str, Any]]:
    """Say how often the same classes are retrieved, over all questions.

    Args:
        scaffolds: Rows of `SCAFFOLDS`.
        exposure: Rows of `EXPOSURE` of the same questions.

    Returns:
        The `TOP_SEEDS` most frequent seeds, ties by slug, each with its share of the questions;
        the share of all seed places that frequent classes take; of the first seed the commonest
        score, ties to the lower, and how many gold items it is.
    """
    found = Counter(seed["slug"] for row in scaffolds for seed in row["seeds"])
    ranked = sorted(found.items(), key=lambda item: (-item[1], item[0]))[:TOP_SEEDS]
    rows = [
        share(SEEDS, f"most frequent seed {i}: {slug}", n, len(scaffolds), "scaffolds")
        for i, (slug, n) in enumerate(ranked, 1)
    ]
    frequent = sum(n for n in found.values() if n >= FREQUENT * len(scaffolds))
    what = f"seed places of classes that {FREQUENT:.0%} of the questions retrieve"
    rows.append(share(SEEDS, what, frequent, found.total(), "scaffolds"))
    if ranked:
        rows += _first_seed(ranked[0][0], scaffolds, exposure)
    return rows


def _first_seed(
    slug: str, scaffolds: Sequence[Row], exposure: Sequence[Row]
) -> Iterator[dict[str, Any]]:
    scores = Counter(s["score"] for row in scaffolds for s in row["seeds"] if s["slug"] == slug)
    score, times = min(scores.items(), key=lambda item: (-item[1], item[0]))
    yield diagnostic(
        SEEDS, COMMONEST, score, unit="score", source="scaffolds", n=times, of=scores.total()
    )
    gold = [row for row in exposure if row["slug"] == slug]
    what, source = "gold items that are the most frequent seed", "scaffolds, exposure"
    yield share(SEEDS, what, len(gold), len(exposure), source)
    alone = sum(row["question_exposed"] for row in gold)
    yield share(SEEDS, f"{what}, exposed by the question alone", alone, len(gold), source)


def credit_rows(exposure: Sequence[Row]) -> list[dict[str, Any]]:
    """Say what the exposed gold items owe their credit to.

    Args:
        exposure: Rows of `EXPOSURE`.
    """
    exposed = [row for row in exposure if row["exposed"]]
    inside = [r for r in exposed if r["path"] == "substring" and not r["exposed_strict"]]
    counts = {
        "whole title at word boundaries": sum(r["exposed_strict"] for r in exposed),
        INSIDE_WORDS: len(inside),
        WORD_BAG: sum(r["path"] == "word_bag" for r in exposed),
        QUESTION_ALONE: sum(r["question_exposed"] for r in exposed),
        f"{QUESTION_ALONE}, not at word boundaries": sum(
            r["question_exposed"] and not r["question_exposed_strict"] for r in exposed
        ),
    }
    rows = [share(CREDIT, "items exposed", len(exposed), len(exposure), "exposure")]
    rows += [share(CREDIT, what, n, len(exposed), "exposure") for what, n in counts.items()]
    return rows
