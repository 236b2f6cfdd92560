"""Frozen cosines against the encoder itself: the smoke study, embedded again."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from copyceiling.artefacts.rescore_schemas import COSINES
from copyceiling.artefacts.store import describe, read, rows, write, write_sums
from copyceiling.config import load_study
from copyceiling.errors import ArtefactError
from copyceiling.manifest import chain_order, frozen_files, read_claim
from copyceiling.verify import verify

from tests.conftest import ROOT, SMOKE, snakemake
from tests.test_embedding import SMALL, at_hand

STUDY = load_study(ROOT / SMOKE)
FILE = Path("vectors") / f"{SMALL}.parquet"


def moved(folder: Path, by: int) -> Path:
    """Copy the frozen inputs with one cosine moved by so many ten-thousandths, and listed so."""
    frozen = Path(shutil.copytree(ROOT / STUDY["frozen"], folder / f"frozen{by}"))
    found: list[dict[str, Any]] = rows(frozen / FILE, COSINES)
    found[3]["cosine"] -= by
    write(frozen / FILE, found, COSINES, describe(frozen / FILE)["provenance"])
    write_sums(frozen)
    return frozen


def test_cosines_embedded_again_are_the_frozen_ones(smoke: Path, tmp_path: Path) -> None:
    """Also where one lies a ten-thousandth beside: on an edge a machine may go either way."""
    at_hand(SMALL)
    results = Path(shutil.copytree(smoke, tmp_path / "results"))
    target = f"{results}/rescore/cosines.parquet"
    frozen = moved(tmp_path, 1)
    done = snakemake(
        *(target, "--configfile", SMOKE, "--allowed-rules", "measure_cosines", "--config"),
        *(f"results={results}", f"frozen={frozen}", "deep=true"),
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert read(Path(target), COSINES).equals(read(frozen / FILE, COSINES))
    assert describe(Path(target))["provenance"]["params"]["how"] == "deep"


def test_a_planted_difference_fails_a_deep_verify(tmp_path: Path) -> None:
    """Though file, sums and claim agree with one another, the encoder does not."""
    at_hand(SMALL)
    frozen = moved(tmp_path, 3)  # two at least, where a machine goes the other way on an edge
    claim = read_claim(ROOT / "MANIFEST.json")
    claim["studies"]["smoke"]["frozen"] = frozen_files(frozen)
    file = tmp_path / "MANIFEST.json"
    file.write_text(json.dumps(claim), encoding="utf-8")
    cosine = rows(frozen / FILE, COSINES)[3]["cosine"]
    # No other part is built; the re-score is, and stops the run before anything is compared.
    parts = ("audit", "controls", "judging", "paraphrase", "production", "seeds", "wrappers")
    study = {**STUDY, **dict.fromkeys(parts), "frozen": str(frozen), "deep": True}
    with pytest.raises(ArtefactError) as e:
        verify(study, ROOT, file)
    assert "1 of 274 frozen cosines (in 1/10000) are not what this machine measures" in str(e.value)
    assert f": frozen {cosine}, found {str(cosine + 3)[:-1]}" in str(e.value)


def test_cosines_stand_before_what_rests_on_them() -> None:
    names = ["tables/rescore", "studies/rescore", "rescore/items", "rescore/cosines", "scores/m"]
    assert sorted(names, key=chain_order) == names[::-1]
