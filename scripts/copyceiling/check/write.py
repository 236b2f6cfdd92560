"""Writes a report: Parquet for programs, JSON, and a Markdown page."""

import json
from pathlib import Path
from typing import Any

from copyceiling import __version__
from copyceiling.artefacts.store import write, write_text
from copyceiling.check.display import page
from copyceiling.check.faults import CheckError
from copyceiling.check.report import Report, SystemReport, flat
from copyceiling.check.schemas import CHECK_BAD, CHECK_PAIRS, CHECK_ROWS, CHECK_SYSTEMS
from copyceiling.matching import SIGNATURE


def make_folder(folder: Path) -> None:
    """Make the folder of a report, so that a fault shows before anything is measured.

    Raises:
        CheckError: It cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as e:
        raise CheckError(
            f"cannot write to '{folder}': {e.strerror or e}. Name another folder: --out DIR"
        ) from e


def write_report(report: Report, folder: Path) -> list[Path]:
    """Write all forms of a report into a folder and return the files.

    ``rows.parquet``, ``systems.parquet``, ``pairs.parquet``, ``bad_rows.parquet`` (declared
    schemas, content hash in their metadata), ``report.json`` and ``report.md``.

    Raises:
        CheckError: The folder cannot be made.
        ArtefactError: A file cannot be written.
    """
    make_folder(folder)
    made = {
        "rule": "copyceiling check",
        "version": __version__,
        "matcher": SIGNATURE,
        "params": {
            "policy": report.policy,
            "seed": report.seed,
            "resamples": report.resamples,
            "level": report.level,
        },
    }
    systems = [row for s in report.systems for row in _system_rows(s)]
    tables = (
        ("rows", report.rows, CHECK_ROWS),
        ("systems", systems, CHECK_SYSTEMS),
        ("pairs", [flat(p) for p in report.pairs], CHECK_PAIRS),
        ("bad_rows", _bad_rows(report), CHECK_BAD),
    )
    files = []
    for name, rows, schema in tables:
        files.append(folder / f"{name}.parquet")
        write(files[-1], rows, schema, made)
    document = {**made, **report.to_dict()}
    text = json.dumps(document, indent=2, sort_keys=True, allow_nan=False)
    for name, content in (("report.json", text + "\n"), ("report.md", page(report))):
        files.append(folder / name)
        write_text(files[-1], content)
    return files


def _system_rows(system: SystemReport) -> list[dict[str, Any]]:
    whole = {
        "system": system.system,
        **{f"n_{k}": v for k, v in system.status.items()},
        **{f"n_raw_{k}": v for k, v in system.raw_status.items()},
        "n_without_context": system.n_without_context,
        "n_unmatchable": system.n_unmatchable,
    }
    return [{**whole, **flat(m)} for m in system.measures]


def _bad_rows(report: Report) -> list[dict[str, Any]]:
    faults = [(bad, fault) for bad in report.bad for fault in bad.faults]
    return [
        {
            "number": i,
            "source": bad.source,
            "unit": bad.unit,
            "place": bad.place,
            "field": fault.field,
            "detail": fault.detail,
        }
        for i, (bad, fault) in enumerate(faults)
    ]
