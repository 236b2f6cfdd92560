"""Logs of other tools, on small files that the tools wrote (samples/README.md)."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from copyceiling.check import BadRowsError, CheckError, Report, check_files
from copyceiling.check.adapters import ADAPTERS
from copyceiling.check.chunks import Reading
from copyceiling.check.fields import CheckRow
from copyceiling.check.gather import to_row
from copyceiling.check.sources import chunks_of

from tests.check.made import FAST, SAMPLES, only

FILES = {
    "inspect": ["inspect.eval", "inspect.json"],
    "lm-eval": ["lm_eval.jsonl"],
    "promptfoo": ["promptfoo.json"],
    "ragas": ["ragas.jsonl"],
    "ragchecker": ["ragchecker.json"],
}


def read(form: str, name: str) -> dict[tuple[str, str], CheckRow]:
    found = {}
    for chunk in chunks_of([str(SAMPLES / name)], form, Reading()):
        for _, record in chunk.decoded():
            row = to_row(record, chunk.reading)
            assert isinstance(row, CheckRow), row
            found[row.system, row.id] = row
    return found


def checked(form: str, name: str) -> Report:
    return check_files([SAMPLES / name], form=form, **FAST)


def test_every_adapter_has_a_sample() -> None:
    assert set(FILES) == set(ADAPTERS)
    assert all((SAMPLES / name).is_file() for names in FILES.values() for name in names)


@pytest.mark.parametrize(("form", "name"), [(f, n) for f, names in FILES.items() for n in names])
def test_every_sample_gives_a_report(form: str, name: str) -> None:
    found = checked(form, name)
    assert found.n_bad == 0
    assert all(s.of("paper", "as_received").ceiling is not None for s in found.systems)


def test_inspect() -> None:
    """Templates render the page into the user message; letters become choices; targets are any."""
    rows = read("inspect", "inspect.eval")
    model = "mockllm/model"
    assert set(rows) == {(model, i) for i in ("bread-1", "bread-2", "bread-3", "4")}
    one = rows[model, "bread-1"]
    assert (one.question, one.answer, one.status, one.gold) == (
        "What does sourdough need?", "It needs a Levain.", "ok", (("Levain",),)
    )  # fmt: skip
    assert one.context == (f"Page: Sourdough needs Levain and Wheat Flour.\n\n{one.question}",)
    two = rows[model, "bread-2"]
    assert (two.status, two.gold_type) == ("truncated", "any")
    three = rows[model, "bread-3"]
    assert three.context[0] == "Page: Baguette uses Poolish."
    assert three.question == "What does a baguette use?"
    four = rows[model, "4"]
    assert (four.gold, four.status) == ((("Yeast Culture",),), "empty")
    both = read("inspect", "inspect.json")
    assert both == {key: rows[key] for key in both} and len(both) == 2


def test_lm_eval() -> None:
    rows = read("lm-eval", "lm_eval.jsonl")
    one = rows["system", "0"]
    assert one.question == "What does sourdough need?"
    assert one.context == (f"Sourdough needs Levain.\nQuestion: {one.question}\nAnswer:",)
    assert (one.answer, one.gold) == ("Sourdough needs Levain", (("Levain",),))
    assert rows["system", "1"].status == "empty"
    with pytest.raises(
        BadRowsError, match=r"3 bad rows:\n.*all 3 rows:\n +arguments: ask for the likeli"
    ):
        checked("lm-eval", "lm_eval_choice.jsonl")


def test_promptfoo() -> None:
    """Gold from a variable or from assertions; a failed assertion is no failed call."""
    rows = read("promptfoo", "promptfoo.json")
    assert {system for system, _ in rows} == {"parrot", "echo"}
    assert rows["parrot", "test-0"].gold == (("Levain",),)
    assert rows["parrot", "test-1"].gold == (("Wheat Flour",), ("Table Salt",))
    assert rows["parrot", "test-1"].gold_type == "all"
    two = rows["parrot", "test-2"]
    assert (two.gold_type, two.status, two.answer) == ("any", "error", "")
    assert rows["echo", "test-2"].status == "ok", "the output came, and did not pass"
    assert two.context == ("Page: Brioche is sweet. Question: What does brioche need?",)
    echo = checked("promptfoo", "promptfoo.json").systems[0]
    assert echo.system == "echo"
    assert echo.of("paper", "as_received").gain == 0.0, "echo is the copy reader"


def test_several_prompts_are_arms() -> None:
    (record,) = [
        r for i, r in ADAPTERS["promptfoo"].records(SAMPLES / "promptfoo.json") if i == 1  # type: ignore[misc]
    ]  # fmt: skip
    row = ADAPTERS["promptfoo"].row({**record, "several_prompts": True})
    assert isinstance(row, dict) and row["arm"] == record["promptId"][:8]


def test_ragas_and_ragchecker_say_the_same() -> None:
    ragas, ragchecker = checked("ragas", "ragas.jsonl"), checked("ragchecker", "ragchecker.json")
    for found in (ragas, ragchecker):
        m = only(found)
        assert (m.n11, m.n10, m.n01, m.n00, m.n_question) == (1, 0, 1, 1, 0)
        assert found.systems[0].status["empty"] == 1
        assert found.systems[0].n_without_context == 1


def test_ragas_ids_follow_from_the_question() -> None:
    rows = read("ragas", "ragas.jsonl")
    assert all(len(i) == 16 for _, i in rows)
    conversation = to_row({"user_input": [{"content": "a"}]}, Reading(adapter="ragas"))
    assert isinstance(conversation, list) and "conversation" in conversation[0].detail


@pytest.mark.parametrize("form", list(ADAPTERS))
def test_a_list_of_gold_comes_before_the_reference(form: str) -> None:
    records: dict[str, dict[str, Any]] = {
        "inspect": {"sample": {"metadata": {"gold": ["a"]}, "target": "b"}},
        "lm-eval": {"doc": {"gold": ["a"]}, "target": "b"},
        "promptfoo": {"testCase": {"metadata": {"gold": ["a"]}}, "vars": {"gold": "b"}},
        "ragas": {"gold": ["a"], "reference": "b"},
        "ragchecker": {"gold": ["a"], "gt_answer": "b"},
    }
    row = ADAPTERS[form].row(records[form])
    assert isinstance(row, dict) and row["gold"] == ["a"]


@pytest.mark.parametrize("form", ["inspect", "promptfoo", "ragchecker"])
@pytest.mark.parametrize("content", ["{}", "[]", "no", '{"results": 3}', '{"samples": {}}', ""])
def test_documents_that_are_none(tmp_path: Path, form: str, content: str) -> None:
    path = tmp_path / "log.json"
    path.write_text(content)
    with pytest.raises(CheckError, match=r"log\.json"):
        check_files([path], form=form)


def test_damaged_eval(tmp_path: Path) -> None:
    whole = (SAMPLES / "inspect.eval").read_bytes()
    for n in (30, len(whole) // 2, len(whole) - 40):
        path = tmp_path / "cut.eval"
        path.write_bytes(whole[:n])
        with pytest.raises(CheckError, match=r"cut\.eval"):
            check_files([path])
    flipped = bytearray(whole)
    with zipfile.ZipFile(SAMPLES / "inspect.eval") as archive:
        info = archive.getinfo("samples/bread-1_epoch_1.json")
    at = info.header_offset + 200
    flipped[at : at + 40] = b"\x00" * 40
    path.write_bytes(bytes(flipped))
    with pytest.raises(CheckError):
        check_files([path])


def test_eval_in_plain_zip(tmp_path: Path) -> None:
    """Older logs are deflated; the header stands wherever it stands."""
    log = json.loads((SAMPLES / "inspect.json").read_text())
    path = tmp_path / "old.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for sample in log["samples"]:
            archive.writestr(f"samples/{sample['id']}_epoch_1.json", json.dumps(sample))
        archive.writestr(
            "header.json", json.dumps({k: v for k, v in log.items() if k != "samples"})
        )
    found = check_files([path], **FAST)
    assert found.to_dict() == checked("inspect", "inspect.json").to_dict()
    with zipfile.ZipFile(tmp_path / "none.eval", "w") as archive:
        archive.writestr("a", "b")
    with pytest.raises(CheckError, match=r"no header\.json"):
        check_files([tmp_path / "none.eval"])
