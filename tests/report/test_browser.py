"""The evidence browser in a real browser: what it shows, where it leads, and whom it obeys."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from copyceiling.report.evidence.records import Answer

from tests.report.material import make_answer, make_page, many
from tests.report.pages import complaints, go, open_page, text_of

HOSTILE = (
    "<script>document.title = 'owned'</script>",
    "</script><script>document.title = 'owned'</script>",
    "<img src=x onerror=\"document.title = 'owned'\">",
    "<!-- --><svg onload=alert(1)></svg>",
    "<!--<script>",
    "]]>&lt;b&gt;&amp;<style>body{display:none}</style>",
    "javascript:alert(1) {{7*7}} ${7*7} \\u003c \u2028 \u0000 \u202e \U0001f600",
)


def write(tmp_path: Path, answers: Sequence[Answer], **fields: Any) -> Path:
    path = tmp_path / "report.html"
    path.write_text(make_page(answers, **fields), encoding="utf-8")
    return path


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_shown_as_text(browser: Any, tmp_path: Path, text: str) -> None:
    """In an answer, a title, a block, a question, a model's label and a judge's quote alike."""
    gold = f"Rye {text}"
    answer = make_answer(
        1, gold=[gold], text=f"It is {gold}!", block=f"## {gold}", prompt=f"What? {text}"
    )
    answer.verdicts.append({"judge": text, "item": 0, "label": "absent", "quote": text})
    answer.model = text
    path = write(tmp_path, [answer], people=[text])
    open_page(browser, path)
    detail = text_of(browser, "#evidence-detail")
    assert text_of(browser, ".answer") == f"It is {gold}!"
    assert text in text_of(browser, "blockquote")
    assert text in text_of(browser, ".shown") and text in detail
    assert text.replace("\0", "\ufffd") in text_of(browser, "#overview")
    assert browser.title == "Smoke test on a made-up bakery: the copy ceiling"
    inside = "#evidence-detail script, #evidence-detail img, #evidence-detail svg, main style"
    assert browser.execute_script(f"return document.querySelectorAll('{inside}').length") == 0
    assert browser.execute_script("return document.scripts.length") == 2
    assert complaints(browser) == []


def test_a_script_that_did_get_in_would_not_run(browser: Any, tmp_path: Path) -> None:
    """The content policy is the second wall: it holds even where text was not escaped."""
    path = write(tmp_path, [make_answer(1)])
    page = path.read_text(encoding="utf-8")
    bad = "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
    path.write_text(page.replace("<footer>", f"{bad}<footer>"), encoding="utf-8")
    open_page(browser, path)
    assert "owned" not in browser.title
    assert any("Content Security Policy" in line for line in complaints(browser))


def test_marks_stand_where_the_names_stand(browser: Any, tmp_path: Path) -> None:
    """Substring, inside a word and by words; astral characters before a name move nothing."""
    text = "\U0001f600 Yes: RYE-bread, a rye breadstick; mother, sourdough and starter."
    gold = ["Rye Bread", "Mother Starter Sourdough", "Tart"]
    path = write(tmp_path, [make_answer(1, gold=gold, text=text, block="Rye bread.")])
    open_page(browser, path)
    marks = browser.execute_script(
        "return [...document.querySelectorAll('.answer mark')].map((mark) => ["
        "mark.className, [...mark.childNodes].filter((n) => n.nodeType === 3)"
        ".map((n) => n.data).join('')])"
    )
    assert marks == [
        ["is-whole own", "RYE-bread"],
        ["is-inside own", "rye bread"],
        ["is-word", "mother"],
        ["is-word", "sourdough"],
        # "tart" stands inside "starter", which is also a word of the second title.
        ["is-word", "s"],
        ["is-inside", "tart"],
        ["is-word", "er"],
    ]
    assert browser.execute_script("return document.querySelectorAll('.shown mark').length") == 1


def test_an_address_opens_its_row_and_says_so(browser: Any, tmp_path: Path) -> None:
    answers = [
        make_answer(i, model=m, arm=a, gold=["Rye Bread", "Salt"], text=f"{m} {a} {i}")
        for i in (1, 2)
        for m in ("model-a", "reader-b")
        for a in ("raw", "scaffold")
    ]
    path = write(tmp_path, answers)
    open_page(browser, path, "#evidence/sweep/reader-b/raw/q0002/1")
    assert "reader-b raw 2" in text_of(browser, ".answer")
    assert text_of(browser, "#evidence-title") == "Salt"
    address = text_of(browser, ".address")
    go(browser, "#evidence/sweep/model-a/raw/q0001/0?arm=raw")
    assert text_of(browser, "#evidence-count") == "8 gold items in 4 answers to 2 questions"
    assert browser.execute_script("return document.getElementById('filter-arm').value") == "raw"
    go(browser, address)
    assert "reader-b raw 2" in text_of(browser, ".answer")
    go(browser, "#evidence/sweep/nobody/raw/q0001/0")
    assert "There is no row sweep/nobody/raw/q0001/0" in text_of(browser, "#evidence-detail")
    assert complaints(browser) == []


def test_choices_and_words_narrow_the_rows(browser: Any, tmp_path: Path) -> None:
    answers = [
        make_answer(1, text="Rye bread."),
        make_answer(2, text="Nothing.", status="truncated", paired=False),
        make_answer(3, text="Spelt, with \U0001f35e.", gold=["Spelt", "Oats"], gold_type="any"),
        make_answer(4, text=None, n_hits=1, items=make_answer(4).items),
    ]
    answers[3].items = [type(i)(i.shown, i.shown_strict, None, None) for i in answers[3].items]
    path = write(tmp_path, answers)
    open_page(browser, path)

    def rows(address: str) -> list[str]:
        go(browser, address)
        found: list[str] = browser.execute_script(
            "return [...document.querySelectorAll('#evidence-rows a')].map((a) => a.hash)"
        )
        return [hash_.split("?")[0].split("/")[-2] for hash_ in found]

    assert rows("#evidence?cell=n11") == ["q0001"]
    assert rows("#evidence?cell=n10") == ["q0002"]
    assert rows("#evidence?cell=n01") == ["q0003"]
    assert rows("#evidence?cell=n1x.n0x") == ["q0004"]
    assert "not stated item by item; 1 in all" in text_of(browser, "#evidence-detail")
    assert "hold no text of this answer" in text_of(browser, "#evidence-detail")
    assert rows("#evidence?status=truncated&policy=as_wrong") == ["q0002"]
    assert rows("#evidence?policy=complete_case") == ["q0001", "q0003", "q0003", "q0004"]
    assert rows("#evidence?type=any&cell=n00&compliant=0") == ["q0003"]
    assert rows("#evidence?text=WITH+\U0001f35e") == ["q0003", "q0003"]
    assert rows("#evidence?text=no+such+words") == []
    assert text_of(browser, "#evidence-detail") == "No row fits these choices."
    assert rows("#evidence?group=reader") == []


def test_every_row_can_be_reached_without_a_mouse(browser: Any, tmp_path: Path) -> None:
    from selenium.webdriver import Keys

    path = write(tmp_path, many(240))
    open_page(browser, path)
    active = "return document.activeElement"

    def titled() -> str:
        where: str = browser.execute_script(
            "return document.querySelector('tr[aria-current] a').hash"
        )
        return where

    browser.execute_script("document.querySelector('#evidence-rows a').focus()")
    first = titled()
    browser.switch_to.active_element.send_keys(Keys.ARROW_DOWN)
    second = titled()
    assert second != first
    assert browser.execute_script(f"{active}.hash") == second, "focus goes with the row"
    browser.switch_to.active_element.send_keys(Keys.PAGE_DOWN)
    assert text_of(browser, "#page-place") == "Rows 51 to 100 of 240"
    browser.switch_to.active_element.send_keys(Keys.END)
    assert text_of(browser, "#page-place") == "Rows 201 to 240 of 240"
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    assert browser.execute_script(f"{active}.id") == "evidence-title"
    browser.switch_to.active_element.send_keys(Keys.ESCAPE)
    assert browser.execute_script(f"{active}.hash") == titled()
    browser.switch_to.active_element.send_keys(Keys.HOME)
    assert titled() == first


def test_everything_has_a_name_for_who_does_not_see_it(browser: Any, tmp_path: Path) -> None:
    path = write(tmp_path, many(8))
    open_page(browser, path)
    tree = browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    roles = ("button", "link", "textbox", "searchbox", "combobox", "image", "region", "table")
    nameless = [
        node["role"]["value"]
        for node in tree
        if not node.get("ignored")
        and node["role"]["value"] in roles
        and not node.get("name", {}).get("value")
    ]
    assert nameless == []
    names = {n["name"]["value"] for n in tree if n["role"]["value"] == "combobox"}
    assert {"Model", "Arm", "Cell", "Matcher"} <= names
    landmarks = {n["role"]["value"] for n in tree}
    assert {"main", "navigation", "banner", "contentinfo", "search"} <= landmarks


def test_ten_thousand_rows_without_lag(browser: Any, tmp_path: Path) -> None:
    """Time of the page's own thread, so that a busy machine does not count."""
    path = write(tmp_path, many(10_000, lambda i: f"Rye bread {i}, " + f"word{i} " * 60))
    browser.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
    open_page(browser, path)
    assert text_of(browser, "#evidence-count").startswith("10,000 gold items in 10,000 answers")

    def spent(address: str) -> float:
        before = _busy(browser)
        go(browser, address)
        browser.execute_script("return document.body.offsetHeight")  # layout counts
        return _busy(browser) - before

    times = {
        address: spent(address)
        for address in (
            "#evidence?cell=n11",
            "#evidence?model=model-b&arm=scaffold&matcher=strict",
            "#evidence?text=word1999",
            "#evidence/sweep/model-b/scaffold/q2400/0",
            "#evidence",
        )
    }
    print(json.dumps(times))
    assert max(times.values()) < 0.25, times


