"""Gives each published value a verdict: ours is equal, within tolerance, differs, or is lacking.

Tolerances are those of the file of published values, and nothing else decides. A value of another
encoder than the published one gets no verdict but that.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from copyceiling.errors import ArtefactError, listing
from copyceiling.published.expected import Known, Published
from copyceiling.published.recomputed import Recomputed

EQUAL = "equal"
WITHIN = "within tolerance"
KNOWN = "differs as known"
DIFFERS = "differs"
OTHER_ENCODER = "different encoder"
LACKING = "cannot be recomputed"
VERDICTS = (EQUAL, WITHIN, KNOWN, DIFFERS, OTHER_ENCODER, LACKING)

NO_RULE = "nothing in this pipeline computes it"
# For the binary form of decimal numbers, not for results.
_BINARY = 1e-12
# "s10.2: 0.971" or "Table 7 upper, s10.7", but not "SUMMARY s2" of a release.
_SECTION = re.compile(r"(?:^|[,/;]\s*)s(\d+(?:\.\d+)?)\b")


def compare(
    published: Sequence[Published],
    recomputed: Mapping[str, Recomputed],
    known: Mapping[str, Known],
) -> list[dict[str, Any]]:
    """Return the rows of `COMPARISON`, one a published value.

    Args:
        published: What is published.
        recomputed: Key to our value, or to why there is none.
        known: Key to a difference whose cause is known.

    Raises:
        ArtefactError: We computed a value that the file does not name.
    """
    unnamed = sorted(recomputed.keys() - {p.key for p in published})
    if unnamed:
        raise ArtefactError(
            f"{len(unnamed)} recomputed value(s) have no published one:\n{listing(unnamed)}\n"
            "Compare the version of the published values with the study's."
        )
    return [
        _row(p, recomputed.get(p.key, Recomputed(reason=NO_RULE)), known.get(p.key))
        for p in published
    ]


def _row(published: Published, ours: Recomputed, known: Known | None) -> dict[str, Any]:
    verdict, deviation = judge(published, ours)
    # What the paper prints is another matter than what was released: where both are known to
    # disagree, agreement with the release must not read as agreement with the page.
    if known is not None and verdict in (EQUAL, WITHIN):
        verdict = KNOWN
    reason = known.reason if known is not None and verdict == KNOWN else ours.reason
    if verdict == OTHER_ENCODER:
        reason = f"ours is of {ours.other_encoder}, whose levels are its own"
    return {
        "key": published.key,
        "family": published.family,
        "sections": _SECTION.findall(published.paper),
        "paper": published.paper,
        "definition": published.definition,
        "published": _text(published.value),
        "printed": known.printed if known is not None else None,
        "recomputed": None if ours.value is None else _text(ours.value),
        "tolerance": None if published.tolerance is None else float(published.tolerance),
        "deviation": deviation,
        "verdict": verdict,
        "reason": reason,
        "note": ours.note,
        "source": published.source,
    }


def judge(published: Published, ours: Recomputed) -> tuple[str, float | None]:
    """Return the verdict and the largest deviation of a number (None where none is compared).

    Ours is *equal* where every number has the published digits, *within tolerance* where each
    deviates by at most the tolerance, and *differs* otherwise, also in form. Digits alone do not
    do: 0.9 may stand for 0.9000. A value of a *different encoder* is not measured by the
    tolerance; how far it lies is stated all the same.
    """
    if ours.value is None:
        return LACKING, None
    pairs = list(_pairs(published.value, ours.value))
    other = ours.other_encoder is not None
    if any(a is None or b is None for a, b in pairs):
        return OTHER_ENCODER if other else DIFFERS, None
    texts = [(a, b) for a, b in pairs if isinstance(a, str) or isinstance(b, str)]
    numbers = [(a, b) for a, b in pairs if not isinstance(a, str) and not isinstance(b, str)]
    deviation = max((abs(a - b) for a, b in numbers), default=None)
    if other:
        return OTHER_ENCODER, deviation
    if any(a != b for a, b in texts):
        return DIFFERS, deviation
    allowed = published.tolerance
    within = [
        allowed is None or abs(a - b) <= allowed + _BINARY * max(1, abs(a)) for a, b in numbers
    ]
    same = [_same_digits(a, b) for a, b in numbers]
    if all(within) and all(same):
        return EQUAL, deviation
    return WITHIN if allowed is not None and all(within) else DIFFERS, deviation


def _same_digits(published: float, ours: float) -> bool:
    """Whether ours, rounded to the digits that are published, is the published number."""
    if not math.isfinite(ours):
        return False
    exponent = Decimal(repr(published)).as_tuple().exponent
    digits = max(0, -exponent) if isinstance(exponent, int) else 0
    return round(ours, digits) == published


def _pairs(published: Any, ours: Any) -> Iterator[tuple[Any, Any]]:
    """Yield published and own leaves by place; None stands for a leaf that one of them lacks."""
    if isinstance(published, Mapping) and isinstance(ours, Mapping):
        for key in [*published, *(k for k in ours if k not in published)]:
            yield from _pairs(published.get(key), ours.get(key))
    elif isinstance(published, list) and isinstance(ours, (list, tuple)):
        for i in range(max(len(published), len(ours))):
            a = published[i] if i < len(published) else None
            b = ours[i] if i < len(ours) else None
            yield from _pairs(a, b)
    elif isinstance(published, (Mapping, list)) or isinstance(ours, (Mapping, list, tuple)):
        yield None, None
    else:
        yield published, ours


def _text(value: Any) -> str:
    """Return a value as JSON, floats at ten significant digits."""
    return json.dumps(_short(value), ensure_ascii=False)


def _short(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _short(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_short(inner) for inner in value]
    return float(f"{value:.10g}") if isinstance(value, float) else value
