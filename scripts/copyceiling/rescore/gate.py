"""The gate of a re-score of released rows: no vector is computed for other contexts than theirs."""

from collections.abc import Mapping, Sequence
from typing import Any

from copyceiling.errors import ReleaseError, listing

Row = Mapping[str, Any]


def check_contexts(check: Sequence[Row], models: Sequence[str], n_questions: int) -> None:
    """Stop unless every model's rows state the exposure of our contexts, question by question.

    Where all of these counts agree the macro ceiling does so to its last digit, for it is made of
    them. The released gate looks at three models and three decimals. Source: STUDIES section 1.

    Args:
        check: Rows of `EXPOSURE_CHECK`.
        models: Labels of all swept models.
        n_questions: Questions of the study.

    Raises:
        ReleaseError: Lists every model whose rows are missing, too few, state no count, or state
            another one.
    """
    found = {row["model"]: row for row in check}
    faults = [
        f"{model}: {fault}"
        for model in models
        if (fault := _fault(found.get(model), n_questions)) is not None
    ]
    if faults:
        raise ReleaseError(
            f"the contexts to re-score are not those of the released rows, for {len(faults)} of "
            f"{len(models)} model(s):\n{listing(faults)}\n"
            "Compare corpus, version of the release and section 'scaffold' with the study's."
        )


def _fault(row: Row | None, n_questions: int) -> str | None:
    if row is None:
        return "no released rows that state what was exposed"
    wrong = (
        (n_questions - row["n"], f"{row['n']} rows for {n_questions} questions"),
        (row["n_unstated"], f"{row['n_unstated']} rows state no count of exposed items"),
        (row["n_mismatches"], f"{row['n_mismatches']} rows state another count of exposed items"),
    )
    return "; ".join(text for n, text in wrong if n) or None
