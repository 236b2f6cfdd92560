"""Label files and sheets: read with hard checks, written whole or not at all.

A label file holds codes and labels and none of the corpus's text, so it can be shipped. A sheet
holds all that a person needs to see, for a spreadsheet. Both read back alike.
"""

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from copyceiling.annotate.cells import harmless, restore
from copyceiling.annotate.labelling import Label, roles_of
from copyceiling.artefacts.store import write_text
from copyceiling.audit.labels import LABELS, ROLES, Row
from copyceiling.errors import AnnotationError, listing

FILLED = ("label", "role", "note")
SHOWN = ("question", "relation", "edge", "item", "items", "wanted", "answer")
SHEET = ("number", "code", *SHOWN, *FILLED)
LABEL_FILE = ("code", *FILLED)
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")
_LARGEST = 50_000_000  # characters of a file that is no mistake
_WANTED = {"all": "all of these items", "any": "any one of these items"}


def label_path(frozen: Path, annotator: str) -> Path:
    """Return where a person's labels lie.

    Raises:
        AnnotationError: The name would not stay in the folder.
    """
    check_name(annotator)
    return frozen / "audit" / "labels" / f"{annotator}.csv"


def check_name(annotator: str) -> None:
    """Refuse a name that is not made of small letters, digits, ``-`` and ``_``.

    Raises:
        AnnotationError: Names what is wrong.
    """
    if not _NAME.fullmatch(annotator):
        raise AnnotationError(
            f"annotator '{annotator}': a name has 1 to 32 of a-z, 0-9, - and _, and begins with a "
            "letter or digit, such as 'reader-1'"
        )


def on_sheet(units: Iterable[Row]) -> list[Row]:
    """Return the units that people are asked to label, in order of the sheet."""
    return sorted((u for u in units if u["on_sheet"]), key=lambda u: int(u["position"]))


def sheet_text(units: Iterable[Row], labels: Mapping[str, Label]) -> str:
    """Return the sheet as CSV: every unit on it, with the labels that there are."""
    rows = []
    for number, unit in enumerate(on_sheet(units), 1):
        said = labels.get(unit["code"], Label("", ""))
        shown = {
            **{name: unit[name] for name in ("code", "question", "relation", "edge", "item")},
            "items": "\n".join(unit["gold"]),
            "wanted": _WANTED[unit["gold_type"]],
            "answer": unit["answer"],
        }
        filled = {name: getattr(said, name) for name in FILLED}
        rows.append({"number": str(number), **shown, **filled})
    return _text(SHEET, rows)


def label_text(labels: Mapping[str, Label]) -> str:
    """Return a label file, in order of codes."""
    return _text(
        LABEL_FILE,
        [
            {"code": code, **{name: getattr(said, name) for name in FILLED}}
            for code, said in sorted(labels.items())
        ],
    )


def _text(columns: Sequence[str], rows: Iterable[Mapping[str, str]]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writeheader()
    writer.writerows({name: harmless(row[name]) for name in columns} for row in rows)
    return out.getvalue()


def write_labels(path: Path, labels: Mapping[str, Label]) -> None:
    """Write a label file; it changes as a whole or not at all."""
    write_text(path, label_text(labels))


def read_labels(path: Path, units: Iterable[Row]) -> dict[str, Label]:
    """Read a label file or a filled sheet; rows without a label wait for one.

    Args:
        path: CSV with a header; the columns ``code`` and ``label`` must be there. Comma, semicolon
            or tab between cells, as spreadsheets write it.
        units: Rows of `AUDIT_UNITS`.

    Raises:
        AnnotationError: Not readable as such a file; or an unknown label or role, a unit that is
            not on the sheet, or one that stands twice: lists them all by line.
    """
    known = {unit["code"]: unit for unit in on_sheet(units)}
    found: dict[str, Label] = {}
    lines: dict[str, int] = {}
    faults: list[str] = []
    for line, row in _records(path):
        code = row["code"].strip()
        if code in lines:
            faults.append(f"line {line}: unit {code} stands already in line {lines[code]}")
            continue
        lines[code] = line
        if code not in known:
            faults.append(f"line {line}: unit '{code}' is not on the sheet of this study")
            continue
        said, wrong = _label(row, known[code])
        faults += [f"line {line}: {what}" for what in wrong]
        if said is not None:
            found[code] = said
    if faults:
        raise AnnotationError(
            f"'{path}' has {len(faults)} fault(s):\n{listing(faults)}\n"
            f"Labels: {', '.join(LABELS)}. Correct these lines; nothing was read."
        )
    return found


def _label(row: Mapping[str, str], unit: Row) -> tuple[Label | None, list[str]]:
    label, role = (row.get(name, "").strip().lower() for name in FILLED[:2])
    allowed = roles_of(unit)
    if not label:
        return None, [f"role '{role}' stands without a label"] if role else []
    faults = []
    if label not in LABELS:
        faults.append(f"unknown label '{label[:40]}'")
    if not role and len(allowed) == 1:
        role = allowed[0]
    if role not in ROLES:
        faults.append(f"unknown role '{role[:40]}'; here it is {' or '.join(allowed)}")
    elif role not in allowed:
        faults.append(f"role '{role}', but this question allows {' or '.join(allowed)}")
    return (None if faults else Label(label, role, row.get("note", ""))), faults


def _records(path: Path) -> list[tuple[int, dict[str, str]]]:
    """Return the records of a CSV file with the line that each begins in."""
    text = _read(path)
    head = text.partition("\n")[0]
    delimiter = max(",;\t", key=head.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    out: list[tuple[int, dict[str, str]]] = []
    columns: list[str] = []
    try:
        start = 1
        for cells in reader:
            line, start = start, reader.line_num + 1
            if not columns:
                columns = [cell.strip().lower() for cell in cells]
                _check_columns(path, columns)
            elif any(cell.strip() for cell in cells):
                if len(cells) != len(columns):
                    raise AnnotationError(
                        f"'{path}', line {line}: {len(cells)} cells, the header has {len(columns)}"
                    )
                out.append((line, dict(zip(columns, map(restore, cells), strict=True))))
    except csv.Error as e:
        raise AnnotationError(f"'{path}', line {reader.line_num}: {e}. Save it as CSV.") from e
    if not columns:
        _check_columns(path, columns)
    return out


def _check_columns(path: Path, columns: Sequence[str]) -> None:
    missing = [name for name in ("code", "label") if name not in columns]
    double = sorted({name for name in columns if name and columns.count(name) > 1})
    if missing or double:
        what = f"no column {' or '.join(missing)}" if missing else f"columns twice: {double}"
        raise AnnotationError(
            f"'{path}', line 1: {what}. The header must be that of the sheet: copyceiling annotate "
            "--sheet"
        )


def _read(path: Path) -> str:
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            text = file.read(_LARGEST + 1)
    except OSError as e:
        raise AnnotationError(f"cannot read '{path}': {e.strerror}") from e
    except UnicodeDecodeError as e:
        raise AnnotationError(f"'{path}' is no UTF-8 text. Save it as CSV in UTF-8.") from e
    if len(text) > _LARGEST:
        raise AnnotationError(f"'{path}' has over {_LARGEST:,} characters; no sheet has so many")
    return text
