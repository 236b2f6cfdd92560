"""The rows of the released control rerun: blocks, attempts, answers and measured exposure.

Every row holds the block that was injected, so what a row says of it is checked against it. In
the reduced layout there are no rows: of an answer without a score nothing is known then.
Source: STUDIES section 4.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from copyceiling import matching
from copyceiling.released.fields import (
    ANY,
    COUNT,
    FLAG,
    SECONDS,
    SHARE,
    TEXT,
    TEXTS,
    Field,
    Format,
    choice,
    listed,
    nested,
)
from copyceiling.released.judged import CONTROL_ARMS, Cell, Text
from copyceiling.released.production import NOT_KNOWN
from copyceiling.released.reading import Paths, Reader, Record, place

COHORT = "controls"
BUDGETS = (4096, 8192)  # completion tokens; the second where the first gave no text
_CELL = {"set": choice("arcane", "thin"), "id": TEXT, "arm": choice(*CONTROL_ARMS)}
_EXPOSURE = nested(
    {
        "gold_titles": TEXTS,
        "exposed_flags": TEXTS,
        "n_gold": COUNT,
        "n_exposed": COUNT,
        "exposure_fraction": SHARE,
    }
)
_DONOR = nested(
    {
        "set": TEXT,
        "id": TEXT,
        "donor_seed_iris": TEXTS,
        "recipient_seed_iris": TEXTS,
        "iri_disjoint": FLAG,
    }
)
_BUDGET = Field("whole", choices=BUDGETS)
_TOKENS = ("prompt_tokens", "completion_tokens", "total_tokens")
_ATTEMPT = Format(
    {
        "budget": _BUDGET,
        "attempt": COUNT.maybe(),
        "content": TEXT.null(),
        "finish_reason": TEXT.null(),
        **dict.fromkeys(_TOKENS, COUNT.null()),
        "model": TEXT.null(),
        "latency_s": SECONDS.null(),
    },
    variants={
        "error": Format(
            {"budget": _BUDGET, "attempt": COUNT, "error": ANY, "latency_s": ANY.maybe()}
        )
    },
)
ROWS = Format(
    {
        **_CELL,
        "question": TEXT,
        "system_message": TEXT,
        "user_message": TEXT,
        "injected_block": TEXT,
        "injected_block_chars": COUNT,
        "injected_block_est_tokens": COUNT,
        "system_preamble_included": Field("flag", choices=(False,)),
        "donor": _DONOR.null(),
        "fluent_noise_slugs": TEXTS.null(),
        "exposure": _EXPOSURE,
        "true_block_exposure": _EXPOSURE,
        "attempts": listed(_ATTEMPT),
        "content": TEXT.null(),
        "finish_reason": TEXT.null(),
        "prompt_tokens": COUNT.null(),
        "completion_tokens": COUNT.null(),
        "final_budget": Field("whole", choices=BUDGETS, nullable=True),
        "latency_s": SECONDS.null(),
        "model": TEXT.null(),
        "error": ANY,
        "empty": FLAG,
        "run_at": ANY,
    },
    key=("set", "id", "arm"),
)
SKIPPED = Format({**_CELL, "skipped": choice("no-scaffold")}, key=("set", "id", "arm"))


@dataclass(frozen=True)
class Rerun:
    """The rows of the rerun.

    Attributes:
        records: One a cell that was asked.
        texts: Cell to the answer's text and where it stands.
        skipped: Cells that were never asked; None where the list of them is not at hand.
        where: The files, for messages.
    """

    records: Sequence[Record]
    texts: Mapping[Cell, Text]
    skipped: frozenset[Cell] | None
    where: str = "rerun"


def _cell(row: Record) -> Cell:
    return row["set"], row["id"], row["arm"]


def read_rerun(reader: Reader, files: Mapping[str, Paths]) -> Rerun:
    """Read and check the rerun's rows and its skipped cells; faults are noted."""
    records = reader.first(files["rerun_live"], ROWS)
    true = {_cell(row)[:2]: row["exposure"] for row in records if row["arm"] == "true"}
    for row in records:
        if row["true_block_exposure"] != true.get(_cell(row)[:2], row["true_block_exposure"]):
            reader.fault(row.where, "true_block_exposure", "is not that of the true arm")
        _check_block(reader, row)
        _check_exposure(reader, row)
        _check_attempts(reader, row)
    texts = {_cell(row): Text(row["content"] or "", row.where) for row in records}
    skipped = [_cell(row) for row in reader.first(files["rerun_skipped"], SKIPPED)]
    for cell in skipped:
        if cell in texts:
            reader.note(
                place(files["rerun_skipped"][0]), f"{'/'.join(cell)} has a row all the same"
            )
    both = [place(p) for name in ("rerun_live", "rerun_skipped") for p in files[name]]
    known = frozenset(skipped) if files["rerun_skipped"] else None
    return Rerun(records, texts, known, " and ".join(both))


