"""The crate of a study: valid for a public validator, complete, true to its files, repeatable."""

import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
import rocrate
from copyceiling.artefacts.schemas import QUESTIONS
from copyceiling.artefacts.store import describe, rows, write
from copyceiling.config import load_study
from copyceiling.crate import build_crate
from copyceiling.crate.history import read_jobs
from copyceiling.crate.people import author_entity, licence_entity, read_citation
from copyceiling.crate.whole import check_whole, claimed_names
from copyceiling.errors import ArtefactError, ConfigError
from rocrate_validator import services
from rocrate_validator.models import Severity, ValidationSettings
from rocrate_validator.utils.http import HttpRequester

from tests.conftest import ROOT, SMOKE

# What RO-Crate 1.1's own context says otherwise than the newer one that the package `rocrate`
# carries. Source: researchobject.org/ro-crate, specification 1.1, context.jsonld.
OF_1_1 = {
    "ComputationalWorkflow": "https://bioschemas.org/ComputationalWorkflow",
    "FormalParameter": "https://bioschemas.org/FormalParameter",
    "input": "https://bioschemas.org/ComputationalWorkflow#input",
    "output": "https://bioschemas.org/ComputationalWorkflow#output",
}
# Recommended, and left out on purpose: a run's time and person are nowhere recorded, so that equal
# inputs give equal bytes; scripts have no address of their own, nor has the project.
LEFT_OUT = {
    "The Action SHOULD have an endTime in ISO 8601 format",
    "The Action SHOULD have an agent that is a Person or Organization",
    "The SoftwareApplication id SHOULD be an absolute URI",
    "The Application SHOULD have a url",
    "The organization SHOULD have a URL.",
}


def study_in(results: Path) -> dict[str, Any]:
    return {**load_study(ROOT / SMOKE), "results": str(results)}


def ends(results: Path) -> list[Path]:
    return [p for f in ("tables", "figures") for p in sorted((results / f).iterdir())]


@pytest.fixture(scope="module")
def crate(smoke: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("crate") / "crate.zip"
    build_crate(ROOT, study_in(smoke), ends(smoke), path)
    return path


@pytest.fixture(scope="module")
def graph(crate: Path) -> dict[str, dict[str, Any]]:
    with zipfile.ZipFile(crate) as archive:
        document = json.loads(archive.read("ro-crate-metadata.json"))
    found = {entity["@id"]: entity for entity in document["@graph"]}
    assert len(found) == len(document["@graph"]), "no entity stands twice"
    return found


class Answer:
    """The one document that the validator asks the network for, from an installed package."""

    status_code = 200
    ok = True

    def __init__(self) -> None:
        self.headers = {"Content-Type": "application/ld+json"}
        carried = Path(rocrate.__file__).parent / "data" / "ro-crate.jsonld"
        document = json.loads(carried.read_text(encoding="utf-8"))
        document["@context"] |= OF_1_1
        self.text = json.dumps(document)

    def json(self) -> Any:
        return json.loads(self.text)


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, Any]:
    answer, asked = Answer(), set()

    def get(_: object, url: str, *__: object, **___: object) -> Answer:
        asked.add(url)
        return answer

    monkeypatch.setattr(HttpRequester, "get", get, raising=False)
    monkeypatch.setattr(HttpRequester, "head", get, raising=False)
    return {"offline": True, "cache_path": tmp_path / "http", "asked": asked}


def issues(crate: Path, profile: str, offline: dict[str, Any], severity: Severity) -> list[Any]:
    settings = ValidationSettings(
        rocrate_uri=str(crate),
        profile_identifier=profile,
        requirement_severity=severity,
        offline=True,
        cache_path=offline["cache_path"],
        abort_on_first=False,
    )
    found = list(services.validate(settings).get_issues())
    assert offline["asked"] == {"https://w3id.org/ro/crate/1.1/context"}
    return found


@pytest.mark.parametrize("profile", ["workflow-run-crate", "provenance-run-crate"])
def test_it_passes_the_public_validator(crate: Path, offline: dict[str, Any], profile: str) -> None:
    assert [i.message for i in issues(crate, profile, offline, Severity.REQUIRED)] == []


def test_what_is_recommended_and_left_out_is_left_out_on_purpose(
    crate: Path, offline: dict[str, Any]
) -> None:
    found = issues(crate, "provenance-run-crate", offline, Severity.RECOMMENDED)
    assert {i.message for i in found} <= LEFT_OUT


