"""The chain from corpus to table, followed by content hash alone."""

import re
from pathlib import Path

from copyceiling.artefacts.schema import Column, Schema
from copyceiling.artefacts.schemas import INT
from copyceiling.artefacts.store import describe, write
from copyceiling.report.plots.provenance import draw_provenance, nodes
from copyceiling.report.provenance import Artefact, lines, trace

SCHEMA = Schema("toy", "Toy.", ("n",), (Column("n", INT, "Number"),))


def put(folder: Path, name: str, n: int, rule: str, **inputs: str) -> str:
    path = folder / f"{name}.parquet"
    made = {"rule": rule, "script": f"scripts/{rule}.py", "inputs": inputs, "params": {"seed": 7}}
    write(path, [{"n": n}], SCHEMA, made)
    found: str = describe(path)["content_hash"]
    return found


def test_only_what_a_table_rests_on_is_followed(tmp_path: Path) -> None:
    corpus = put(tmp_path, "corpus/classes", 1, "read_corpus")
    questions = put(tmp_path, "questions", 2, "build_questions", classes=corpus)
    put(tmp_path, "scores/stale", 3, "score_answers", questions="0" * 64)
    score = put(tmp_path, "scores/a", 4, "score_answers", questions=questions)
    study = put(tmp_path, "studies/sweep", 5, "analyse_sweep", **{"scores/a": score})
    put(tmp_path, "tables/table4", 6, "build_table", study=study, **{"frozen/calls": "f" * 64})
    chain = trace(tmp_path, [tmp_path / "tables" / "table4.parquet"])
    assert [a.name for a in chain] == [
        "frozen/calls", "corpus/classes", "questions", "scores/a", "studies/sweep", "tables/table4",
    ]  # fmt: skip
    assert chain[-1].inputs == ("frozen/calls", "studies/sweep")
    assert chain[0].rows is None and chain[0].content_hash == "f" * 64
    assert chain[1].seed == 7
    page = lines(chain)
    assert page.count("<tr") == 7 and f'<code class="hash">{score}</code>' in page
    assert "frozen file" in page and 'href="#artefact-studies-sweep"' in page


def test_two_artefacts_of_one_content_end_the_walk(tmp_path: Path) -> None:
    """An artefact made from its own content is no way to go round for ever."""
    first = put(tmp_path, "studies/a", 1, "r")
    put(tmp_path, "tables/t", 1, "r", study=first)
    (only,) = [a for a in trace(tmp_path, [tmp_path / "tables/t.parquet"]) if a.name == "tables/t"]
    assert only.inputs == ("studies/a",)


def artefact(name: str, rule: str, *inputs: str) -> Artefact:
    return Artefact(name, "a" * 64, 1, rule, f"scripts/{rule}.py", inputs)


CHAIN = [
    artefact("corpus/classes", "read"),
    *(artefact(f"completions/{m}", "complete", "corpus/classes") for m in "ab"),
    artefact("studies/sweep", "analyse", "completions/a", "completions/b"),
    artefact("tables/table4", "build_table", "studies/sweep"),
    artefact("tables/confusion", "build_table", "corpus/classes"),
]


def test_answers_of_several_models_are_one_box_and_tables_stand_last() -> None:
    found = {node.name: node.stage for node in nodes(CHAIN)}
    assert found == {
        "corpus/classes": 0,
        "completions/ (2)": 1,
        "studies/sweep": 2,
        "tables/table4": 3,
        "tables/confusion": 3,
    }


def test_each_box_leads_to_its_line_and_names_the_edges_it_rests_on() -> None:
    drawing = draw_provenance(CHAIN)
    assert drawing.count('class="edge"') == 4
    assert 'href="#artefact-tables-table4"' in drawing
    table4 = next(c for c in re.findall(r'class="(node[^"]*)"', drawing) if c.count("on-") == 3)
    edges = set(re.findall(r'id="provenance-(e\d+)"', drawing))
    assert {name.removeprefix("on-") for name in table4.split()[1:]} <= edges
    assert "a" * 64 in drawing, "the whole hash is over the box"
