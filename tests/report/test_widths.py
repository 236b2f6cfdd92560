"""Figures and tables at the width of a telephone, a tablet and a desk: legible, and never cut."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from copyceiling.render import Panel, Show, Table, text
from copyceiling.report.plots.frame import NARROW, SIZES, WIDE
from copyceiling.report.plots.provenance import draw_provenance
from copyceiling.report.plots.sweep import draw_recalls
from copyceiling.report.provenance import Artefact
from copyceiling.report.tables import table_section

from tests.report import test_plots as plots
from tests.report.material import FOLDER
from tests.report.pages import open_page

_SHRUNK = 345 / 358  # a narrow drawing on a screen of 400 pixels with a scroll bar
_PX = 1.42  # pixels a point, at the drawing's own width
LEAST = 9.0  # pixels: the least type that is called legible

NARROW_FIGURES = {
    "picture": lambda: plots.draw_picture(plots.sweep_row(), plots.counts_row(), NARROW),
    "recalls": lambda: draw_recalls([plots.sweep_row()], NARROW),
    "forest": lambda: plots.draw_forest([plots.sweep_row()], NARROW),
    "counts": lambda: plots.draw_counts([plots.counts_row()], NARROW),
    "rescore": lambda: plots.draw_rescore([plots.rescore_row(t) for t in (None, 8000)], NARROW),
    "stress": lambda: plots.draw_stress([plots.stress_row("lexical", "original")], NARROW),
    "rewrites": lambda: plots.draw_rewrites([plots.rewrite_row("original")], NARROW),
    "contrasts": lambda: plots.draw_contrasts(
        [plots.contrast_row()], NARROW, name="controls", title="Controls"
    ),
    "calibration": lambda: plots.draw_calibration(
        [plots.card_row("accuracy"), plots.card_row("kappa", meets=True)], "ours", NARROW
    ),
    "seeds": lambda: plots.draw_seeds([plots.seed_row(s) for s in (1, 2)], NARROW),
    "provenance": lambda: draw_provenance(
        [Artefact("corpus/classes", "a" * 64, 3, "read_corpus", "read_corpus.py", ())], NARROW
    ),
}


@pytest.mark.parametrize("name", NARROW_FIGURES)
def test_a_narrow_figure_is_as_narrow_as_a_telephone_and_legible(name: str) -> None:
    root = ET.fromstring(NARROW_FIGURES[name]())
    assert root.get("class") == "plot narrow" and float(str(root.get("width"))) <= 360
    ids = [str(node.get("id")) for node in root.iter() if node.get("id")]
    assert ids and all("-narrow-" in i for i in ids), "apart from those of the wide drawing"
    sizes = [float(str(node.get("font-size")).removesuffix("px")) for node in root.iter("text")
             if node.get("font-size")]  # fmt: skip
    assert sizes and min(sizes) * _PX * _SHRUNK >= LEAST


def test_labels_stand_above_their_rows_where_it_is_narrow() -> None:
    rows = [plots.sweep_row(model=f"a-model-of-a-long-name-{i}") for i in range(3)]

    def places(drawing: str) -> list[float]:
        found = [n for n in ET.fromstring(drawing).iter("text") if "long-name" in (n.text or "")]
        return [float(str(n.get("x"))) for n in found]

    narrow = places(draw_recalls(rows, NARROW))
    assert len(narrow) == 3 and len(set(narrow)) == 1 and narrow[0] < 30
    assert WIDE.fold("x " * 60) == "x " * 60
    assert max(map(len, NARROW.fold("word " * 30).split("\n"))) <= NARROW.letters


def wide_table(n: int) -> Table:
    columns = [Show(f"Column {i}", text("x")) for i in range(n)]
    return Table("Wide", (Panel("", columns, [{"x": "[+0.123, +0.456]"}]),))


@pytest.mark.parametrize(("n", "dense"), [(4, False), (12, True)])
def test_many_wide_columns_are_set_smaller(n: int, dense: bool) -> None:
    source = Artefact("tables/x", "a" * 64, 1, "r", "r.py", ())
    section = table_section("x", wide_table(n), [], source)
    assert ('class="data dense"' in section) is dense


_FRAMES = """
return [...document.querySelectorAll("section.table")].map((t) => [t.id,
  [...t.querySelectorAll(".scroll")].map((s) => [s.scrollWidth, s.clientWidth, s.tabIndex,
    Boolean(s.previousElementSibling?.classList.contains("sideways")
      && s.previousElementSibling.textContent.includes("sideways")), s.getAttribute("role")])]);