def test_the_validator_sees_a_crate_that_is_not_whole(
    crate: Path, offline: dict[str, Any], tmp_path: Path
) -> None:
    broken = tmp_path / "broken.zip"
    with zipfile.ZipFile(crate) as old, zipfile.ZipFile(broken, "w") as new:
        for info in old.infolist():
            if info.filename != "Snakefile":
                new.writestr(info, old.read(info))
    found = issues(broken, "workflow-run-crate", offline, Severity.REQUIRED)
    assert any("Snakefile" in i.message for i in found)


def test_every_file_is_described_and_is_what_is_said_of_it(
    crate: Path, graph: dict[str, dict[str, Any]]
) -> None:
    with zipfile.ZipFile(crate) as archive:
        names = [n for n in archive.namelist() if not n.endswith("/")]
        data = {n: archive.read(n) for n in names}
    folders = tuple(n for n, e in graph.items() if e["@type"] == "Dataset" and n != "./")
    described = {n for n in graph if n in data}
    assert {n for n in names if n not in described} <= {n for n in names if n.startswith(folders)}
    for name in described - {"ro-crate-metadata.json", "SHA256SUMS"}:
        assert graph[name]["sha256"] == hashlib.sha256(data[name]).hexdigest(), name
        assert graph[name]["contentSize"] == str(len(data[name]))
    sums = dict(reversed(line.split("  ")) for line in data["SHA256SUMS"].decode().splitlines())
    assert sums == {
        n: hashlib.sha256(d).hexdigest()
        for n, d in data.items()
        if n not in ("SHA256SUMS", "ro-crate-metadata.json")
    }


def test_artefacts_bear_their_content_hash_and_the_licence_of_the_corpus(
    smoke: Path, graph: dict[str, dict[str, Any]]
) -> None:
    table = graph["results/smoke/tables/table4.parquet"]
    stated = describe(smoke / "tables" / "table4.parquet")
    assert table["identifier"] == f"content-hash:{stated['content_hash']}"
    assert graph[table["license"]["@id"]]["name"] == "Apache-2.0"
    assert graph["#corpus"]["name"] == "bakery, 1"


def as_list(value: Any) -> list[str]:
    return [v["@id"] for v in (value if isinstance(value, list) else [value])]


def test_provenance_leads_from_a_table_to_the_corpus(graph: dict[str, dict[str, Any]]) -> None:
    made_by = {
        result: action
        for action in graph.values()
        if action["@type"] == "CreateAction" and action["@id"] != "#study"
        for result in as_list(action["result"])
    }
    assert all(e["@id"] in graph for a in made_by.values() for e in [a["instrument"]])
    seen, waiting, rules = set(), ["results/smoke/tables/table4.csv"], set()
    while waiting:
        name = waiting.pop()
        if name in made_by and name not in seen:
            action = made_by[name]
            rules.add(action["name"].split(":")[0])
            waiting.extend(as_list(action["object"]))
        seen.add(name)
    assert "#corpus" in seen
    assert any(name.startswith("data/smoke/calls/") for name in seen)
    assert {"read_corpus", "build_questions", "score_answers", "analyse_sweep"} <= rules
    assert "draw_figure3" not in rules


def test_jobs_are_those_that_the_artefacts_name(smoke: Path) -> None:
    jobs = read_jobs(smoke, ROOT / "data" / "smoke", ends(smoke))
    scoring = [job for job in jobs if job.rule == "score_answers"]
    assert len(scoring) == len(load_study(ROOT / SMOKE)["sweep"]["models"])
    assert {p.parent.name for job in scoring for p in job.outputs} == {"items", "scores"}
    assert not [job.unknown for job in jobs if job.unknown]


def test_what_leads_nowhere_is_left_out(smoke: Path, tmp_path: Path) -> None:
    jobs = read_jobs(smoke, ROOT / "data" / "smoke", [smoke / "tables" / "confusion.parquet"])
    assert [job.rule for job in jobs] == ["read_corpus", "census_confusion", "build_table"]


