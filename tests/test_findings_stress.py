"""The pages on rewriting and on seeds say what the study `go` gives, number by number."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from copyceiling.artefacts.store import rows
from copyceiling.artefacts.stress_schemas import (
    ARM_EXPOSURE,
    REWRITING,
    SEEDS_STUDY,
    SIGNALS,
    STRESS,
    STRESS_ATTEMPTS,
    STRESS_REWRITES,
)
from copyceiling.render import interval, number

from tests.conftest import ROOT

PARAPHRASE, SEEDS = (
    (ROOT / "docs" / "findings" / f"{name}.md").read_text(encoding="utf-8")
    for name in ("paraphrase", "seeds")
)


@pytest.fixture(scope="module")
def results(go_clone: Path) -> Path:
    return go_clone / "results" / "go"


def table(page: str, head: str) -> dict[str, list[str]]:
    """Return the rows of the table whose first heading is given, by their first cell."""
    lines = page.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(f"| {head} |"))
    found = {}
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        first, *others = (cell.strip() for cell in line.strip().strip("|").split("|"))
        found[first] = others
    return found


def test_the_table_of_arms(results: Path) -> None:
    read = rows(results / "studies/stress.parquet", STRESS)
    at = {(r["scope"], r["version"], r["arm"]): r for r in read if r["matcher"] == "paper"}
    shown = table(PARAPHRASE, "Retrieval")
    assert list(shown) == [a for a in shown if ("held_out", "original", a) in at]

    def moved(row: dict[str, Any]) -> str:
        return f"{number('difference', signed=True)(row)} {interval('difference_domain')(row)}"

    for arm, cells in shown.items():
        asked, said = (at["held_out", v, arm] for v in ("original", "rewritten"))
        expected = [number("ceiling")(asked), number("ceiling")(said)]
        expected += ["", ""] if arm == "lexical" else [moved(said), moved(asked)]
        expected += [
            "" if r["fired"] is None else f"{100 * r['fired']:.1f} %" for r in (asked, said)
        ]
        assert cells == expected, arm
    for scope, cells in table(PARAPHRASE, "Rewrites").items():
        arms = ("lexical", "semantic", "semantic_titles", "fused", "absence")
        found = [at[scope, "rewritten", arm] for arm in arms]
        assert cells == [str(found[0]["n"]), *(number("ceiling")(r) for r in found)]
    assert at["held_out", "original", "lexical"]["n"] == 146
    everything = [at["all", v, "lexical"]["ceiling"] for v in ("original", "rewritten")]
    assert [f"{x:.3f}" for x in everything] == ["0.996", "0.074"]
    thresholds = [
        at["held_out", "original", f"hybrid_{g}"]["threshold"]
        for g in ("disagreement", "confidence")
    ]
    assert thresholds == [6.0, 28.25]


def test_what_is_said_of_the_rewrites(results: Path) -> None:
    read = rows(results / "studies/rewriting.parquet", REWRITING)
    own = [r for r in read if r["rewriter"] == "synonyms"]
    counted = {(r["measure"], r["value"]): r["count"] for r in own}
    assert counted["ending", "accepted"] == 290 and counted["attempts", "0"] == 72
    tried = rows(results / "stress/attempts.parquet", STRESS_ATTEMPTS)
    assert sum(bool(r["text"]) and bool(r["reasons"]) for r in tried) == 5
    accepted = [r for r in tried if not r["reasons"]]
    assert Counter(r["attempt"] for r in accepted) == {1: 290}
    assert sum("ribosomal RNA" in r["text"] for r in accepted) == 4
    seen = rows(results / "stress/signals.parquet", SIGNALS)
    subjects = {r["question_id"]: set(r["subjects"]) for r in seen if r["version"] == "rewritten"}
    fused = [
        subjects[r["question_id"]] <= set(r["seeds"])
        for r in rows(results / "stress/exposure.parquet", ARM_EXPOSURE)
        if (r["version"], r["arm"]) == ("rewritten", "fused")
    ]
    assert 1 / 9 < sum(fused) / len(fused) < 1 / 7, "one question in eight"
    glossary = (ROOT / "config" / "glossaries" / "go.tsv").read_text(encoding="utf-8")
    assert len(glossary.splitlines()) - 1 == 225


def test_what_the_hybrid_costs(results: Path) -> None:
    read = rows(results / "studies/stress.parquet", STRESS)
    at = {
        (r["version"], r["arm"]): r
        for r in read
        if (r["scope"], r["matcher"]) == ("held_out", "paper")
    }
    asked, said = (at[v, "hybrid_disagreement"] for v in ("original", "rewritten"))
    text, tokens = " ".join(PARAPHRASE.split()), number("tokens", 0)
    assert asked["n_better"] == 0
    assert f"{asked['n_worse']} of {asked['n']} original questions lose gold and none" in text
    assert f"the mean falling by {-asked['difference']:.3f};" in text
    lexical = [tokens(at[v, "lexical"]) for v in ("original", "rewritten")]
    assert f"blocks of {tokens(asked)} tokens on originals ({lexical[0]} under" in text
    assert f"of {tokens(said)} on rewrites ({lexical[1]}, for" in text


def test_models_that_rewrite(results: Path) -> None:
    read = rows(results / "studies/rewriting.parquet", REWRITING)
    shown = table(PARAPHRASE, "Rewriter")
    assert set(shown) == {r["rewriter"] for r in read} - {"synonyms"}
    for name, cells in shown.items():
        mine = [r for r in read if r["rewriter"] == name]
        counted = {(r["measure"], r["value"]): r["count"] for r in mine}
        tried = rows(results / f"stress/trials/{name}/attempts.parquet", STRESS_ATTEMPTS)
        ends = [counted["ending", end] for end in ("accepted", "rejected")]
        kinds = [counted["reason", k] for k in ("title_word", "gold_words", "no_text")]
        assert cells == [str(n) for n in (sum(ends), *ends, len(tried), *kinds)]
        assert sum(ends) == 12 and counted["ending", "error"] == 0
        if name == "qwen2.5-coder-0.5b":
            texts = {(a["question_id"], a["text"]) for a in tried}
            assert f"{len(texts)} different texts in {len(tried)}" in " ".join(PARAPHRASE.split())
        assert all(a["reasons"] or a["verdict"].upper().startswith("YES") for a in tried)
    accepted = [
        r["text"]
        for r in rows(results / "stress/trials/smollm2-135m/rewrites.parquet", STRESS_REWRITES)
        if r["text"] is not None
    ]
    assert "The answer to this question is that the gene ontology is empty." in accepted
    assert not any(text.endswith("?") for text in accepted), "no question among them"


def test_the_table_of_seeds(results: Path) -> None:
    read = rows(results / "studies/seeds.parquet", SEEDS_STUDY)
    at = {
        " = ".join(filter(None, (r["axis"], r["setting"]))): r
        for r in read
        if (r["measure"], r["matcher"]) == ("ceiling", "paper")
    }
    shown = table(SEEDS, "Setting")
    assert len(shown) == 6 and shown.keys() <= at.keys()
    for setting, cells in shown.items():
        row = at[setting]
        own = f"{number('study')(row)} {interval('study_domain', signed=False)(row)}"
        assert cells == [
            number("mean")(row),
            number("sd", 4)(row),
            number("min")(row),
            number("max")(row),
            own,
            f"{row['inside']} of 19",
        ]
