"""Snakemake's own report: what is marked for it, and what its file says of the smoke study."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import ROOT, SMOKE, snakemake

CAPTIONS = ROOT / "rules" / "captions"
_TAGS = re.compile(r"<[^>]+>")


def held(page: str, name: str) -> Any:
    """Return what a script of the report's file assigns: JSON after ``var <name> =``."""
    # The libraries in the file have variables of such names as well, before the data.
    *_, place = re.finditer(rf'var {name} =\s*(?=[{{"])', page)
    return json.JSONDecoder().raw_decode(page, place.end())[0]


def words(html: str) -> str:
    """Return a caption without its markup, in one line."""
    return " ".join(_TAGS.sub("", html).split())


@pytest.fixture(scope="module")
def page(smoke: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The report that Snakemake makes of Table 4 of the smoke study."""
    path = tmp_path_factory.mktemp("snakemake-report") / "x.html"
    where = ("--configfile", SMOKE, "--config", f"results={smoke}")
    done = snakemake("--report", str(path), "table4", *where)
    assert done.returncode == 0, done.stderr[-3000:]
    return path.read_text(encoding="utf-8")


def test_the_table_stands_in_its_category_under_its_caption(page: str, smoke: Path) -> None:
    path = f"{smoke}/tables/table4.html"
    assert path in held(page, "categories")["Tables"]["Other"]
    found = held(page, "results")[path]
    title = yaml.safe_load((ROOT / SMOKE).read_text(encoding="utf-8"))["title"]
    said = words(found["caption"])
    assert said.startswith(f"Table table4 of {title}. copyceiling show table4 prints the same")
    assert found["labels"] == {"table": "table4"} and found["job_properties"]["rule"]
    assert "{{" not in said and "snakemake.params" not in said


def test_it_says_what_the_workflow_is_for(page: str) -> None:
    said = words(held(page, "workflow_desc"))
    assert "How much of a grounded model's recall is merely exposed to it" in said
    assert "corpus, questions, scaffolds, completions, scores, studies, tables" in said
    assert "snakemake verify" in said and "{{" not in said


def test_every_caption_is_used_and_every_one_used_is_there() -> None:
    rules = "".join(
        path.read_text(encoding="utf-8")
        for path in [ROOT / "Snakefile", *sorted((ROOT / "rules").glob("*.smk"))]
    )
    marked = re.findall(r'captions/(\w+)\.rst"', rules)
    reported = re.findall(r'"(?:svg|html)",\s*"(?:Figures|Tables)",\s*"(\w+)"', rules)
    assert rules.count("**reported(") == len(reported), "each mark is found here"
    assert {*marked, *reported} == {path.stem for path in CAPTIONS.glob("*.rst")}


def test_captions_name_nothing_that_only_some_studies_have() -> None:
    """They are shown for every study, one with released rows and no answers among them."""
    for path in CAPTIONS.glob("*.rst"):
        text = path.read_text(encoding="utf-8")
        named = set(re.findall(r"{{\s*([\w.]+)\s*}}", text))
        assert named <= {"snakemake.params.title", "snakemake.wildcards.table"}, path.name
        assert "answers behind" not in text, "released scores come without answers"
