"""Omitted targets: does grounding cost the recovery of gold that the block does not show?

A slot is a gold item of one model's answers that the scaffold does not expose. The two arms are
compared on exactly these slots, and no copy baseline is needed. Pooled over models the same items
occur once a model, so intervals resample whole questions, or domains, over all models at once.
Source: paper section 10.4, STUDIES section 5.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from copyceiling.audit.panels import Panel
from copyceiling.requests import ARMS
from copyceiling.stats import Interval, Partition, bootstrap_intervals, wilson
from copyceiling.sweep import POLICIES, POOLED, Settings

Row = Mapping[str, Any]
Item = tuple[str, int]  # question id and place in its gold list, from 0
# Matcher to the columns of `EXPOSURE` and `ITEMS` that it fills.
MATCHERS = {"paper": ("exposed", "recovered"), "strict": ("exposed_strict", "recovered_strict")}
NOBODY = "(none)"
# Part of the audit that holds the judged hits of each arm.
_PART = {"raw": "raw_hits", "scaffold": "sample"}
_WRONG = ("wrong_relation", "reversed", "negated")


@dataclass(frozen=True)
class Slot:
    """One unexposed gold item of one model, in both arms.

    Attributes:
        model, question_id, item: Which.
        domain: Domain of the question.
        recovered: Arm to whether its answer names the item.
        status: Arm to how its completion ended.
    """

    model: str
    question_id: str
    item: int
    domain: str
    recovered: Mapping[str, bool]
    status: Mapping[str, str]

    def counts(self, policy: str) -> bool:
        """Whether the slot counts under a policy; an error gave no answer to compare.

        Under ``as_wrong`` every slot does, and an arm that is not ``ok`` recovers nothing.
        """
        if policy == "as_wrong":
            return True
        allowed = ("ok",) if policy == "complete_case" else ("ok", "empty", "truncated", "refused")
        return all(status in allowed for status in self.status.values())

    def hit(self, arm: str, policy: str) -> bool:
        """Whether an arm recovers the item, as the policy counts it."""
        return self.recovered[arm] and (policy != "as_wrong" or self.status[arm] == "ok")


def slots_of(
    items: Iterable[Row],
    exposure: Iterable[Row],
    domains: Mapping[str, str],
    matcher: str,
) -> list[Slot]:
    """Return the slots under one matcher, in order of model, question and item.

    Args:
        items: Rows of `ITEMS` of any number of models.
        exposure: Rows of `EXPOSURE`.
        domains: Question id to domain.
        matcher: ``paper`` or ``strict``.
    """
    shown, recovered = MATCHERS[matcher]
    hidden = {(r["question_id"], r["item"]) for r in exposure if not r[shown]}
    arms: dict[tuple[str, str, int], dict[str, Row]] = {}
    for row in items:
        if (row["question_id"], row["item"]) in hidden:
            key = (row["model"], row["question_id"], row["item"])
            arms.setdefault(key, {})[row["arm"]] = row
    return [
        Slot(
            *key,
            domain=domains[key[1]],
            recovered={arm: found[arm][recovered] for arm in ARMS},
            status={arm: found[arm]["status"] for arm in ARMS},
        )
        for key, found in sorted(arms.items())
        if len(found) == len(ARMS)
    ]


def omitted_rows(
    slots: Mapping[str, Sequence[Slot]],
    models: Sequence[str],
    readers: frozenset[str],
    settings: Settings,
) -> list[dict[str, Any]]:
    """Return the rows of `OMITTED`: models and pooled, by matcher and policy.

    Args:
        slots: Matcher to its slots.
        models: Labels of the swept models; one without a slot has a row all the same.
        readers: Labels of the reference readers, left out of the pooled rows.
        settings: Resampling.
    """
    return [
        {
            "model": model,
            "group": group,
            "matcher": matcher,
            "policy": policy,
            **_counted(kept, policy, settings),
        }
        for matcher, found in slots.items()
        for model, group, kept in _by_model(found, models, readers)
        for policy in POLICIES
    ]


def _by_model(
    slots: Sequence[Slot], models: Sequence[str], readers: frozenset[str]
) -> Iterator[tuple[str, str, list[Slot]]]:
    yield POOLED, "model", [slot for slot in slots if slot.model not in readers]
    for model in models:
        group = "reader" if model in readers else "model"
        yield model, group, [slot for slot in slots if slot.model == model]


def _counted(slots: Sequence[Slot], policy: str, settings: Settings) -> dict[str, Any]:
    kept = [slot for slot in slots if slot.counts(policy)]
    hits = {arm: [slot.hit(arm, policy) for slot in kept] for arm in ARMS}
    n, k = len(kept), {arm: sum(found) for arm, found in hits.items()}
    out: dict[str, Any] = {
        "n_items": len({(slot.question_id, slot.item) for slot in slots}),
        "n_planned": len(slots),
        "n": n,
        "n_questions": len({slot.question_id for slot in kept}),
        "n_domains": len({slot.domain for slot in kept}),
        "both_k": sum(map(all, zip(*hits.values(), strict=True))),
        "difference": (k["scaffold"] - k["raw"]) / n if n else None,
    }
    for arm in ARMS:
        bounds = wilson(k[arm], n, settings.level)
        out[f"{arm}_k"] = k[arm]
        out[f"{arm}_share"] = k[arm] / n if n else None
        out[f"{arm}_wilson_low"], out[f"{arm}_wilson_high"] = bounds.low, bounds.high
        out[f"{arm}_not_ok"] = sum(slot.status[arm] != "ok" for slot in slots)
    changes = [int(b) - int(a) for a, b in zip(hits["raw"], hits["scaffold"], strict=True)]
    for name, clusters in (
        ("question", [slot.question_id for slot in kept]),
        ("domain", [slot.domain for slot in kept]),
    ):
        interval = _interval(changes, Partition.by(name, clusters), settings)
        out[f"{name}_low"], out[f"{name}_high"] = interval.low, interval.high
    return out


def _interval(changes: Sequence[int], partition: Partition, settings: Settings) -> Interval:
    """Resample clusters; undefined where all slots change alike, for then none moves it."""
    if len(set(changes)) < 2:
        return Interval(None, None)
    (found,) = bootstrap_intervals(
        np.array(changes, dtype=np.int64)[:, None],
        np.ones(len(changes), dtype=np.int64),
        partition,
        seed=settings.seed,
        resamples=settings.resamples,
        level=settings.level,
    )
    return found


def hit_rows(
    slots: Sequence[Slot],
    panels: Sequence[Panel],
    models: Sequence[str],
    readers: frozenset[str],
) -> list[dict[str, Any]]:
    """Return the rows of `OMITTED_HITS`: models and pooled, by arm and judge.

    Args:
        slots: Slots under the paper's matcher.
        panels: Verdicts by judge; none where nothing was judged.
        models, readers: As of `omitted_rows`.
    """
    nobody = {"judge": NOBODY, "place": 0, "kind": "none", "form": "ours", "caution": None}
    judged = [(panel.about, _verdicts(panel)) for panel in panels] or [(nobody, {})]
    kept = [slot for slot in slots if slot.counts("as_received")]
    return [
        {"model": model, "group": group, "arm": arm, **about, **_said(own, arm, verdicts)}
        for model, group, own in _by_model(kept, models, readers)
        for arm in ARMS
        for about, verdicts in judged
    ]


def _verdicts(panel: Panel) -> dict[tuple[str, str, str, int], Row]:
    return {
        (r["part"], r["model"], r["question_id"], r["item_index"]): r
        for r in panel.verdicts
        if r["label"] is not None
    }


def _said(
    slots: Sequence[Slot], arm: str, verdicts: Mapping[tuple[str, str, str, int], Row]
) -> dict[str, int]:
    hits = [(_PART[arm], s.model, s.question_id, s.item) for s in slots if s.recovered[arm]]
    found = [verdicts[hit] for hit in hits if hit in verdicts]
    labels = [row["label"] for row in found]
    open_ones = [row["gate"] == "unresolved" for row in found]
    held = zip(labels, open_ones, strict=True)
    return {
        "n_hits": len(hits),
        "n_missing": len(hits) - len(found),
        "n_correct": labels.count("correct_relation"),
        "n_named": labels.count("name_only"),
        "n_wrong": sum(labels.count(name) for name in _WRONG),
        "n_absent": labels.count("absent"),
        "n_unresolved": sum(open_ones),
        "n_correct_held": sum(label == "correct_relation" and not free for label, free in held),
    }
