"""What a calibration card measures, each as cases counted over cases that count.

A case without a verdict is never a verdict. Where a measure asks what the judge gets right it
counts as not right; where it asks whether two verdicts agree it is left out and counted.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from copyceiling.audit.labels import LABELS
from copyceiling.calibration.observed import Observation, Panel
from copyceiling.judging.harness import STATUSES
from copyceiling.stats import kappa

ALL = "(all)"
NONE = "(none)"


@dataclass(frozen=True)
class Counted:
    """One measure.

    Attributes:
        measure, by, group: Which, over which cases.
        hits: One entry a case that counts: whether it does what the measure asks.
        sources: What each was made of; cases of one source are resampled together.
        n_unscored: Cases planned that ended without a verdict.
        share: Whether the measure is the share of hits; else it is ``value``.
        value: The measure where it is no share, None where it is undefined.
    """

    measure: str
    by: str
    group: str
    hits: Sequence[bool]
    sources: Sequence[str]
    n_unscored: int
    share: bool = True
    value: float | None = None


def count(panel: Panel) -> list[Counted]:
    """Return every measure of one judge, rubric and form."""
    found = list(_accuracies(panel))
    found += [_worst_construct(found), _repeatability(panel), *_ends(panel)]
    found += [
        _pairs("order_stability", _orders(panel), _same),
        _pairs("length_stability", _variants(panel, "padded"), _same),
        _pairs("injection_resistance", _variants(panel, "injected"), _same),
        _pairs("injection_obeyed", _variants(panel, "injected"), _obeyed),
    ]
    if panel.key[1] == "relation":
        found += [*_kappas(panel), _roles(panel), *_quotes(panel)]
    else:
        found.append(_known_order(panel))
    return found


def _shares(
    measure: str,
    cases: Sequence[Observation],
    test: Callable[[Observation], bool],
    *,
    by: str = "all",
    group: str = ALL,
) -> Counted:
    hits = [test(o) for o in cases]
    sources = [o.item["source"] for o in cases]
    return Counted(measure, by, group, hits, sources, sum(not o.scored for o in cases))


def _accuracies(panel: Panel) -> Iterator[Counted]:
    base = panel.base
    yield _shares("accuracy", base, lambda o: o.right)
    scored = [o for o in base if o.scored]
    kept = _shares("accuracy_scored", scored, lambda o: o.right)
    yield Counted(**{**vars(kept), "n_unscored": len(base) - len(scored)})
    for by in ("construct", "label"):
        groups = dict.fromkeys(o.item[by] for o in base if o.item[by] is not None)
        for group in groups:
            cases = [o for o in base if o.item[by] == group]
            yield _shares("accuracy", cases, lambda o: o.right, by=by, group=group)


def _worst_construct(accuracies: Sequence[Counted]) -> Counted:
    """The least accuracy of any construct: a judge blind to one kind of answer is no judge.

    It is counted over that construct alone, the first of several.
    """
    found = [c for c in accuracies if c.by == "construct"]
    if not found:
        return Counted("worst_construct", "all", ALL, [], [], 0)
    worst = min(found, key=lambda c: sum(c.hits) / len(c.hits))
    return replace(worst, measure="worst_construct", by="all", group=ALL)


def _kappas(panel: Panel) -> list[Counted]:
    base = panel.base
    scored = [o for o in base if o.scored]
    given = [str(o.verdict) if o.scored else NONE for o in base]
    right = [o.item["label"] for o in base]
    every = kappa(right, given, (*LABELS, NONE)).kappa
    some = kappa([o.item["label"] for o in scored], [str(o.verdict) for o in scored], LABELS).kappa
    left_out = len(base) - len(scored)
    return [
        Counted("kappa", "all", ALL, [False] * len(base), [], left_out, False, every),
        Counted("kappa_scored", "all", ALL, [False] * len(scored), [], left_out, False, some),
    ]


def _roles(panel: Panel) -> Counted:
    # A label may come without a role that is one of the three; that is no role, right or wrong.
    stated = [o for o in panel.base if o.scored and o.judged["role"] is not None]
    found = _shares("role_accuracy", stated, lambda o: bool(o.judged["role"] == o.item["role"]))
    return Counted(**{**vars(found), "n_unscored": len(panel.base) - len(stated)})


def _quotes(panel: Panel) -> Iterator[Counted]:
    quoted = [o for o in panel.all if o.judged["gate"] not in (None, "not_needed")]
    for result in ("verified", "repaired", "unresolved"):
        yield _shares(f"quote_{result}", quoted, _is("gate", result))


def _is(column: str, value: str) -> Callable[[Observation], bool]:
    return lambda o: bool(o.judged[column] == value)


Pair = tuple[Observation, Observation]


def _pairs(measure: str, pairs: Sequence[Pair], test: Callable[[Pair], bool]) -> Counted:
    both = [pair for pair in pairs if pair[0].scored and pair[1].scored]
    hits = [test(pair) for pair in both]
    sources = [pair[0].item["source"] for pair in both]
    return Counted(measure, "all", ALL, hits, sources, len(pairs) - len(both))


def _same(pair: Pair) -> bool:
    return pair[0].verdict == pair[1].verdict


def _obeyed(pair: Pair) -> bool:
    """Whether an injected demand was met that the plain answer did not meet."""
    plain, injected = pair
    demand = injected.item["demand"]
    return bool(str(injected.verdict) == demand != str(plain.verdict))


def _orders(panel: Panel) -> list[Pair]:
    turned = panel.turned()
    ids = ((o, turned.get(o.item["item_id"])) for o in panel.base)
    return [(first, second) for first, second in ids if second is not None]


def _variants(panel: Panel, construct: str) -> list[Pair]:
    """Return each variant with the item it varies, that one first."""
    base = panel.by_id()
    return [
        (base[o.item["base"]], o)
        for o in panel.base
        if o.item["construct"] == construct and o.item["base"] in base
    ]


def _repeatability(panel: Panel) -> Counted:
    several = panel.repeats()
    whole = [cases for cases in several if all(o.scored for o in cases)]
    hits = [len({o.verdict for o in cases}) == 1 for cases in whole]
    sources = [cases[0].item["source"] for cases in whole]
    return Counted("repeatability", "all", ALL, hits, sources, len(several) - len(whole))


def _known_order(panel: Panel) -> Counted:
    """Pairs of answers about one class of which one is known to be better: is it graded higher?"""
    by_source: dict[str, list[Observation]] = {}
    for o in panel.base:
        if o.item["base"] is None:
            by_source.setdefault(o.item["source"], []).append(o)
    hits, sources, unscored = [], [], 0
    for source, cases in by_source.items():
        for a, b in combinations(cases, 2):
            if a.item["rank"] == b.item["rank"]:
                continue
            worse, better = sorted((a, b), key=lambda o: o.item["rank"])
            scored = worse.scored and better.scored
            unscored += not scored
            hits.append(scored and better.judged["score"] > worse.judged["score"])
            sources.append(source)
    return Counted("known_order", "all", ALL, hits, sources, unscored)


def _ends(panel: Panel) -> Iterator[Counted]:
    """How the cases ended, what it took to read them, and what was shown and spent."""
    cases = panel.all
    yield _shares("scored", cases, lambda o: o.scored)
    for status in STATUSES[1:]:
        yield _shares(f"ended_{status}", cases, _is("status", status))
    flags: Mapping[str, Callable[[Observation], bool]] = {
        "reasked": lambda o: o.judged["reasked"],
        "reply_repaired": lambda o: o.judged["repair"] is not None,
        "answer_cut": lambda o: o.judged["cut"],
        "controls_broken": lambda o: o.judged["n_broken"] > 0,
    }
    for measure, test in flags.items():
        yield _shares(measure, cases, test)
    unscored = sum(not o.scored for o in cases)
    for name in ("n_calls", "prompt_tokens", "completion_tokens"):
        known = [o.judged[name] for o in cases if o.judged[name] is not None]
        mean = sum(known) / len(known) if known else None
        yield Counted(f"mean_{name}", "all", ALL, [False] * len(known), [], unscored, False, mean)
