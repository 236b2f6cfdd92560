"""``copyceiling corpus`` and ``init``: figures against hand counts, and studies that hold."""

import argparse
import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from copyceiling.config import load_study
from copyceiling.corpus import corpus_command, init_command
from copyceiling.corpus.choice import choose, why_chosen
from copyceiling.corpus.read import read_corpus
from copyceiling.corpus.report import page
from copyceiling.corpus.survey import Survey, broad_roots, survey, with_gold
from copyceiling.corpus.wording import relation_wordings, word_questions
from copyceiling.errors import CorpusError
from copyceiling.questions import QuestionGenerator, check_wording
from copyceiling.retrieval import RetrievalIndex
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import ROOT, make_class

BAKERY = ROOT / "data" / "smoke" / "bakery.jsonl"


def call(command: ModuleType, *words: object) -> int:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return int(command.run(parser.parse_args(list(map(str, words)))))


@pytest.fixture(scope="module")
def bakery() -> Survey:
    return survey(str(BAKERY))


def cells(text: str, first: str) -> list[str]:
    """Return the cells of the table row that begins with a text."""
    (line,) = (x for x in text.splitlines() if x.startswith(f"| {first} "))
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_the_report_on_the_bakery_is_as_counted_by_hand(bakery: Survey) -> None:
    """Counted in the file: 42 lines, 23 with parents, relation fields by `grep -c`."""
    text = page(bakery)
    assert cells(text, "classes kept")[1] == "42"
    assert cells(text, "with a parent in the corpus")[1] == "23"
    assert cells(text, "with a relation to a class of the corpus")[1] == "22"
    assert cells(text, r"requires")[1:] == ["5", "12", "7", "0", "3", "2", "0"]
    assert cells(text, r"stored_in")[1:] == ["6", "7", "4", "5", "1", "0", "0"]
    assert cells(text, r"(parents)")[1:] == ["23", "23", "6", "23", "0", "0", "0"]
    assert [cells(text, d)[1] for d in ("conditions", "processes", "baking", "materials")] == [
        "17", "9", "8", "8",
    ]  # fmt: skip
    assert "Faults of the source: 0" in text
    assert cells(text, "titles looked at")[1] == "42"


def test_each_setting_gives_what_the_generator_draws(bakery: Survey) -> None:
    records = [json.loads(line) for line in BAKERY.read_text(encoding="utf-8").splitlines()]
    for row in bakery.grid:
        if row.domains != "source" or row.questions["min_domain_classes"] != 3:
            continue
        least = row.questions["min_relation_types"]
        eligible = [
            r for r in records
            if len(r.get("relations", {})) >= least and len(r["definition"]) >= 20
        ]  # fmt: skip
        large = [r for r in eligible if sum(r["domain"] == e["domain"] for e in eligible) >= 3]
        assert row.eligible == len(large)
        assert row.n_domains == len({r["domain"] for r in large})


def test_with_gold_counts_classes_by_relation(bakery: Survey) -> None:
    counts = with_gold(bakery, choose(bakery))
    assert counts["requires"] == 5 and counts["stored_in"] == 6 and counts["has_part"] == 2


def test_faults_are_reported_and_not_fatal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "f.jsonl"
    records: list[Any] = [
        {"id": "a", "title": "Alpha | one", "relations": {"uses": ["no"]}},
        {"id": "a", "title": "Again"},
        {"id": "b", "title": "\u4e2d", "parents": ["b"]},
    ]
    file.write_text("\n".join(map(json.dumps, records)) + "\n{oops\n", encoding="utf-8")
    assert call(corpus_command, file) == 0
    out = capsys.readouterr().out
    assert "Faults of the source: 4" in out
    for kind in ("bad_record", "dangling_target", "duplicate_id", "self_parent"):
        assert cells(out, kind)[1] == "1"
    assert cells(out, "unmatchable titles")[1] == "1"
    assert "no setting gives a question" in out
    assert "See: copyceiling corpus" not in out, "that is the command just given"
    init = [file, "--study", "f", "--out", tmp_path / "f.yaml", "--format", "jsonl"]
    assert call(init_command, *init) == 2
    err = capsys.readouterr().err
    assert "no setting gives a question" in err
    assert err.rstrip().endswith(f"See: copyceiling corpus {file} --format jsonl")


