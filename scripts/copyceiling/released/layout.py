"""Where the files of each part of a release lie, in its own layout and in the reduced one.

docs/published-release.md says what each file holds.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from copyceiling.artefacts.store import file_sha256
from copyceiling.errors import CopyCeilingError, listing

RESULTS = "uplift-results"  # folder of the result files in the release's own repository


@dataclass(frozen=True)
class Slot:
    """One thing that a part reads.

    Attributes:
        name: What it is; the keyword under which a rule hands it on.
        paths: Where it may lie within the folder of result files, as patterns, the first found
            wins; with the form that each of them has.
    """

    name: str
    paths: tuple[tuple[str, str], ...]

    @property
    def looked_for(self) -> str:
        """The patterns, for people."""
        return " or ".join(pattern for pattern, _ in self.paths)


def _full(name: str, *patterns: str) -> Slot:
    return Slot(name, tuple((pattern, "full") for pattern in patterns))


def _either(name: str, full: str, reduced: str, reduced_form: str = "reduced") -> Slot:
    return Slot(name, ((full, "full"), (reduced, reduced_form)))


_RERUN, _REJUDGED = "control-rerun-2026-09-21", "controls-rejudge-2026-09-21"
_LIVE = _full("live", "paper-v2/live-results.jsonl")
_FIRST = _full("judged", "paper-v2/judged.json")
_SECOND = _full("judged_second", "paper-v2/judged-claude-opus46.json")

PARTS: Mapping[str, tuple[Slot, ...]] = {
    "production": (
        _LIVE,
        _FIRST,
        _SECOND,
        _full("general_judged", "general/judged-cloud.json"),
        _full("general_live", "general/results-*-bare.jsonl", "general/results-*-harness.jsonl"),
    ),
    "controls": (
        _LIVE,
        _FIRST,
        _SECOND,
        _full("first_live", "paper-v2/control-results.jsonl"),
        _either("rejudged", f"{_REJUDGED}/judged.json", "controls/four_arm_rejudged_scores.tsv"),
        _full("rerun_live", f"{_RERUN}/rows.jsonl"),
        _full("rerun_skipped", f"{_RERUN}/manifest-skipped.json"),
        _either("rerun_judged", f"{_RERUN}/judged.json", "controls/five_arm_scores.tsv"),
        Slot(
            "exposure_summary",
            (
                (f"{_RERUN}/exposure.json", "aggregate"),
                ("controls/five_arm_exposure.tsv", "aggregate"),
            ),
        ),
    ),
    "audit": (
        _either("verdicts", "semantic-audit/verdicts.jsonl", "audit/verdicts.tsv"),
        _either("gate", "semantic-audit/quote-gate-v2.jsonl", "audit/quote_gate.tsv"),
        _full("raw_hits", "semantic-audit/raw-hits-audit.jsonl"),
    ),
    "paraphrase": (
        _either("ceilings", "paraphrase-stress/ceilings.jsonl", "paraphrase/ceilings.tsv"),
        _full("rewrites", "paraphrase-stress/paraphrases.jsonl"),
    ),
}
# Slots whose patterns are all read, not the first that is found.
_MANY = ("general_live",)


KINDS = ("results", "scores")


def sweep_slot(label: str, arm: str, kind: str) -> Slot:
    """Return the slot of one model's answers (``results``) or score rows (``scores``)."""
    return _full(f"{kind}/{label}/{arm}", f"sweep/{kind}-{label}-{arm}.jsonl")


def sweep_slots(
    models: Iterable[str], arms: Sequence[str], labels: Mapping[str, str]
) -> list[Slot]:
    """Return what the sweep reads, in order of models.

    Args:
        models: Our labels.
        arms: Arms of the sweep.
        labels: Model to its label in the release's file names, where that is another.
    """
    return [
        sweep_slot(labels.get(model, model), arm, kind)
        for model in models
        for arm in arms
        for kind in KINDS
    ]


def question_slot(name: str) -> Slot:
    """Return the slot of a released question file."""
    return _full("questions", name)


