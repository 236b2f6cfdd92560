"""Puts prompts, completions and references together as the rows that the studies are made of."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from copyceiling.arms.asking import key_of, messages_of
from copyceiling.arms.grading import cell_of
from copyceiling.errors import CopyCeilingError, listing
from copyceiling.judging.prompts import clean
from copyceiling.matching import MATCHERS, SIGNATURE, Text, Title, match_all
from copyceiling.requests import visible_input
from copyceiling.scoring import count, question_score

Row = Mapping[str, Any]
_TELEMETRY = (
    *("engaged", "path", "injected_tokens", "top_score", "effective_budget", "seeds"),
    *("generation", "class_count", "donor"),
)


def answer_rows(prompts: Iterable[Row], completions: Sequence[Row]) -> list[dict[str, Any]]:
    """Return rows of `ANSWERS`: how each planned answer ended, and what was shown for it.

    Latency stays out: that of our own calls says how busy the machine was.

    Args:
        prompts: Rows of `ARM_PROMPTS`.
        completions: Rows of `ARM_COMPLETIONS`, of all models.

    Raises:
        CopyCeilingError: A planned cell has no completion, or the reverse; lists cells.
    """
    shown: dict[tuple[str, ...], Row] = {(*key_of(row), row["arm"]): row for row in prompts}
    _check_plan(shown, completions)
    return [_answer(shown[*key_of(row), row["arm"]], row) for row in completions]


def _check_plan(shown: Mapping[tuple[str, ...], Row], completions: Sequence[Row]) -> None:
    models = sorted({row["model"] for row in completions})
    ended = {((*key_of(row), row["arm"]), row["model"]) for row in completions}
    planned = {(cell, model) for cell in shown for model in models}
    faults = [f"planned, not ended: {'/'.join(c)} of {m}" for c, m in sorted(planned - ended)]
    faults += [f"ended, not planned: {'/'.join(c)} of {m}" for c, m in sorted(ended - planned)]
    if faults or not models:
        raise CopyCeilingError(
            f"completions do not fit the plan in {len(faults)} cell(s):\n{listing(faults)}"
        )


def _answer(prompt: Row, row: Row) -> dict[str, Any]:
    n_proxy = prompt["n_proxy"]
    return {
        **cell_of(row),
        "attempted": True,
        "status": row["status"],
        "budget": row["budget"],
        "completion_tokens": row["completion_tokens"],
        "n_chars": len(clean(row["answer"]).strip()),
        "latency_s": None,
        "rerun": row["n_calls"] > 1,
        "response_model": row["response_model"],
        **{name: prompt[name] for name in _TELEMETRY},
        "exposure": prompt["n_proxy_block"] / n_proxy if n_proxy else None,
        "prompt_sha256": _prompt_sha256(prompt),
    }


def _prompt_sha256(prompt: Row) -> str:
    """Return what says of two prompts whether a model was shown the same."""
    shown = [[message.role, message.content] for message in messages_of(prompt)]
    return hashlib.sha256(json.dumps(shown).encode()).hexdigest()


def recall_rows(
    prompts: Iterable[Row], references: Iterable[Row], completions: Iterable[Row]
) -> list[dict[str, Any]]:
    """Return rows of `ARM_RECALL`: which gold each answer names, under each matcher.

    Exposure is by the visible input of the cell's own arm, the question included. Questions
    without gold to name have no row.

    Args:
        prompts: Rows of `ARM_PROMPTS`.
        references: Rows of `REFERENCES`.
        completions: Rows of `ARM_COMPLETIONS`.
    """
    gold = {key_of(row): row for row in references if row["gold"]}
    titles = {key: [Title.of(t) for t in row["gold"]] for key, row in gold.items()}
    exposed = {
        (*key_of(row), row["arm"]): match_all(
            titles[key_of(row)], Text.of(visible_input(messages_of(row)))
        )
        for row in prompts
        if key_of(row) in gold
    }
    out = []
    for row in completions:
        key = key_of(row)
        if key in gold:
            found = match_all(titles[key], Text.of(row["answer"]))
            shown = exposed[*key, row["arm"]]
            out += [
                {
                    **cell_of(row),
                    "matcher": matcher,
                    "status": row["status"],
                    **_counts(
                        gold[key],
                        [m.by(matcher) for m in shown],
                        [m.by(matcher) for m in found],
                    ),
                    "signature": SIGNATURE,
                }
                for matcher in MATCHERS
            ]
    return out


def _counts(reference: Row, exposed: Sequence[bool], recovered: Sequence[bool]) -> dict[str, Any]:
    c = count(exposed, recovered)
    recall = question_score(c.n_hits, c.n_gold, reference["gold_type"])
    ceiling = question_score(c.n_exposed, c.n_gold, reference["gold_type"])
    return {
        **{name: reference[name] for name in ("template", "domain", "gold_type")},
        **{n: getattr(c, n) for n in ("n_gold", "n_exposed", "n_hits", "n11", "n10", "n01", "n00")},
        "recall_num": recall[0],
        "recall_den": recall[1],
        "ceiling_num": ceiling[0],
        "ceiling_den": ceiling[1],
    }
