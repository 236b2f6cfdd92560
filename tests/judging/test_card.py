"""Cards tell judges apart: the rule that knows passes, every adversary fails where it should."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from copyceiling.artefacts.judging_schemas import CALIBRATION, CALIBRATION_CONFUSION
from copyceiling.artefacts.store import to_table
from copyceiling.audit.labels import LABELS
from copyceiling.calibration.banner import passes, shortfalls
from copyceiling.calibration.card import card_rows, confusion_rows
from copyceiling.calibration.items import item_rows
from copyceiling.calibration.plan import cases_of
from copyceiling.calibration.reference import reference_lookup, reply
from copyceiling.completions import Lookup
from copyceiling.completions import reference_lookup as readers_lookup
from copyceiling.errors import ArtefactError, ConfigError
from copyceiling.judging.session import Session
from copyceiling.models import JUDGES
from copyceiling.requests import Call
from copyceiling.sweep import Settings

from tests.judging.made import (
    MODELS,
    RELATIONS,
    RUBRICS,
    SEED,
    STUDY,
    bakery_items,
    lookup_of,
)

Row = Mapping[str, Any]
ITEMS = item_rows(bakery_items(8))
FLOORS = STUDY["judging"]["floors"]
SETTINGS = Settings(SEED, 200, 0.95)
RULES = frozenset(JUDGES)


def rule_lookup(name: str) -> Lookup:
    return reference_lookup(MODELS[name], [*RELATIONS.values()])


def verdicts(name: str, lookup: Lookup, forms: Sequence[str] = ("ours",)) -> list[dict[str, Any]]:
    """Have a judge judge every item, twice in the first order and once backwards."""
    spec = MODELS["judge-reference"].__class__(**{**vars(MODELS["judge-reference"]), "model": name})
    session = Session(spec, RUBRICS["span"], SEED, lookup)
    for kind in ("relation", "grade"):
        for form in forms:
            of_kind = [row for row in ITEMS if row["rubric"] == kind]
            session.judge(cases_of(of_kind, 2, None), RUBRICS[kind], form)
    return session.judgements


def card(judgements: Sequence[Row]) -> list[dict[str, Any]]:
    rows = card_rows(ITEMS, judgements, rules=RULES, floors=FLOORS, settings=SETTINGS)
    to_table(rows, CALIBRATION)
    return rows


def value(rows: Sequence[Row], rubric: str, measure: str, **where: str) -> Any:
    want = {"rubric": rubric, "measure": measure, "by": "all", **where}
    (row,) = [r for r in rows if all(r[k] == v for k, v in want.items())]
    return row["value"]


def missed(rows: Sequence[Row], judge: str, rubric: str) -> set[str]:
    return {row["measure"] for row in shortfalls(rows, judge, rubric)}


def right(sections: Mapping[str, str], call: Call) -> str:
    """The reply of the judge that knows the construction."""
    return reply("judge-reference", call.messages, [*RELATIONS.values()])


def swapped(change: Callable[[dict[str, Any], Mapping[str, str], Call], None]) -> Lookup:
    """Return a judge that is right but for a change to its reply."""

    def judged(sections: Mapping[str, str], call: Call) -> str:
        document = json.loads(right(sections, call))
        if "verdict" in sections:  # the quote gate
            return json.dumps(document)
        change(document, sections, call)
        if document.get("label") == "absent":
            document["quote"] = ""
        elif "label" in document and not document["quote"]:
            document["quote"] = sections["answer"][:50]
        return json.dumps(document)

    return lookup_of(judged)


@pytest.fixture(scope="module")
def reference() -> list[dict[str, Any]]:
    return verdicts("judge-reference", rule_lookup("judge-reference"))


def test_the_rule_that_knows_is_right_throughout(reference: list[dict[str, Any]]) -> None:
    rows = card(reference)
    for rubric in ("relation", "grade"):
        assert passes(rows, "judge-reference", rubric)
        for measure in ("accuracy", "worst_construct", "scored", "repeatability"):
            assert value(rows, rubric, measure) == 1.0
        assert value(rows, rubric, "injection_obeyed") == 0.0
    assert value(rows, "relation", "kappa") == 1.0 == value(rows, "relation", "role_accuracy")
    assert value(rows, "grade", "known_order") == 1.0
    assert {r["kind"] for r in rows} == {"rule"}


def test_the_lenient_adversary_fails() -> None:
    rows = card(verdicts("judge-lenient", rule_lookup("judge-lenient")))
    assert {"accuracy", "kappa", "worst_construct"} <= missed(rows, "judge-lenient", "relation")
    assert {"accuracy", "known_order"} <= missed(rows, "judge-lenient", "grade")
    for construct in ("name_only", "wrong_relation", "reversed", "negated"):
        assert value(rows, "relation", "accuracy", by="construct", group=construct) == 0.0
    assert value(rows, "relation", "accuracy", by="construct", group="correct") == 1.0


def test_the_obedient_adversary_fails_on_injections_alone() -> None:
    rows = card(verdicts("judge-obeys", rule_lookup("judge-obeys")))
    for rubric in ("relation", "grade"):
        found = missed(rows, "judge-obeys", rubric)
        assert found == {"injection_resistance", "worst_construct"}
        assert value(rows, rubric, "injection_resistance") == 0.0
        assert value(rows, rubric, "injection_obeyed") == 1.0


def test_the_released_form_is_blind_beyond_its_cap() -> None:
    """The same judge, shown 4,000 characters: blind to over-long answers (STUDIES section 8)."""
    lookup = rule_lookup("judge-reference")
    rows = card(verdicts("judge-reference", lookup, ("ours", "released", "capped")))
    for rubric in ("relation", "grade"):
        for form, accuracy in (("ours", 1.0), ("released", 0.0), ("capped", 0.0)):
            where = {"by": "construct", "group": "overlong", "form": form}
            assert value(rows, rubric, "accuracy", **where) == accuracy
        assert not passes(rows, "judge-reference", rubric, "released")
        assert value(rows, rubric, "answer_cut", form="ours") == 0.0
        assert value(rows, rubric, "answer_cut", form="released") > 0.0


def test_a_judge_of_places_fails_on_the_order() -> None:
    """It takes the option that stands first."""

    def first(document: dict[str, Any], sections: Mapping[str, str], call: Call) -> None:
        options = [x for x in call.messages[0].content.split("\n") if x.startswith("- ")]
        name = options[0].removeprefix("- ").partition(":")[0]
        document.update({"score": int(name)} if "score" in document else {"label": name})

    rows = card(verdicts("places", swapped(first)))
    for rubric in ("relation", "grade"):
        assert value(rows, rubric, "order_stability") == 0.0
        assert "order_stability" in missed(rows, "places", rubric)


def test_a_judge_of_length_fails_on_padding() -> None:
    def longer(document: dict[str, Any], sections: Mapping[str, str], _: Call) -> None:
        if len(sections["answer"]) > 600:
            document.update({"score": 5} if "score" in document else {"label": "correct_relation"})

    rows = card(verdicts("length", swapped(longer)))
    for rubric in ("relation", "grade"):
        assert value(rows, rubric, "length_stability") < 0.9
        assert "length_stability" in missed(rows, "length", rubric)


def test_a_fickle_judge_fails_on_repeats() -> None:
    def fickle(document: dict[str, Any], _: Mapping[str, str], call: Call) -> None:
        if call.repeat:
            document.update({"score": 2} if "score" in document else {"label": "negated"})

    rows = card(verdicts("fickle", swapped(fickle)))
    assert "repeatability" in missed(rows, "fickle", "relation")
    assert value(rows, "relation", "accuracy") == 1.0, "first repeats are right"


def test_a_silent_judge_has_no_value_where_none_is_defined() -> None:
    rows = card(verdicts("silent", lookup_of(lambda *_: "")))
    for rubric in ("relation", "grade"):
        assert value(rows, rubric, "accuracy") == 0.0 == value(rows, rubric, "scored")
        assert value(rows, rubric, "ended_empty") == 1.0
        for measure in ("accuracy_scored", "order_stability", "repeatability"):
            assert value(rows, rubric, measure) is None, "no verdicts are not agreement"
        found = missed(rows, "silent", rubric)
        assert {"accuracy", "scored", "order_stability", "injection_resistance"} <= found
    assert value(rows, "relation", "kappa_scored") is None


def test_a_judge_that_is_right_but_hard_to_read() -> None:
    rows = card(verdicts("fenced", lookup_of(lambda s, c: f"```json\n{right(s, c)}\n```")))
    assert value(rows, "relation", "accuracy") == 1.0 == value(rows, "relation", "reply_repaired")
    assert passes(rows, "fenced", "relation")
    rows = card(verdicts("chatty", lookup_of(lambda s, c: f"Sure! {right(s, c)}")))
    assert value(rows, "relation", "ended_unparsed") == 1.0 == value(rows, "relation", "reasked")
    assert not passes(rows, "chatty", "relation")


def test_a_role_that_is_missing_is_no_role(reference: list[dict[str, Any]]) -> None:
    """Every other role left out: the rest is as right as it was, and the gap is counted."""
    relation = [dict(row) for row in reference if row["rubric"] == "relation"]
    base = [row for row in relation if (row["order"], row["repeat"]) == (0, 0)]
    for row in base[::2]:
        row["role"] = None
    rows = card(relation)
    (found,) = [r for r in rows if (r["measure"], r["by"]) == ("role_accuracy", "all")]
    assert (found["value"], found["n"]) == (1.0, len(base[1::2]))
    assert found["n_unscored"] == len(base[::2])
    assert value(rows, "relation", "accuracy") == 1.0, "the label stands"


def test_the_worst_kind_is_counted_over_that_kind_alone() -> None:
    """So that 1.00 of one answer cannot be taken for 1.00 of all."""
    for row in card(verdicts("judge-lenient", rule_lookup("judge-lenient"))):
        if row["measure"] == "worst_construct":
            assert (row["k"], row["n"], row["value"], row["by"]) == (0, 8, 0.0, "all")


def test_measures_against_brute_force(reference: list[dict[str, Any]]) -> None:
    """Half of the verdicts spoilt by a rule of thumb; counts and kappa recomputed by hand."""
    spoilt = [dict(row) for row in reference if row["rubric"] == "relation"]
    for i, row in enumerate(spoilt):
        if i % 3 == 0:
            row["label"] = LABELS[i % 6]
        if i % 7 == 0:
            row.update({"status": "unparsed", "label": None})
    rows = card(spoilt)
    base = [r for r in spoilt if (r["order"], r["repeat"]) == (0, 0)]
    right_of = {
        f"calibration|relation|{r['item_id']}": r for r in ITEMS if r["rubric"] == "relation"
    }
    pairs = [(right_of[r["unit_id"]]["label"], r["label"] or "none") for r in base]
    agree = sum(a == b for a, b in pairs)
    assert value(rows, "relation", "accuracy") == agree / len(pairs)
    chance = (
        sum(
            sum(a == c for a, _ in pairs) * sum(b == c for _, b in pairs) for c in (*LABELS, "none")
        )
        / len(pairs) ** 2
    )
    kappa = (agree / len(pairs) - chance) / (1 - chance)
    assert value(rows, "relation", "kappa") == pytest.approx(kappa)
    turned = {r["unit_id"]: r["label"] for r in spoilt if r["order"] == 1}
    pairs = [(r["label"], turned.get(r["unit_id"])) for r in base]
    both = [pair for pair in pairs if all(pair)]
    assert value(rows, "relation", "order_stability") == sum(a == b for a, b in both) / len(both)


def test_intervals_hold_the_value_and_resample_sources(reference: list[dict[str, Any]]) -> None:
    spoilt = [dict(row) for row in reference]
    for row in spoilt[::4]:
        row.update({"status": "unparsed", "label": None, "score": None})
    for row in card(spoilt):
        if row["k"] not in (None, 0, row["n"]) and row["by"] == "all":
            assert row["wilson_low"] < row["value"] < row["wilson_high"]
            assert row["item_low"] <= row["value"] <= row["item_high"]
        if row["value"] is not None and row["k"] is not None:
            assert row["value"] == row["k"] / row["n"]


def test_confusion_counts_every_base_case(reference: list[dict[str, Any]]) -> None:
    rows = confusion_rows(ITEMS, reference)
    to_table(rows, CALIBRATION_CONFUSION)
    relation = [r for r in rows if r["rubric"] == "relation"]
    assert all(r["right"] == r["given"] for r in relation)
    assert sum(r["n"] for r in relation) == sum(i["rubric"] == "relation" for i in ITEMS)


def test_verdicts_of_other_items_are_refused(reference: list[dict[str, Any]]) -> None:
    with pytest.raises(ArtefactError, match="are no calibration items"):
        card([{**reference[0], "unit_id": "calibration|relation|correct-999"}])


def test_a_reader_is_no_judge() -> None:
    with pytest.raises(ConfigError, match="is a reader"):
        reference_lookup(MODELS["reader-copy"])


def test_a_judge_is_no_reader() -> None:
    with pytest.raises(ConfigError, match="judges answers and gives none"):
        readers_lookup(MODELS["judge-reference"])
