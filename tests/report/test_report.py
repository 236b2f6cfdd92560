"""The smoke study's report in a real browser: links open exactly the rows that cells count."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from copyceiling.artefacts.store import rows
from copyceiling.config import load_study
from copyceiling.render import Panel, Show
from copyceiling.report.links import pieces
from copyceiling.sweep import POOLED
from copyceiling.tables import LAYOUTS, tables_of

from tests.conftest import ROOT, SMOKE
from tests.report.pages import GO, complaints, go, open_page, text_of
from tests.report.test_markup import read

_COUNT = (
    GO
    + """
const done = arguments[arguments.length - 1];
(async () => {
  const found = [];
  for (const address of arguments[0]) {
    await go(address);
    const { items, answers, questions } = document.getElementById("evidence-count").dataset;
    found.push([Number(items), Number(answers), Number(questions)]);
  }
  done(found);
})();
"""
)
_MEANS = (
    GO
    + """
const done = arguments[arguments.length - 1];
(async () => {
  const found = [];
  for (const address of arguments[0]) {
    await go(address);
    const { dataset, textContent } = document.getElementById("evidence-means");
    found.push([Number(dataset.recall), Number(dataset.ceiling), textContent]);
  }
  done(found);
})();
"""
)
Cell = tuple[Panel, Show, Any, str, str]  # panel, column, row, text, address


def cells(smoke: Path, table: str) -> Iterator[Cell]:
    """Yield the linked pieces of a table as the page lays it out."""
    layout, study = LAYOUTS[table], load_study(ROOT / SMOKE)
    found = sorted(
        rows(smoke / "tables" / f"{table}.parquet", layout.schema), key=lambda r: r["position"]
    )
    shown = layout.table(found, study["title"], study["statistics"]["missing"], 0.95)
    for panel in shown.panels:
        for row in panel.rows:
            for show in panel.columns:
                parts = pieces(table, panel, show, row)
                assert "".join(text for text, _ in parts) == show.cell(row), "text is kept"
                for text, address in parts:
                    if address is not None:
                        yield panel, show, row, text, address


def count(browser: Any, addresses: list[str]) -> list[tuple[int, int, int]]:
    """Return gold items, answers and questions that the browser shows for each address."""
    found = browser.execute_async_script(_COUNT, addresses)
    return [(items, answers, questions) for items, answers, questions in found]


@pytest.mark.parametrize("table", ["table3", "table5"])
def test_a_cell_opens_exactly_the_items_it_counts(
    browser: Any, smoke: Path, report: Path, table: str
) -> None:
    rates: dict[str, str | None] = {"Utilisation": "n_exposed", "Omission": "n_exposed"}
    rates |= {"omission, adjusted": None, "Share": "n"}
    linked = list(cells(smoke, table))
    assert len(linked) > 30
    open_page(browser, report)
    found = count(browser, [address for *_, address in linked])
    wrong = []
    for (_, show, row, text, address), (items, answers, _) in zip(linked, found, strict=True):
        if show.heading in rates:
            column = rates[show.heading]
            wanted = row[column] if column else row["n_exposed"] - row["n10_compliant"]
        else:
            wanted = int(text.replace(",", ""))
        if wanted != (answers if show.heading == "Retried" else items):
            wrong.append((show.heading, text, items, address))
    assert wrong == []


def test_every_count_of_tables_3_and_5_has_a_link(smoke: Path, report: Path) -> None:
    study = load_study(ROOT / SMOKE)
    for table in ("table3", "table5"):
        layout = LAYOUTS[table]
        found = rows(smoke / "tables" / f"{table}.parquet", layout.schema)
        shown = layout.table(found, study["title"], study["statistics"]["missing"], 0.95)
        for panel in shown.panels:
            for row in panel.rows:
                for show in panel.columns:
                    text = show.cell(row)
                    if text.replace(",", "").isdigit() and text != "0":
                        ((_, address),) = pieces(table, panel, show, row)
                        assert address, (table, panel.heading, show.heading)


def test_table_4_opens_its_questions_and_its_answers_by_status(
    browser: Any, smoke: Path, report: Path
) -> None:
    linked = list(cells(smoke, "table4"))
    open_page(browser, report)
    found = count(browser, [address for *_, address in linked])
    seen = set()
    for (_, show, row, text, address), (_, answers, questions) in zip(linked, found, strict=True):
        seen.add(show.heading)
        asked = parse_qs(address.partition("?")[2])
        if "status" in asked or show.heading.startswith("Retried"):
            assert answers == int(text.split(" ")[0]), address
        elif show.heading == "Cut in either":
            assert questions == int(text), address
        elif ":" in show.heading:
            assert questions == int(text.split(",")[0]), address
        elif show.heading == "Uplift":
            assert (answers, questions) == (2 * row["n"], row["n"]), address
        else:
            assert (answers, questions) == (row["n"], row["n"]), address
    assert {"n", "Raw", "Scaffold", "Uplift", "Ceiling", "Gain"} <= seen


def test_the_evidence_says_the_means_that_table_4_prints(
    browser: Any, smoke: Path, report: Path
) -> None:
    """The very recall and ceiling, worked out from the rows that the cell opens."""
    means = {"Raw": "raw_recall", "Scaffold": "scaffold_recall", "Ceiling": "ceiling"}
    linked = [c for c in cells(smoke, "table4") if c[1].heading in means and "status" not in c[4]]
    assert {show.heading for _, show, *_ in linked} == set(means)
    open_page(browser, report)
    found = browser.execute_async_script(_MEANS, [address for *_, address in linked])
    for (_, show, row, text, address), (recall, ceiling, said) in zip(linked, found, strict=True):
        value = ceiling if show.heading == "Ceiling" else recall
        assert value == pytest.approx(row[means[show.heading]], abs=1e-9), address
        assert text in said and f"Mean over {row['n']}" in said, address
    go(browser, f"{linked[0][4]}&cell=n11")
    assert text_of(browser, "#evidence-means") == "" or browser.execute_script(
        "return document.getElementById('evidence-means').hidden"
    ), "a choice of items has no recall"


def test_the_pooled_row_opens_models_and_no_readers(
    browser: Any, smoke: Path, report: Path
) -> None:
    ((_, _, row, text, address), *_) = [
        cell for cell in cells(smoke, "table5") if cell[2]["model"] == POOLED
    ]
    open_page(browser, report, address)
    models = browser.execute_script(
        "return [...new Set([...document.querySelectorAll('#evidence-rows .of-model')]"
        ".map((cell) => cell.textContent))]"
    )
    assert models and not [m for m in models if m.startswith("reader")]
    assert row["group"] == "model" and text


def test_a_link_is_followed_by_clicking_it(browser: Any, smoke: Path, report: Path) -> None:
    open_page(browser, report, "#table5")
    browser.execute_script("document.querySelector('#table5 a[href*=\"cell=n11\"]').click()")
    browser.execute_async_script(
        "const done = arguments[0]; const look = () => location.hash.includes('cell=n11') &&"
        "document.getElementById('evidence-count').textContent ? done() : setTimeout(look, 20);"
        "look();"
    )
    assert text_of(browser, "#evidence-detail .verdict").startswith("n11 exposed and recovered")
    top = browser.execute_script(
        "return document.getElementById('evidence').getBoundingClientRect().top"
    )
    assert abs(top) < 60, "the evidence is scrolled to"
    assert complaints(browser) == []


def test_every_table_and_figure_of_the_study_is_there(smoke: Path, report: Path) -> None:
    page = read(report.read_text(encoding="utf-8"))
    ids = {attributes.get("id") for _, attributes in page.tags}
    study = load_study(ROOT / SMOKE)
    assert set(tables_of(study)) <= ids
    for name in ("figure-recalls", "figure-figure3", "figure-counts", "figure-rescore"):
        assert name in ids
    for name in tables_of(study):
        layout = LAYOUTS[name]
        found = rows(smoke / "tables" / f"{name}.parquet", layout.schema)
        assert page.tags and found is not None
    assert report.stat().st_size < 10_000_000
    assert "Traceback" not in page.text


@pytest.mark.parametrize("table", ["table4", "table5"])
def test_no_column_of_the_main_tables_is_cut_off(browser: Any, report: Path, table: str) -> None:
    """At the width of a laptop's window, the primary intervals and rates are on the screen."""
    open_page(browser, report, f"#{table}")
    assert browser.execute_script("return innerWidth") >= 1380
    widths = browser.execute_script(
        f"return [...document.querySelectorAll('#{table} .scroll')]"
        ".map((box) => [box.scrollWidth, box.clientWidth])"
    )
    assert widths and all(whole <= shown for whole, shown in widths), widths


def test_a_row_of_every_judged_study_shows_its_grade(browser: Any, report: Path) -> None:
    open_page(browser, report)
    parts = browser.execute_script(
        "return [...document.getElementById('filter-part').options].map((o) => o.value)"
    )
    judged = [part for part in parts if part not in ("", "sweep", "wrappers")]
    assert judged, "the smoke study judges answers"
    for part in judged:
        open_page(browser, report, f"#evidence?part={part}")
        titles = browser.execute_script(
            "return [...document.querySelectorAll('#evidence-detail h4')].map((h) => h.textContent)"
        )
        assert any(title.startswith("Judge ") for title in titles), part
        assert any(title.startswith("Reference answer") for title in titles), part
