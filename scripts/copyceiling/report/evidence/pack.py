"""Evidence as the page carries it: columns of numbers, every text once, deflated.

A list of answers becomes one JSON object of columns. Labels and texts are numbers into lists, so
that a block stands once however many answers it was shown for. Spans are in UTF-16 code units, for
the browser slices its strings by these.
"""

import base64
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from copyceiling.errors import ArtefactError, listing
from copyceiling.report.evidence.records import Answer, Asked, Item, Shown, visible_text
from copyceiling.report.spans import KINDS, Raw, Span, find_spans, utf16

VERSION = 1
# How a title was found, as numbers; `stated` is a hit that a score row states without a path.
PATHS = ("none", "substring", "word_bag", "unmatchable", "stated")
CREDITED = ("substring", "word_bag", "stated")
UNKNOWN = -1
_LABELS = {
    "part": "parts",
    "model": "models",
    "arm": "arms",
    "domain": "domains",
    "template": "templates",
    "status": "statuses",
}


class Pool:
    """Numbers distinct values in order of first use."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._places: dict[Any, int] = {}

    def of(self, value: Any) -> int:
        """Return the number of a value."""
        place = self._places.setdefault(value, len(self.values))
        if place == len(self.values):
            self.values.append(value)
        return place


def pack(answers: Sequence[Answer], models: Sequence[str]) -> dict[str, Any]:
    """Return answers as columns of JSON values.

    Args:
        answers: In the order that the browser lists them.
        models: Labels in the order that it offers them.

    Raises:
        ArtefactError: An answer's rows credit an item that its text does not hold, so that what
            would be shown is not what was scored; lists them.
    """
    labels = {name: Pool() for name in _LABELS}
    for model in models:
        labels["model"].of(model)
    texts, inputs, questions = Pool(), Pool(), Pool()
    marks: dict[int, list[int]] = {}
    columns = _Columns()
    faults: list[str] = []
    for number, answer in enumerate(answers):
        asked, shown = questions.of(answer.asked), inputs.of((answer.shown, answer.asked))
        for piece in (piece for message in answer.shown for piece in message):
            texts.of(piece.text)  # in the order of use, so that copies stand near one another
        if shown not in marks:
            exposed = [item.shown for item in answer.items]
            marks[shown] = _marks(answer, visible_text(answer.shown), exposed, faults)
        columns.add_answer(number, answer, asked, shown, texts, labels, faults)
    _stop(faults)
    return {
        "version": VERSION,
        "paths": PATHS,
        "kinds": KINDS,
        **{_LABELS[name]: pool.values for name, pool in labels.items()},
        "questions": [_question(asked, texts, labels) for asked in questions.values],
        "inputs": [_input(shown, texts) for shown, _ in inputs.values],
        "marks": [marks[i] for i in range(len(inputs.values))],
        "answers": columns.answers,
        "rows": columns.rows,
        "verdicts": columns.verdicts,
        "texts": texts.values,
    }


class _Columns:
    """Columns under construction: an entry an answer, an entry a row, an entry a verdict."""

    def __init__(self) -> None:
        names = "question input model arm status text hits paired cut retried".split()
        self.answers: dict[str, list[Any]] = {n: [] for n in (*names, "marks")}
        rows = ("answer", "item", "shown", "shownStrict", "found", "foundStrict")
        self.rows: dict[str, list[int]] = {n: [] for n in rows}
        self.verdicts: list[dict[str, Any]] = []

    def add_answer(
        self,
        number: int,
        answer: Answer,
        asked: int,
        shown: int,
        texts: Pool,
        labels: Mapping[str, Pool],
        faults: list[str],
    ) -> None:
        """Add one answer with its rows and verdicts."""
        first = len(self.rows["answer"])
        entry = {
            "question": asked,
            "input": shown,
            **{n: labels[n].of(getattr(answer, n)) for n in ("model", "arm", "status")},
            "text": UNKNOWN if answer.text is None else texts.of(answer.text),
            "hits": UNKNOWN if answer.n_hits is None else answer.n_hits,
            "paired": int(answer.paired),
            "cut": int(answer.cut_either),
            "retried": int(answer.retried),
            "marks": _marks(answer, answer.text, [item.found for item in answer.items], faults),
        }
        for name, value in entry.items():
            self.answers[name].append(value)
        for place, item in enumerate(answer.items):
            self._add_row(number, place, _row(item))
        if not answer.items:
            self._add_row(number, UNKNOWN, {})
        for verdict in answer.verdicts:
            place = verdict["item"]
            spread = range(max(len(answer.items), 1)) if place is None else [place]
            said = {k: v for k, v in verdict.items() if v is not None and k != "item"}
            self.verdicts.append({"rows": [first + i for i in spread], **said})

    def _add_row(self, answer: int, item: int, values: Mapping[str, int]) -> None:
        row = {"answer": answer, "item": item, **values}
        for name, column in self.rows.items():
            column.append(row.get(name, UNKNOWN))


def _row(item: Item) -> dict[str, int]:
    return {
        "shown": PATHS.index(item.shown),
        "shownStrict": int(item.shown_strict),
        "found": UNKNOWN if item.found is None else PATHS.index(item.found),
        "foundStrict": UNKNOWN if item.found_strict is None else int(item.found_strict),
    }


def _marks(
    answer: Answer, text: str | None, paths: Sequence[str | None], faults: list[str]
) -> list[int]:
    """Return where gold titles stand in a text: item, kind, start and end, one after the other."""
    if text is None or not any(path in CREDITED for path in paths):
        return []
    raw = Raw.of(text)
    out: list[int] = []
    for i, path in enumerate(paths):
        spans = find_spans(answer.asked.gold[i], raw) if path in CREDITED else []
        if path in CREDITED and not spans:
            faults.append(
                f"question {answer.asked.id}, model {answer.model}, arm {answer.arm}: "
                f"'{answer.asked.gold[i]}'"
            )
        out += [n for s in utf16(text, spans) for n in _numbers(i, s)]
    return out


def _numbers(item: int, span: Span) -> tuple[int, int, int, int]:
    return item, KINDS.index(span.kind), span.start, span.end


def _stop(faults: Sequence[str]) -> None:
    if faults:
        raise ArtefactError(
            f"{len(faults)} item(s) are credited by rows whose text does not hold them:\n"
            f"{listing(faults)}\nThe artefacts are of different runs. Build them again: "
            "snakemake --forceall"
        )


def _question(asked: Asked, texts: Pool, labels: Mapping[str, Pool]) -> dict[str, Any]:
    return {
        **{name: labels[name].of(getattr(asked, name)) for name in ("part", "domain", "template")},
        "id": asked.id,
        "type": asked.gold_type,
        "prompt": texts.of(asked.prompt),
        "gold": asked.gold,
        "reference": UNKNOWN if asked.reference is None else texts.of(asked.reference),
        "points": asked.key_points,
    }


def _input(shown: Shown, texts: Pool) -> list[list[list[Any]]]:
    return [[[piece.kind, texts.of(piece.text)] for piece in message] for message in shown]


def encode(packed: Mapping[str, Any]) -> str:
    """Return packed evidence as text for the page: JSON, deflated, base64."""
    text = json.dumps(packed, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    # A lone surrogate, which some sources hold, cannot be UTF-8: it goes as its replacement.
    deflated = zlib.compress(text.encode("utf-8", "replace"), 9)
    return base64.b64encode(deflated).decode("ascii")


def decode(text: str) -> dict[str, Any]:
    """Return what `encode` was given; lists come back as lists."""
    found: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(text)).decode("utf-8"))
    return found


def count_rows(answers: Iterable[Answer]) -> int:
    """Return the number of rows of the browser: a gold item each, one where there is no gold."""
    return sum(max(len(answer.items), 1) for answer in answers)
