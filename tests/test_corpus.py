"""Corpus adapters and policies: each fault is named, and does what its policy says."""

import gzip
import io
import json
import tarfile
from pathlib import Path
from typing import Any

import pytest
from copyceiling.corpus.build import FAULTS, ancestor_levels, unmatchable
from copyceiling.corpus.files import locate, members
from copyceiling.corpus.model import Corpus
from copyceiling.corpus.read import read_corpus
from copyceiling.errors import CorpusError

DROP_ALL = dict.fromkeys(FAULTS, "drop")


def settings(path: Path, form: str, **more: Any) -> dict[str, Any]:
    base = {"name": "toy", "version": "1", "source": "here", "licence": "none", "policy": {}}
    return {**base, "format": form, "path": str(path), "domains": "source", **more}


def jsonl(tmp_path: Path, *records: dict[str, Any] | str) -> Path:
    file = tmp_path / "toy.jsonl"
    lines = [r if isinstance(r, str) else json.dumps(r) for r in records]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


A = {"id": "x:a", "title": "A thing"}
B = {"id": "x:b", "title": "B thing"}


def read(path: Path, form: str = "jsonl", **more: Any) -> Corpus:
    return read_corpus(settings(path, form, **more))[0]


@pytest.mark.parametrize(
    ("kind", "records", "where", "field", "n_dropped"),
    [
        ("duplicate_id", [A, {**A, "title": "Again"}], "toy.jsonl:2", "id", 1),
        ("dangling_target", [{**A, "relations": {"uses": ["x:no"]}}], "toy.jsonl:1", "uses", 1),
        ("dangling_target", [{**A, "parents": ["x:no"]}], "toy.jsonl:1", "parents", 1),
        ("self_parent", [{**A, "parents": ["x:a"]}], "toy.jsonl:1", "parents", 1),
        ("cycle", [{**A, "parents": ["x:b"]}, {**B, "parents": ["x:a"]}], "toy.jsonl:1", "par", 1),
        ("empty_title", [A, {"id": "x:e", "title": "  "}], "toy.jsonl:2", "title", 1),
        ("oversized_field", [{**A, "title": "t" * 501}], "toy.jsonl:1", "title", 1),
        ("oversized_field", [{**A, "definition": "d" * 20_001}], "toy.jsonl:1", "definition", 1),
        ("bad_record", [A, "{not json"], "toy.jsonl:2", "JSON", 1),
        ("bad_record", [A, {**B, "colour": "red"}], "toy.jsonl:2", "colour", 1),
        ("bad_record", [A, {"id": "x:n"}], "toy.jsonl:2", "title", 1),
        ("bad_record", [A, {**B, "quality": "high"}], "toy.jsonl:2", "quality", 1),
        ("bad_record", [A, {**B, "parents": [1]}], "toy.jsonl:2", "parents", 1),
    ],
)
def test_each_fault_stops_by_default_and_is_reported_by_policy(
    tmp_path: Path, kind: str, records: list[Any], where: str, field: str, n_dropped: int
) -> None:
    file = jsonl(tmp_path, *records)
    with pytest.raises(CorpusError) as e:
        read(file)
    assert where in str(e.value) and field in str(e.value) and f"[{kind}]" in str(e.value)
    assert f"policy: {{{kind}: drop}}" in str(e.value), "the message says the way out"
    corpus = read(file, policy=DROP_ALL)
    assert sum(i.kind == kind for i in corpus.issues) >= n_dropped
    assert corpus.classes


def test_all_faults_are_listed_at_once(tmp_path: Path) -> None:
    file = jsonl(tmp_path, {**A, "parents": ["x:a"]}, {**B, "relations": {"uses": ["x:no"]}}, "[1]")
    with pytest.raises(CorpusError, match=r"3 fault\(s\)"):
        read(file)


