"""The diagrams of docs/diagrams: as described, readable by machines, complete on the page."""

import importlib.util
import xml.etree.ElementTree as ET
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from tests.conftest import ROOT

FOLDER = ROOT / "docs" / "diagrams"
SVG = "{http://www.w3.org/2000/svg}"
FIGURES = sorted(FOLDER.glob("figure*.yaml"))


@pytest.fixture(scope="module")
def draw() -> ModuleType:
    spec = importlib.util.spec_from_file_location("draw_diagrams", FOLDER / "draw.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_drawings_are_as_described(draw: ModuleType) -> None:
    drawn = draw.figures()
    assert [p.stem for p in drawn] == ["figure1", "figure2", "figure4"]
    for path, svg in drawn.items():
        assert path.read_text(encoding="utf-8") == svg, "draw again: python docs/diagrams/draw.py"
    assert draw.main(["--check"]) == 0


@pytest.mark.parametrize("file", FIGURES, ids=lambda p: p.stem)
def test_every_part_is_drawn_inside_the_page_and_says_what_it_is(file: Path) -> None:
    figure: dict[str, Any] = yaml.safe_load(file.read_text(encoding="utf-8"))
    text = file.with_suffix(".svg").read_text(encoding="utf-8")
    root = ET.fromstring(text)
    assert root.findtext(f"{SVG}title") == figure["title"]
    assert len(root.findtext(f"{SVG}desc") or "") > 100
    assert "prefers-color-scheme:dark" in text
    assert text.count("http") == 1, "nothing is fetched; the one address names the format"
    shown = [t.text for t in root.iter(f"{SVG}text")]
    width, height = figure["size"]
    for box in figure["boxes"].values():
        x, y, w, h = box["at"]
        assert x >= 0 and x + w <= width and y >= 0 and y + h <= height
        assert all(line in shown for line in box["text"])
    boxes = [b["at"] for b in figure["boxes"].values()]
    for i, (x, y, w, h) in enumerate(boxes):
        for a, b, c, d in boxes[:i]:
            assert x >= a + c or a >= x + w or y >= b + d or b >= y + h, "boxes overlap"
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert f"({file.stem}.svg)" in page


def test_faulty_descriptions_are_refused(draw: ModuleType) -> None:
    box = {"at": [0, 0, 60, 40], "kind": "step", "text": ["far too long for its box"]}
    figure = {
        "title": "t",
        "desc": "d",
        "size": [100, 100],
        "boxes": {"a": box, "b": {**box, "kind": "cloud", "text": ["b"]}},
        "arrows": [{"from": "a.right", "to": "nowhere.left"}],
        "legend": [0, 90],
    }
    with pytest.raises(ValueError, match="no box 'nowhere'") as e:
        draw.draw(figure)
    assert "wider than its box" in str(e.value) and "unknown kind 'cloud'" in str(e.value)
