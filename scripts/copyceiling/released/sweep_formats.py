"""What rows of the released sweep hold, and what must agree within one.

Source: STUDIES section 0.
"""

from collections.abc import Sequence

from copyceiling.questions import Question
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
)
from copyceiling.released.reading import Reader, Record
from copyceiling.requests import Status
from copyceiling.scoring import question_score

STATUS: dict[str, Status] = {
    "stop": "ok",
    "length": "truncated",
    "content_filter": "refused",
    "error": "error",
}
_ROUNDED = 5.1e-5  # recalls were released to four decimals
_REASON = choice(*STATUS)
_TRIES = Field("whole", low=1, optional=True)
_COMMON = {
    "id": TEXT,
    "model": TEXT,
    "mode": choice("raw", "scaffold"),
    "n_gold": COUNT,
    "scaffold_engaged": FLAG,
    "injected_tokens": COUNT.maybe(),
    "latency_ms": SECONDS.maybe(),
    "attempts": _TRIES,
}
SCORES = Format(
    {
        **_COMMON,
        "domain": TEXT,
        "template": TEXT,
        "n_gold_exposed": COUNT.maybe(),
        "finish_reason": _REASON,
        "recall": SHARE,
        "n_hits": COUNT,
        "hits": TEXTS.maybe(),
        "extra_recall": SHARE.maybe(),
        "extra_hits": TEXTS.maybe(),
    },
    key=("id",),
)
_EXTRAS = dict.fromkeys(("usage", "tokens", "response_model", "answer_chars"), ANY.maybe())
RESULTS = Format(
    {
        **_COMMON,
        **_EXTRAS,
        "n_gold_exposed": COUNT,
        "answer": TEXT,
        "answer_chars": COUNT,
        "finish_reason": _REASON,
    },
    key=("id",),
    variants={
        "error": Format(
            {
                **{name: declared.maybe() for name, declared in _COMMON.items()},
                **_EXTRAS,
                "id": TEXT,
                "model": TEXT,
                "mode": choice("raw", "scaffold"),
                "n_gold_exposed": COUNT.maybe(),
                "finish_reason": ANY.maybe(),
                "error": ANY,
            },
            key=("id",),
        )
    },
)


def _check_common(reader: Reader, row: Record, question: Question, shown: Sequence[bool]) -> None:
    expected = {
        "n_gold": len(question.gold),
        "n_gold_exposed": sum(shown),
        "domain": question.domain,
        "template": question.template,
    }
    for name, value in expected.items():
        if name in row.values and row[name] != value:
            source = "recomputed" if name == "n_gold_exposed" else "the question has"
            reader.fault(row.where, name, f"{row[name]} as released, {source} {value}")
    if row["mode"] == "raw" and row.get("scaffold_engaged"):
        reader.fault(row.where, "scaffold_engaged", "true in the raw arm")


def check_score(reader: Reader, row: Record, question: Question, shown: Sequence[bool]) -> None:
    """Check a score row against its question, the recomputed exposure and itself."""
    _check_common(reader, row, question, shown)
    n_gold, n_hits = len(question.gold), row["n_hits"]
    if n_hits > n_gold:
        reader.fault(row.where, "n_hits", f"{n_hits} of {n_gold} gold items")
        return
    recall = question_score(n_hits, n_gold, question.gold_type)
    if abs(recall[0] / recall[1] - row["recall"]) > _ROUNDED:
        found = f"{row['recall']} as released, {recall[0]}/{recall[1]} from its hits"
        reader.fault(row.where, "recall", found)
    for name, items, count in (
        ("hits", question.gold, n_hits),
        ("extra_hits", question.gold_extra, None),
    ):
        titles = row.get(name)
        if titles is None:
            continue
        alien = [t for t in titles if t not in {item.title for item in items}]
        if alien:
            reader.fault(row.where, name, f"'{alien[0]}' is no gold title of {question.id}")
        if count is not None and len(titles) != count:
            reader.fault(row.where, name, f"{len(titles)} titles, n_hits is {count}")
    extra = row.get("extra_recall")
    if extra is not None and question.gold_extra:
        share = len(row.get("extra_hits") or ()) / len(question.gold_extra)
        if abs(extra - share) > _ROUNDED:
            found = f"{extra} as released, {share:.4f} from its hits"
            reader.fault(row.where, "extra_recall", found)


def check_result(reader: Reader, row: Record, question: Question, shown: Sequence[bool]) -> None:
    """Check an answer's row against its question and the recomputed exposure."""
    _check_common(reader, row, question, shown)
    answer = row.get("answer")
    if answer is not None and row["answer_chars"] != len(answer):
        found = f"{row['answer_chars']}, the answer has {len(answer)}"
        reader.fault(row.where, "answer_chars", found)
