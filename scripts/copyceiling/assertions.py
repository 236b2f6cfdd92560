"""Reads assertion rows (JSONL) and checks them; the fields are described in `terms`."""

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from copyceiling.errors import CopyCeilingError, listing
from copyceiling.terms import Assertion

_FIELDS = ("id", "arm", "model", "terms", "episode", "text", "confidence", "seconds")


def read_assertions(path: Path) -> list[Assertion]:
    """Read assertion rows in file order; blank lines are passed over.

    Raises:
        CopyCeilingError: The file cannot be read, or rows are at fault; every fault is named.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as e:
        raise CopyCeilingError(f"terms.assertions: cannot read '{path}': {e}") from e
    found: list[Assertion] = []
    faults: list[str] = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                found.append(_assertion(json.loads(line)))
            except ValueError as e:
                faults.append(f"{path.name}:{number}: {e}")
    faults.extend(_faults_across(found))
    if faults:
        raise CopyCeilingError(
            f"terms.assertions: '{path}' has {len(faults)} fault(s):\n{listing(faults)}\n"
            f"A row is a JSON object with the fields {', '.join(_FIELDS)}; id, arm (or model) and "
            "terms are required."
        )
    return found


def _assertion(row: Any) -> Assertion:
    """Return one checked row; ValueError names what is wrong with it."""
    if not isinstance(row, dict):
        raise ValueError("no JSON object")
    wrong = [f"unknown field '{name}'" for name in row if name not in _FIELDS]
    if ("arm" in row) == ("model" in row):
        wrong.append("needs either 'arm' or 'model'")
    arm = row.get("arm", row.get("model"))
    for name, value in (("id", row.get("id")), ("arm", arm)):
        if not isinstance(value, str) or not value:
            wrong.append(f"'{name}' must be a text that is not empty")
    terms = row.get("terms")
    if not isinstance(terms, list) or not all(isinstance(term, str) for term in terms):
        wrong.append("'terms' must be a list of texts")
    wrong.extend(
        f"'{name}' must be a text"
        for name in ("episode", "text")
        if not isinstance(row.get(name), str | None)
    )
    wrong.extend(_number_faults(row))
    if row.get("seconds") is not None and row.get("episode") is None:
        wrong.append("'seconds' are of an episode, and it names none")
    if wrong:
        raise ValueError("; ".join(wrong))
    return Assertion(
        id=row["id"],
        arm=str(arm),
        terms=tuple(row["terms"]),
        **{k: row.get(k) for k in ("episode", "text", "confidence", "seconds")},
    )


def _number_faults(row: Mapping[str, Any]) -> list[str]:
    out = []
    for name, most in (("confidence", 1.0), ("seconds", math.inf)):
        value = row.get(name)
        if value is None:
            continue
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not math.isfinite(value) or not 0 <= value <= most:
            limits = "in [0, 1]" if most == 1.0 else "of 0 or more"
            out.append(f"'{name}' must be a number {limits}, not {value!r}")
    return out


def _faults_across(found: Sequence[Assertion]) -> list[str]:
    """Return ids that stand twice in an arm, and episodes whose rows disagree on the time."""
    seen: set[tuple[str, str]] = set()
    double: set[tuple[str, str]] = set()
    seconds: dict[tuple[str, str], set[float]] = {}
    for a in found:
        (double if (a.arm, a.id) in seen else seen).add((a.arm, a.id))
        if a.episode is not None and a.seconds is not None:
            seconds.setdefault((a.arm, a.episode), set()).add(a.seconds)
    return [
        *(f"arm '{arm}': id '{name}' stands more than once" for arm, name in sorted(double)),
        *(
            f"arm '{arm}', episode '{episode}': rows state {sorted(times)} seconds; "
            "state one time an episode"
            for (arm, episode), times in sorted(seconds.items())
            if len(times) > 1
        ),
    ]