def test_of_two_artefacts_with_one_content_the_named_one_is_meant(
    smoke: Path, tmp_path: Path
) -> None:
    questions = rows(smoke / "questions.parquet", QUESTIONS)
    made = describe(smoke / "questions.parquet")["provenance"]
    for name in ("a", "questions", "z"):
        digest = write(tmp_path / f"{name}.parquet", questions, QUESTIONS, {**made, "rule": name})
    end = {**made, "rule": "end", "inputs": {"questions": digest, "gone": "0" * 64}}
    write(tmp_path / "end.parquet", questions[:1], QUESTIONS, end)
    jobs = read_jobs(tmp_path, tmp_path / "none", [tmp_path / "end.parquet"])
    (job,) = [job for job in jobs if job.rule == "end"]
    assert job.inputs == (tmp_path / "questions.parquet",)
    assert job.unknown == (("gone", "0" * 64),)


def test_the_same_results_give_the_same_bytes(smoke: Path, crate: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.zip"
    build_crate(ROOT, study_in(smoke), list(reversed(ends(smoke))), again)
    assert again.read_bytes() == crate.read_bytes()
    assert (
        str(smoke)
        not in zipfile.ZipFile(io.BytesIO(again.read_bytes())).read("study.yaml").decode()
    )


def test_unpacked_it_is_a_workflow_that_can_be_run(crate: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(crate) as archive:
        archive.extractall(tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "--configfile", "study.yaml", "--dry-run", "table4"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "scripts")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "This was a dry-run" in done.stderr or "Nothing to be done" in done.stderr


def test_a_missing_table_is_named(smoke: Path, tmp_path: Path) -> None:
    with pytest.raises(ArtefactError, match="table99"):
        build_crate(ROOT, study_in(smoke), [smoke / "tables" / "table99.parquet"], tmp_path / "c")


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("scores/reader-lead", {"score_answers"}),  # other models have theirs
        ("judged/calibration_calls/judge-obeys", {"judge_calibration"}),  # nobody reads it
        ("studies/sweep", {"build_table", "draw_figure3", "summarise_study"}),
    ],
)
def test_a_missing_artefact_is_named_and_no_crate_is_written(
    smoke: Path, tmp_path: Path, name: str, rules: set[str]
) -> None:
    results = tmp_path / "results"
    shutil.copytree(smoke, results)
    digest = describe(results / f"{name}.parquet")["content_hash"]
    (results / f"{name}.parquet").unlink()
    jobs = read_jobs(results, ROOT / "data" / "smoke", ends(results))
    with pytest.raises(ArtefactError, match="the study is not whole") as e:
        check_whole(jobs, results, {digest: name})
    assert f"- {name}.parquet: " in str(e.value)
    (command,) = re.findall(r"snakemake crate --forcerun (.*)", str(e.value))
    assert set(command.split(" --")[0].split()) <= rules
    with pytest.raises(ArtefactError, match="the study is not whole"):
        build_crate(ROOT, study_in(results), ends(results), tmp_path / "crate.zip")
    assert not (tmp_path / "crate.zip").exists()


def test_an_artefact_that_no_manifest_claims_is_named_by_who_reads_it(
    smoke: Path, tmp_path: Path
) -> None:
    results = tmp_path / "results"
    shutil.copytree(smoke, results)
    (results / "exposure.parquet").unlink()
    jobs = read_jobs(results, ROOT / "data" / "smoke", ends(results))
    with pytest.raises(ArtefactError, match="read by score_answers") as e:
        check_whole(jobs, results, {})
    assert "input 'exposure' of " in str(e.value) and "git checkout" not in str(e.value)
    assert claimed_names(tmp_path / "none.json", "smoke") == {}


def test_people_dates_and_licences(tmp_path: Path) -> None:
    citation = read_citation(ROOT / "CITATION.cff")
    assert citation.authors and citation.licence["name"] == "Apache-2.0"
    person = {"given-names": "Ada", "family-names": "Byron", "affiliation": "Mill",
              "orcid": "https://orcid.org/0000-0002-1825-0097"}  # fmt: skip
    assert author_entity(person) == {
        "@id": person["orcid"],
        "@type": "Person",
        "name": "Ada Byron",
        "affiliation": "Mill",
    }
    assert author_entity({"name": "The Mill"})["@type"] == "Organization"
    assert licence_entity("CC BY 4.0")["@id"] == "https://creativecommons.org/licenses/by/4.0/"
    assert licence_entity("by hand, (c) us")["@id"] == "#licence-by-hand-c-us"
    bad = tmp_path / "CITATION.cff"
    bad.write_text("title: a\nversion: 1\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="lacks date-released, license, authors"):
        read_citation(bad)
