"""Reads the released rows of a published study into our artefacts.

Two forms of a score row are read alike: the release's own, with the titles of hits, from which the
four counts follow, and a reduced one with their number only, which bounds them. Nothing is filled
in: a count that the rows do not determine stays missing. Source: STUDIES section 0.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from copyceiling.errors import CopyCeilingError, listing
from copyceiling.questions import Question
from copyceiling.requests import Status
from copyceiling.scoring import question_score
from copyceiling.text import normalise

_SIGNATURE = "as released"  # scored by the release's own harness
_STATUS: dict[str, Status] = {
    "stop": "ok",
    "length": "truncated",
    "content_filter": "refused",
    "error": "error",
}


def find_release(path: str | None, *parts: str) -> Path:
    """Return a file of the release, in its own layout or in the reduced one.

    Raises:
        CopyCeilingError: No release folder is set, or the file is in none of its places.
    """
    if path is None:
        raise CopyCeilingError(
            "release.path: this study reads released rows. Point it at them: "
            "snakemake --config 'release={path: /where/the/release/is}'"
        )
    places = [Path(path, *parts), Path(path, "uplift-results", *parts)]
    for place in places:
        if place.exists():
            return place
    raise CopyCeilingError(
        f"release.path: there is no {' or '.join(f'{str(p)!r}' for p in places)}. "
        "Point release.path at the release's root or at the folder of its result files."
    )


def import_scores(
    files: Mapping[str, Path],
    model: str,
    questions: Sequence[Question],
    exposed: Mapping[tuple[str, str], Sequence[Mapping[str, bool]]],
) -> list[dict[str, Any]]:
    """Return one model's released rows as rows of `SCORES`, under the paper's matcher.

    Args:
        files: Arm to score file (JSONL).
        model: Our label of the model.
        questions: The released questions.
        exposed: Recomputed exposure by question and arm, to check the released counts against.

    Raises:
        CopyCeilingError: Lists every row that is unreadable, unknown, double, missing, or whose
            counts disagree with the question or with the recomputed exposure.
    """
    known = {q.id: q for q in questions}
    faults: list[str] = []
    out: list[dict[str, Any]] = []
    for arm, path in files.items():
        seen: set[str] = set()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            where = f"{path.name}:{number}"
            try:
                row = json.loads(line)
                question = known[row["id"]]
                if row["id"] in seen:
                    raise ValueError(f"question {row['id']} stands twice")
                seen.add(row["id"])
                flags = [flag["paper"] for flag in exposed[question.id, arm]]
                out.append(_score_row(row, question, model, arm, flags))
            except (ValueError, KeyError, TypeError) as e:
                faults.append(f"{where}: {type(e).__name__}: {e}")
        faults.extend(f"{path.name}: no row of question {q}" for q in sorted(known.keys() - seen))
    if faults:
        raise CopyCeilingError(
            f"released scores of '{model}' have {len(faults)} fault(s):\n{listing(faults)}\n"
            "Compare the release's tag with the study's, and the corpus with its snapshot."
        )
    return out


def _score_row(
    row: Mapping[str, Any], question: Question, model: str, arm: str, flags: Sequence[bool]
) -> dict[str, Any]:
    n_gold, n_exposed = len(question.gold), sum(flags)
    n_hits = int(row["n_hits"])
    if row["n_gold"] != n_gold or not 0 <= n_hits <= n_gold:
        raise ValueError(f"{n_hits} hits of {row['n_gold']} gold items; the question has {n_gold}")
    if row.get("n_gold_exposed", n_exposed) != n_exposed:
        raise ValueError(
            f"{row['n_gold_exposed']} items exposed as released, {n_exposed} recomputed"
        )
    recall = question_score(n_hits, n_gold, question.gold_type)
    if abs(recall[0] / recall[1] - row["recall"]) > 5.1e-5:  # released to four decimals
        raise ValueError(
            f"recall {row['recall']} as released, {recall[0]}/{recall[1]} from its hits"
        )
    ceiling = question_score(n_exposed, n_gold, question.gold_type)
    n11 = _n11(row, question, flags, n_hits)
    return {
        "question_id": question.id,
        "model": model,
        "arm": arm,
        "matcher": "paper",
        "status": _STATUS[row["finish_reason"]],
        "domain": question.domain,
        "template": question.template,
        "gold_type": question.gold_type,
        "n_gold": n_gold,
        "n_exposed": n_exposed,
        "n_hits": n_hits,
        "n11": n11,
        "n10": None if n11 is None else n_exposed - n11,
        "n01": None if n11 is None else n_hits - n11,
        "n00": None if n11 is None else n_gold - n_exposed - n_hits + n11,
        "recall_num": recall[0],
        "recall_den": recall[1],
        "ceiling_num": ceiling[0],
        "ceiling_den": ceiling[1],
        "n_extra": len(question.gold_extra),
        "n_extra_hits": None if "extra_hits" not in row else len(row["extra_hits"]),
        "n_unmatchable": sum(not normalise(item.title) for item in question.gold),
        "tries": row.get("attempts"),
        "signature": _SIGNATURE,
    }


def _n11(
    row: Mapping[str, Any], question: Question, flags: Sequence[bool], n_hits: int
) -> int | None:
    """Return n11 from the titles of hits, else where the margins leave one value, else None."""
    if "hits" in row:
        hits = set(row["hits"])
        return sum(f and g.title in hits for f, g in zip(flags, question.gold, strict=True))
    low, high = max(0, n_hits + sum(flags) - len(flags)), min(n_hits, sum(flags))
    return low if low == high else None
