"""The plan of the controls: every question in every arm, made or infeasible, with its exposure.

The arms differ in the block alone: all but ``served`` show it bare, without the preamble, so
``served`` minus ``true`` is the preamble. Source: paper sections 5.4 and 10.7, STUDIES section 4.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, median
from typing import Any

from copyceiling.arms.asking import QuestionKey
from copyceiling.arms.prompts import NO_BLOCK as NO_TELEMETRY
from copyceiling.arms.prompts import prompt_row
from copyceiling.calibration.relations import Relation
from copyceiling.controls.blocks import NO_BLOCK, Block, Case, Infeasible
from copyceiling.controls.derangement import DONORS, Limits
from copyceiling.controls.exposure import Targets
from copyceiling.controls.fill import Sections, answer_disjoint, fluent_noise
from copyceiling.controls.mask import MASKS
from copyceiling.controls.shuffle import shuffled
from copyceiling.controls.unasked import INFEASIBLE, MADE
from copyceiling.matching import Text, match_all
from copyceiling.production.references import graph_reference
from copyceiling.requests import build_messages
from copyceiling.scaffold import estimate_tokens
from copyceiling.stats import named_rng

CONTROLS = "controls"
# Arms that show the block that retrieval gave, and arms that show none.
RETRIEVED, BARE = ("served", "true"), ("raw",)
Row = Mapping[str, Any]
Made = Mapping[str, Mapping[str, Block | Infeasible]]


@dataclass(frozen=True)
class Settings:
    """How the controls are made.

    Attributes:
        arms: Arms of the plan, of `cohorts.ARMS`.
        splitter: How blocks are cut for shuffling, see `shuffle.SPLITTERS`.
        mask: How names are hidden, see `mask.MASKS`.
        donors: Whose block a question is shown, see `derangement.DONORS`.
        limits: What a donor's block must keep to; the tolerance of length holds for the
            placebo too.
        seed: Study seed.
    """

    arms: tuple[str, ...]
    splitter: str
    mask: str
    donors: str
    limits: Limits
    seed: int


def make_blocks(
    cases: Sequence[Case], pool: Sequence[Case], sections: Sections, settings: Settings
) -> Made:
    """Return the block of each question in each arm, or why there is none.

    Args:
        cases: Questions of the plan.
        pool: Questions that may lend their block.
        sections: Sections of the corpus, for the arms that are packed.
        settings: How they are made.
    """
    donors = DONORS[settings.donors](cases, pool, settings.limits, settings.seed)
    return {
        case.id: {arm: _made(case, arm, donors, sections, settings) for arm in settings.arms}
        for case in cases
    }


def _made(
    case: Case,
    arm: str,
    donors: Mapping[str, Block | Infeasible],
    sections: Sections,
    settings: Settings,
) -> Block | Infeasible:
    if arm in BARE:
        return Block("")
    if arm == "served":  # a node that finds nothing serves the question as it is
        return Block(case.block, case.slugs)
    if not case.block:
        return NO_BLOCK
    if arm == "true":
        return Block(case.block, case.slugs)
    if arm == "irrelevant":
        return donors[case.id]
    if arm == "fluent_noise":
        return fluent_noise(case, sections, settings.seed)
    if arm == "answer_disjoint":
        return answer_disjoint(case, sections, settings.limits.length_tolerance, settings.seed)
    if arm == "masked":
        text = MASKS[settings.mask](case.block, case.seeds)
    else:
        rng = named_rng(settings.seed, f"controls:shuffled:{case.id}")
        text = shuffled(case.block, rng, settings.splitter)
    return text if isinstance(text, Infeasible) else Block(text, case.slugs)


def prompt_rows(
    cases: Sequence[Case], made: Made, preamble: str, retrieved: Mapping[str, Row]
) -> list[dict[str, Any]]:
    """Return the rows of `ARM_PROMPTS`: the cells that could be made.

    Args:
        cases: Questions of the plan.
        made: What `make_blocks` returned.
        preamble: Text before the block in the arm ``served``.
        retrieved: Question id to how its own block was retrieved: columns of `NO_TELEMETRY`.
    """
    return [
        _prompt_row(case, arm, block, preamble, retrieved[case.id])
        for case in cases
        for arm, block in made[case.id].items()
        if isinstance(block, Block)
    ]


def _prompt_row(
    case: Case, arm: str, block: Block, preamble: str, retrieved: Row
) -> dict[str, Any]:
    q = case.question
    if arm in RETRIEVED:
        telemetry: Row = retrieved
    elif block.text:
        shown = {"block": block.text, "block_tokens": estimate_tokens(block.text)}
        telemetry = {**NO_TELEMETRY, **shown, "engaged": True, "seeds": list(block.seeds)}
    else:
        telemetry = NO_TELEMETRY
    return prompt_row(
        key_of_case(case),
        arm,
        build_messages(preamble if arm == "served" else "", block.text, q.prompt),
        question=q.prompt,
        telemetry=telemetry,
        gold=[item.title for item in q.gold],
        proxy=[t.text for t in Targets.of(case).proxy] if block.text else None,
        donor=block.donor,
    )


def key_of_case(case: Case) -> QuestionKey:
    """Return which question of the plan a case is; its set is its template."""
    return QuestionKey(CONTROLS, case.question.template, case.id)


def reference_rows(
    cases: Iterable[Case], titles: Mapping[str, str], relations: Mapping[str, Relation]
) -> list[dict[str, Any]]:
    """Return the rows of `REFERENCES`: what the graph says in answer to each question.

    Args:
        cases: Questions of the plan.
        titles: Class slug to title.
        relations: Relations by type, as `relations_of` gives them.
    """
    return [
        {
            **key_of_case(case)._asdict(),
            "question": q.prompt,
            "reference": reference.text,
            "key_points": list(reference.key_points),
            "gold": [item.title for item in q.gold],
            "gold_type": q.gold_type,
            "template": q.template,
            "domain": q.domain,
            "source": reference.source,
        }
        for case in cases
        for q in [case.question]
        for reference in [graph_reference(q, titles, relations)]
    ]


def cell_rows(cases: Sequence[Case], made: Made) -> list[dict[str, Any]]:
    """Return the rows of `CONTROL_CELLS`: every planned cell, made or not.

    Args:
        cases: Questions of the plan.
        made: What `make_blocks` returned.
    """
    rows = []
    for case in cases:
        targets = Targets.of(case)
        for arm, block in made[case.id].items():
            rows.append(
                {
                    **key_of_case(case)._asdict(),
                    "arm": arm,
                    "true_tokens": case.tokens,
                    "n_gold": len(targets.gold),
                    "n_proxy": len(targets.proxy),
                    **_measured(block, targets),
                }
            )
    return rows


_OF_BLOCK = (
    *("donor", "block_tokens", "block_sha256", "n_gold_block", "n_gold_block_strict"),
    *("n_proxy_block", "n_proxy_block_strict"),
)


def _measured(block: Block | Infeasible, targets: Targets) -> dict[str, Any]:
    if isinstance(block, Infeasible):
        return {**dict.fromkeys(_OF_BLOCK), "status": INFEASIBLE, "reason": block.reason}
    text = Text.of(block.text)
    gold, proxy = match_all(targets.gold, text), match_all(targets.proxy, text)
    return {
        "status": MADE,
        "reason": None,
        "donor": block.donor,
        "block_tokens": estimate_tokens(block.text),
        "block_sha256": hashlib.sha256(block.text.encode()).hexdigest(),
        "n_gold_block": sum(m.paper for m in gold),
        "n_gold_block_strict": sum(m.strict for m in gold),
        "n_proxy_block": sum(m.paper for m in proxy),
        "n_proxy_block_strict": sum(m.strict for m in proxy),
    }


def block_exposure_rows(prompts: Iterable[Row]) -> list[dict[str, Any]]:
    """Return the rows of `BLOCK_EXPOSURE`: the gold proxy exposed by the blocks of each arm."""
    shares: dict[tuple[str, str], list[tuple[float, int]]] = {}
    for row in prompts:
        if row["n_proxy"]:
            share = row["n_proxy_block"] / row["n_proxy"]
            key = (row["cohort"], row["arm"])
            shares.setdefault(key, []).append((share, row["block_tokens"]))
    return [
        {
            "cohort": cohort,
            "arm": arm,
            "n": len(found),
            "mean": mean(values),
            "median": median(values),
            "min": min(values),
            "max": max(values),
            "n_zero": values.count(0.0),
            "n_full": values.count(1.0),
            "tokens": mean([tokens for _, tokens in found]),
        }
        for (cohort, arm), found in sorted(shares.items())
        for values in [[share for share, _ in found]]
    ]
