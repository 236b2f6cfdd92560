"""Published values of the sweep (paper sections 9, 10.1 and 10.3), its questions and corpus.

Families ``sweep``, ``ceiling``, ``questions``, ``corpus``, and those of which only the paper's own
figures exist: ``node``, ``casestudy``, ``page``. Source: STUDIES sections 0 and 6.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from copyceiling.published.recomputed import Recomputed, lacking
from copyceiling.questions import TEMPLATES, Question
from copyceiling.requests import ARMS
from copyceiling.sweep import POOLED
from copyceiling.text import normalise

Row = Mapping[str, Any]
Values = dict[str, Recomputed]

_AS_PUBLISHED = ("paper", "as_received")
# The release rounds each row's recall to so many decimals before it averages.
_ROW_DECIMALS = 4
_ROUNDED = "each row's recall rounded to four decimals before averaging, as released"
_NO_ROWS = "needs the sweep's score rows"
_NO_TELEMETRY = "needs the telemetry of the served answers (loom.generation)"


def as_published(rows: Iterable[Row]) -> dict[str, Row]:
    """Return the rows of models that the published values are of, by model."""
    return {
        r["model"]: r
        for r in rows
        if (r["matcher"], r["policy"]) == _AS_PUBLISHED and r["group"] == "model"
    }


def sweep_values(
    models: Sequence[str],
    scores: Iterable[Row],
    sweep: Iterable[Row],
    labels: Mapping[str, str],
) -> Values:
    """Return every value of the family ``sweep``.

    Args:
        models: Labels of the swept models.
        scores: Rows of `SCORES`.
        sweep: Rows of `SWEEP`.
        labels: Model label to the published one, where they differ.
    """
    rounded, rows = _rounded_recalls(scores), as_published(sweep)
    out: Values = {}
    means: dict[str, list[float | None]] = {arm: [] for arm in ARMS}
    for model in models:
        name = f"sweep.{labels.get(model, model)}"
        mean = {arm: _mean(rounded.get((model, arm), [])) for arm in ARMS}
        for arm in ARMS:
            means[arm].append(mean[arm])
        found = _model_values(mean["raw"], mean["scaffold"], rows.get(model))
        out |= {f"{name}.{measure}": value for measure, value in found.items()}
    for arm in ARMS:
        known = [value for value in means[arm] if value is not None]
        whole = _mean(known) if len(known) == len(means[arm]) else None
        out[f"sweep.mean_{arm}_recall"] = _determined(whole, _ROUNDED)
    return out


def _model_values(raw: float | None, scaffold: float | None, row: Row | None) -> Values:
    """Return the values of one model from its mean recalls and its row of the study."""
    paired = None if raw is None or scaffold is None else scaffold - raw
    ceiling = None if row is None else row["exposed_fraction"]
    gain = None if scaffold is None or ceiling is None else round(scaffold - ceiling, _ROW_DECIMALS)
    return {
        "raw_recall": _determined(raw, _ROUNDED),
        "scaffold_recall": _determined(scaffold, _ROUNDED),
        "uplift": _determined(paired, _ROUNDED),
        "uplift_ci95_naive": _interval(row, "uplift_naive"),
        "uplift_ci95_domain": _interval(row, "uplift_domain"),
        "gain_over_copy": _determined(gain, _ROUNDED),
        "n_truncated": _determined(None if row is None else row["n_truncated_either"]),
        "n_retried": _determined(None if row is None else row["scaffold_retried"]),
    }


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _determined(value: float | None, note: str | None = None) -> Recomputed:
    return lacking(_NO_ROWS) if value is None else Recomputed(value, note=note)


def _rounded_recalls(scores: Iterable[Row]) -> dict[tuple[str, str], list[float]]:
    out: dict[tuple[str, str], list[float]] = {}
    for r in scores:
        if r["matcher"] == "paper":
            recall = round(r["recall_num"] / r["recall_den"], _ROW_DECIMALS)
            out.setdefault((r["model"], r["arm"]), []).append(recall)
    return out


def _interval(row: Row | None, name: str) -> Recomputed:
    bounds = [None, None] if row is None else [row[f"{name}_low"], row[f"{name}_high"]]
    return lacking(_NO_ROWS) if None in bounds else Recomputed(bounds)


def ceiling_values(sweep: Iterable[Row], decomposition: Iterable[Row]) -> Values:
    """Return every value of the family ``ceiling``, which is the same for every model.

    Args:
        sweep: Rows of `SWEEP`.
        decomposition: Rows of `DECOMPOSITION`.
    """
    macros = [r["exposed_fraction"] for r in as_published(sweep).values()]
    cells = [
        (r["n_exposed"], r["n_gold"])
        for r in as_published(decomposition).values()
        if r["model"] != POOLED
    ]
    if len(set(macros)) != 1 or len(set(cells)) != 1:
        names = ("macro", "pooled_items", "exposed_items", "unexposed_items")
        reason = "needs every model's rows on the same questions"
        return {f"ceiling.{name}": lacking(reason) for name in names}
    exposed, gold = cells[0]
    return {
        "ceiling.macro": Recomputed(macros[0]),
        "ceiling.pooled_items": Recomputed(exposed / gold),
        "ceiling.exposed_items": Recomputed(exposed),
        "ceiling.unexposed_items": Recomputed(gold - exposed),
    }


def question_values(questions: Sequence[Question]) -> Values:
    """Return every value of the family ``questions``."""
    gold = [item for q in questions for item in q.gold]
    common = [q for q in questions if q.template == "T-COMMON"]
    counts = Counter(q.template for q in questions)
    found = {
        "n": len(questions),
        **{f"template.{name}": counts[name] for name in TEMPLATES},
        "domains": len({q.domain for q in questions}),
        "tcommon_multi_target": sum(len(q.gold) >= 2 for q in common),
        "gold_items": len(gold),
        "distinct_norm_gold_titles": len({normalise(item.title) for item in gold}),
    }
    values = {f"questions.{name}": Recomputed(value) for name, value in found.items()}
    return values if questions else dict.fromkeys(values, lacking("needs the released questions"))


def corpus_values(answers: Iterable[Row]) -> Values:
    """Return every value of the family ``corpus``.

    Args:
        answers: Rows of `ANSWERS` of the production study, whose telemetry names the corpus.
    """
    served = [r for r in answers if r["arm"] == "served"]
    return {
        "corpus.classes": _only(r["class_count"] for r in served),
        "corpus.generation_stamp": _only(r["generation"] for r in served),
        "corpus.pages_reported": lacking("needs the build's report; no rows hold it"),
        "corpus.closure_triples": lacking("needs the reasoner's output over the full ontology"),
    }


def _only(values: Iterable[Any]) -> Recomputed:
    """Return the one value that all rows agree on."""
    found = Counter(v for v in values if v is not None)
    if len(found) == 1:
        value, n = next(iter(found.items()))
        return Recomputed(value, note=f"the same in all {n} served answers that state it")
    return lacking(f"{_NO_TELEMETRY}; the rows at hand state {len(found)} different ones")


_CASES = (
    "loom_qwen3.8_27b",
    "bare_qwen3.8_27b",
    "gemini_3_flash_preview",
    "glm_4.7",
    "deepseek_v4_flash",
    "claude_opus_4.8",
    "claude_haiku_4.5",
    "gpt_5.6",
    "glm_5.3",
    "claude_sonnet_5",
)
_PAGES = (
    "means_range",
    "second_judge_agreement",
    "best_variant",
    "thin_pairs_means",
    "thin_pairs_n",
    "splice_failed",
)


def paper_only_values() -> Values:
    """Return the families ``node``, ``casestudy`` and ``page``, of which no rows were released."""
    case = lacking("needs the case study's episodes; no rows of it were released")
    page = lacking("needs the judged pages; no rows of them were released")
    return {
        "node.hnsw_recall": lacking("needs the vector index and its queries; not released"),
        "node.lexical_match_p50_ms": lacking("a latency of the authors' machine; not released"),
        **{f"casestudy.{name}": case for name in _CASES},
        **{f"page.{name}": page for name in _PAGES},
    }
