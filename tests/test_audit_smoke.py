"""The audit of the smoke study, end to end: rules judge, nobody labels, nothing is omitted."""

from pathlib import Path

from copyceiling.annotate.files import write_labels
from copyceiling.annotate.labelling import Label, roles_of
from copyceiling.artefacts.audit_schemas import AUDIT_CONFUSION, AUDIT_FRAME, AUDIT_RATES
from copyceiling.artefacts.audit_unit_schemas import (
    AUDIT_HUMAN,
    AUDIT_JUDGING,
    AUDIT_SAMPLE,
    AUDIT_UNITS,
)
from copyceiling.artefacts.judged_schemas import VERDICTS
from copyceiling.artefacts.omitted_schemas import OMITTED, OMITTED_HITS
from copyceiling.artefacts.store import rows
from copyceiling.audit.human import NOBODY
from copyceiling.audit.sampling import DRAWN
from copyceiling.render import markdown
from copyceiling.tables.audit_judging import human, human_table_rows

TABLES = ("table3", "audit_rates", "audit_corrected", "audit_mechanisms", "audit_judging")
JUDGES = ("judge-lenient", "judge-reference")


def test_the_sample_is_drawn_and_judged_whole(smoke: Path) -> None:
    sample = rows(smoke / "audit" / "sample.parquet", AUDIT_SAMPLE)
    shown = rows(smoke / "audit" / "units.parquet", AUDIT_UNITS)
    assert len(sample) == len(shown) == 40 and sum(u["on_sheet"] for u in shown) == 12
    verdicts = rows(smoke / "audit" / "verdicts.parquet", VERDICTS)
    units = {(r["part"], r["unit_id"]) for r in sample}
    for judge in JUDGES:
        for form in ("ours", "hinted"):
            own = [r for r in verdicts if (r["judge"], r["form"]) == (judge, form)]
            assert {(r["part"], r["unit_id"]) for r in own} == units
    frame = rows(smoke / "studies" / "audit_frame.parquet", AUDIT_FRAME)
    whole = {
        r["category"]: r for r in frame if (r["model"], r["template"]) == ("(pooled)", "(all)")
    }
    assert sum(whole[name]["n_sampled"] for name in DRAWN) == 40
    assert all(row["source"] == "rows" for row in whole.values())


def test_the_analyses_keep_judges_apart(smoke: Path) -> None:
    counted = rows(smoke / "studies" / "audit_confusion.parquet", AUDIT_CONFUSION)
    labels = [r for r in counted if (r["field"], r["form"]) == ("label", "ours")]
    for judge in JUDGES:
        assert sum(r["n"] for r in labels if r["judge"] == judge) == 40
    rates = rows(smoke / "studies" / "audit.parquet", AUDIT_RATES)
    assert {r["judge"] for r in rates} == set(JUDGES)
    assert {r["k"] for r in rates if r["judge"] == JUDGES[1]} == {0}
    assert {r["n"] for r in rates if r["judge"] == JUDGES[1]} == {0}, "no verdict is no zero"
    assert any(r["share"] for r in rates if r["judge"] == JUDGES[0])
    went = rows(smoke / "studies" / "audit_judging.parquet", AUDIT_JUDGING)
    ended = {(r["judge"], r["form"], r["n_graded"], r["n_unparsed"]) for r in went}
    assert ended == {
        (judge, form, *ends)
        for judge, ends in zip(JUDGES, ((40, 0), (0, 40)), strict=True)
        for form in ("ours", "hinted")
    }


def test_every_judged_table_says_what_its_judges_are(smoke: Path) -> None:
    for name in TABLES:
        text = (smoke / "tables" / f"{name}.md").read_text(encoding="utf-8")
        for judge in JUDGES:
            assert f"A RULE, NO MODEL: judge '{judge}'" in text.splitlines()[0], name
        assert name == "audit_judging" or "form hinted" not in text, "an ablation is no headline"


def test_without_labels_the_table_says_so(smoke: Path) -> None:
    found = rows(smoke / "studies" / "audit_human.parquet", AUDIT_HUMAN)
    assert {(r["annotator"], r["n_sheet"], r["value"]) for r in found} == {(NOBODY, 12, None)}
    text = (smoke / "tables" / "audit_human.md").read_text(encoding="utf-8")
    assert "No human labels" in text


def test_the_bakery_omits_nothing_and_the_table_says_that_too(smoke: Path) -> None:
    found = rows(smoke / "studies" / "omitted.parquet", OMITTED)
    assert {(r["n"], r["raw_share"], r["difference"]) for r in found} == {(0, None, None)}
    hits = rows(smoke / "studies" / "omitted_hits.parquet", OMITTED_HITS)
    assert {r["n_hits"] for r in hits} == {0}
    text = (smoke / "tables" / "omitted.md").read_text(encoding="utf-8")
    assert "There are 0 slots over all models: too few" in text


def test_labels_that_come_in_are_compared_with_every_judge(smoke: Path, tmp_path: Path) -> None:
    """One person takes over what the first judge said, but for one unit."""
    import compare_judges
    import read_labels

    units = rows(smoke / "audit" / "units.parquet", AUDIT_UNITS)
    sample = rows(smoke / "audit" / "sample.parquet", AUDIT_SAMPLE)
    codes = {r["code"]: r["unit_id"] for r in sample}
    verdicts = rows(smoke / "audit" / "verdicts.parquet", VERDICTS)
    main = [r for r in verdicts if (r["judge"], r["form"]) == (JUDGES[0], "ours")]
    said = {r["unit_id"]: r["label"] for r in main}
    on_sheet = [u for u in units if u["on_sheet"]]
    labels = {u["code"]: Label(said[codes[u["code"]]], roles_of(u)[0]) for u in on_sheet}
    labels[on_sheet[0]["code"]] = Label("negated", roles_of(on_sheet[0])[0])
    write_labels(tmp_path / "reader-1.csv", labels)
    read_labels.main(
        units=smoke / "audit" / "units.parquet",
        labels=[tmp_path / "reader-1.csv"],
        label_rows=tmp_path / "labels.parquet",
        made={},
    )
    compare_judges.main(
        sample=smoke / "audit" / "sample.parquet",
        units=smoke / "audit" / "units.parquet",
        verdicts=smoke / "audit" / "verdicts.parquet",
        judgements=[smoke / "judged" / "audit" / f"{judge}.parquet" for judge in JUDGES],
        labels=tmp_path / "labels.parquet",
        frame=smoke / "studies" / "audit_frame.parquet",
        card=[smoke / "studies" / "calibration.parquet"],
        judging=tmp_path / "judging.parquet",
        human=tmp_path / "human.parquet",
        judges=JUDGES,
        rules=JUDGES,
        level=0.95,
        made={},
    )
    found = rows(tmp_path / "human.parquet", AUDIT_HUMAN)
    agreed = {(r["judge"], r["form"]): r for r in found if r["measure"] == "agreement on label"}
    assert agreed[JUDGES[0], "ours"]["k"] == 11 and agreed[JUDGES[0], "ours"]["n"] == 12
    assert set(agreed) == {(judge, form) for judge in JUDGES for form in ("ours", "hinted")}
    assert {agreed[JUDGES[1], form]["n"] for form in ("ours", "hinted")} == {0}
    text = markdown(human(human_table_rows(found, ""), "S", "", 0.95))
    assert "kappa on label" in text and "No human labels" not in text