def test_invalid_utf8_names_the_line(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_bytes(b"public:: true\n\n\xff\xfe")
    with pytest.raises(CorpusError, match=r"page\.md:3: field 'text'.*invalid_utf8"):
        read(tmp_path, "markdown")


def test_dangling_targets_can_be_kept_as_ids(tmp_path: Path) -> None:
    file = jsonl(tmp_path, {**A, "relations": {"uses": ["http://x.org/no-such"]}})
    kept = read(file, policy={"dangling_target": "keep"})
    assert kept.classes[0].relations == {"uses": ("no-such",)}
    assert read(file, policy=DROP_ALL).classes[0].relations == {}


def test_slugs_are_unique_and_a_collision_gets_the_local_part(tmp_path: Path) -> None:
    records = [
        {"id": f"x:{i}", "title": t} for i, t in enumerate(["Ball", "ball!", "知識", "知識"])
    ]
    corpus = read(jsonl(tmp_path, *records))
    assert [c.slug for c in corpus.classes] == ["ball", "ball-1", "2", "3"]
    assert [c.id for c in unmatchable(corpus.classes)] == ["x:2", "x:3"]


def test_ancestors_go_level_by_level(tmp_path: Path) -> None:
    """Direct parents keep their order, later levels are alphabetical, nearest level only."""
    parents = {"s": ["m", "a"], "m": ["z", "b"], "a": ["b", "top"], "b": ["top"], "top": ["s"]}
    assert ancestor_levels("s", parents) == ([["m", "a"], ["b", "top", "z"]], True)


def test_inverses_and_branch_domains(tmp_path: Path) -> None:
    records = [
        {"id": "r", "title": "Root"},
        {"id": "b1", "title": "Branch One", "parents": ["r"]},
        {"id": "b2", "title": "Branch Two", "parents": ["r"]},
        {"id": "k", "title": "Kid", "parents": ["b2", "b1"], "relations": {"part_of": ["b1"]}},
    ]
    corpus = read(
        jsonl(tmp_path, *records), domains="branches", inverses={"part_of": "includes"}
    ).by_slug()
    assert corpus["kid"].domain == "branch-one", "ties go to the lowest id"
    assert corpus["branch-two"].domain == "branch-two" and corpus["root"].domain is None
    assert corpus["branch-one"].relations == {"includes": ("kid",)}


PAGE = """public:: true

```json-ld
{"@type": "Page", "vc:slug": "s", "title": "t", "vc:public": %s}
```
prose
```json-ld
{"@id": "urn:x:class:%s", "@type": "Class", "label": "%s", "definition": "%s", %s}
```
"""


def test_markdown_pages_both_vocabularies(tmp_path: Path) -> None:
    b = '{"@id": "urn:x:class:b"}'
    new = f'"quality": 0, "subClassOf": {b}, "relations": {{"uses": [{b}]}}'
    old = '"vc:quality": 0.7, "vc:domain": "ai", "vc:uses": [{"@id": "urn:x:class:a"}]'
    (tmp_path / "a.md").write_text(PAGE % ("true", "a", "A Title", "d" * 9, new))
    (tmp_path / "b.md").write_text(PAGE % ("true", "b", "B Title", "e" * 9, old))
    (tmp_path / "c.md").write_text(PAGE % ("false", "c", "Private", "f", '"quality": 1'))
    (tmp_path / "d.md").write_text("public:: true\nno block\n")
    found = read(tmp_path, "markdown", definition_chars=5)
    a, b = found.classes
    assert (a.slug, a.title, a.definition, a.quality) == ("a", "A Title", "ddddd", None)
    assert (a.parents, a.relations) == (("b",), {"uses": ("b",)})
    assert (b.quality, b.domain, b.relations) == (0.7, "ai", {"uses": ("a",)})


def test_a_broken_page_is_named_by_line(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("x\n```json-ld\n{\n bad\n```\n")
    with pytest.raises(CorpusError, match=r"a\.md:4: field 'json-ld'"):
        read(tmp_path, "markdown")
    (tmp_path / "a.md").write_text("x\n```json-ld\n{}")
    with pytest.raises(CorpusError, match=r"a\.md:2: field 'json-ld': block has no end"):
        read(tmp_path, "markdown")


def test_an_archive_and_its_folder_are_one_corpus(tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    for name in ("b.md", "a.md"):
        (folder / name).write_text(PAGE % ("true", name[0], name, "d", '"quality": 1'))
    archive = tmp_path / "pages.tar.xz"
    with tarfile.open(archive, "w:xz") as tar:
        tar.add(folder, "pages")
    assert list(members(folder, ".md")) == list(members(archive, ".md"))
    both = [read_corpus(settings(p, "markdown")) for p in (folder, archive)]
    assert both[0] == both[1]


OBO = """format-version: 1.2

[Term]
id: T:1
name: whole
def: "A  whole." []

[Term]
id: T:2
name: piece
synonym: "bit" EXACT []
synonym: "chunk" BROAD []
is_a: T:1
relationship: part_of T:1

[Term]
id: T:3
name: gone
is_obsolete: true
"""


def test_obo(tmp_path: Path) -> None:
    file = tmp_path / "t.obo.gz"
    file.write_bytes(gzip.compress(OBO.encode()))
    whole, piece = read(file, "obo").classes
    assert (whole.id, whole.slug, whole.definition) == ("T:1", "whole", "A whole.")
    assert (piece.synonyms, piece.parents) == (("bit",), ("whole",))
    assert piece.relations == {"part_of": ("whole",)}


def test_obo_relations_get_their_readable_name(tmp_path: Path) -> None:
    file = tmp_path / "t.obo"
    typedef = "\n[Typedef]\nid: RO:0002503\nname: towards it\n"
    file.write_text(OBO.replace("part_of T:1", "RO:0002503 T:1") + typedef)
    assert read(file, "obo").classes[1].relations == {"towards_it": ("whole",)}
    plain = "\n[Typedef]\nid: part_of\nname: part of\n"
    file.write_text(OBO + plain)
    assert read(file, "obo").classes[1].relations == {"part_of": ("whole",)}


def test_bad_obo_names_the_line(tmp_path: Path) -> None:
    file = tmp_path / "t.obo"
    file.write_text(OBO.replace("is_a: T:1", "is_a T:1"))
    with pytest.raises(CorpusError, match=r"t\.obo:13: field 'OBO'"):
        read(file, "obo")


def test_a_cut_gzip_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "t.obo.gz"
    file.write_bytes(gzip.compress(OBO.encode())[:-20])
    with pytest.raises(CorpusError, match="not a whole gzip file"):
        read(file, "obo")


def test_index_of_another_version_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "i.json"
    file.write_text('{"version": 2, "classes": {}}')
    with pytest.raises(CorpusError, match="not a scaffold index of version 1"):
        read(file, "index")


def test_another_sha256_than_declared_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="the study declares 00"):
        read(jsonl(tmp_path, A), sha256="00")


def test_nothing_there_says_how_to_point_to_it(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="there is nothing at"):
        locate(str(tmp_path / "no"), None)
    with pytest.raises(CorpusError, match="'no_such_package' is not installed"):
        locate("x", "no_such_package")
    (tmp_path / "a.tar").write_bytes(io.BytesIO(b"no archive").getvalue())
    with pytest.raises(CorpusError, match="neither a folder nor a tar archive"):
        list(members(tmp_path / "a.tar", ".md"))
