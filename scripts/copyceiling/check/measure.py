"""Measures rows: each becomes a few integers, and its texts are let go of.

The matcher, the cross-tabulation and the question score are the pipeline's own
(`copyceiling.matching`, `copyceiling.scoring`), so that a log and a study are measured alike.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from copyceiling.check.fields import GOLD_TYPES, CheckRow
from copyceiling.matching import MATCHERS, Match, Text, Title, match_all
from copyceiling.requests import STATUSES, Message, visible_input
from copyceiling.scoring import count, question_score

# Integers kept of a row. Those of `PER_MATCHER` stand once for each matcher.
PER_ROW = (
    "status",
    "raw_status",  # -1: no raw arm
    "gold_type",
    "n_gold",
    "den",  # denominator of every question score of the row
    "n_unmatchable",
    "n_long",
    "n_joined",  # 1 if the only gold name may be a list that was written as one text
    "has_context",
    "content",  # digest of the whole row: tells a copy of a row from another row of its id
    "asked",  # digest of question, gold and cluster: tells whether two systems were asked alike
)
PER_MATCHER = (
    "n11",
    "n10",
    "n01",
    "n00",
    "n_question",  # items that the question alone exposes
    "n_raw_hits",
    "recall_num",
    "ceiling_num",
    "question_num",
    "raw_num",
)
COLUMNS = (*PER_ROW, *(f"{m}_{name}" for m in MATCHERS for name in PER_MATCHER))

_JOINED = re.compile(r"[;|]|,\s")  # a comma inside a name, as in 1,2-diol, has no space behind it
LONG_TITLE = 12  # words; longer gold is rather a sentence than a name


@dataclass(frozen=True, slots=True)
class Found:
    """Which gold items a text holds, by matcher name; and which the matcher cannot see."""

    by: dict[str, list[bool]]
    unmatchable: int


def find(gold: Sequence[Sequence[Title]], text: Text) -> Found:
    """Match gold items against a text; an item is found if any of its names is.

    A name that normalises to nothing is no name; an item with only such names is unmatchable,
    and counts as not found.
    """
    found: list[tuple[bool, ...]] = []
    unmatchable = 0
    for names in gold:
        matches = match_all(names, text)
        found.append(verdicts(matches[0]) if len(matches) == 1 else _any(matches))
        unmatchable += all(m.path == "unmatchable" for m in matches)
    return Found(dict(zip(MATCHERS, map(list, zip(*found, strict=True)), strict=True)), unmatchable)


@lru_cache(maxsize=64)
def verdicts(found: Match) -> tuple[bool, ...]:
    """Return the verdict of each matcher of `MATCHERS`; there are few different matches."""
    return tuple(found.by(m) for m in MATCHERS)


def _any(matches: Sequence[Match]) -> tuple[bool, ...]:
    return tuple(map(any, zip(*map(verdicts, matches), strict=True)))


def shown_to(row: CheckRow) -> str:
    """Return the visible input of a row: the context's texts and the question, space-joined."""
    messages = [Message("system", text) for text in row.context]
    return visible_input([*messages, Message("user", row.question)])


def measure(row: CheckRow) -> tuple[int, ...]:
    """Return the integers of a row, in the order of `COLUMNS`."""
    gold = [[Title.of(name) for name in names] for names in row.gold]
    question = find(gold, Text.of(row.question))
    shown = find(gold, Text.of(shown_to(row))) if row.context else question
    answer = find(gold, Text.of(row.answer))
    raw = None if row.raw_answer is None else find(gold, Text.of(row.raw_answer))
    n = len(gold)
    den = question_score(0, n, row.gold_type)[1]
    values = [
        STATUSES.index(row.status),
        -1 if row.raw_status is None else STATUSES.index(row.raw_status),
        GOLD_TYPES.index(row.gold_type),
        n,
        den,
        answer.unmatchable,
        sum(names[0].norm.count(" ") >= LONG_TITLE for names in gold),
        int(n == 1 and len(_JOINED.split(row.gold[0][0].strip(" ;|,"))) > 1),
        int(any(text.strip() for text in row.context)),
        *_digests(row),
    ]
    for matcher in MATCHERS:
        cells = count(shown.by[matcher], answer.by[matcher])
        alone = sum(question.by[matcher])
        raw_hits = 0 if raw is None else sum(raw.by[matcher])
        values += [cells.n11, cells.n10, cells.n01, cells.n00, alone, raw_hits]
        scored = (cells.n_hits, cells.n_exposed, alone, raw_hits)
        values += [question_score(hits, n, row.gold_type)[0] for hits in scored]
    return tuple(values)


def _digests(row: CheckRow) -> tuple[int, int]:
    """Return 63-bit digests of the whole row, and of what was asked; order of gold is no part."""
    asked = [row.id, row.question, sorted(row.gold), row.gold_type, row.cluster]
    head = json.dumps([row.system, row.status, row.raw_status, *asked]).encode()
    texts = (*row.context, row.answer, row.raw_answer or "")
    whole = hashlib.blake2b(head, digest_size=8)
    for text in texts:
        part = text.encode("utf-8", "surrogatepass")
        whole.update(len(part).to_bytes(8, "little") + part)
    alike = hashlib.blake2b(json.dumps(asked).encode(), digest_size=8)
    return _number(whole.digest()), _number(alike.digest())


def _number(digest: bytes) -> int:
    return int.from_bytes(digest, "little") >> 1
