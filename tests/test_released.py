"""A release comes in whole: both layouts alike, what is absent said, counts as published."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from copyceiling.artefacts.judged_schemas import (
    ANSWERS,
    BLOCK_EXPOSURE,
    GRADES,
    RELEASED_FILES,
    REWRITES,
    VERDICTS,
)
from copyceiling.artefacts.schema import Schema
from copyceiling.artefacts.schemas import ITEMS, SCORES
from copyceiling.artefacts.store import to_table
from copyceiling.config import SCHEMA, load_study, load_yaml
from copyceiling.errors import CopyCeilingError, ReleaseError
from copyceiling.released.audit import Material, import_audit
from copyceiling.released.controls import import_controls
from copyceiling.released.gates import GATES
from copyceiling.released.general import import_general
from copyceiling.released.layout import PARTS, find_part, find_sweep, released_rows
from copyceiling.released.paraphrase import import_paraphrase
from copyceiling.released.production import import_production
from copyceiling.released.reading import Reader
from copyceiling.released.sweep import ArmFiles, import_sweep, is_reduced

from tests.conftest import ROOT
from tests.released_samples import (
    EXPOSED,
    LABEL,
    LABELS,
    MODEL,
    QUESTIONS,
    full,
    reduced,
    slots,
    write_release,
)

Rows = list[dict[str, Any]]
Tables = dict[str, Rows]
SCHEMAS: dict[str, Schema] = {
    "answers": ANSWERS,
    "grades": GRADES,
    "exposure": BLOCK_EXPOSURE,
    "verdicts": VERDICTS,
    "rewrites": REWRITES,
    "scores": SCORES,
    "items": ITEMS,
}


def import_part(root: Path, part: str, gates: dict[str, int] | None = None) -> Tables:
    """Import one part of the made-up release, as its rule does."""
    reader, declared = Reader(part), gates or {}
    files = slots(root, part)
    tables: Tables = {}
    if part == "production":
        for found in (
            import_production(reader, files, declared),
            import_general(reader, files, declared),
        ):
            tables.setdefault("answers", []).extend(found.answers)
            tables.setdefault("grades", []).extend(found.grades)
    elif part == "controls":
        controls = import_controls(reader, files, declared)
        tables = {
            "answers": controls.answers,
            "grades": controls.grades,
            "exposure": controls.exposure,
        }
    elif part == "audit":
        material = Material(QUESTIONS, EXPOSED, LABELS)
        tables = {"verdicts": import_audit(reader, files, material, declared)}
    else:
        tables = {"rewrites": import_paraphrase(reader, files, QUESTIONS, EXPOSED, declared)}
    reader.stop()
    return _stored(tables)


def import_sweep_part(root: Path) -> Tables:
    """Import the sweep of the made-up release."""
    found = find_sweep(str(root), [MODEL], ["raw", "scaffold"], {MODEL: LABEL})
    files = {
        arm: ArmFiles(
            *([Path(p) for p in found[MODEL, arm, kind]] for kind in ("results", "scores"))
        )
        for arm in ("raw", "scaffold")
    }
    done = import_sweep(files, MODEL, list(QUESTIONS.values()), EXPOSED)
    return _stored({"scores": done.scores, "items": done.items})


def _stored(tables: Tables) -> Tables:
    """Return tables as they would be stored: checked against their schema, in key order."""
    return {name: to_table(rows, SCHEMAS[name]).to_pylist() for name, rows in tables.items()}


IMPORTS: dict[str, Callable[[Path], Tables]] = {
    **{part: lambda root, part=part: import_part(root, part) for part in PARTS},  # type: ignore[misc]
    "sweep": import_sweep_part,
}


def _agree(one: Rows, other: Rows, key: tuple[str, ...]) -> int:
    """Assert that rows agree wherever both know a value; return how many values both know."""
    by_key = {tuple(r[k] for k in key): r for r in other}
    known = 0
    for row in one:
        match = by_key.get(tuple(row[k] for k in key))
        for name, value in (match or {}).items():
            if value is not None and row[name] is not None and name != "signature":
                assert value == row[name], (row, name)
                known += 1
    return known


@pytest.mark.parametrize("part", IMPORTS)
def test_both_layouts_are_read_alike(part: str, tmp_path: Path) -> None:
    own = IMPORTS[part](write_release(tmp_path / "own" / "uplift-results", full()).parent)
    less = IMPORTS[part](write_release(tmp_path / "less", reduced()))
    for name, rows in less.items():
        key = SCHEMAS[name].key
        missing = {tuple(r[k] for k in key) for r in rows} - {
            tuple(r[k] for k in key) for r in own[name]
        }
        assert not missing, "the full layout knows every row of the reduced one"
        assert not rows or _agree(own[name], rows, key) > len(rows) * len(key)


@pytest.mark.parametrize("part", PARTS)
def test_an_absent_part_has_no_rows_and_says_what_was_looked_for(part: str, tmp_path: Path) -> None:
    assert all(not rows for rows in import_part(tmp_path, part).values())
    listed = released_rows(part, PARTS[part], [], {})
    to_table(listed, RELEASED_FILES)
    assert {row["form"] for row in listed} == {"absent"}
    assert len(listed) == len(PARTS[part])
    assert all(row["sha256"] is None and row["n_rows"] is None for row in listed)


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("layout", [full, reduced], ids=["full", "reduced"])
def test_any_one_file_may_be_absent(
    part: str, layout: Callable[[], dict[str, Any]], tmp_path: Path
) -> None:
    """Never a crash: what depends on the file alone is missing, the rest is as it was."""
    files = layout()
    whole = import_part(write_release(tmp_path / "whole", files), part)
    found = [p for paths in find_part(str(tmp_path / "whole"), part).values() for p in paths]
    assert found
    for path in found:
        path_in_release = str(Path(path).relative_to(tmp_path / "whole"))
        root = tmp_path / path_in_release.replace("/", "-")
        write_release(root, {n: r for n, r in files.items() if n != path_in_release})
        for name, rows in import_part(root, part).items():
            _agree(whole[name], rows, SCHEMAS[name].key)


def test_files_are_listed_with_hash_rows_and_form(tmp_path: Path) -> None:
    root = write_release(tmp_path, reduced())
    reader, files = Reader("audit"), slots(root, "audit")
    import_audit(reader, files, Material(QUESTIONS, EXPOSED, LABELS), {})
    paths = [p for given in files.values() for p in given]
    rows = {r["file"]: r for r in released_rows("audit", PARTS["audit"], paths, reader.counts)}
    assert {name: (r["form"], r["n_rows"]) for name, r in rows.items()} == {
        "audit/verdicts.tsv": ("reduced", 6),
        "audit/quote_gate.tsv": ("reduced", 3),
        "semantic-audit/raw-hits-audit.jsonl": ("absent", None),
    }
    assert len(rows["audit/verdicts.tsv"]["sha256"]) == 64
    assert is_reduced(root / "sweep" / f"scores-{LABEL}-raw.jsonl")
    other = write_release(tmp_path / "own", full())
    assert not is_reduced(other / "sweep" / f"scores-{LABEL}-raw.jsonl")
    assert not is_reduced(other / "sweep" / f"results-{LABEL}-raw.jsonl")


def test_half_a_sweep_is_named_and_none_is_absent(tmp_path: Path) -> None:
    files = {n: r for n, r in full().items() if not n.startswith("sweep/")}
    root = write_release(tmp_path / "none", files)
    found = find_sweep(str(root), [MODEL], ["raw", "scaffold"], {MODEL: LABEL})
    assert not any(found.values())
    half = {n: r for n, r in full().items() if n != f"sweep/scores-{LABEL}-raw.jsonl"}
    half.pop(f"sweep/results-{LABEL}-raw.jsonl")
    root = write_release(tmp_path / "half", half)
    with pytest.raises(CopyCeilingError, match=rf"sweep/.*-{LABEL}-raw\.jsonl"):
        find_sweep(str(root), [MODEL], ["raw", "scaffold"], {MODEL: LABEL})
    with pytest.raises(CopyCeilingError, match="there is no folder"):
        find_part(str(tmp_path / "nowhere"), "audit")
    with pytest.raises(CopyCeilingError, match="copyceiling fetch loom"):
        find_part(None, "audit")


def test_what_the_rerun_does_not_say_is_not_guessed(tmp_path: Path) -> None:
    rows = import_part(write_release(tmp_path, reduced()), "controls")["answers"]
    rerun = [r for r in rows if r["cohort"] == "controls"]
    assert len(rerun) == 15
    assert {r["status"] for r in rerun} == {None}
    assert Counter(r["attempted"] for r in rerun) == {True: 9, None: 6}
    own = import_part(write_release(tmp_path / "own", full()), "controls")["answers"]
    cells = {(r["question_id"], r["arm"]): r for r in own if r["cohort"] == "controls"}
    assert Counter(r["attempted"] for r in cells.values()) == {True: 10, False: 5}
    empty = cells["t1", "masked"]
    assert (empty["status"], empty["budget"], empty["rerun"]) == ("empty", 8192, True)
    assert cells["a1", "irrelevant"]["donor"] == "thin/t1"
    assert {r["response_model"] for r in cells.values()} == {"baker-q8", None}


def test_gates_are_declared_once_and_checked_where_rows_are(tmp_path: Path) -> None:
    declared = load_yaml(SCHEMA)["properties"]["release"]["properties"]["gates"]
    assert sorted(declared["propertyNames"]["enum"]) == sorted(GATES)
    paper = load_study(ROOT / "config" / "studies" / "paper.yaml")["release"]["gates"]
    assert sorted(paper) == sorted(GATES)
    assert load_study(ROOT / "config" / "studies" / "go.yaml")["release"]["gates"] == {}
    root = write_release(tmp_path, full())
    for part in PARTS:
        with pytest.raises(ReleaseError) as caught:
            import_part(root, part, dict.fromkeys(GATES, 9_999))
        named = {name for name in GATES if f"gate '{name}'" in str(caught.value)}
        assert named == {name for name in GATES if name.startswith(f"{part}.")}
        (tmp_path / "nothing").mkdir(exist_ok=True)
        import_part(tmp_path / "nothing", part, dict.fromkeys(GATES, 9_999))
