"""How the judging of the audited units went, and whether another form of asking changes labels.

A form that shows the judge what the matcher credits is an ablation: it says how far that leads the
judge. Source: STUDIES section 5.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from copyceiling.audit.labels import GATES, Row
from copyceiling.audit.panels import HEADLINES
from copyceiling.judging.harness import STATUSES


def judging_rows(
    judgements: Sequence[Row], about: Mapping[tuple[str, str], Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Return the rows of `AUDIT_JUDGING`, one a judge and form.

    Args:
        judgements: Rows of `JUDGEMENTS` of every judge.
        about: (judge, form) to the columns that say whose verdicts they are, see `panels`.
    """
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in judgements:
        groups.setdefault((row["judge"], row["form"]), []).append(row)
    main = {
        (judge, row["unit_id"]): row["label"]
        for (judge, form), kept in groups.items()
        if form in HEADLINES
        for row in kept
    }
    return [
        {**about[key], **_counts(kept), **_likeness(key[0], kept, main)}
        for key, kept in groups.items()
    ]


def _counts(kept: Sequence[Row]) -> dict[str, Any]:
    ended = Counter(r["status"] for r in kept)
    gated = Counter(r["gate"] for r in kept)
    return {
        "n": len(kept),
        **{f"n_{status}": ended[status] for status in STATUSES},
        "n_reasked": sum(r["reasked"] for r in kept),
        "n_mended": sum(r["repair"] is not None for r in kept),
        "n_cut": sum(r["cut"] for r in kept),
        **{f"n_{gate}": gated[gate] for gate in GATES},
        "n_calls": sum(r["n_calls"] for r in kept),
        **{name: _sum(kept, name) for name in ("prompt_tokens", "completion_tokens")},
    }


def _sum(kept: Sequence[Row], name: str) -> int | None:
    values = [r[name] for r in kept]
    return None if None in values else sum(values)


def _likeness(
    judge: str, kept: Sequence[Row], main: Mapping[tuple[str, str], str | None]
) -> dict[str, int]:
    pairs = [(r["label"], main.get((judge, r["unit_id"]))) for r in kept]
    both = [(own, other) for own, other in pairs if own is not None and other is not None]
    return {"n_compared": len(both), "n_same": sum(own == other for own, other in both)}
