"""The page's own scripts and style sheets: a lint that needs no Node, and the list of files."""

import re

import pytest
from copyceiling.report.files import ASSETS, SCRIPTS, STYLES

from tests.report.material import FOLDER

# Each would let text become markup or code, or reach out of the page.
_BANNED = {
    r"\b(inner|outer)HTML\b": "text enters the page by textContent",
    r"insertAdjacentHTML|document\.write|createContextualFragment|DOMParser": "the same",
    r"\beval\(|new Function|setTimeout\(\s*[\"']|javascript:": "text is never code",
    r"\bfetch\(|XMLHttpRequest|WebSocket|sendBeacon|\bimport\b|importScripts": "nothing is fetched",
    r"localStorage|sessionStorage|document\.cookie|indexedDB": "nothing is kept",
    r"https?:": "no address outside the page",
    r"\bvar\b|==[^=]|[^=!]==[^=]": "let, const and ===",
    r"\.style\b|\bon[a-z]+\s*=\s*[\"']": "looks are in the style sheet, listeners are added",
    r"\bconsole\.|debugger": "left over",
}


@pytest.mark.parametrize("name", ASSETS)
def test_files_are_tidy(name: str) -> None:
    text = (FOLDER / name).read_text(encoding="utf-8")
    lines = text.splitlines()
    assert text.endswith("\n") and not text.endswith("\n\n")
    assert not [i for i, line in enumerate(lines, 1) if len(line) > 100]
    assert not re.search(r"\t|[ \t]+$", text, flags=re.MULTILINE)
    assert len(lines) <= 420, "cut it in two"
    assert "</script" not in text.lower() and "</style" not in text.lower()
    assert "<!--" not in text


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_do_nothing_that_a_report_must_not(name: str) -> None:
    text = (FOLDER / name).read_text(encoding="utf-8")
    code = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL).replace("===", "≡")
    code = code.replace("!==", "≢").replace("!≡", "≢")
    for pattern, why in _BANNED.items():
        found = re.search(pattern, code, flags=re.MULTILINE)
        assert not found, f"{name}: {found and found.group()}: {why}"


@pytest.mark.parametrize("name", STYLES)
def test_styles_fetch_nothing(name: str) -> None:
    text = (FOLDER / name).read_text(encoding="utf-8")
    assert not re.search(r"@import|url\(|https?:", text)
    assert text.count("{") == text.count("}")


def test_every_asset_is_listed() -> None:
    assert {p.name for p in FOLDER.iterdir()} == set(ASSETS)
