"""The controls of the smoke study, end to end: readers answer, rules judge."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from copyceiling.arms.asking import messages_of
from copyceiling.artefacts.arm_schemas import ARM_PROMPTS, REFERENCES
from copyceiling.artefacts.control_schemas import CONTROL_CELLS, CONTROLS_RECALL
from copyceiling.artefacts.judged_schemas import ANSWERS, BLOCK_EXPOSURE
from copyceiling.artefacts.paired_schemas import CONTRASTS, FLOW
from copyceiling.artefacts.schema import Schema
from copyceiling.artefacts.store import rows
from copyceiling.config import load_study, study_of
from copyceiling.errors import ConfigError
from copyceiling.rows.messages import read_messages

from tests.conftest import ROOT, SMOKE, snakemake

STUDY = load_study(ROOT / SMOKE)
ARMS, MODELS = STUDY["controls"]["arms"], STUDY["controls"]["models"]
Read = Any


@pytest.fixture(scope="session")
def read(smoke: Path) -> Read:
    """Reads an artefact of the smoke study by name."""

    def found(name: str, schema: Schema) -> list[dict[str, Any]]:
        return list(rows(smoke / f"{name}.parquet", schema))

    return found


def test_no_cell_is_lost_on_the_way(read: Read) -> None:
    cells = read("controls/cells", CONTROL_CELLS)
    assert len(cells) == STUDY["controls"]["questions"] * len(ARMS)
    lacking = Counter(c["arm"] for c in cells if c["status"] == "infeasible")
    assert lacking, "the study has cells that cannot be made"
    prompts = read("controls/prompts", ARM_PROMPTS)
    assert len(prompts) == len(cells) - lacking.total()
    assert len(read("controls/answers", ANSWERS)) == len(prompts) * len(MODELS)
    assert {r["question_id"] for r in read("controls/references", REFERENCES)} == {
        c["question_id"] for c in cells
    }
    for row in read("studies/flow_controls", FLOW):
        if row["set"] == "pooled":
            assert row["planned"] == STUDY["controls"]["questions"] * len(MODELS)
            assert row["planned"] - row["attempted"] == lacking[row["arm"]] * len(MODELS)
            assert row["n_unknown"] == 0


def test_raw_and_served_are_asked_as_in_the_sweep(read: Read, smoke: Path) -> None:
    sweep = read_messages(smoke / "scaffolds.parquet")
    shown = {"raw": "raw", "served": "scaffold"}
    for row in read("controls/prompts", ARM_PROMPTS):
        if row["arm"] in shown:
            assert messages_of(row) == sweep[row["question_id"]][shown[row["arm"]]]


def test_the_placebo_exposes_no_gold_and_the_mask_leaves_no_name(read: Read) -> None:
    made = [c for c in read("controls/cells", CONTROL_CELLS) if c["status"] == "made"]
    assert {c["n_gold_block"] for c in made if c["arm"] == "answer_disjoint"} == {0}
    assert {c["n_proxy_block_strict"] for c in made if c["arm"] == "masked"} == {0}
    assert all(c["n_gold_block"] == c["n_gold"] for c in made if c["arm"] == "shuffled")
    donors = Counter(c["block_sha256"] for c in made if c["arm"] == "irrelevant")
    assert max(donors.values()) <= STUDY["controls"]["reuse_cap"]


def test_exposure_of_the_proxy_is_recomputed_from_the_rows(read: Read) -> None:
    flow = {
        r["arm"]: r for r in read("studies/flow_controls", FLOW) if r["set"] == "pooled"
    }  # of either judge: what was shown does not hang on it
    for row in read("controls/block_exposure", BLOCK_EXPOSURE):
        stated = flow[row["arm"]]
        assert stated["exposure_from"] == "rows"
        assert stated["exposure_mean"] == pytest.approx(row["mean"])
        assert stated["blocks"] == row["n"] * len(MODELS)
    assert flow["raw"]["exposure_mean"] is None, "no block was shown"


def test_a_copy_has_no_gain_in_any_arm(read: Read) -> None:
    found = read("studies/controls_recall", CONTROLS_RECALL)
    copies = [r for r in found if r["model"] == "reader-copy" and r["n"]]
    assert copies and {r["gain"] for r in copies} == {0.0}
    pooled = {
        (r["first"], r["second"]): r
        for r in copies
        if (r["scope"], r["policy"], r["matcher"]) == ("pooled", "as_received", "paper")
    }
    assert pooled["true", "answer_disjoint"]["recall"] > 0
    assert pooled["answer_disjoint", "raw"]["recall"] == 0
    assert pooled["true", "shuffled"]["recall"] == 0


def test_the_tables_say_what_the_judges_are(read: Read, smoke: Path) -> None:
    cautions = {(r["judge"], r["caution"]) for r in read("studies/contrasts_controls", CONTRASTS)}
    assert {judge for judge, _ in cautions} == set(STUDY["controls"]["judges"])
    assert all(said and said.startswith("A RULE, NO MODEL") for _, said in cautions)
    for name in ("table7", "table7_flow"):
        text = (smoke / "tables" / f"{name}.md").read_text(encoding="utf-8")
        assert text.startswith("**A RULE, NO MODEL"), name
    judged_by_none = (smoke / "tables" / "table7_recall.md").read_text(encoding="utf-8")
    assert "judge-reference" not in judged_by_none
    assert "true - answer_disjoint" in judged_by_none


@pytest.mark.parametrize("form", ["splitter: released", "mask: released", "donors: greedy"])
def test_another_form_makes_the_plan_again(smoke: Path, form: str) -> None:
    given = ("--config", f"results={smoke}", f"controls={{{form}}}")
    done = snakemake("--configfile", SMOKE, "-n", *given, "--", "table7")
    assert done.returncode == 0, done.stderr[-2000:]
    assert "build_controls" in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("setting", "field"),
    [
        ("splitter: words", "controls.splitter"),
        ("reuse_cap: 0", "controls.reuse_cap"),
        ("arms: [raw, placebo]", "controls.arms.1"),
        ("arms: [raw]", "controls.arms"),
        ("length_tolerance: 1", "controls.length_tolerance"),
        ("exposure_ceiling: 2", "controls.exposure_ceiling"),
        ("mask: none", "controls.mask"),
        ("donors: 3", "controls.donors"),
        ("donor: greedy", "controls"),
        ("source: calls, models: null", "controls.models"),
    ],
)
def test_a_wrong_setting_is_named(setting: str, field: str) -> None:
    with pytest.raises(ConfigError, match=rf"field '{field}'"):
        study_of([ROOT / SMOKE], [f"controls={{{setting}}}"])
