"""Items whose right verdict is known: each is what its construct says, by the graph alone."""

import dataclasses
from collections import Counter
from typing import Any

import pytest
from copyceiling.artefacts.judging_schemas import CALIBRATION_ITEMS
from copyceiling.artefacts.store import to_table
from copyceiling.audit.labels import LABELS
from copyceiling.calibration import grade_items, phrasing, relation_items
from copyceiling.calibration.edges import draw
from copyceiling.calibration.items import item_rows, unit_of
from copyceiling.calibration.plan import cases_of
from copyceiling.calibration.relations import fill, readable, relations_of
from copyceiling.calibration.variants import variants_of
from copyceiling.errors import ConfigError
from copyceiling.judging.forms import RELEASED_CAP
from copyceiling.matching import Text, Title, match
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.judging.made import bakery_items

ITEMS = bakery_items()
ROWS = item_rows(ITEMS)
BY_ID = {(r["rubric"], r["item_id"]): r for r in ROWS}
RELATION = [r for r in ROWS if r["rubric"] == "relation"]
GRADE = [r for r in ROWS if r["rubric"] == "grade"]


def of(construct: str, rows: list[dict[str, Any]] = RELATION) -> list[dict[str, Any]]:
    found = [r for r in rows if r["construct"] == construct]
    assert found
    return found


def names(row: dict[str, Any]) -> bool:
    return match(Title.of(row["item"]), Text.of(row["answer"])).strict


def test_every_label_construct_and_domain_occurs() -> None:
    to_table(ROWS, CALIBRATION_ITEMS)
    assert {r["label"] for r in RELATION} == set(LABELS)
    constructs = Counter(r["construct"] for r in RELATION)
    # The bakery has no question that any one of several items answers.
    assert set(constructs) == set(relation_items.CONSTRUCTS) - {"any_one"}
    assert set(constructs.values()) == {12}
    assert {r["construct"] for r in GRADE} == set(grade_items.CONSTRUCTS)
    for construct in relation_items.BASES:
        assert len({r["domain"] for r in of(construct)}) == 3, "spread over the domains"
        assert len({r["source"] for r in of(construct)}) == 12, "no gold item twice"


def test_no_item_is_named_but_by_its_answer() -> None:
    for row in RELATION:
        others = [t for t in row["gold"] if t != row["item"]]
        for text in (row["question"], row["edge"].split(" -- ")[0], *others):
            assert not match(Title.of(row["item"]), Text.of(text)).paper, row["item_id"]


@pytest.mark.parametrize("label", LABELS)
def test_an_answer_names_its_item_unless_it_is_absent(label: str) -> None:
    for row in RELATION:
        if row["label"] == label:
            assert names(row) == (label != "absent"), row["item_id"]


def test_denials_deny_and_swaps_swap() -> None:
    for row in of("negated"):
        assert any(word in row["answer"] for word in ("not true", "wrong", "false"))
    for row in of("reversed"):
        subject = row["edge"].split(" -- ")[0]
        answer = row["answer"]
        forwards = row["relation"].split(" that is: ")[1].startswith("X")
        assert (answer.index(row["item"]) < answer.index(subject)) == forwards


def test_a_wrong_relation_is_of_another_family() -> None:
    """needs and requires say the same, so the one is never a wrong answer to the other."""
    verbs = {"requires": "need", "needs": "need", "makes": "effect", "leads to": "effect"}
    verbs |= {"is kept in": "place", "is a kind of": "is_a"}

    def family(text: str) -> str:
        return next(f for verb, f in verbs.items() if f" {verb} " in text)

    for row in of("wrong_relation"):
        assert family(row["answer"]) != family(row["relation"].split("that is: ")[1])


def test_variants_hold_their_base_and_its_verdict() -> None:
    for rows in (RELATION, GRADE):
        for construct in ("injected", "padded", "overlong"):
            for row in of(construct, rows):
                base = BY_ID[row["rubric"], row["base"]]
                assert base["answer"] in row["answer"] and base["base"] is None
                for column in ("label", "role", "low", "high", "source", "item", "question"):
                    assert row[column] == base[column]


def test_injections_demand_another_verdict() -> None:
    for row in of("injected"):
        assert row["demand"] in LABELS and row["demand"] != row["label"]
        assert row["demand"] in row["answer"]
    for row in of("injected", GRADE):
        assert not row["low"] <= int(row["demand"]) <= row["high"]
        assert f"{row['demand']}" in row["answer"]


def test_over_long_answers_hide_their_content_from_the_released_cap() -> None:
    for row in of("overlong"):
        assert not match(Title.of(row["item"]), Text.of(row["answer"][:RELEASED_CAP])).paper
        assert names(row)
    for row in of("overlong", GRADE):
        assert not any(point in row["answer"][:RELEASED_CAP] for point in row["key_points"])


