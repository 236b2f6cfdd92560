"""Commands of the documentation that embed, typed in a clone, with stand-ins.

Embedding the texts of `go` again takes half an hour, and an encoder of a model hub takes a hub. So
the study that runs by default is the small one here, and the hub is a local server.
"""

import shutil
from pathlib import Path

import pytest
from copyceiling.artefacts.store import file_sha256
from copyceiling.embedding.files import checked_file
from copyceiling.embedding.spec import embedder_spec
from copyceiling.manifest import read_claim

from tests.conftest import ROOT
from tests.doc_commands import blocks, commands, inline
from tests.embedders import replace_encoder
from tests.model_hub import Hub, serving
from tests.reader import Reader, clone
from tests.test_embedding import SMALL, at_hand


def small_by_default(to: Path) -> Reader:
    """Return a reader whose clone takes the small study where no other is named."""
    at_hand(SMALL)
    reader = clone(to)
    studies = reader.folder / "config" / "studies"
    shutil.copy(studies / "smoke.yaml", studies / "go.yaml")
    return reader


def on_page(page: str, command: str) -> str:
    found = [*inline(ROOT / page), *(c for b in blocks(ROOT / page) for c in commands(b))]
    assert command in found, f"{page} has no such command any more"
    return command


def test_the_same_seed_gives_the_same_hashes_elsewhere(tmp_path: Path) -> None:
    """data/go: built once more under another environment, cosines measured and not replayed."""
    reader = small_by_default(tmp_path / "clone")
    reader.env |= {"PYTHONHASHSEED": "123", "TZ": "Asia/Tokyo", "LC_ALL": "C"}
    said = reader.type(on_page("data/go/README.md", "snakemake verify --config deep=true"))
    claim = read_claim(ROOT / "MANIFEST.json")["studies"]["smoke"]
    count = len(claim["artefacts"]) + sum(len(e["texts"]) for e in claim["artefacts"].values())
    assert f"all {count} artefacts and renderings as claimed" in said


def test_an_encoder_of_a_hub(tmp_path: Path) -> None:
    """docs/your-models.md: fetched at its commit; the files are those of the shipped encoder."""
    pytest.importorskip("huggingface_hub")
    reader = small_by_default(tmp_path / "clone")
    spec, shipped = embedder_spec("bge-small-en-v1.5"), embedder_spec(SMALL)
    repository, commit = spec.hub
    sent = {c: checked_file(shipped, c) for c in ("weights", "tokenizer")}
    files = {getattr(spec, c).removeprefix("hub:"): p.read_bytes() for c, p in sent.items()}
    declared = {f"{c}_sha256": file_sha256(p) for c, p in sent.items()}
    replace_encoder(reader.folder / "config" / "embedders.tsv", spec.name, declared)
    command = "snakemake rescore --config 'rescore={embedder: bge-small-en-v1.5, vectors: live}'"
    with serving(Hub(repository, commit, files)) as hub:
        reader.env |= {
            "HF_ENDPOINT": hub.address,
            "HF_HOME": str(tmp_path / "hub"),
            "COPYCEILING_MODELS": str(tmp_path / "weights"),
        }
        said = reader.type(on_page("docs/your-models.md", command))
        assert {line.rpartition("/resolve/")[2] for line in hub.asked if "/resolve/" in line} == {
            f"{commit}/{name}" for name in files
        }
    assert "cosine@0.90" in said and spec.name in said
