"""Published values of the semantic audit (paper section 10.2)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product

from copyceiling.audit.allocate import largest_remainder
from copyceiling.audit.labels import CATEGORIES, GATES, LABELS, ROLES
from copyceiling.audit.rates import ALL
from copyceiling.audit.traits import TITLE_TRAITS
from copyceiling.published.audit_rows import (
    NO_ANSWERS,
    NO_FRAME,
    AuditRows,
    Row,
    Values,
    blank,
    frame_note,
    pooled_row,
    rate_values,
    ratio_values,
)
from copyceiling.published.recomputed import Recomputed, lacking
from copyceiling.sweep import POOLED

# Units set aside for people to label (paper section 10.2).
_HUMAN_UNITS = 120
_NO_VERDICTS = "needs the verdicts of the semantic audit (semantic-audit/verdicts.jsonl)"


def audit_values(rows: AuditRows) -> Values:
    """Return every value of the family ``audit``."""
    found = {
        **_sample(rows),
        **_frame(rows),
        **_confusion(rows),
        **_credit(rows),
        **_uncredited(rows),
        **_gate(rows),
        **_corrected(rows),
        **_mechanisms(rows),
    }
    return found if rows.has("sample") else blank(found, _NO_VERDICTS)


def _sample(rows: AuditRows) -> Values:
    sample = [r for r in rows.verdicts if r["part"] == "sample"]
    sizes = Counter(r["category"] for r in sample)
    models = Counter(rows.label(r["model"]) for r in sample)
    out = {f"audit.sample.{c}": Recomputed(sizes[c]) for c in CATEGORIES}
    for category in CATEGORIES:
        cells = {
            r["value"]: r["n"]
            for r in rows.counts
            if (r["part"], r["category"], r["field"]) == ("sample", category, "cell")
        }
        out[f"audit.sample_cells.{category}"] = Recomputed(cells)
    human = largest_remainder(_HUMAN_UNITS, sizes)
    return {
        **out,
        "audit.sample.total": Recomputed(len(sample)),
        "audit.sampled_by_model": Recomputed(dict(sorted(models.items()))),
        "audit.human_sample": Recomputed(
            human, note=f"largest remainder of {_HUMAN_UNITS} over the sample's categories"
        ),
        "audit.judge_calls_first_pass": lacking(
            "needs which replies were asked for again, apart from those that were salvaged"
        ),
        "audit.cost_first_pass_usd": lacking("needs the token counts of the judge's calls"),
    }


def _frame(rows: AuditRows) -> Values:
    out = {}
    for category in CATEGORIES:
        cells = [
            r
            for r in rows.frame
            if (r["model"], r["category"]) == (POOLED, category) and r["template"] != ALL
        ]
        key = f"audit.frame_cells.{category}"
        if not cells or any(r["n"] is None for r in cells):
            out[key] = lacking(NO_FRAME)
        else:
            notes = (frame_note(r["source"]) for r in cells)
            held = {f"{r['template']}|{r['gold_type']}": r["n"] for r in cells if r["n"]}
            out[key] = Recomputed(held, note=next(filter(None, notes), None))
    return {**out, **_compliant(rows)}


def _compliant(rows: AuditRows) -> Values:
    key = "audit.compliant_deterministic"
    pooled = pooled_row(rows.decomposition)
    omitted = rows.units("n10")
    if pooled is None or pooled["n10_compliant"] is None or omitted is None or not omitted["n"]:
        return dict.fromkeys((key, f"{key}.ci95"), lacking(NO_FRAME))
    return ratio_values(key, pooled["n10_compliant"], omitted["n"], frame_note(omitted["source"]))


def _confusion(rows: AuditRows) -> Values:
    out = {}
    for category in CATEGORIES:
        for label in LABELS:
            key = f"audit.confusion.{category}.{label}"
            out[key] = Recomputed(rows.count(category, "label", label))
        for role in ROLES:
            key = f"audit.reqalt.{category}.{role}"
            out[key] = Recomputed(rows.count(category, "role", role))
    return out


_CREDIT = {
    "credit_precision": "correct",
    "credit_name_only": "name_only",
    "credit_wrong": "wrong",
    "credit_absent": "absent",
}


def _credit(rows: AuditRows) -> Values:
    out: Values = {}
    for name, rate in _CREDIT.items():
        out |= rate_values(f"audit.{name}", rows.rate("n11", rate))
    for template in ("T-REL", "T-TAX", "T-COMMON"):
        row = rows.rate("n11", "correct", by=("template", template))
        out |= rate_values(f"audit.credit_precision.{template.replace('-', '')}", row)
    for model in rows.models:
        key = f"audit.credit_precision.{rows.label(model)}"
        row = rows.rate("n11", "correct", by=("model", model))
        none = lacking("none of its credits was audited")
        out[key] = Recomputed([row["k"], row["n"]]) if row is not None else none
    for name, reading in (("against", "withdrawn"), ("excluded", "excluded")):
        row = rows.rate("n11", "correct", reading, rule="verbatim")
        out |= rate_values(f"audit.verbatim_rule.{name}", row)
    return out


# Published name to category, rate, and the readings that are published.
_UNCREDITED: Mapping[str, tuple[str, str, Sequence[str]]] = {
    "n10_true_omission": ("n10", "true_omission", ("stands", "withdrawn", "excluded")),
    "n10_named": ("n10", "named", ("stands", "withdrawn", "excluded")),
    "n10_false_negative": ("n10", "correct", ("stands", "excluded")),
    "n10_negated": ("n10", "negated", ("stands", "excluded")),
    "n10_alternative": ("n10", "alternative", ("stands", "withdrawn", "excluded")),
    "n00_absent": ("n00", "absent", ("stands", "withdrawn", "excluded")),
    "n00_named": ("n00", "named", ("stands", "withdrawn")),
}


def _uncredited(rows: AuditRows) -> Values:
    out = rate_values("audit.n00_hidden_correct", rows.rate("n00", "correct"))
    for name, (category, rate, readings) in _UNCREDITED.items():
        for reading in readings:
            out |= rate_values(f"audit.{name}.{reading}", rows.rate(category, rate, reading))
    return out


def _gate(rows: AuditRows) -> Values:
    by_gate = {gate: rows.total("gate", gate) for gate in GATES}
    adjudicated = by_gate["repaired"] + by_gate["unresolved"]
    counts = {
        "required": by_gate["verified"] + adjudicated,
        "verified_first": by_gate["verified"],
        "adjudicated": adjudicated,
        "repaired": by_gate["repaired"],
        "unresolved": by_gate["unresolved"],
        "repaired_verbatim": rows.total("repair", "verbatim"),
        "repaired_norm_only": rows.total("repair", "normalised"),
        "unresolved.n10": rows.count("n10", "gate", "unresolved"),
        "unresolved.n00": rows.count("n00", "gate", "unresolved"),
        "repaired.n11": rows.count("n11", "gate", "repaired"),
    }
    conceded = lacking(
        "needs whether the judge conceded; a verdict is unresolved also where it gave a span that "
        "does not stand in the answer"
    )
    out = {f"audit.gate.{name}": Recomputed(n) for name, n in counts.items()}
    if any(r["gate"] is None for r in rows.verdicts if r["part"] == "sample"):
        out = blank(out, "needs the quote gate's rows (quote-gate-v2.jsonl)")
    return {**out, "audit.gate.conceded": conceded}


def _corrected(rows: AuditRows) -> Values:
    found = {(r["reading"], r["clusters"]): r for r in rows.corrected if r["rule"] == "as_run"}
    out: Values = {}
    for reading, suffix in (("stands", ""), ("excluded", ".excluded")):
        question, model = found.get((reading, "question")), found.get((reading, "model"))
        out |= {
            f"audit.R{suffix}": _weighted(question, "value"),
            f"audit.R.ci95_question{suffix}": _weighted(question, "cluster_low", "cluster_high"),
            f"audit.R.ci95_model{suffix}": _weighted(model, "cluster_low", "cluster_high"),
        }
    stands = found.get(("stands", "question"))
    gap = _weighted(stands, "gap")
    return {
        **out,
        "audit.R.ci95_naive": _weighted(stands, "naive_low", "naive_high"),
        "audit.clusters": _weighted(stands, "n_clusters_n11", "n_clusters_n10"),
        "audit.gap_pp": gap if gap.value is None else replace(gap, value=100 * gap.value),
    }


def _weighted(row: Row | None, *columns: str) -> Recomputed:
    """Return what a row of the corrected rate has; it rests on the frame's weights."""
    found = [None if row is None else row[name] for name in columns]
    if row is None or None in found:
        return lacking(NO_FRAME)
    note = frame_note(row["weights_from"])
    return Recomputed(found[0] if len(found) == 1 else found, note=note)


