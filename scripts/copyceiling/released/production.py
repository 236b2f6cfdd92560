"""The released production study: served against raw answers, and their grades.

Source: paper section 10.5, STUDIES section 3. Released rows hold no finish reason; an answer whose
tokens equal its budget was cut there. First answers that came back empty were replaced in place by
those of a second run, tagged ``retry_budget``; what the first run gave is not released.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from copyceiling.released.fields import (
    ANY,
    COUNT,
    FLAG,
    SECONDS,
    TEXT,
    Field,
    Format,
    choice,
    listed,
    nested,
)
from copyceiling.released.gates import check_gates
from copyceiling.released.judged import (
    MAIN,
    SECOND,
    SERVED,
    SETS,
    Cell,
    Judging,
    Text,
    check_judging,
    check_planned,
    grade_rows,
    n_pairs,
    read_judging,
)
from copyceiling.released.reading import Paths, Reader, Record

FIRST_BUDGET = 1536  # completion tokens, STUDIES section 3
_SCORE = Field("number", low=0.0)
_GENERATION = nested(
    {
        "id": TEXT,
        "class_count": COUNT,
        "source": TEXT,
        "generated_at": TEXT.null(),
        "verified_single_generation": FLAG,
        **dict.fromkeys(("artifacts", "cluster_span_seconds", "commit_sha", "promoted_at"), ANY),
    }
)
_SEEDS = listed(Format({"iri": TEXT, "provenance": TEXT, "score": _SCORE}))
_TELEMETRY = nested(
    {
        "mode": choice("scaffold"),
        "fusion_path": choice("LexicalHit", "SemanticFallback", "NoMatch"),
        "injected_tokens": COUNT,
        "grounding": nested(
            {"engaged": FLAG, "top_score": _SCORE, "effective_budget": COUNT, "seeds": _SEEDS}
        ).null(),
        "generation": _GENERATION,
    }
)
LIVE = Format(
    {
        "set": choice(*SETS),
        "id": TEXT,
        "arm": choice("loom", "raw"),
        "question": TEXT,
        "category": TEXT,
        "difficulty": choice("easy", "medium", "hard"),
        "attempt": COUNT,
        "content": TEXT,
        "latency_s": SECONDS,
        "completion_tokens": COUNT,
        "model": TEXT,
        "loom": _TELEMETRY.null(),
        "retry_budget": COUNT.maybe(),
    },
    key=("set", "id", "arm"),
)

NOT_KNOWN: Mapping[str, Any] = dict.fromkeys(
    (
        *("attempted", "status", "budget", "completion_tokens", "n_chars", "latency_s", "rerun"),
        *("response_model", "engaged", "path", "injected_tokens", "top_score"),
        *("effective_budget", "seeds", "generation", "class_count", "exposure", "donor"),
        "prompt_sha256",
    )
)


@dataclass(frozen=True)
class Live:
    """The answers of the production study.

    Attributes:
        records: The released rows.
        texts: Cell to the answer's text and where it stands.
        model: Label of the model that answered; "" where no row is at hand.
    """

    records: Sequence[Record]
    texts: Mapping[Cell, Text]
    model: str


def cell_of(row: Record) -> Cell:
    """Return which cell a row is of, the arm by our name."""
    return row["set"], row["id"], SERVED.get(row["arm"], row["arm"])


def read_live(reader: Reader, paths: Paths) -> Live:
    """Read and check the production rows; faults are noted."""
    records = reader.first(paths, LIVE)
    for row in records:
        _check_row(reader, row)
    _check_pairs(reader, records)
    models = sorted({row["model"] for row in records})
    if len(models) > 1:
        reader.note(records[0].where, f"rows of {len(models)} models: {', '.join(models)}")
    texts = {cell_of(row): Text(row["content"], row.where) for row in records}
    return Live(records, texts, models[0] if models else "")


def _check_row(reader: Reader, row: Record) -> None:
    budget = row.get("retry_budget") or FIRST_BUDGET
    if row["completion_tokens"] > budget:
        found = f"{row['completion_tokens']} of a budget of {budget}"
        reader.fault(row.where, "completion_tokens", found)
    if (row["arm"] == "loom") != (row["loom"] is not None):
        reader.fault(row.where, "loom", f"telemetry does not belong to arm '{row['arm']}'")
    elif row["loom"] is not None:
        _check_telemetry(reader, row.where, row["loom"])


def _check_telemetry(reader: Reader, where: str, found: Mapping[str, Any]) -> None:
    """A block was injected exactly where retrieval found something, and seeds come best first."""
    grounding = found["grounding"]
    engaged = grounding is not None and grounding["engaged"]
    if (found["fusion_path"] == "NoMatch") == engaged:
        reader.fault(where, "loom.fusion_path", f"'{found['fusion_path']}', engaged is {engaged}")
    if bool(found["injected_tokens"]) != engaged:
        reader.fault(where, "loom.injected_tokens", f"{found['injected_tokens']}, {engaged=}")
    if not engaged:
        return
    scores = [seed["score"] for seed in grounding["seeds"]]
    if scores != sorted(scores, reverse=True) or not scores:
        reader.fault(where, "loom.grounding.seeds", f"scores {scores} do not go down")
    elif scores[0] != grounding["top_score"]:
        found_score = f"{grounding['top_score']}, its first seed has {scores[0]}"
        reader.fault(where, "loom.grounding.top_score", found_score)


def _check_pairs(reader: Reader, records: Sequence[Record]) -> None:
    """Both arms of a question are there, ask the same and had the same budget."""
    by_question: dict[tuple[str, str], list[Record]] = {}
    for row in records:
        by_question.setdefault((row["set"], row["id"]), []).append(row)
    for (name, question), rows in by_question.items():
        if len(rows) != 2:
            if question not in reader.spoilt:
                reader.note(rows[0].where, f"{name}/{question} has {len(rows)} arm(s), not 2")
            continue
        for field in ("question", "category", "difficulty", "retry_budget"):
            if rows[0].get(field) != rows[1].get(field):
                reader.fault(rows[1].where, field, f"differs from that in {rows[0].where}")
    _check_generation(reader, [row for row in records if row["loom"]])


def _check_generation(reader: Reader, served: Sequence[Record]) -> None:
    """All served answers come from one generation of the corpus."""
    for row in served:
        stamp, first = row["loom"]["generation"], served[0]["loom"]["generation"]
        for name in ("id", "class_count"):
            if stamp[name] != first[name]:
                found = f"{stamp[name]}, {served[0].where} has {first[name]}"
                reader.fault(row.where, f"loom.generation.{name}", found)


def answer_row(cohort: str, row: Record) -> dict[str, Any]:
    """Return a production row as a row of `ANSWERS`."""
    name, question, arm = cell_of(row)
    budget = row.get("retry_budget") or FIRST_BUDGET
    text, tokens = row["content"], row["completion_tokens"]
    status = "empty" if not text.strip() else "truncated" if tokens >= budget else "ok"
    return {
        **NOT_KNOWN,
        "cohort": cohort,
        "set": name,
        "question_id": question,
        "arm": arm,
        "model": row["model"],
        "attempted": True,
        "status": status,
        "budget": budget,
        "completion_tokens": tokens,
        "n_chars": len(text),
        "latency_s": float(row["latency_s"]),
        "rerun": row.get("retry_budget") is not None,
        "response_model": row["model"],
        **(_telemetry(row["loom"]) if row["loom"] else {"engaged": False}),
    }


def _telemetry(found: Mapping[str, Any]) -> dict[str, Any]:
    grounding = found["grounding"] or {}
    top = grounding.get("top_score")
    return {
        "engaged": bool(grounding.get("engaged")),
        "path": found["fusion_path"],
        "injected_tokens": found["injected_tokens"],
        "top_score": None if top is None else float(top),
        "effective_budget": grounding.get("effective_budget"),
        "seeds": [slug_of(seed["iri"]) for seed in grounding.get("seeds", ())],
        "generation": found["generation"]["id"],
        "class_count": found["generation"]["class_count"],
    }


def slug_of(iri: str) -> str:
    """Return the slug that an identifier of the served node ends in."""
    return iri.rsplit(":", 1)[-1].rsplit("/", 1)[-1]


@dataclass(frozen=True)
class Imported:
    """Rows of `ANSWERS` and of `GRADES`."""

    answers: list[dict[str, Any]]
    grades: list[dict[str, Any]]


def import_production(
    reader: Reader, files: Mapping[str, Paths], gates: Mapping[str, int]
) -> Imported:
    """Return the production study's answers and grades.

    Args:
        reader: Takes the faults.
        files: Slots ``live``, ``judged`` and ``judged_second`` to their file, or nothing.
        gates: Declared counts.
    """
    live = read_live(reader, files["live"])
    answers = [answer_row("production", row) for row in live.records]
    planned = sorted(live.texts)
    grades: list[dict[str, Any]] = []
    counts = {}
    if files["live"]:
        reruns = {cell_of(row)[:2] for row in live.records if row.get("retry_budget")}
        counts = {"production.answers": len(answers), "production.reruns": len(reruns)}
    for judge, slot, gate in ((MAIN, "judged", "pairs"), (SECOND, "judged_second", "second_pairs")):
        judging = _production_part(read_judging(reader, files[slot]))
        if live.records:
            check_judging(reader, judging, live.texts)
            check_planned(reader, judging, planned)
        cells = planned or sorted(judging.cells)
        grades += grade_rows("production", judge, judging, cells, live.model or "not stated")
        if judging.at_hand:
            counts[f"production.{gate}"] = n_pairs(judging, ("served", "raw"))
    check_gates(reader, gates, counts)
    return Imported(answers, grades)


def _production_part(judging: Judging) -> Judging:
    """Return the grades of the production arms; the file holds those of controls as well."""
    cells = {c: grade for c, grade in judging.cells.items() if c[2] in ("served", "raw")}
    return Judging(judging.where, cells, judging.questions)