"""
_FIGURES = """
const seen = [...document.querySelectorAll("svg.plot")].filter((s) => s.getClientRects().length);
return [document.documentElement.scrollWidth, document.documentElement.clientWidth,
  seen.map((svg) => {
    const shown = svg.getBoundingClientRect();
    const scale = shown.width / svg.viewBox.baseVal.width;
    const type = [...svg.querySelectorAll("text")].map((t) =>
      parseFloat(getComputedStyle(t).fontSize) * scale);
    return [svg.getAttribute("class"), Math.min(...type), shown.right];
  })];
"""


def resize(browser: Any, width: int) -> None:
    given = {"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", given)


@pytest.fixture
def sized(browser: Any) -> Any:
    yield browser
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.parametrize("width", [400, 600, 800, 1400])
def test_figures_fit_every_screen_at_legible_type(sized: Any, report: Path, width: int) -> None:
    resize(sized, width)
    open_page(sized, report, "#figures")
    whole, screen, figures = sized.execute_script(_FIGURES)
    assert whole <= screen, "the page does not scroll sideways"
    assert len(figures) >= 8
    kind = "narrow" if width < 768 else "wide"
    for name, type_size, right in figures:
        assert name == f"plot {kind}" and type_size >= LEAST and right <= screen


def test_tables_fit_a_desk_and_say_where_they_do_not(sized: Any, report: Path) -> None:
    resize(sized, 1400)
    open_page(sized, report, "#tables")
    for table, frames in sized.execute_script(_FRAMES):
        for inner, outer, stop, hint, role in frames:
            assert inner <= outer, table
            assert (stop, hint, role) == (-1, False, None), "no stop where nothing scrolls"
    resize(sized, 400)
    open_page(sized, report, "#tables")
    frames = [f for _, found in sized.execute_script(_FRAMES) for f in found]
    assert any(inner > outer for inner, outer, *_ in frames)
    for inner, outer, stop, hint, role in frames:
        wide = inner > outer + 1
        assert hint is wide and (role == "region") is (stop == 0) and (stop == 0 or not wide)


def luminance(colour: str) -> float:
    """Return the relative luminance of ``#rrggbb`` (WCAG 2.2)."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(
    ("sheet", "scheme"), [("report.css", 0), ("report.css", 1), ("print.css", 0)]
)
def test_ink_and_marks_stand_out_from_the_page(sheet: str, scheme: int) -> None:
    """Text at 4.5 to 1, marks of figures at 3 to 1, in light, dark and on paper."""
    css = (FOLDER / sheet).read_text(encoding="utf-8")
    found = dict(
        re.findall(r"--([\w-]+): (#\w{6});", css.split(":root {")[scheme + 1].split("}")[0])
    )
    for name in ("ink", "muted", "link", "warn"):
        for ground in ("paper", "raised"):
            assert contrast(found[name], found[ground]) >= 4.5, (name, ground)
    for name in ("blue", "sky", "orange", "green", "vermilion", "purple", "grey"):
        assert contrast(found[name], found["paper"]) >= 3.0, name


def test_each_box_of_the_provenance_is_one_stop(sized: Any, report: Path) -> None:
    resize(sized, 1400)
    open_page(sized, report, "#provenance")
    stops = sized.execute_script(
        "return [...document.querySelectorAll('.graph .plot.wide .node')].map((n) =>"
        " [n.tabIndex, n.querySelectorAll('a').length]);"
    )
    assert len(stops) > 20 and all(found == [-1, 1] for found in stops)
    lit = sized.execute_script(
        "const nodes = [...document.querySelectorAll('.graph .plot.wide .node')];"
        "nodes.at(-1).querySelector('a').focus();"
        "return document.querySelectorAll('.graph .edge.lit').length;"
    )
    assert lit > 2
    assert {size.name for size in SIZES} == {"wide", "narrow"}
