"""Encoder files from a model hub: a local server that behaves, and misbehaves, as one."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from copyceiling.embedding.files import checked_file
from copyceiling.embedding.spec import TABLE, EmbedderSpec, embedder_spec, load_embedders
from copyceiling.errors import ConfigError, EmbeddingError

from tests.embedders import made_spec
from tests.model_hub import Hub, serving

hub = pytest.importorskip("huggingface_hub", reason="huggingface_hub is not installed")

COMMIT = "c0ffee" * 6 + "c0ff"
FILE, WEIGHTS = "onnx/model.onnx", b"these are weights" * 1000


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hub]:
    """A hub, and a library that knows no other; its cache and our folder of weights are empty."""
    found = Hub("owner/encoder", COMMIT, {FILE: WEIGHTS})
    template = f"{found.address}/{{repo_id}}/resolve/{{revision}}/{{filename}}"
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", found.address)
    monkeypatch.setattr("huggingface_hub.constants.HUGGINGFACE_CO_URL_TEMPLATE", template)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    monkeypatch.setattr("time.sleep", lambda seconds: None)  # between tries of the library
    monkeypatch.setenv("COPYCEILING_MODELS", str(tmp_path / "weights"))
    with serving(found):
        yield found


def files(server: Hub) -> list[str]:
    """Return the requests for files; the library asks for things of its own as well."""
    return [line for line in server.asked if "/resolve/" in line]


def hub_spec(**fields: object) -> EmbedderSpec:
    given: dict[str, object] = {
        "weights": f"hub:{FILE}",
        "weights_sha256": hashlib.sha256(WEIGHTS).hexdigest(),
        "revision": f"owner/encoder {COMMIT}",
        "get": "hf download owner/encoder onnx/model.onnx",
    }
    return made_spec(**{**given, **fields})


def test_a_file_is_had_at_its_commit_once(server: Hub) -> None:
    path = checked_file(hub_spec(), "weights")
    assert path.read_bytes() == WEIGHTS
    asked = files(server)
    assert asked and all(f"/resolve/{COMMIT}/" in line for line in asked)
    assert checked_file(hub_spec(), "weights") == path
    assert files(server) == asked, "a commit does not move, so its file is not asked for again"


def test_a_file_put_in_place_by_hand_is_taken_without_a_network(
    server: Hub, tmp_path: Path
) -> None:
    place = tmp_path / "weights" / "encoder" / "onnx" / "model.onnx"
    place.parent.mkdir(parents=True)
    place.write_bytes(WEIGHTS)
    assert checked_file(hub_spec(), "weights") == place
    assert files(server) == []


def test_other_bytes_than_the_declared_are_refused(server: Hub) -> None:
    server.files[FILE] = WEIGHTS[:-1] + b"!"
    with pytest.raises(EmbeddingError, match=r"has sha256 (?s:.*)declared is .*hf download"):
        checked_file(hub_spec(), "weights")


@pytest.mark.parametrize("behaviour", ["forbid", "break", "hang up"])
def test_a_hub_that_fails_ends_with_what_to_do(server: Hub, behaviour: str, tmp_path: Path) -> None:
    server.behaviour = behaviour
    with pytest.raises(EmbeddingError, match="cannot be had") as e:
        checked_file(hub_spec(), "weights")
    assert "hf download owner/encoder" in str(e.value)
    assert str(tmp_path / "weights" / "encoder" / "onnx" / "model.onnx") in str(e.value)


def test_a_file_that_is_not_there_is_named(server: Hub) -> None:
    with pytest.raises(EmbeddingError, match=r"'onnx/other\.onnx' of owner/encoder"):
        checked_file(hub_spec(weights="hub:onnx/other.onnx"), "weights")


def test_no_network_at_all_ends_with_what_to_do(
    server: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(EmbeddingError, match=r"cannot be had(?s:.*)Where there is a network"):
        checked_file(hub_spec(), "weights")
    assert files(server) == []


def test_a_hub_file_needs_a_commit(tmp_path: Path) -> None:
    text = TABLE.read_text(encoding="utf-8")
    commit = embedder_spec("bge-small-en-v1.5").hub[1]
    assert len(commit) == 40
    moved = tmp_path / "embedders.tsv"
    moved.write_text(text.replace(f" {commit}\t", " main\t"), encoding="utf-8")
    with pytest.raises(ConfigError, match=r":4: column 'revision'.*main"):
        load_embedders(moved)
