"""Where cosines come from: replay, increments, attestation, and freezing."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from copyceiling.artefacts.rescore_schemas import COSINES, TITLE_COSINES
from copyceiling.artefacts.store import check_frozen, read, rows, write
from copyceiling.config import load_study
from copyceiling.errors import ArtefactError, EmbeddingError
from copyceiling.rescore import source
from copyceiling.rescore.cosines import attest, measure, replay
from copyceiling.rescore.freeze import freeze_cosines
from copyceiling.rescore.neighbours import measure_neighbours
from copyceiling.rescore.plan import Plan, digest
from copyceiling.rescore.settings import rescore_params
from copyceiling.rescore.spans import spans

from tests.conftest import ROOT, SMOKE
from tests.embedders import StubEmbedder, made_spec
from tests.rescore_toy import plan_for

# -- replay, increments, attestation


def test_a_replay_needs_no_encoder_and_stops_where_a_row_is_missing() -> None:
    stub = StubEmbedder()
    frozen = measure(plan_for(("the cell wall", "cell wall"), ("growth", "wall")), stub)
    kept = replay(plan_for(("growth", "wall")), frozen, stub.identity, "toy")
    assert [r["text"] for r in kept] == [digest("growth")]
    with pytest.raises(EmbeddingError) as e:
        replay(plan_for(("growth", "wall"), ("a root", "root")), frozen, stub.identity, "toy")
    assert "study 'toy', embedder 'stub': 1 of 2 cosines, of 1 text(s)" in str(e.value)
    assert "a root" in str(e.value) and "copyceiling freeze --cosines" in str(e.value)


def test_rows_of_other_weights_answer_nothing() -> None:
    plan = plan_for(("growth", "wall"))
    frozen = measure(plan, StubEmbedder())
    with pytest.raises(EmbeddingError, match="1 of 1 cosines"):
        replay(plan, frozen, made_spec(weights_sha256="1" * 64), "toy")


def test_a_text_without_words_asks_for_nothing() -> None:
    plan = plan_for(("", "wall"), (" ... ", "wall"), ("growth", ""))
    assert plan.pairs == {} and replay(plan, [], made_spec(), "toy") == []


def find(plan: Plan, frozen: source.Frozen, how: Any, folder: Path) -> source.Frozen:
    wanted = source.Wanted(plan, ["cell wall", "root"], ["root"])
    return source.find(wanted, frozen, made_spec(), how, folder, "toy")


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> StubEmbedder:
    made = StubEmbedder()
    monkeypatch.setattr(source, "open_embedder", lambda spec: made)
    return made


def test_a_new_model_embeds_its_new_strings_alone(stub: StubEmbedder, tmp_path: Path) -> None:
    first = find(plan_for(("the cell wall", "cell wall")), source.Frozen((), ()), "live", tmp_path)
    before = set(stub.asked)
    both = plan_for(("the cell wall", "cell wall"), ("the cell grows", "cell wall"))
    second = find(both, first, "live", tmp_path / "without a cache")
    new = stub.asked[len(before) :]
    assert set(new) == spans("the cell grows") | {"cell wall"}, "no frozen text is embedded again"
    third = find(both, first, "live", tmp_path)
    cached = stub.asked[len(before) + len(new) :]
    assert set(cached) == spans("the cell grows") - before, "nor strings that the cache holds"
    assert sorted(map(str, second.cosines)) == sorted(map(str, third.cosines))
    assert len(stub.asked[: len(before)]) == len(before)


def test_a_replay_opens_no_encoder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(source, "open_embedder", lambda spec: pytest.fail("an encoder was opened"))
    with pytest.raises(EmbeddingError, match="never frozen"):
        find(plan_for(("the wall", "wall")), source.Frozen((), ()), "replay", tmp_path)


def test_deep_embeds_again_and_compares(stub: StubEmbedder, tmp_path: Path) -> None:
    plan = plan_for(("the cell wall", "cell wall"), ("growth", "cell wall"))
    frozen = find(plan, source.Frozen((), ()), "live", tmp_path)
    asked = len(stub.asked)
    assert find(plan, frozen, "deep", tmp_path) == frozen
    assert len(stub.asked) - asked == asked, "the cache of earlier runs is not asked"

    def moved(by: int) -> source.Frozen:
        first, *rest = frozen.cosines
        return source.Frozen([{**first, "cosine": first["cosine"] - by}, *rest], frozen.titles)

    assert find(plan, moved(1), "deep", tmp_path) == moved(1), "a rounding edge is no difference"
    with pytest.raises(EmbeddingError, match="1 of 2 frozen cosines"):
        find(plan, moved(2), "deep", tmp_path)


def test_attest_lists_what_differs() -> None:
    frozen = [{"title": "t" * 64, "cosine": 9000}, {"title": "u" * 64, "cosine": 1}]
    with pytest.raises(EmbeddingError, match=r"title t+\.\.\.: frozen 9000, found 8998"):
        attest(frozen, [{"title": "t" * 64, "cosine": 8998}, frozen[1]], ("title",))


# -- frozen files


@pytest.mark.parametrize("study", ["go", "smoke"])
def test_frozen_cosines_are_listed_and_of_the_declared_encoder(study: str) -> None:
    config = load_study(ROOT / f"config/studies/{study}.yaml")
    spec = rescore_params(config)["spec"]
    folder = ROOT / config["frozen"]
    files = [folder / "vectors" / f"{spec['name']}{end}.parquet" for end in ("", ".titles")]
    check_frozen(files, folder / "SHA256SUMS")
    digests = {
        value
        for path, schema in zip(files, (COSINES, TITLE_COSINES), strict=True)
        for value in read(path, schema).column("embedder").to_pylist()
    }
    assert digests == {made_digest(spec)}


def made_digest(spec: Mapping[str, Any]) -> str:
    return made_spec(**spec).digest


def test_freezing_refuses_another_encoder_and_lists_its_files(tmp_path: Path) -> None:
    config = {**load_study(ROOT / SMOKE), "results": "results", "frozen": "frozen"}
    assert freeze_cosines({**config, "rescore": None}, tmp_path) == []
    assert "no re-score" in freeze_cosines(config, tmp_path)[0]
    plan, stub = plan_for(("growth", "wall")), StubEmbedder()
    folder = tmp_path / "results" / "rescore"
    write(folder / "cosines.parquet", measure(plan, stub), COSINES, {})
    write(folder / "titles.parquet", measure_neighbours(["a", "b"], ["a"], stub), TITLE_COSINES, {})
    with pytest.raises(ArtefactError, match="of another encoder"):
        freeze_cosines(config, tmp_path)
    digest_of = made_digest(rescore_params(config)["spec"])
    rows_of = [{**row, "embedder": digest_of} for row in measure(plan, stub)]
    write(folder / "cosines.parquet", rows_of, COSINES, {})
    near = [{**r, "embedder": digest_of} for r in measure_neighbours(["a", "b"], ["a"], stub)]
    write(folder / "titles.parquet", near, TITLE_COSINES, {})
    assert len(freeze_cosines(config, tmp_path)) == 2
    name = config["rescore"]["embedder"]
    frozen = tmp_path / "frozen"
    files = [frozen / "vectors" / f"{name}.parquet", frozen / "vectors" / f"{name}.titles.parquet"]
    check_frozen(files, frozen / "SHA256SUMS")
    assert rows(files[0], COSINES) == rows_of
