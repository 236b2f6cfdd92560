"""What a study has frozen of a model beside what a live run has of it, put together for freezing.

A live run takes what is frozen as it is (see `completions.frozen_first`), and so does freezing: a
frozen answer stays, with its tries, whatever the cache holds; the others come from the cache.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from copyceiling.artefacts.schema import Schema
from copyceiling.artefacts.schemas import ATTEMPTS
from copyceiling.artefacts.store import SUMS, check_frozen, rows, write_changed
from copyceiling.completions import answers
from copyceiling.live.entry import read_cache
from copyceiling.live.ledger import read_attempts
from copyceiling.requests import Outcome
from copyceiling.rows.completions import outcome_of, read_outcomes

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Kept:
    """What is frozen of one model in one part of a study.

    Attributes:
        calls: Path of its calls; there may be none yet.
        attempts: Path of its tries.
        outcomes: Frozen outcomes by key.
        tries: Frozen rows of `ATTEMPTS`.
    """

    calls: Path
    attempts: Path
    outcomes: Mapping[str, Outcome]
    tries: Sequence[Row]


def read_kept(
    frozen: Path,
    part: str,
    model: str,
    read: Callable[[Path], Mapping[str, Outcome]] = read_outcomes,
) -> Kept:
    """Return what is frozen of a model.

    Args:
        frozen: Folder of the frozen inputs.
        part: Folder in it that has ``calls`` and ``attempts``, "" for itself.
        model: Label of the model.
        read: Reads a file of calls.

    Raises:
        ArtefactError: A file is damaged, or the sums do not list it.
    """
    calls, attempts = (frozen / part / kind / f"{model}.parquet" for kind in ("calls", "attempts"))
    there = [path for path in (calls, attempts) if path.exists()]
    if there:
        check_frozen(there, frozen / SUMS)
    outcomes = read(calls) if calls in there else {}
    return Kept(calls, attempts, outcomes, rows(attempts, ATTEMPTS) if attempts in there else [])


def outcomes_had(kept: Kept, folder: Path, ended: Path, schema: Schema) -> dict[str, Outcome]:
    """Return every outcome that there is, by key.

    An answer that is frozen comes first, then one in the cache, then the error that a call of this
    cache ended in, then a frozen error.

    Args:
        kept: What is frozen.
        folder: The model's folder in the cache.
        ended: Completions of the model; there may be none.
        schema: Their schema.
    """
    failed = _errors(ended, schema, folder)
    return {**kept.outcomes, **failed, **dict(read_cache(folder)), **answers(kept.outcomes)}


def _errors(path: Path, schema: Schema, folder: Path) -> dict[str, Outcome]:
    """Return the cells that ended in an error; they are no answers, so the cache lacks them.

    Only those of calls that this cache has sent: the others were replayed, and are frozen.
    """
    ended = [r for r in rows(path, schema) if r["status"] == "error"] if path.exists() else []
    if not ended:
        return {}
    sent = {a["key"]: a["try"] for a in read_attempts(folder)}  # the last try of each
    return {
        r["key"]: Outcome(
            key=r["key"],
            status="error",
            answer=r["answer"],
            finish_reason=r["finish_reason"],
            prompt_tokens=r["prompt_tokens"],
            completion_tokens=r["completion_tokens"],
            tries=sent[r["key"]],
            error=r["error"],
        )
        for r in ended
        if r["key"] in sent
    }


def write_kept(
    kept: Kept, found: Sequence[Row], schema: Schema, folder: Path, made: Mapping[str, Any]
) -> str:
    """Write calls and their tries as frozen inputs, unless they are; return what was done.

    Args:
        kept: What is frozen so far.
        found: Every call of the plan, as rows of ``schema``.
        schema: `CALLS` or `JUDGE_CALLS`.
        folder: The model's folder in the cache, which holds the ledger.
        made: Provenance.
    """
    stays = {r["key"] for r in found if kept.outcomes.get(r["key"]) == outcome_of(r)}
    tries = [a for a in kept.tries if a["key"] in stays]
    told = {a["key"] for a in tries}
    asked = {r["key"] for r in found} - told
    tries += [_try(a) for a in read_attempts(folder) if a["key"] in asked]
    changed = write_changed(kept.calls, found, schema, made)
    changed |= write_changed(kept.attempts, tries, ATTEMPTS, made)
    done = "frozen" if changed else "frozen already"
    fresh = f" ({len(found) - len(stays)} new)" if changed and stays else ""
    return f"{len(found)} calls{fresh}, {len(tries)} attempts {done}"


def _try(attempt: Row) -> dict[str, Any]:
    return {column.name: attempt.get(column.name) for column in ATTEMPTS.columns}
