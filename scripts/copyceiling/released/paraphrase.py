"""The released paraphrase stress set: exposure under rewritten questions.

The ceiling of an original is recomputed from the corpus and must agree; those of rewrites need the
served node and its vectors, and can only be checked to be ceilings that a question may have.
Source: paper section 8, STUDIES section 2.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from copyceiling.questions import Question
from copyceiling.released.fields import (
    ANY,
    COUNT,
    FLAG,
    SHARE,
    TEXT,
    TEXTS,
    Field,
    Format,
    choice,
    listed,
)
from copyceiling.released.gates import check_gates
from copyceiling.released.reading import Paths, Reader, Record
from copyceiling.scoring import question_score

MAX_ATTEMPTS = 4
_ORIGINALS = ("ceiling_original_lexical_v1", "ceiling_original_lexical_facade")
_REWRITTEN = ("ceiling_paraphrase_lexical", "ceiling_paraphrase_semantic")
_FLAGS = ("facade_engaged", "fallback_triggered")
CEILINGS_TABLE = Format(
    {
        "qid": TEXT,
        "accepted": FLAG,
        **dict.fromkeys(_ORIGINALS, SHARE),
        **dict.fromkeys(_REWRITTEN, SHARE.null()),
        **dict.fromkeys(_FLAGS, FLAG.null()),
    },
    key=("qid",),
)
_QUESTION = {
    "id": TEXT,
    "template": TEXT,
    "domain": TEXT,
    "gold_type": choice("all", "any"),
}
_COMMON = {
    **_QUESTION,
    "n_gold": COUNT,
    "accepted": FLAG,
    **dict.fromkeys(_ORIGINALS, SHARE),
}
CEILINGS = Format(
    {
        **_COMMON,
        **dict.fromkeys(_REWRITTEN, SHARE),
        **dict.fromkeys(_FLAGS, FLAG),
        "facade_fusion_path": TEXT,
        "facade_top_score": Field("number", low=0.0),
        "facade_n_seeds": COUNT,
        "semantic_seeds": listed(
            Format({"slug": TEXT, "cos": Field("number", low=-1.0, high=1.0)})
        ),
    },
    key=("id",),
    variants={"skipped": Format({**_COMMON, "skipped": TEXT}, key=("id",))},
)
_TRY = Format(
    {
        "attempt": Field("whole", low=1, high=MAX_ATTEMPTS),
        "text": TEXT,
        "leak_ok": FLAG,
        "relation_ok": FLAG,
        "relation_verdict": ANY,
        "reasons": TEXTS,
    }
)
REWRITES = Format(
    {
        **_QUESTION,
        "key": TEXT,
        "original": TEXT,
        "paraphrase": TEXT.null(),
        "accepted": FLAG,
        "n_attempts": Field("whole", low=1, high=MAX_ATTEMPTS),
        "banned_tokens": TEXTS,
        "rejection_log": listed(_TRY),
        "generator": ANY,
    },
    key=("id",),
)


def import_paraphrase(
    reader: Reader,
    files: Mapping[str, Paths],
    questions: Mapping[str, Question],
    exposed: Mapping[tuple[str, str], Sequence[Mapping[str, bool]]],
    gates: Mapping[str, int],
) -> list[dict[str, Any]]:
    """Return the released rewrites as rows of `REWRITES`.

    Args:
        reader: Takes the faults.
        files: Slots ``ceilings`` and ``rewrites`` to their file, or nothing.
        questions: Id to question.
        exposed: Recomputed exposure by question and arm.
        gates: Declared counts.
    """
    table = bool(files["ceilings"]) and files["ceilings"][0].suffix == ".tsv"
    ceilings = reader.first(files["ceilings"], CEILINGS_TABLE if table else CEILINGS)
    tried = {row["id"]: row for row in reader.first(files["rewrites"], REWRITES)}
    rows: dict[str, dict[str, Any]] = {}
    for row in ceilings:
        qid = row["qid" if table else "id"]
        question = questions.get(qid)
        if question is None:
            reader.fault(row.where, "id", f"'{qid}' is no question of the study")
            continue
        _check_ceilings(reader, row, question, [f["paper"] for f in exposed[qid, "scaffold"]])
        rows[qid] = _ceilings(qid, row)
    for qid, row in tried.items():
        rows.setdefault(qid, {**_ceilings(qid, None), "accepted": row["accepted"]})
        _check_rewrite(reader, row, questions.get(qid), rows[qid])
        reasons = [str(reason) for log in row["rejection_log"] for reason in log["reasons"]]
        rows[qid] |= {"n_attempts": row["n_attempts"], "reasons": reasons}
    if rows:
        _check_complete(reader, files, ceilings, tried, questions)
    counts: dict[str, int] = {}
    if files["ceilings"] or files["rewrites"]:
        accepted = sum(row["accepted"] for row in rows.values())
        counts = {"paraphrase.questions": len(rows), "paraphrase.accepted": accepted}
    if tried:
        counts["paraphrase.attempts"] = sum(row["n_attempts"] for row in tried.values())
    check_gates(reader, gates, counts)
    return list(rows.values())


def _check_complete(
    reader: Reader,
    files: Mapping[str, Paths],
    ceilings: Sequence[Record],
    tried: Mapping[str, Record],
    questions: Mapping[str, Question],
) -> None:
    """Every question of the study has a row in each file at hand."""
    measured = {row.get("qid") or row.get("id") for row in ceilings}
    for name, found in (("ceilings", measured), ("rewrites", set(tried))):
        if files[name]:
            where = f"{files[name][0].parent.name}/{files[name][0].name}"
            for qid in sorted(questions.keys() - found - reader.spoilt):
                reader.note(where, f"no row of question {qid}")


def _check_ceilings(reader: Reader, row: Record, question: Question, flags: Sequence[bool]) -> None:
    stated: dict[str, Any] = {"template": question.template, "gold_type": question.gold_type}
    stated |= {"domain": question.domain, "n_gold": len(question.gold)}
    for name, expected in stated.items():
        if name in row.values and row[name] != expected:
            reader.fault(row.where, name, f"{row[name]}, the question has {expected}")
    ours = question_score(sum(flags), len(flags), question.gold_type)
    if abs(row[_ORIGINALS[0]] - ours[0] / ours[1]) > 1e-9:
        found = f"{row[_ORIGINALS[0]]} as released, {ours[0]}/{ours[1]} recomputed"
        reader.fault(row.where, _ORIGINALS[0], found)
    n = 1 if question.gold_type == "any" else len(question.gold)
    for name in (*_ORIGINALS, *_REWRITTEN):
        value = row.get(name)
        if value is not None and abs(value * n - round(value * n)) > 1e-9:
            reader.fault(row.where, name, f"{value} is no ceiling of {n} item(s)")
    for name in (*_REWRITTEN, *_FLAGS):
        if (row.get(name) is not None) != row["accepted"]:
            found = "given" if row.get(name) is not None else "missing"
            reader.fault(row.where, name, f"is {found}; accepted is {row['accepted']}")
    _check_fallback(reader, row)


def _check_fallback(reader: Reader, row: Record) -> None:
    """The fallback is asked for where nothing was retrieved: not engaged, or no seed."""
    engaged, triggered = row.get("facade_engaged"), row.get("fallback_triggered")
    seeds = row.get("facade_n_seeds")
    path = row.get("facade_fusion_path")
    if path is not None and (path == "NoMatch") != (not engaged):
        reader.fault(row.where, "facade_fusion_path", f"'{path}', engaged {engaged}")
    if triggered is not None and triggered != (not engaged or seeds == 0):
        found = f"{triggered}, engaged {engaged}" + ("" if seeds is None else f", {seeds} seed(s)")
        reader.fault(row.where, "fallback_triggered", found)


def _check_rewrite(
    reader: Reader, row: Record, question: Question | None, found: Mapping[str, Any]
) -> None:
    if question is None:
        reader.fault(row.where, "id", f"'{row['id']}' is no question of the study")
        return
    stated = {"template": question.template, "gold_type": question.gold_type}
    stated |= {"domain": question.domain, "key": question.key, "original": question.prompt}
    for name, expected in stated.items():
        if row[name] != expected:
            reader.fault(row.where, name, f"'{row[name]}', the question has '{expected}'")
    if (row["paraphrase"] is not None) != row["accepted"]:
        reader.fault(row.where, "paraphrase", f"does not agree with accepted {row['accepted']}")
    if row["accepted"] != found["accepted"]:
        reader.fault(row.where, "accepted", f"{row['accepted']}, its ceilings {found['accepted']}")
    numbers = [log["attempt"] for log in row["rejection_log"]]
    if numbers != list(range(1, len(numbers) + 1)):
        reader.fault(row.where, "rejection_log", f"attempts {numbers} are not numbered in order")
    rejected = row["n_attempts"] - row["accepted"]
    if len(row["rejection_log"]) != rejected:
        log = f"{len(row['rejection_log'])} rejected of {row['n_attempts']} attempt(s)"
        reader.fault(row.where, "rejection_log", log)


def _ceilings(qid: str, row: Record | None) -> dict[str, Any]:
    names = {
        "original": _ORIGINALS[0],
        "original_served": _ORIGINALS[1],
        "lexical": _REWRITTEN[0],
        "semantic": _REWRITTEN[1],
    }
    values = {ours: row.get(theirs) if row else None for ours, theirs in names.items()}
    return {
        "question_id": qid,
        "accepted": row["accepted"] if row else None,
        "n_attempts": None,
        "reasons": None,
        **{name: None if value is None else float(value) for name, value in values.items()},
        "engaged": row.get("facade_engaged") if row else None,
        "fallback": row.get("fallback_triggered") if row else None,
    }
