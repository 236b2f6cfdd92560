"""What the judged studies, the audit and the rewritten questions show; see `observed`."""

from collections.abc import Sequence

from copyceiling.audit.panels import main_panel, of_panel
from copyceiling.observed import Finding, Observed, Parts, Reading, Row, spread, with_interval

_POOLED = "pooled"
_COMPLETE = "complete_case"


def quality(parts: Parts, _reading: Reading) -> Observed | None:
    """Return the judged difference of served and raw answers, pooled, by judge."""
    rows = _contrasts(parts["contrasts_production"], "production", _POOLED)
    if not rows:
        return None
    findings = []
    for r in rows:
        findings += [
            _difference(f"difference of 0 to 5 scores, {_judge(r)}", r),
            Finding(f"signed-rank p, {_judge(r)}", "p", r["p"]),
        ]
    return Observed(_most(rows, "n"), "pairs of answers", findings)


def outside(parts: Parts, _reading: Reading) -> Observed | None:
    """Return the judged differences on general questions, and how many lie inside the margin."""
    rows = parts["contrasts_production"]
    served = _contrasts(rows, "production", "general")
    harness = _contrasts(rows, "general", _POOLED)
    engaged = [
        r
        for r in rows
        if (r["cohort"], r["policy"]) == ("general", _COMPLETE) and r["scope"].endswith("engaged")
    ]
    kept = [r for r in (*served, *harness, *engaged) if r["mean_diff"] is not None]
    if not kept:
        return None
    findings = [
        _difference(
            f"{r['first']} minus {r['second']}, {r['scope'].replace('_', ' ')}, {_judge(r)}",
            r,
        )
        for r in kept
    ]
    tested = [r for r in kept if r["inside_margin"] is not None]
    inside = sum(r["inside_margin"] for r in tested)
    findings.append(
        Finding("of these, whole interval inside the margin", "count", inside, of=len(tested))
    )
    return Observed(_most(served, "n") + _most(harness, "n"), "pairs of answers", findings)


def content(parts: Parts, reading: Reading) -> Observed | None:
    """Return how many contrasts of the controls survive Holm: any block, and its content."""
    rows = _contrasts(parts["contrasts_controls"], "controls", _POOLED)
    if not rows:
        return None
    findings = []
    for judge in sorted({r["judge"] for r in rows}):
        own = [r for r in rows if r["judge"] == judge]
        placebo = [r for r in own if r["first"] == "true" and r["second"] != "raw"]
        for what, kept in (
            ("a block against none", [r for r in own if r["second"] == "raw"]),
            ("the true block against another", placebo),
        ):
            alive = sum(_survives(r, reading) for r in kept)
            findings.append(
                Finding(
                    f"{what}: contrasts that survive, {_judge(own[0])}",
                    "count",
                    alive,
                    of=len(kept),
                )
            )
        known = [r for r in placebo if r["mean_diff"] is not None]
        for r in sorted(known, key=lambda r: (-r["mean_diff"], r["second"]))[:1]:
            findings.append(
                _difference(f"greatest of the latter, true minus {r['second']}, {_judge(r)}", r)
            )
    return Observed(_most(rows, "n_questions"), "questions", findings)


def _survives(row: Row, reading: Reading) -> bool:
    return row["p_holm"] is not None and row["p_holm"] < round(1 - reading.level, 9)


def _contrasts(rows: Sequence[Row], cohort: str, scope: str) -> list[Row]:
    """Return complete-case contrasts of a cohort and scope, in order of judge."""
    wanted = (cohort, scope, _COMPLETE)
    kept = [r for r in rows if (r["cohort"], r["scope"], r["policy"]) == wanted]
    return sorted(kept, key=lambda r: (r["judge"], r["first"], r["second"]))


def _difference(what: str, row: Row) -> Finding:
    return with_interval(what, "score", row, "mean_diff", "diff")


def _most(rows: Sequence[Row], name: str) -> int:
    """Return the largest count among rows, 0 without any."""
    return max((r[name] for r in rows if r[name] is not None), default=0)


def audit(parts: Parts, _reading: Reading) -> Observed | None:
    """Return the audit's rates over its readings, and the corrected rate where there is one.

    They are those of one judge: models come before rules, and the first stands for the others.
    """
    judge = main_panel(parts["audit"])
    rows = [r for r in of_panel(parts["audit"], judge) if _whole(r) and r["part"] == "sample"]
    if not rows:
        return None
    by = _by_judge(rows[0])
    findings = [
        _readings(f"{what} ({category}){by}", rows, category, rate)
        for what, category, rate in (
            ("credited items that assert the relation", "n11", "correct"),
            ("omitted items that assert it all the same", "n10", "correct"),
            ("omitted items with an accepted alternative", "n10", "alternative"),
        )
    ]
    findings += [
        with_interval(
            f"exposed items asserted in the relation, unresolved left out{by}",
            "share",
            r,
            "value",
            "cluster",
        )
        for r in of_panel(parts.get("audit_corrected", ()), judge)
        if (r["rule"], r["reading"], r["clusters"]) == ("as_run", "excluded", "question")
    ]
    # Counts hold every category, rates only those that have one.
    counts = of_panel(parts.get("audit_confusion", ()), judge)
    counted = [r for r in counts if r["part"] == "sample"]
    sizes = {r["category"]: r["n"] + r["n_left_out"] for r in rows}
    sizes.update({r["category"]: r["of"] for r in counted})
    return Observed(sum(sizes.values()), "sampled items", findings)