def _check_block(reader: Reader, row: Record) -> None:
    block = row["injected_block"]
    stated = {
        "system_message": (row["system_message"], block),
        "user_message": (row["user_message"], row["question"]),
        "injected_block_chars": (row["injected_block_chars"], len(block)),
        "injected_block_est_tokens": (row["injected_block_est_tokens"], math.ceil(len(block) / 4)),
        "donor": (row["donor"] is not None, row["arm"] == "irrelevant"),
        "fluent_noise_slugs": (row["fluent_noise_slugs"] is not None, row["arm"] == "fluent_noise"),
    }
    for name, (found, expected) in stated.items():
        if found != expected:
            reader.fault(row.where, name, "does not agree with the block, question or arm")
    donor = row["donor"]
    if donor is not None:
        shared = set(donor["donor_seed_iris"]) & set(donor["recipient_seed_iris"])
        if shared or not donor["iri_disjoint"]:
            reader.fault(row.where, "donor", f"shares {len(shared)} seed(s) with its recipient")


def _check_exposure(reader: Reader, row: Record) -> None:
    """What the block exposes of the gold proxy, by our own matcher."""
    stated = row["exposure"]
    text = matching.Text.of(row["injected_block"])
    titles = [matching.Title.of(str(title)) for title in stated["gold_titles"]]
    flags = [m.paper for m in matching.match_all(titles, text)]
    share = round(sum(flags) / len(flags), 4) if flags else 0.0
    expected = {
        "exposed_flags": flags,
        "n_gold": len(flags),
        "n_exposed": sum(flags),
        "exposure_fraction": share,
    }
    for name, value in expected.items():
        if stated[name] != value:
            reader.fault(row.where, f"exposure.{name}", f"{stated[name]}, the block gives {value}")


def _check_attempts(reader: Reader, row: Record) -> None:
    """The answer is that of the last attempt, the first that gave text; budgets only climb."""
    tried = row["attempts"]
    budgets = [attempt["budget"] for attempt in tried]
    if budgets != sorted(budgets):
        reader.fault(row.where, "attempts", f"budgets {budgets} do not climb")
    if any((attempt.get("content") or "").strip() for attempt in tried[:-1]):
        reader.fault(row.where, "attempts", "one before the last gave text")
    if not row["error"]:
        last: Mapping[str, Any] = tried[-1] if tried else {}
        for name in ("content", "budget", "finish_reason", "prompt_tokens", "completion_tokens"):
            stated = "final_budget" if name == "budget" else name
            if last.get(name) != row[stated]:
                reader.fault(row.where, stated, "is not that of the last attempt")
    if row["empty"] == bool((row["content"] or "").strip()):
        reader.fault(row.where, "empty", f"{row['empty']} of a text of {len(row['content'] or '')}")


def rerun_answers(
    reader: Reader,
    rerun: Rerun,
    graded: set[Cell],
    questions: Iterable[tuple[str, str]],
    model: str,
) -> list[dict[str, Any]]:
    """Return the planned answers of the rerun's five arms as rows of `ANSWERS`.

    Args:
        reader: Takes the faults: with all rows at hand, every planned cell has one or was skipped.
        rerun: The rows.
        graded: Cells with a score; where there are no rows, such an answer was at least asked.
        questions: Questions of the plan.
        model: Label of the model.
    """
    by_cell = {_cell(row): row for row in rerun.records}
    out = []
    for name, question in sorted(questions):
        for arm in CONTROL_ARMS:
            cell = (name, question, arm)
            row = by_cell.get(cell)
            known = {"cohort": COHORT, "set": name, "question_id": question, "arm": arm}
            if row is not None:
                out.append({**NOT_KNOWN, **known, "model": model, **_answer(row)})
                continue
            skipped = rerun.skipped is not None and cell in rerun.skipped
            listed = rerun.skipped is not None and bool(by_cell)
            if listed and not skipped and question not in reader.spoilt:
                reader.note(rerun.where, f"{'/'.join(cell)} has no row and was not skipped")
            asked = False if skipped else True if cell in graded else None
            out.append({**NOT_KNOWN, **known, "model": model, "attempted": asked})
    return out


def _answer(row: Record) -> dict[str, Any]:
    text, tokens, budget = row["content"] or "", row["completion_tokens"], row["final_budget"]
    cut = row["finish_reason"] == "length" or (
        tokens is not None and tokens >= (budget or math.inf)
    )
    empty = "error" if row["error"] else "empty"
    donor = row["donor"]
    return {
        "attempted": True,
        "status": empty if not text.strip() else "truncated" if cut else "ok",
        "budget": budget,
        "completion_tokens": tokens,
        "n_chars": len(text),
        "latency_s": None if row["latency_s"] is None else float(row["latency_s"]),
        "rerun": budget == BUDGETS[-1],
        "response_model": row["model"],
        "engaged": bool(row["injected_block"]),
        "injected_tokens": row["injected_block_est_tokens"],
        "exposure": float(row["exposure"]["exposure_fraction"]),
        "donor": f"{donor['set']}/{donor['id']}" if donor else None,
    }
