"""The study of the re-score: recall, ceiling and gain at each threshold and under the paper's.

The counts of each question go through the very functions of the sweep study, so that policies,
pairs and intervals are the same; only what counts as a hit differs.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from copyceiling.questions import Question
from copyceiling.rescore.cosines import SCALE, hits
from copyceiling.scoring import count, question_score, score_counts
from copyceiling.stats import Interval, Partition, Ratios, mean_intervals
from copyceiling.sweep import POOLED, Settings, decomposition_rows, sweep_rows

PAPER = "paper"
Row = Mapping[str, Any]
Cell = tuple[str, str, str]  # question, model, arm


def matcher_name(threshold: int) -> str:
    """Return the name of the cosine matcher at a threshold in ten-thousandths: ``cosine@0.85``."""
    text = f"{threshold / SCALE:.4f}".rstrip("0")
    return f"cosine@{text:0<4}"


def score_rows(
    questions: Sequence[Question],
    scores: Iterable[Row],
    items: Iterable[Row],
    exposure: Iterable[Row],
    thresholds: Sequence[int],
) -> list[dict[str, Any]]:
    """Return rows shaped like `SCORES`: the paper's as they are, and one a threshold beside each.

    Args:
        questions: With their gold.
        scores: Score rows of all models; those of the paper's matcher are kept.
        items: Rows of `RESCORED_ITEMS`.
        exposure: Rows of `RESCORED_EXPOSURE`.
        thresholds: In ten-thousandths.
    """
    by_id = {q.id: q for q in questions}
    found = _cosines(items, lambda r: (r["question_id"], r["model"], r["arm"]))
    shown = _cosines(exposure, lambda r: (r["question_id"], r["arm"]))
    out: list[dict[str, Any]] = []
    for row in scores:
        if row["matcher"] != PAPER:
            continue
        out.append(dict(row))
        question, arm = row["question_id"], row["arm"]
        for threshold in thresholds:
            counts = count(
                hits(shown[question, arm], threshold),
                hits(found[question, row["model"], arm], threshold),
            )
            rescored = score_counts(by_id[question], counts)
            out.append({**row, "matcher": matcher_name(threshold), **rescored})
    return out


def _cosines(rows: Iterable[Row], key: Any) -> dict[Any, list[int | None]]:
    found: dict[Any, list[int | None]] = defaultdict(list)
    for row in sorted(rows, key=lambda r: int(r["item"])):
        found[key(row)].append(row["cosine"])
    return found


_BOUNDS = [
    f"{what}_{by}_{end}"
    for what in ("uplift", "gain")
    for by in ("naive", "domain")
    for end in ("low", "high")
]
_MEANS = ["n", "n_domains", "raw_recall", "scaffold_recall", "uplift", "ceiling", "gain", *_BOUNDS]
_COUNTS = ("n_gold", "n11", "n10", "n01", "n00")


def rescore_rows(
    scored: Sequence[Row],
    items: Iterable[Row],
    readers: frozenset[str],
    thresholds: Sequence[int],
    settings: Settings,
) -> list[dict[str, Any]]:
    """Return the rows of `RESCORE`: one a model, matcher and policy, and pooled models.

    Args:
        scored: Rows of `score_rows`.
        items: Rows of `RESCORED_ITEMS`.
        readers: Labels of the reference readers.
        thresholds: In ten-thousandths.
        settings: Resampling.
    """
    by_name: dict[str, int | None] = {PAPER: None}
    by_name.update({matcher_name(t): t for t in thresholds})
    kept = _lexical_kept(items, by_name, readers)
    means = {_key(row): row for row in sweep_rows(scored, readers, settings)}
    out = []
    for counts in decomposition_rows(scored, readers, settings):
        model, matcher, policy = key = _key(counts)
        mean = means.get(key, {"n": counts["n"]})
        n_lexical, n_kept = kept.get((model, matcher), (None, None))
        out.append(
            {
                "model": model,
                "group": counts["group"],
                "matcher": matcher,
                "threshold": by_name[matcher],
                "policy": policy,
                **{name: mean.get(name) for name in _MEANS},
                **{name: counts[name] for name in _COUNTS},
                "n_lexical": n_lexical,
                "n_lexical_kept": n_kept,
            }
        )
    return out


def _key(row: Row) -> tuple[str, str, str]:
    return row["model"], row["matcher"], row["policy"]


def _lexical_kept(
    items: Iterable[Row], matchers: Mapping[str, int | None], readers: frozenset[str]
) -> dict[tuple[str, str], tuple[int, int]]:
    """Count a model's lexical hits in the scaffold arm, and those that each matcher finds too.

    Over all answers: what a text says does not depend on the policy for how it ended.
    """
    found: dict[str, list[int | None]] = {}
    for row in items:
        if row["arm"] == "scaffold":
            names = [row["model"]] if row["model"] in readers else [row["model"], POOLED]
            for name in names:
                found.setdefault(name, []).extend([row["cosine"]] if row["recovered"] else [])
    return {
        (model, name): (len(cosines), len(cosines) if t is None else sum(hits(cosines, t)))
        for model, cosines in found.items()
        for name, t in matchers.items()
    }


def ceiling_rows(
    questions: Sequence[Question],
    exposure: Iterable[Row],
    thresholds: Sequence[int],
    settings: Settings,
) -> list[dict[str, Any]]:
    """Return the rows of `RESCORE_CEILING`: the paper's matcher and one a threshold.

    Args:
        questions: With their gold.
        exposure: Rows of `RESCORED_EXPOSURE`.
        thresholds: In ten-thousandths.
        settings: Resampling.
    """
    rows = list(exposure)
    return [_ceiling_row(questions, rows, threshold, settings) for threshold in (None, *thresholds)]


def _ceiling_row(
    questions: Sequence[Question], rows: Sequence[Row], threshold: int | None, settings: Settings
) -> dict[str, Any]:
    hit: dict[str, dict[str, list[bool]]] = {"raw": {}, "scaffold": {}}
    n_lexical = n_kept = 0
    for row in rows:
        lexical = bool(row["exposed"])
        here = lexical if threshold is None else hits([row["cosine"]], threshold)[0]
        hit[row["arm"]].setdefault(row["question_id"], []).append(here)
        if row["arm"] == "scaffold":
            n_lexical += lexical
            n_kept += lexical and here
    exposed = [sum(hit["scaffold"][q.id]) for q in questions]
    scores = [
        Fraction(*question_score(n, len(q.gold), q.gold_type))
        for q, n in zip(questions, exposed, strict=True)
    ]
    domains = Partition.by("domain", [q.domain for q in questions])
    return {
        "matcher": PAPER if threshold is None else matcher_name(threshold),
        "threshold": threshold,
        "n": len(questions),
        "n_domains": domains.n_clusters,
        **_mean(scores, domains, settings),
        "n_gold": sum(len(q.gold) for q in questions),
        "n_exposed": sum(exposed),
        "n_lexical": n_lexical,
        "n_lexical_kept": n_kept,
        "question_exposed": sum(sum(found) for found in hit["raw"].values()),
    }


def _mean(
    scores: Sequence[Fraction], domains: Partition, settings: Settings
) -> dict[str, float | None]:
    ratios = Ratios.of([scores])
    out: dict[str, float | None] = {"ceiling": ratios.means()[0]}
    partitions = {"naive": Partition.rows(len(scores)), "domain": domains}
    for label, partition in partitions.items():
        found: Sequence[Interval] = mean_intervals(
            ratios,
            partition,
            seed=settings.seed,
            resamples=settings.resamples,
            level=settings.level,
        )
        out[f"ceiling_{label}_low"], out[f"ceiling_{label}_high"] = found[0].low, found[0].high
    return out


def neighbour_counts(near: Sequence[Row], thresholds: Sequence[int]) -> list[dict[str, Any]]:
    """Return the rows of `NEIGHBOURS`.

    Args:
        near: Rows of `TITLE_NEIGHBOURS`.
        thresholds: In ten-thousandths.
    """
    out = []
    for threshold in (None, *thresholds):
        found = [
            row
            for row in near
            if (row["lexical"] if threshold is None else hits([row["cosine"]], threshold)[0])
        ]
        out.append(
            {
                "matcher": PAPER if threshold is None else matcher_name(threshold),
                "threshold": threshold,
                "titles": len(found),
                "of": len(near),
                "share": len(found) / len(near) if near else None,
                "unlexical": sum(not row["lexical"] for row in found),
            }
        )
    return out