def _mechanisms(rows: AuditRows) -> Values:
    out: Values = {}
    found = {(r["mechanism"], r["category"]): r for r in rows.mechanisms}
    for key in product(TITLE_TRAITS, CATEGORIES):
        out["audit.mechanism." + ".".join(key)] = _bounded([found[key]] if key in found else [])
    for name, trait in (("subject_substring", TITLE_TRAITS[0]), ("camel", TITLE_TRAITS[1])):
        kept = [r for r in rows.mechanisms if r["mechanism"] == trait]
        judged = [sum(r["n_correct"] for r in kept), sum(r["n_sampled"] for r in kept)]
        out[f"audit.mechanism.{name}_sampled_correct"] = Recomputed(judged)
    camel = [r for r in rows.mechanisms if r["mechanism"] == TITLE_TRAITS[1]]
    return {**out, **_by_words(rows.by_words), **_camel(camel)}


def _bounded(kept: Sequence[Row]) -> Recomputed:
    """Return the units of some rows together, or the bounds that the score rows give."""
    low, high = (sum(r[end] for r in kept) for end in ("n_low", "n_high"))
    if kept and low == high:
        return Recomputed(low)
    return lacking(f"{NO_ANSWERS}. They allow {low} to {high}")


def _by_words(counts: Mapping[str, int] | None) -> Values:
    """Return the credits by words alone; of what is not credited there are none by definition."""
    found = counts or {"n10": 0, "n00": 0}
    note = None if counts else "none by definition: only what is credited is credited by words"
    return {
        f"audit.mechanism.matched_by_word_bag_only.{c}": (
            Recomputed(found[c], note=note) if c in found else lacking(NO_ANSWERS)
        )
        for c in CATEGORIES
    }


def _camel(kept: Sequence[Row]) -> Values:
    """Return what becomes of run-together titles; how, only where rows name the hits."""
    credited = [r for r in kept if r["category"] in ("n11", "n01")]
    by_words = [r["n_word_bag"] for r in credited]
    known = credited and None not in by_words
    out = {
        "titles": Recomputed(max((r["n_titles"] for r in kept), default=0)),
        "frame_units": Recomputed(max((r["n_frame"] for r in kept), default=0)),
        "credited": _bounded(credited),
        "omitted": _bounded([r for r in kept if r["category"] in ("n10", "n00")]),
        "credited_word_bag": Recomputed(sum(by_words)) if known else lacking(NO_ANSWERS),
        "credited_verbatim": lacking(NO_ANSWERS),
        "omitted_spaced_present": lacking(NO_ANSWERS),
        "omitted_not_mentioned": lacking(NO_ANSWERS),
    }
    if known:
        verbatim = sum(r["n_low"] - r["n_word_bag"] for r in credited)
        out["credited_verbatim"] = Recomputed(verbatim)
    return {f"audit.camel.{name}": value for name, value in out.items()}