def check_release(path: str | None) -> Path:
    """Return the folder of a release's result files.

    Raises:
        CopyCeilingError: No release folder is set, or there is none at that place.
    """
    if path is None:
        raise CopyCeilingError(
            "release.path: this study reads released rows. Point it at them: "
            "snakemake --config 'release={path: /where/the/release/is}' "
            "(copyceiling fetch loom gets them)"
        )
    root = Path(path)
    if not root.is_dir():
        raise CopyCeilingError(f"release.path: there is no folder '{root}'.")
    return root / RESULTS if (root / RESULTS).is_dir() else root


def find_release(path: str | None, *parts: str) -> Path:
    """Return a file of the release, in its own layout or in the reduced one.

    Raises:
        CopyCeilingError: No release folder is set, or the file is in none of its places.
    """
    place = check_release(path).joinpath(*parts)
    if not place.exists():
        raise CopyCeilingError(
            f"release.path: there is no '{place}'. Point release.path at the release's root or at "
            "the folder of its result files."
        )
    return place


def find_slot(root: Path, slot: Slot) -> list[str]:
    """Return the files of a slot, sorted; none where it is not at hand."""
    found: list[str] = []
    for pattern, _ in slot.paths:
        found.extend(str(p) for p in sorted(root.glob(pattern)) if p.is_file())
        if found and slot.name not in _MANY:
            break
    return found


def find_sweep(
    path: str | None, models: Iterable[str], arms: Sequence[str], labels: Mapping[str, str]
) -> dict[tuple[str, str, str], list[str]]:
    """Return the sweep's files by model, arm and kind.

    The whole sweep may be absent; half of one is a mistake, for a table that lacks a model of the
    study would not say so.

    Raises:
        CopyCeilingError: No release folder is set, or some models have neither answers nor score
            rows in an arm where others have; lists what was looked for.
    """
    root = check_release(path)
    found = {
        (model, arm, kind): find_slot(root, sweep_slot(labels.get(model, model), arm, kind))
        for model in models
        for arm in arms
        for kind in KINDS
    }
    cells = dict.fromkeys(key[:2] for key in found)
    missing = [
        sweep_slot(labels.get(model, model), arm, "{results,scores}").looked_for
        for model, arm in cells
        if not any(found[model, arm, kind] for kind in KINDS)
    ]
    if missing and len(missing) < len(cells):
        raise CopyCeilingError(
            f"release.path: '{root}' lacks {len(missing)} of {len(cells)} files of the sweep:\n"
            f"{listing(missing)}\n"
            "Point release.path at the release's root or at the folder of its result files, or "
            "leave the models out of sweep.models."
        )
    return found


def find_part(path: str | None, part: str) -> dict[str, list[str]]:
    """Return the files of a part by slot; an empty list where a slot is not at hand.

    Raises:
        CopyCeilingError: No release folder is set, or there is none at that place.
    """
    root = check_release(path)
    return {slot.name: find_slot(root, slot) for slot in PARTS[part]}


def released_rows(
    part: str,
    slots: Sequence[Slot],
    files: Iterable[Path],
    counts: Mapping[Path, int],
    reduced: Collection[Path] = (),
) -> list[dict[str, Any]]:
    """Return what a part was read from, and what was not at hand, as rows of `RELEASED_FILES`.

    Args:
        part: Name of the part.
        slots: What it reads.
        files: The files that were found, of any slot.
        counts: File to the number of its rows.
        reduced: Files of the reduced form that lie where the full ones do.
    """
    rows: list[dict[str, Any]] = []
    listed = sorted(set(files))
    for slot in slots:
        mine = [(f, p, form) for f in listed for p, form in slot.paths if f.match(p)]
        rows.extend(
            {
                "part": part,
                "file": "/".join(file.parts[-len(Path(pattern).parts) :]),
                "form": "reduced" if file in reduced else form,
                "sha256": file_sha256(file),
                "n_rows": counts.get(file),
            }
            for file, pattern, form in mine
        )
        if not mine:
            absent = {"form": "absent", "sha256": None, "n_rows": None}
            rows.append({"part": part, "file": slot.looked_for, **absent})
    return rows
