"""The page as a file: it fetches nothing, runs nothing but its own, and is the same each time."""

import base64
import hashlib
import re

import pytest
from copyceiling.errors import ArtefactError
from copyceiling.report.absent import lacking
from copyceiling.report.evidence.pack import decode
from copyceiling.report.evidence.records import Item
from copyceiling.tables import LAYOUTS

from tests.report.material import make_answer, make_material, make_page, many
from tests.report.test_markup import read


def element(page: str, name: str) -> str:
    found = re.search(rf"<{name}>(.*?)</{name}>", page, flags=re.DOTALL)
    assert found
    return found[1]


def test_the_policy_names_the_page_s_own_script_and_style_and_nothing_else() -> None:
    page = make_page([make_answer(1)])
    (policy,) = [
        attributes["content"]
        for tag, attributes in read(page).tags
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    assert policy is not None
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    for kind in ("script", "style"):
        digest = hashlib.sha256(element(page, kind).encode()).digest()
        assert rules[f"{kind}-src"] == f"'sha256-{base64.b64encode(digest).decode()}'"
    assert rules["default-src"] == "'none'" and rules["base-uri"] == "'none'"


def test_nothing_is_fetched_and_no_markup_carries_code_or_style() -> None:
    for tag, attributes in read(make_page(many(8))).tags:
        for name, value in attributes.items():
            assert name not in ("style", "src", "srcset", "action", "poster"), (tag, name)
            assert not name.startswith("on"), (tag, name)
            if name in ("href", "xlink:href"):
                assert value == "data:," or (value or "").startswith("#"), (tag, value)


def test_every_link_within_the_page_leads_somewhere() -> None:
    tags = read(make_page(many(8))).tags
    ids = [a["id"] for _, a in tags if "id" in a]
    assert len(ids) == len(set(ids))
    targets = {(a.get("href") or "").partition("?")[0] for tag, a in tags if tag == "a"}
    assert {t.removeprefix("#") for t in targets} <= {str(i) for i in ids}


def test_the_same_material_gives_the_same_bytes() -> None:
    assert make_page(many(40)) == make_page(many(40))


def test_a_block_stands_once_however_many_answers_it_was_shown_for() -> None:
    page = make_page([make_answer(1, model=m, arm=a) for m in "ab" for a in ("raw", "scaffold")])
    data = re.search(r'id="evidence-data">([^<]*)<', page)
    assert data
    packed = decode(data[1])
    assert packed["texts"].count("## Loaf\nis-a: Rye Bread") == 1
    assert len(packed["texts"]) == len(set(packed["texts"]))


def test_rows_that_contradict_their_text_stop_the_page() -> None:
    answer = make_answer(7, text="Wheat.")
    answer.items = [Item("substring", True, "substring", True)]
    with pytest.raises(ArtefactError, match=r"q0007, model model-a, arm scaffold: 'Rye Bread'"):
        make_page([answer])


def test_what_a_study_lacks_is_named_with_what_it_takes() -> None:
    material = make_material([make_answer(1)])
    names = {name for name, _, _ in lacking(material.study)}
    assert names == {n for n, layout in LAYOUTS.items() if layout.part} - {
        name for name in LAYOUTS if name not in names
    }
    assert "published" in names, "the bakery has no published values"
    page = make_page([make_answer(1)])
    assert "Not in this study" in page
    for name, what, why in lacking(material.study):
        assert what in read(page).text and why in read(page).text, name


def test_a_name_stands_before_what_it_takes() -> None:
    """In the order of the text, which is that of reading aloud and of copying."""
    material = make_material([make_answer(1)])
    text = read(make_page([make_answer(1)])).text
    text = text[text.rindex("Not in this study") :]
    for name, what, why in lacking(material.study):
        assert text.index(f"{name} {what}") < text.index(f"What it takes: {why}.")


def test_on_paper_a_line_says_where_the_evidence_is() -> None:
    tags = read(make_page([make_answer(1)])).tags
    assert [a for _, a in tags if a.get("class") == "on-paper"]


def test_every_part_says_what_it_takes() -> None:
    """A part without words of its own would leave its reader with a name."""
    from copyceiling.report.absent import reason

    for part in {layout.part for layout in LAYOUTS.values()} - {None}:
        assert part is not None and reason(part) != f"its section '{part}'", part
