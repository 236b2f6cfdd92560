"""Counts that a study declares of the rows it reads, checked wherever the rows are at hand.

A study states the numbers under ``release.gates``; here stands what each of them counts.
"""

from collections.abc import Mapping

from copyceiling.released.reading import Reader

GATES: Mapping[str, str] = {
    "production.answers": "answers of the production study",
    "production.reruns": "question pairs that were run again at a larger budget",
    "production.pairs": "question pairs with a grade in both arms, main judge",
    "production.second_pairs": "question pairs with a grade in both arms, second judge",
    "production.general": "grades of the out-of-domain study",
    "controls.first": "planned answers of the first control cohort",
    "controls.first_asked": "answers of the first control cohort that were asked for",
    "controls.rejudged": "grades of the first control cohort's second judging",
    "controls.rejudged_same": "of these, equal to the first judging",
    "controls.rejudged_near": "of these, within one point of the first judging",
    "controls.rerun": "answers of the rerun control cohort",
    "controls.graded": "grades of the rerun control cohort",
    "controls.blocks": "blocks of the rerun cohort with measured exposure",
    "audit.verdicts": "audited items",
    "audit.n11": "audited items exposed and credited",
    "audit.n10": "audited items exposed and omitted",
    "audit.n00": "audited items neither exposed nor credited",
    "audit.n01": "audited items credited without exposure",
    "audit.gate": "verdicts that the quote gate took up",
    "audit.repaired": "of these, with a repaired quote",
    "audit.unresolved": "of these, without one",
    "audit.raw_hits": "audited credits of the raw arm",
    "paraphrase.questions": "questions put to the rewriter",
    "paraphrase.accepted": "of these, with an accepted rewrite",
    "paraphrase.attempts": "rewrites tried",
}


def check_gates(reader: Reader, declared: Mapping[str, int], counts: Mapping[str, int]) -> None:
    """Note every count that is not the declared one.

    Args:
        reader: Takes the faults.
        declared: Gate to the number that the study states.
        counts: Gate to the number found, for what is at hand.
    """
    for name, found in counts.items():
        if declared.get(name, found) != found:
            reader.note(
                f"gate '{name}'", f"{found} {GATES[name]}; the study states {declared[name]}"
            )
