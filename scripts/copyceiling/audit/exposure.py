"""Checks released counts of exposed items against the exposure recomputed from the corpus.

The audit's frame and the re-score rest on it for every model. Source: STUDIES sections 1 and 5.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from copyceiling.errors import CopyCeilingError, listing


def exposure_check_rows(
    files: Mapping[str, Path], n_exposed: Mapping[str, int]
) -> list[dict[str, Any]]:
    """Return the rows of `EXPOSURE_CHECK`, one a model.

    Args:
        files: Model label to its released rows of the scaffold arm (JSONL).
        n_exposed: Question id to the gold items that the recomputed visible input exposes.

    Raises:
        CopyCeilingError: Lists every line that is no row of a known question.
    """
    out, faults = [], []
    for model, path in files.items():
        unstated = mismatches = n = 0
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            try:
                row = json.loads(line)
                ours, stated = n_exposed[row["id"]], row.get("n_gold_exposed")
            except (ValueError, KeyError, TypeError, AttributeError) as e:
                faults.append(f"{path.name}:{number}: {type(e).__name__}: {e}")
                continue
            n += 1
            unstated += stated is None
            mismatches += stated is not None and stated != ours
        out.append({"model": model, "n": n, "n_unstated": unstated, "n_mismatches": mismatches})
    if faults:
        raise CopyCeilingError(
            f"released score rows have {len(faults)} fault(s):\n{listing(faults)}\n"
            "Compare the release's tag with the study's questions."
        )
    return out