def _busy(browser: Any) -> float:
    """Return the seconds that the page's thread has worked."""
    metrics = browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    found: dict[str, float] = {m["name"]: m["value"] for m in metrics}
    return found["TaskDuration"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('id="evidence-data">eN', 'id="evidence-data">eX', "is damaged"),
        ("const VERSION = 1", "const VERSION = 2", "is of version 1"),
    ],
)
def test_evidence_that_cannot_be_read_says_so(
    browser: Any, tmp_path: Path, old: str, new: str, said: str
) -> None:
    path = tmp_path / "report.html"
    page = make_page([make_answer(1)])
    assert old in page
    path.write_text(_allow(page.replace(old, new)), encoding="utf-8")
    open_page(browser, path)
    assert said in text_of(browser, "#evidence-message")


def test_an_old_browser_is_told_what_it_lacks(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    page = make_page([make_answer(1)])
    path.write_text(
        _allow(page.replace('"use strict";', '"use strict"; delete window.DecompressionStream;')),
        encoding="utf-8",
    )
    open_page(browser, path)
    assert "too old to unpack the evidence" in text_of(browser, "#evidence-message")


def _allow(page: str) -> str:
    """Return a page whose policy lets a script run that a test has changed."""
    import re

    return re.sub(r"script-src &#x27;[^;]*;", "script-src 'unsafe-inline'", page)