def suppression(parts: Parts, _reading: Reading) -> Observed | None:
    """Return how many unexposed items, credited without the block, a judge bears out."""
    judged = of_panel(parts["audit"], main_panel(parts["audit"]))
    rows = [r for r in judged if _whole(r) and r["part"] == "raw_hits"]
    found = [
        _readings(
            f"credited without the block and borne out{_by_judge(r)}",
            rows,
            r["category"],
            "correct",
        )
        for r in rows[:1]
    ]
    if not found:
        return None
    n = rows[0]["n"] + rows[0]["n_left_out"]
    return Observed(n, "unexposed items credited without the block", found)


def _by_judge(row: Row) -> str:
    """Return what a finding says of its judge, where the judge's calibration speaks against it."""
    return "" if row["caution"] is None else f", {_judge(row)}"


def _judge(row: Row) -> str:
    """Return a judge, with the gist of what its calibration says against it."""
    said = row.get("caution")
    gist = "" if said is None else f": {said.partition(':')[0].lower()}"
    return f"judge {row['judge']}{gist}"


def _whole(row: Row) -> bool:
    return (row["by"], row["rule"]) == ("all", "as_run")


def _readings(what: str, rows: Sequence[Row], category: str, rate: str) -> Finding:
    """Return a rate over the readings of unresolved verdicts; undefined where none has it."""
    shares = [
        r["share"]
        for r in rows
        if (r["category"], r["rate"]) == (category, rate) and r["share"] is not None
    ]
    return spread(what, shares) if shares else Finding(what, "share", None)


def wording(parts: Parts, reading: Reading) -> Observed | None:
    """Return the ceilings of questions as asked and as rewritten, under each retrieval."""
    if "paraphrase" in parts:
        return _released_rewrites(parts["paraphrase"])
    return _stress(parts["stress"])


def _released_rewrites(rows: Sequence[Row]) -> Observed | None:
    found = {r["measure"]: r for r in rows if r["subset"] == "all"}
    if "accepted" not in found or "lexical" not in found:
        return None
    findings = [
        Finding(what, "count", found[name]["k"], of=found[name]["n"])
        for what, name in (
            ("questions with an accepted rewrite", "accepted"),
            ("rewrites whose lexical ceiling is below one half", "failing"),
        )
    ]
    findings += [
        with_interval(what, "share", found[name], "value", "domain")
        for what, name in (
            ("copy ceiling as asked", "original"),
            ("copy ceiling rewritten, lexical retrieval", "lexical"),
            ("copy ceiling rewritten, semantic retrieval", "semantic"),
        )
    ]
    return Observed(found["lexical"]["n"], "rewritten questions", findings)


def _stress(rows: Sequence[Row]) -> Observed | None:
    """Return the ceilings of a study that rewrites its questions itself, over all rewrites."""
    kept = {
        (r["version"], r["arm"]): r
        for r in rows
        if (r["matcher"], r["scope"]) == ("paper", "all") and r["ceiling"] is not None
    }
    lexical = kept.get(("rewritten", "lexical"))
    if lexical is None:
        return None
    findings = [
        Finding(what, "share", kept[key]["ceiling"])
        for what, key in (
            ("copy ceiling as asked", ("original", "lexical")),
            ("copy ceiling rewritten, lexical retrieval", ("rewritten", "lexical")),
            ("copy ceiling rewritten, semantic retrieval", ("rewritten", "semantic")),
        )
        if key in kept
    ]
    semantic = kept.get(("rewritten", "semantic"))
    if semantic is not None:
        what = "rewritten, semantic minus lexical"
        findings.append(with_interval(what, "signed", semantic, "difference", "difference_domain"))
    return Observed(lexical["n"], "rewritten questions", findings)


def rescore(parts: Parts, reading: Reading) -> Observed | None:
    """Return ceilings, and where there are answers gains, under each threshold of likeness."""
    shown = [r for r in parts.get("rescore_ceiling", ()) if r["threshold"] is not None]
    rows = [
        r
        for r in parts["rescore"]
        if r["threshold"] is not None
        and (r["group"], r["policy"]) == ("model", reading.policy)
        and r["gain"] is not None
    ]
    findings = [
        with_interval(f"copy ceiling, {r['matcher']}", "share", r, "ceiling", "ceiling_domain")
        for r in sorted(shown, key=lambda r: r["threshold"])
    ]
    for matcher in sorted({r["matcher"] for r in rows}):
        own = sorted((r for r in rows if r["matcher"] == matcher), key=lambda r: r["gain"])
        below = sum(r["gain_domain_high"] is not None and r["gain_domain_high"] < 0 for r in own)
        findings += [
            spread(f"gain over copy, {matcher}", [r["gain"] for r in own], "signed"),
            Finding(f"models whose interval lies below 0, {matcher}", "count", below, of=len(own)),
        ]
    n = _most([*shown, *rows], "n")
    return Observed(n, "questions", findings) if findings else None
