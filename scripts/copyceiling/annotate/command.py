"""``copyceiling annotate``: people label the audit's sheet, in a terminal or in a spreadsheet."""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TextIO

from copyceiling.annotate import files
from copyceiling.annotate.keys import END, key_reader
from copyceiling.annotate.labelling import Label
from copyceiling.annotate.screen import keys_text, unit_text
from copyceiling.annotate.session import Session
from copyceiling.artefacts.audit_unit_schemas import AUDIT_UNITS
from copyceiling.artefacts.store import rows, write_text
from copyceiling.config import ROOT, study_of
from copyceiling.errors import AnnotationError, did_you_mean

HELP = "Label the audit's sheet by hand: in the terminal, or in a spreadsheet."
GUIDE = ROOT / "docs" / "annotation.md"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's own arguments; those of a study are added elsewhere."""
    parser.add_argument(
        "--as", dest="annotator", metavar="NAME", help="who labels; names the label file"
    )
    parser.add_argument(
        "--sheet",
        type=Path,
        metavar="FILE",
        help="write the sheet as CSV, with the guide beside it",
    )
    parser.add_argument(
        "--read", type=Path, metavar="FILE", help="take the labels of a filled sheet"
    )
    parser.add_argument("--guide", action="store_true", help="print the guide")


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        AnnotationError: No name, no units, or labels at fault.
    """
    if arguments.guide:
        print(GUIDE.read_text(encoding="utf-8"), end="")
        return 0
    if arguments.annotator is None:
        raise AnnotationError("say who labels: copyceiling annotate --as reader-1")
    study = study_of(arguments.configfile, arguments.config)
    path = files.label_path(ROOT / study["frozen"], arguments.annotator)
    print(_newcomer(path), end="")
    units = _units(study)
    labels = files.read_labels(path, units) if path.exists() else {}
    if arguments.sheet is not None:
        return _write_sheet(arguments.sheet, units, labels)
    if arguments.read is not None:
        return _take(arguments.read, path, units, labels)
    session = Session(files.on_sheet(units), labels, lambda kept: files.write_labels(path, kept))
    label(session, len(files.on_sheet(units)), sys.stdin, sys.stdout)
    print(f"{session.n_labelled} of {len(files.on_sheet(units))} labelled; they lie in {path}")
    return 0


def _newcomer(path: Path) -> str:
    """Return that nobody of this name has labelled yet, where others have; "" where none has."""
    others = sorted(p.stem for p in path.parent.glob("*.csv"))
    if path.exists() or not others:
        return ""
    meant = did_you_mean(path.stem, others)
    return f"'{path.stem}' is a new name; there are labels of {', '.join(others)}.{meant}\n"


def _units(study: dict[str, Any]) -> list[dict[str, Any]]:
    path = ROOT / study["results"] / "audit" / "units.parquet"
    if not study["audit"] or study["audit"]["source"] != "calls":
        raise AnnotationError(
            f"study '{study['study']}' samples no answers of its own: set audit.source to calls"
        )
    if not path.exists():
        raise AnnotationError(
            f"there is no sample yet in '{path}'. Draw it: snakemake sample_audit"
        )
    return rows(path, AUDIT_UNITS)


def _write_sheet(path: Path, units: Sequence[dict[str, Any]], labels: dict[str, Label]) -> int:
    guide = path.with_name(f"{path.stem}-guide.md")
    write_text(path, files.sheet_text(units, labels))
    write_text(guide, GUIDE.read_text(encoding="utf-8"))
    print(f"{path}: {len(files.on_sheet(units))} units, {len(labels)} labelled. Guide: {guide}")
    print(f"Take the labels when it is filled: copyceiling annotate --as NAME --read {path}")
    return 0


def _take(
    filled: Path, path: Path, units: Sequence[dict[str, Any]], labels: dict[str, Label]
) -> int:
    """Take a filled sheet's labels; those that it changes are counted, none is dropped."""
    found = files.read_labels(filled, units)
    changed = sum(code in labels and labels[code] != said for code, said in found.items())
    kept = {**labels, **found}
    files.write_labels(path, kept)
    open_units = len(files.on_sheet(units)) - len(kept)
    print(
        f"{path}: {len(found)} labels taken ({len(found.keys() - labels.keys())} new, {changed} "
        f"changed), {open_units} units still open"
    )
    return 0


def label(session: Session, total: int, stream: TextIO, out: TextIO) -> None:
    """Show units and take keys until the end of the input, or ``q``.

    Args:
        session: The person at work.
        total: Units on the sheet.
        stream: Where keys come from.
        out: Where text goes.
    """

    def say(text: str) -> None:
        out.write(text + "\n")
        out.flush()

    with key_reader(stream) as (key, line):
        say(unit_text(session, total))
        while True:
            try:
                pressed = key()
            except KeyboardInterrupt:
                return
            if pressed in (END, "q", "\x03", "\x04"):
                return
            say(_done(session, total, pressed.lower(), line, say))


def _done(
    session: Session, total: int, key: str, line: Callable[[], str], say: Callable[[str], None]
) -> str:
    """Do what a key stands for, and return what is to be shown next."""
    if key in ("g", "?", "h"):
        return GUIDE.read_text(encoding="utf-8") + "\n" + unit_text(session, total)
    if key == "t" and not session.wants_role:
        say("Remark, to its end by Enter:")
        return session.annotate(line()) + "\n" + unit_text(session, total)
    did = session.press(key)
    if did is None:
        return "" if key in ("\n", "\r") else f"'{key!a}' is no key here.\n{keys_text(session)}"
    shown = keys_text(session) if session.wants_role else unit_text(session, total)
    return f"[{did}]\n{shown}"
