"""Nothing changes unnoticed: any byte of a frozen input, any cell, any digit of the claim."""

import copy
import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest
from copyceiling.artefacts.hashing import content_hash
from copyceiling.artefacts.store import check_frozen, read, to_table
from copyceiling.config import load_study
from copyceiling.difference import SCHEMAS
from copyceiling.errors import ArtefactError
from copyceiling.manifest import claim_study, compare, first_difference, read_claim
from copyceiling.verify import verify

from tests.conftest import ROOT

STUDY = load_study(ROOT / "config" / "studies" / "smoke.yaml")
CALLS = Path("calls/smollm2-135m.parquet")


@pytest.fixture()
def frozen(tmp_path: Path) -> Path:
    """A copy of the smoke study's frozen inputs."""
    folder = tmp_path / "frozen"
    shutil.copytree(ROOT / STUDY["frozen"], folder)
    return folder


def test_any_byte_of_a_frozen_input(frozen: Path) -> None:
    file = frozen / CALLS
    good = file.read_bytes()
    check_frozen([file], frozen / "SHA256SUMS")
    for i in range(0, len(good), 7):
        bad = bytearray(good)
        bad[i] ^= 1 << (i % 8)
        file.write_bytes(bad)
        with pytest.raises(ArtefactError, match=r"frozen file .*git checkout"):
            check_frozen([file], frozen / "SHA256SUMS")
    file.write_bytes(good[:-1])
    with pytest.raises(ArtefactError, match="has sha256"):
        check_frozen([file], frozen / "SHA256SUMS")


def test_verify_names_the_frozen_input_first(frozen: Path) -> None:
    """The claim itself catches a file and its listed sha256 that were changed together."""
    file = frozen / CALLS
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 4
    file.write_bytes(data)
    lines, same = verify({**STUDY, "frozen": str(frozen)}, ROOT)
    assert not same
    assert "Frozen input calls/smollm2-135m.parquet differs from the claim" in "\n".join(lines)
    file.unlink()
    lines, same = verify({**STUDY, "frozen": str(frozen)}, ROOT)
    assert not same and "is claimed but was not found" in "\n".join(lines)


def test_unlisted_and_missing_frozen_files_are_named(frozen: Path) -> None:
    sums = frozen / "SHA256SUMS"
    with pytest.raises(ArtefactError, match="is not listed"):
        check_frozen([frozen / "calls" / "other.parquet"], sums)
    (frozen / CALLS).unlink()
    with pytest.raises(ArtefactError, match="is not there"):
        check_frozen([frozen / CALLS], sums)
    sums.unlink()
    with pytest.raises(ArtefactError, match="no frozen file can be trusted"):
        check_frozen([frozen / CALLS], sums)


def mutate(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, float):
        return value + 0.001
    if isinstance(value, str):
        return value + "x"
    if isinstance(value, list):
        return value[:-1] if value else None
    return None


def test_any_cell_of_any_artefact_moves_its_hash(smoke: Path) -> None:
    """Two random rows of each artefact, every column that is hashed."""
    rng = random.Random(1)
    checked = 0
    for path in sorted(smoke.rglob("*.parquet")):
        meta_name = json.loads(_metadata(path))["schema"]
        schema = SCHEMAS[meta_name]
        table = read(path, schema)
        rows = table.to_pylist()
        expected = content_hash(table, schema)
        for i in rng.sample(range(len(rows)), min(2, len(rows))):
            for column in schema.hashed:
                new = mutate(rows[i][column.name])
                if new is None and not column.nullable:
                    continue
                changed = copy.deepcopy(rows)
                changed[i][column.name] = new
                if new == rows[i][column.name]:
                    continue
                keys = [tuple(r[k] for k in schema.key) for r in changed]
                if len(set(keys)) < len(keys):
                    continue
                assert content_hash(to_table(changed, schema), schema) != expected, column.name
                checked += 1
    assert checked > 300


def _metadata(path: Path) -> bytes:
    import pyarrow.parquet as pq

    found: bytes = pq.read_schema(path).metadata[b"copyceiling"]
    return found


def test_any_digit_of_the_claim(smoke: Path) -> None:
    claimed = read_claim(ROOT / "MANIFEST.json")["studies"]["smoke"]
    found = claim_study({**STUDY, "frozen": str(ROOT / STUDY["frozen"])}, smoke)
    for side in compare(claimed, found):
        assert first_difference(side) is None
    digits = 0
    for owner, key in hashes(claimed):
        good = owner[key]
        for i in range(0, len(str(good)), 5):
            text = str(good)
            other = "1" if text[i] != "1" else "2"
            owner[key] = type(good)(text[:i] + other + text[i + 1 :])
            frozen, artefacts = compare(claimed, found)
            assert first_difference(frozen) or first_difference(artefacts), (key, i)
            digits += 1
        owner[key] = good
    assert digits > 500


def hashes(claim: dict[str, Any]) -> list[tuple[dict[str, Any], str]]:
    """Every place in the claim that says what an artefact or a file is."""
    places = [(claim["frozen"], name) for name in claim["frozen"]]
    for entry in claim["artefacts"].values():
        places += [(entry, "content_hash"), (entry, "rows")]
        places += [(entry["texts"], kind) for kind in entry["texts"]]
    return places


def test_a_damaged_claim_is_named(tmp_path: Path) -> None:
    file = tmp_path / "MANIFEST.json"
    for text in ("{", "[]", '{"version": 1}', '{"version": 9, "studies": {}}'):
        file.write_text(text)
        with pytest.raises(ArtefactError):
            read_claim(file)
    with pytest.raises(ArtefactError, match="claims nothing for study"):
        verify(STUDY, ROOT, tmp_path / "none.json")


def test_the_first_difference_along_the_chain_is_named() -> None:
    claimed = {n: {"content_hash": "a", "rows": 1, "texts": {}} for n in ("tables/t", "questions")}
    found = {n: {"content_hash": "b", "rows": 1, "texts": {}} for n in claimed}
    _, verdicts = compare({"frozen": {}, "artefacts": claimed}, {"frozen": {}, "artefacts": found})
    first = first_difference(verdicts)
    assert first is not None and first.name == "questions"


def test_verify_reports_a_changed_claim_and_how_to_look(
    smoke: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The artefact, and the command that shows the cells. The nested run is here a copy of one
    that was made; tests/test_workflow.py has it made."""

    def copied(study: object, root: Path, results: Path, targets: object) -> None:
        del study, root, targets
        shutil.copytree(smoke, results, dirs_exist_ok=True)

    monkeypatch.setattr("copyceiling.verify.recompute", copied)
    claim = read_claim(ROOT / "MANIFEST.json")
    entry = claim["studies"]["smoke"]["artefacts"]["scores/reader-lead"]
    entry["content_hash"] = entry["content_hash"][::-1]
    file = tmp_path / "MANIFEST.json"
    file.write_text(json.dumps(claim))
    lines, same = verify(STUDY, ROOT, file)
    text = "\n".join(lines)
    assert not same
    assert "first along the chain, scores/reader-lead differs from the claim" in text
    assert "copyceiling diff results/smoke/scores/reader-lead.parquet" in text
