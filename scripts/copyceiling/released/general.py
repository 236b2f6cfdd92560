"""The released out-of-domain study: five models, bare and with the harness, and their grades.

Source: paper section 10.8, STUDIES section 3. The answers' files say whether a block was shown;
without them a grade says only that there was an answer.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from copyceiling.released.fields import ANY, FLAG, SECONDS, TEXT, Field, Format, choice
from copyceiling.released.gates import check_gates
from copyceiling.released.judged import MAIN, SCORE
from copyceiling.released.production import NOT_KNOWN, Imported
from copyceiling.released.reading import Paths, Reader, Record
from copyceiling.requests import classify

BUDGET = 800  # completion tokens, STUDIES section 3
ARMS = ("bare", "harness")
_STRATUM = choice("off_domain", "in_domain_general", "adjacent")
JUDGED = Format(
    {
        "model": TEXT,
        "mode": choice(*ARMS),
        "id": TEXT,
        "stratum": _STRATUM,
        "score": SCORE.null(),
        **dict.fromkeys(
            ("domain", "template", "findability", "reference_source", "why", "judge_family_match"),
            ANY.maybe(),
        ),
    },
    key=("model", "id", "mode"),
)
_COMMON = {
    "id": TEXT,
    "model": TEXT,
    "category": _STRATUM,
    "harness_engaged": FLAG.maybe(),
    "latency_ms": SECONDS.maybe().null(),
    **dict.fromkeys(("usage", "tokens", "response_model"), ANY.maybe()),
}
LIVE = Format(
    {
        **_COMMON,
        "answer": TEXT,
        "finish_reason": TEXT.null(),
        "attempts": Field("whole", low=1, optional=True),
    },
    key=("model", "id"),
    variants={
        "error": Format(
            {**_COMMON, **dict.fromkeys(("error", "attempts", "finish_reason"), ANY.maybe())}
        )
    },
)


def import_general(
    reader: Reader, files: Mapping[str, Paths], gates: Mapping[str, int]
) -> Imported:
    """Return the out-of-domain study's answers and grades.

    Args:
        reader: Takes the faults.
        files: Slots ``general_judged`` and ``general_live`` to their files, or nothing.
        gates: Declared counts.
    """
    judged = reader.first(files["general_judged"], JUDGED)
    live = _read_live(reader, files["general_live"])
    strata: dict[str, str] = {}
    for row in judged:
        if strata.setdefault(row["id"], row["stratum"]) != row["stratum"]:
            reader.fault(row.where, "stratum", f"{row['id']} was in '{strata[row['id']]}' before")
    _check_pairs(reader, judged)
    answers = []
    for row in judged:
        found = live.get((row["model"], row["id"], row["mode"]))
        at_hand = any((key[0], key[2]) == (row["model"], row["mode"]) for key in live)
        if found is None and at_hand and row["id"] not in reader.spoilt:
            reader.note(row.where, f"no answer of {row['model']}/{row['id']}/{row['mode']}")
        if row.get("domain") not in (None, row["stratum"]):
            reader.fault(row.where, "domain", f"'{row['domain']}', its stratum '{row['stratum']}'")
        if found is not None and found["category"] != row["stratum"]:
            reader.fault(found.where, "category", f"graded as '{row['stratum']}'")
        answers.append(_answer_row(row, found))
    graded_models = {row["model"] for row in judged}
    for key in sorted(live.keys() - {(r["model"], r["id"], r["mode"]) for r in judged}):
        if key[0] in graded_models and key[1] not in reader.spoilt:
            reader.note(live[key].where, f"{'/'.join(key)} has no grade")
    if files["general_judged"]:
        graded = sum(row["score"] is not None for row in judged)
        check_gates(reader, gates, {"production.general": graded})
    return Imported(answers, [_grade_row(row) for row in judged])


def _read_live(reader: Reader, paths: Paths) -> dict[tuple[str, str, str], Record]:
    found: dict[tuple[str, str, str], Record] = {}
    for path in paths:
        arm = path.stem.rsplit("-", 1)[-1]
        for row in reader.records(path, LIVE):
            found[row["model"], row["id"], arm] = row
    return found


def _check_pairs(reader: Reader, judged: Sequence[Record]) -> None:
    modes: dict[tuple[str, str], list[Record]] = {}
    for row in judged:
        modes.setdefault((row["model"], row["id"]), []).append(row)
    for (model, question), rows in modes.items():
        if len(rows) != len(ARMS) and not {model, question} & reader.spoilt:
            reader.note(rows[0].where, f"{model}/{question} has {len(rows)} mode(s), not 2")


def _cell(row: Record) -> dict[str, Any]:
    return {
        "cohort": "general",
        "set": row["stratum"],
        "question_id": row["id"],
        "arm": row["mode"],
        "model": row["model"],
    }


def _answer_row(row: Record, live: Record | None) -> dict[str, Any]:
    if live is None:
        return {**NOT_KNOWN, **_cell(row), "attempted": True}
    text = live.get("answer") or ""
    failed = "error" in live.values
    latency = live.get("latency_ms")
    return {
        **NOT_KNOWN,
        **_cell(row),
        "attempted": True,
        "status": "error" if failed else classify(text, live["finish_reason"], None, BUDGET),
        "budget": BUDGET,
        "n_chars": len(text),
        "latency_s": None if latency is None else latency / 1000.0,
        "engaged": live.get("harness_engaged"),
    }


def _grade_row(row: Record) -> dict[str, Any]:
    status = "unparsed" if row["score"] is None else "graded"
    return {**_cell(row), "judge": MAIN, "status": status, "score": row["score"], "cut": None}