def test_grades_follow_the_share_of_key_points() -> None:
    for row in GRADE:
        said = sum(f"{p}." in row["answer"] for p in row["key_points"])
        denied = sum(
            fill(phrasing.NEGATED[0], clause=p) in row["answer"] for p in row["key_points"]
        )
        level = BY_ID["grade", row["base"]]["construct"] if row["base"] else row["construct"]
        n = len(row["key_points"])
        expected = {"complete": n, "minor_omission": n - 1, "half": n // 2}.get(level, 0)
        assert said - denied == expected and n >= 4
        assert (denied == n) == (level == "contradiction")


def test_the_same_seed_gives_the_same_items_and_more_hold_fewer() -> None:
    assert item_rows(bakery_items()) == ROWS
    fewer = {(r["rubric"], r["item_id"]): r for r in item_rows(bakery_items(count=3))}
    assert all(BY_ID[key] == row for key, row in fewer.items())
    other = item_rows(bakery_items(seed=8))
    assert [r["answer"] for r in other] != [r["answer"] for r in ROWS]


def test_a_judge_given_few_items_has_the_bases_of_its_variants() -> None:
    for rows in (RELATION, GRADE):
        for subset in (1, 2, 5):
            kept = {c.unit.id.split("|")[2] for c in cases_of(rows, 1, subset)}
            variants = [r for r in rows if r["item_id"] in kept and r["base"]]
            assert variants and all(r["base"] in kept for r in variants)


DOMAINS = st.lists(st.sampled_from("abc"), max_size=9)


@settings(deadline=None)
@given(st.lists(DOMAINS, min_size=1, max_size=4), st.integers(0, 16))
def test_variants_take_turns_over_constructs_and_domains(
    drawn: list[list[str]], count: int
) -> None:
    made = ITEMS[0]
    bases = {
        str(k): [
            dataclasses.replace(made, construct=str(k), number=i, domain=domain)
            for i, domain in enumerate(domains)
        ]
        for k, domains in enumerate(drawn)
    }

    def variants(n: int) -> list[Any]:
        return variants_of(bases, "padded", list(bases), n, lambda item, _: item)

    found = variants(count)
    assert len({v.base for v in found}) == len(found), "no base twice"
    for place, variant in enumerate(found):
        name, _, number = str(variant.base).partition("-")
        pool = bases[name][: variant.number + 1] if variant.number >= 3 else bases[name][:1]
        assert name == str(variant.number % len(drawn)) and int(number) < max(1, len(pool))
        before = Counter(v.domain for v in found[:place])
        taken = {v.base for v in found[:place]}
        free = [before[base.domain] for base in pool if base.id not in taken]
        assert before[variant.domain] == min(free), "of a domain that was taken least"
    for few in range(count):
        assert variants(few) == [v for v in found if v.number < few], "more hold fewer"


@pytest.mark.parametrize("rows", [RELATION, GRADE], ids=["relation", "grade"])
def test_variants_spread_over_sources_and_domains(rows: list[dict[str, Any]]) -> None:
    for construct in ("injected", "padded", "overlong"):
        domains = Counter(r["domain"] for r in of(construct, rows))
        assert len(domains) == 3 and max(domains.values()) <= 6
        assert max(Counter(r["source"] for r in of(construct, rows)).values()) <= 3


def test_cases_are_repeats_of_the_first_order_and_one_turned() -> None:
    base, variant = of("correct")[0], of("padded")[0]
    found = [(c.order, c.repeat) for c in cases_of([base], 3, None)]
    assert found == [(0, 0), (0, 1), (0, 2), (1, 0)]
    assert [(c.order, c.repeat) for c in cases_of([variant], 3, None)] == [(0, 0)]


def test_a_unit_shows_what_the_item_says() -> None:
    row = RELATION[0]
    unit = unit_of(row)
    assert dict(unit.fields)["item"] == row["item"] and unit.answer == row["answer"]
    assert row["label"] not in "".join(str(f) for f in unit.fields)


@given(st.text(), st.text())
def test_what_is_filled_in_is_never_a_template(subject: str, target: str) -> None:
    phrase = "{subject} needs {object}"
    assert fill(phrase, subject=subject, object=target) == f"{subject} needs {target}"
    assert fill("{clause} {x}", clause="{item}", item="no") == "{item} {x}"


@pytest.mark.parametrize(
    ("kind", "words"),
    [("part_of", "part of"), ("hasPart", "has part"), ("is-a", "is a"), ("RO_0002", "ro 0002")],
)
def test_relation_types_are_readable(kind: str, words: str) -> None:
    assert readable(kind) == words


def test_a_relation_that_is_not_declared_is_said_by_its_name() -> None:
    found = relations_of(["bridgesTo"], {})["bridgesTo"]
    assert found.clause("A", "B") == 'A has the relation "bridges to" to B'
    assert found.gloss.startswith("bridges to, that is: X has the relation")


@pytest.mark.parametrize("phrase", ["{subject} needs", "{subject} {subject} {object}", "{a} {b}"])
def test_a_phrase_without_its_places_is_refused(phrase: str) -> None:
    declared = {"needs": {"phrase": phrase, "family": None, "reversible": True}}
    with pytest.raises(ConfigError, match=r"judging\.relations\.needs\.phrase"):
        relations_of(["needs"], declared)


@given(st.lists(st.sampled_from("abc")), st.integers(0, 9), st.integers(0, 9))
def test_draws_take_turns_over_domains(domains: list[str], count: int, seed: int) -> None:
    items = list(enumerate(domains))
    found = draw(items, count, lambda item: item[1], seed=seed, name="x")
    assert len(found) == min(count, len(items)) == len(set(found))
    assert found == draw(items, count + 1, lambda item: item[1], seed=seed, name="x")[:count]
    drawn, held = Counter(d for _, d in found), Counter(domains)
    for domain, n in held.items():
        level = max(drawn.values(), default=0)
        assert drawn[domain] >= min(n, level - 1), "no domain falls behind while it has items"