def written(tmp_path: Path, n: int, domains: int, targets: int = 1) -> Survey:
    """Return the survey of a ring of classes: each has a parent, and the first some relations."""
    file = tmp_path / "ring.jsonl"
    records = [
        {
            "id": f"c:{i}",
            "title": f"Thing{100 + i}",  # of one length, so that none holds another
            "definition": "d" * 130,
            "domain": f"d{i % domains}",
            "parents": [f"c:{(i + 1) % n}"],
            "relations": {"uses": [f"c:{(i + 2) % n}"]} if i < targets else {},
        }
        for i in range(n)
    ]
    file.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return survey(str(file))


@pytest.mark.parametrize(
    ("n", "domains", "targets", "rule"),
    [
        (60, 5, 60, "the strictest that gives 100 questions in 5 domains, 20% of them"),
        (60, 2, 60, "of those that ask only about classes with relations, it gives most questions"),
        (20, 2, 4, "classes with relations alone give no 30; of all settings it gives most"),
    ],
)
def test_the_star_says_by_which_rule_it_was_set(
    n: int, domains: int, targets: int, rule: str, tmp_path: Path
) -> None:
    found = written(tmp_path, n, domains, targets)
    chosen = choose(found)
    assert rule in why_chosen(found)
    assert "drop_gold_in_question is false, for few titles (0%)" in why_chosen(found)
    assert f"* is what `copyceiling init` takes: {why_chosen(found)}" in page(found)
    same = [s for s in found.grid if not s.questions["drop_gold_in_question"]]
    related = [s.total for s in same if s.questions["min_relation_types"]]
    best = max(s.total for s in same)
    expected = {"the": chosen.total, "of": max(related), "classes": best}
    assert chosen.total == expected[rule.split()[0]]
    assert (chosen.total >= 100 and chosen.n_domains >= 5) == rule.startswith("the strictest")
    assert (max(related) < 30) == rule.startswith("classes with relations alone")


def test_classes_in_no_domain_are_counted_in_good_english_and_named(tmp_path: Path) -> None:
    file = tmp_path / "d.jsonl"
    records = [
        {"id": f"c:{i}", "title": f"Thing {i}", **({"domain": "x"} if i else {})} for i in range(3)
    ]

    def report(*rows: dict[str, str]) -> str:
        file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        return page(survey(str(file)))

    assert "- 1 class is in no domain: Thing 0\n" in report(*records)
    assert "- every class is in a domain\n" in report(*records[1:])
    more = [{"id": f"n:{i}", "title": f"None {i}"} for i in range(3)]
    assert "- 4 classes are in no domain: Thing 0, None 0, None 1, ...\n" in report(*records, *more)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("no.obo", None, "there is nothing at"),
        ("odd.doc", "x", "--format"),
        ("empty.ttl", "", "holds no class"),
        ("bad.ttl", "x:a x:b", "bad_record"),
    ],
)
def test_nothing_to_read_exits_2_with_the_reason(
    name: str, content: str | None, message: str, tmp_path: Path, capsys: Any
) -> None:
    if content is not None:
        (tmp_path / name).write_text(content, encoding="utf-8")
    assert call(corpus_command, tmp_path / name) == 2
    assert message in capsys.readouterr().err


def checked(file: Path) -> tuple[dict[str, Any], int]:
    """Load a study that init wrote as a run would; return it with its number of questions."""
    study = load_study(file)
    corpus, _ = read_corpus(study["corpus"])
    check_wording(RetrievalIndex(corpus.classes), study["questions"]["wording"])
    return study, len(QuestionGenerator(corpus.classes, study["questions"]).generate(study["seed"]))


