"""Diagnostics of judged studies: cut answers, the judge's window, donors, budgets, repeated grades.

None is in the paper; each says what the published contrasts are entangled with. Source: STUDIES
sections 3, 4 and 8.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from copyceiling.cohorts import FAMILIES, POOLED, Cell, Cohort, Row, Unit, build_cohorts, unit_of
from copyceiling.diagnostics import diagnostic, share
from copyceiling.donors import DONORS, RECORDED, REPLAYED, donor_rows, replayed_donors
from copyceiling.paired import COMPLETE_CASE, Pairs, difference_intervals, pair_scores
from copyceiling.sweep import Settings

JUDGE_WINDOW = 4_000  # characters of an answer that the judge is shown (STUDIES section 3)
# The policy that scales a block's budget by the score of the best match (STUDIES section 6).
STRONG_MATCH, LEAST_FRACTION = 8.0, 0.4
TRUNCATION, WINDOW, UNCUT = "truncation", "judge's window", "neither empty nor cut"
BUDGET, RERUN, REGRADE = "block budget", "rerun", "graded twice"
NEITHER, EITHER = "neither answer", "either answer"
CUT, BEYOND = "cut at the budget", f"beyond {JUDGE_WINDOW:,} characters"
ALL = "all"
LARGEST_BUDGET = "largest in effect, and blocks that had it"
LEAST_BUDGET = "least in effect, and blocks that had it"
ASKED_AGAIN = "questions asked again"
STILL_EMPTY = "answers to them still without text"
PAIRS_AGAIN = "pairs that count, asked again"
SAME_SCORE, WITHIN_ONE = "same score", "within 1"

Flag = Callable[[Row], bool | None]


def is_cut(answer: Row) -> bool | None:
    """Whether an answer stopped at its budget; None where rows do not say."""
    return None if answer["status"] is None else bool(answer["status"] == "truncated")


def is_beyond_window(answer: Row) -> bool | None:
    """Whether the judge was shown only a part of it; None where rows do not say."""
    return None if answer["n_chars"] is None else bool(answer["n_chars"] > JUDGE_WINDOW)


FLAGS: dict[str, tuple[str, Flag]] = {
    TRUNCATION: (CUT, is_cut),
    WINDOW: (BEYOND, is_beyond_window),
}


def judged_rows(
    answers: Sequence[Row],
    grades: Sequence[Row],
    settings: Settings,
    rules: Collection[str] = (),
) -> list[dict[str, Any]]:
    """Return the rows of `DIAGNOSTICS` that judged answers give; none without any.

    Args:
        answers: Rows of `ANSWERS` of all cohorts.
        grades: Rows of `GRADES` of all cohorts.
        settings: Resampling.
        rules: Labels of judges that are rules.
    """
    return [
        *split_rows(build_cohorts(answers, grades), settings),
        *answer_rows(answers),
        *budget_rows(answers),
        *control_rows(answers),
        *regrade_rows(grades, rules),
    ]


def split_rows(cohorts: Sequence[Cohort], settings: Settings) -> list[dict[str, Any]]:
    """Return rows of `DIAGNOSTICS` on the contrast of cohorts whose answers are their own.

    Args:
        cohorts: Judged cohorts; those that lend answers elsewhere are left out.
        settings: Resampling.
    """
    rows: list[dict[str, Any]] = []
    for cohort in cohorts:
        first, second = cohort.family.contrasts[0]
        if cohort.family.lent or not {first, second} <= set(cohort.arms):
            continue
        pairs = pair_scores(cohort, cohort.units(POOLED), first, second, COMPLETE_CASE)
        for name, (what, flag) in FLAGS.items():
            rows += _split(cohort, pairs, name, what, flag, settings)
        rows += _rerun_pairs(cohort, pairs)
    return rows


def _split(
    cohort: Cohort, pairs: Pairs, name: str, what: str, flag: Flag, settings: Settings
) -> Iterator[dict[str, Any]]:
    """Split a contrast by whether either answer of a pair has a flag.

    The flag comes of the answers, so the parts are no randomised comparison.
    """
    arms = cohort.family.contrasts[0]
    flags = [_either(_flag(cohort.cells[u][arm], flag) for arm in arms) for u in pairs.units]
    if None in flags:
        return
    label = f"{cohort.name}, {cohort.judge}: {arms[0]} - {arms[1]}"
    for part in (NEITHER, EITHER, ALL):
        chosen = [i for i, f in enumerate(flags) if part == ALL or f == (part == EITHER)]
        found = Pairs(tuple(pairs.units[i] for i in chosen), tuple(pairs.scores[i] for i in chosen))
        n, total = len(chosen), len(flags)
        yield diagnostic(
            name,
            f"{label}, all pairs" if part == ALL else f"{label}, {part} {what}",
            sum(found.differences) / n if n else None,
            interval=difference_intervals(found, settings)[0] if n else None,
            unit="points",
            source="answers, grades",
            n=n,
            of=total,
            judges=[cohort.judge],
        )


def _flag(cell: Cell, flag: Flag) -> bool | None:
    return None if cell.answer is None else flag(cell.answer)


def _either(flags: Iterable[bool | None]) -> bool | None:
    found = list(flags)
    return True if True in found else None if None in found else False


def _rerun_pairs(cohort: Cohort, pairs: Pairs) -> Iterator[dict[str, Any]]:
    arms = cohort.family.contrasts[0]
    cells = [[cohort.cells[u][arm] for arm in arms] for u in cohort.cells]
    again = [any(cell.known("rerun") for cell in both) for both in cells]
    if any(cell.known("rerun") is None for both in cells for cell in both):
        return
    empty = [c for both in cells for c in both if c.known("rerun") and c.end == "failed"]
    counted = sum(any(cohort.cells[u][arm].known("rerun") for arm in arms) for u in pairs.units)
    label = f"{cohort.name}, {cohort.judge}"
    for what, k, n in (
        (ASKED_AGAIN, sum(again), len(again)),
        (STILL_EMPTY, len(empty), 2 * sum(again)),
        (PAIRS_AGAIN, counted, len(pairs.units)),
    ):
        yield share(RERUN, f"{label}: {what}", k, n, "answers, grades", [cohort.judge])


def answer_rows(answers: Sequence[Row]) -> list[dict[str, Any]]:
    """Return rows of `DIAGNOSTICS` on answers alone, by cohort and arm: how many were cut.

    Cells of which rows do not say how they ended are left out; a cohort of such has no rows.
    """
    rows: list[dict[str, Any]] = []
    for cohort in sorted({a["cohort"] for a in answers}):
        known = [a for a in answers if a["cohort"] == cohort and a["status"] is not None]
        arms = sorted({a["arm"] for a in known})
        for arm in (*arms, ALL) if arms else ():
            some = [a for a in known if arm in (ALL, a["arm"])]
            texts = [a for a in some if a["status"] in ("ok", "truncated")]
            label = f"{cohort}, {arm}"
            for name, (what, flag) in FLAGS.items():
                flags = [flag(a) for a in texts if flag(a) is not None]
                found = share(
                    name, f"{label}: answers {what}", sum(map(bool, flags)), len(flags), "answers"
                )
                rows.append(found)
            fine = sum(a["status"] == "ok" for a in some)
            rows.append(share(UNCUT, f"{label}: answers", fine, len(some), "answers"))
    return rows


def budget_rows(answers: Sequence[Row]) -> list[dict[str, Any]]:
    """Say whether the budget of a block moved with the score of the best match.

    The largest budget seen counts as the one requested, for scaling only ever lowers it.
    """
    served = [a for a in answers if a["engaged"] and a["effective_budget"] is not None]
    if not served:
        return []
    budgets = [a["effective_budget"] for a in served]
    requested = max(budgets)
    scores = [a["top_score"] for a in served if a["top_score"] is not None]
    scaled = [scaled_budget(requested, score) for score in scores]
    values = (
        (LARGEST_BUDGET, requested, budgets.count(requested)),
        (LEAST_BUDGET, min(budgets), budgets.count(min(budgets))),
        (
            "least that scaling by score would give, and blocks that it would cut",
            min(scaled, default=None),
            sum(b < requested for b in scaled),
        ),
    )
    return [
        diagnostic(BUDGET, what, value, unit="tokens", source="answers", n=n, of=len(served))
        for what, value, n in values
    ]


def scaled_budget(requested: int, top_score: float) -> int:
    """Return a block's budget where it is scaled by the best match's score (STUDIES section 6)."""
    fraction = min(1.0, max(LEAST_FRACTION, top_score / STRONG_MATCH))
    return max(1, int(requested * fraction))


def control_rows(answers: Sequence[Row]) -> list[dict[str, Any]]:
    """Return rows of `DIAGNOSTICS` on the donors of the irrelevant arm.

    Args:
        answers: Rows of `ANSWERS` of control cohorts, and of the cohort that lends to them.
    """
    rows: list[dict[str, Any]] = []
    for cohort in sorted(name for name in {a["cohort"] for a in answers} if FAMILIES[name].lent):
        own = [a for a in answers if a["cohort"] == cohort]
        recorded = [a["donor"] for a in own if a["donor"] is not None]
        rows += donor_rows(recorded, f"{cohort}, {RECORDED}", "answers") if recorded else []
    sets = {a["set"] for a in answers if FAMILIES[a["cohort"]].lent}
    shown = {
        unit_of(a): a
        for a in answers
        if a["arm"] == "served" and a["set"] in sets and a["seeds"] is not None
    }
    return [*rows, *_replayed(shown)]


def _replayed(shown: Mapping[Unit, Row]) -> Iterator[dict[str, Any]]:
    donors = {u: donor for u, donor in replayed_donors([*shown.values()]).items() if donor}
    if not donors:
        return
    yield from donor_rows(["/".join(d[:2]) for d in donors.values()], REPLAYED, "answers")
    for what, units in (("donors", donors.values()), ("recipients", donors.keys())):
        tokens = [shown[u]["injected_tokens"] for u in units]
        if None not in tokens:
            yield diagnostic(
                DONORS,
                f"{REPLAYED}, mean tokens shown to the {what} themselves",
                sum(tokens) / len(tokens),
                unit="tokens",
                source="answers",
                n=len(tokens),
            )


def regrade_rows(grades: Sequence[Row], rules: Collection[str] = ()) -> list[dict[str, Any]]:
    """Compare grades that were given to the same answers twice: by two judges, or in two cohorts.

    Args:
        grades: Rows of `GRADES`.
        rules: Labels of judges that are rules. They are no judges of answers, so whether another
            agrees with them says nothing, and they are left out.
    """
    found: dict[tuple[str, str], dict[tuple[Unit, str], int]] = {}
    for row in (row for row in grades if row["judge"] not in rules):
        scores = found.setdefault((row["cohort"], row["judge"]), {})
        if row["status"] == "graded":
            scores[unit_of(row), row["arm"]] = row["score"]
    names = sorted(found)
    rows: list[dict[str, Any]] = []
    for i, one in enumerate(names):
        for two in names[i + 1 :]:
            shared = [a for a in found[one] if a in found[two] and _same_answer(one, two, a[1])]
            gaps = [abs(found[one][a] - found[two][a]) for a in shared]
            label = f"{', '.join(one)} and {', '.join(two)}"
            near = sum(gap <= 1 for gap in gaps)
            rows += [
                share(REGRADE, f"{label}: {what}", k, len(gaps), "grades", [one[1], two[1]])
                for what, k in ((SAME_SCORE, gaps.count(0)), (WITHIN_ONE, near))
                if gaps
            ]
    return rows


def _same_answer(one: tuple[str, str], two: tuple[str, str], arm: str) -> bool:
    """Whether an arm's answers are the same ones in two cohorts: lent, by one or to both."""
    if one[0] == two[0]:
        return True
    homes = []
    for cohort, _ in (one, two):
        lent = FAMILIES[cohort].lent
        homes.append(lent[1] if lent and arm in lent[0] else cohort)
    return homes[0] == homes[1]