def test_init_writes_a_study_that_keeps_its_promise(
    bakery: Survey, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "new" / "bakery.yaml"
    assert call(init_command, BAKERY, "--study", "my-bakery", "--out", out) == 0
    assert f"snakemake --configfile {out}" in capsys.readouterr().out
    study, n = checked(out)
    assert n == choose(bakery).total
    assert study["corpus"]["path"] == "data/smoke/bakery.jsonl"
    assert all(m.startswith("reader-") for m in study["sweep"]["models"])
    assert max(map(len, out.read_text(encoding="utf-8").splitlines())) <= 100
    assert call(init_command, BAKERY, "--study", "my-bakery", "--out", out) == 2
    assert "--force" in capsys.readouterr().err
    assert call(init_command, BAKERY, "--study", "No Good", "--out", out, "--force") == 2
    assert call(init_command, BAKERY, "--study", "go", "--out", out, "--force") == 2
    assert "Choose another name" in capsys.readouterr().err


def test_init_of_a_file_that_a_package_carries(tmp_path: Path) -> None:
    out = tmp_path / "pato.yaml"
    place = "controlled_vocabulary/vendor/pato.obo.gz"
    assert call(init_command, place, "--package", "psims", "--study", "pato", "--out", out) == 0
    study, n = checked(out)
    assert (study["corpus"]["path"], study["corpus"]["package"]) == (place, "psims")
    assert n > 30
    assert "is_opposite_of" in study["questions"]["wording"]["relations"], "RO:0015010, by its name"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("part_of", "What is {title} part of?"),
        ("has_part", "What does {title} have as part?"),
        ("isPairedWith", "What is {title} paired with?"),
        ("positively_regulates", "What does {title} positively regulate?"),
        ("occurs_in", "What does {title} occur in?"),
        ("author", "What is given as author of {title}?"),
        ("{odd}", "What is given as odd of {title}?"),
    ],
)
def test_relations_are_put_into_words(name: str, expected: str) -> None:
    assert relation_wordings(name)[0] == expected


def test_identifiers_and_other_scripts_have_no_words() -> None:
    assert relation_wordings("RO:0002503") == relation_wordings("\u90e8\u5206") == []


def test_a_wording_that_names_a_class_is_reworded_or_dropped() -> None:
    index = RetrievalIndex([make_class(s) for s in ("spare-part", "part", "author", "kind")])
    wording = word_questions(index, ["has_part", "author", "calls_for"])
    assert wording.relations == {
        "has_part": "What is given as hasPart of {title}?",
        "calls_for": "What does {title} call for?",
    }
    assert "author" in wording.unworded["author"]
    check_wording(index, wording.settings())


def test_only_roots_above_much_with_a_level_between_are_broad() -> None:
    classes = [
        make_class("root"),
        make_class("mid", parents=("root",)),
        make_class("leaf", parents=("mid",), ancestors=("root",)),
        make_class("flat"),
        make_class("low", parents=("flat",)),
    ]
    assert broad_roots(classes) == ["root"]


_WORDS = st.sampled_from(
    "immediate parents kind sort broader concept given listed part uses has: # "
    "'x' \u00e9t\u00e9 \u4e2d {title} alpha beta gamma delta epsilon what".split()
)
_TITLES = st.lists(_WORDS, min_size=1, max_size=3).map(" ".join)


@st.composite
def corpora(draw: st.DrawFn) -> list[dict[str, Any]]:
    n = draw(st.integers(3, 14))
    relation = st.sampled_from(["has_part", "uses", "RO:01", "given", "odd: #name", "\u4e2d"])
    records: list[dict[str, Any]] = []
    for i in range(n):
        below = st.lists(st.integers(0, max(i - 1, 0)), max_size=2 if i else 0, unique=True)
        targets = st.lists(st.integers(0, n), min_size=1, max_size=3).map(
            lambda found: [f"c:{t}" for t in found]
        )
        record = {
            "id": f"c:{i}",
            "title": draw(_TITLES),
            "definition": "d" * draw(st.integers(0, 130)),
            "parents": [f"c:{p}" for p in draw(below)],
            "relations": draw(st.dictionaries(relation, targets, max_size=2)),
        }
        if draw(st.booleans()):
            record["domain"] = draw(st.sampled_from(["one", "two: \u00e9"]))
        records.append(record)
    return records


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(records=corpora())
def test_init_gives_a_study_that_holds_or_says_why(
    records: list[dict[str, Any]], tmp_path: Path
) -> None:
    file, out = tmp_path / "r.jsonl", tmp_path / "r.yaml"
    file.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    found = survey(str(file))
    assert re.search(r"classes kept +\| +\d+", page(found))
    try:
        promised = choose(found).total
    except CorpusError:
        assert call(init_command, file, "--study", "r", "--out", out, "--force") == 2
        return
    assert call(init_command, file, "--study", "123", "--out", out, "--force") == 0
    assert checked(out)[1] == promised > 0
