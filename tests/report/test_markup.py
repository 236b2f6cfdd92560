"""Text stays text, whatever it holds."""

from html.parser import HTMLParser

from copyceiling.report.markup import Html, code_spans, el, join
from hypothesis import given
from hypothesis import strategies as st


class Reader(HTMLParser):
    """Reads a page back: its elements, and its text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def read(markup: str) -> Reader:
    reader = Reader()
    reader.feed(markup)
    reader.close()
    return reader


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=40)


@given(TEXT, TEXT)
def test_text_and_attributes_come_back_as_they_went_in(text: str, value: str) -> None:
    found = read(el("p", text, title=value))
    assert found.tags == [("p", {"title": value})] and found.text == text


@given(TEXT)
def test_notes_keep_their_text(text: str) -> None:
    found = read(el("p", code_spans(text)))
    balanced = text.count("`") % 2 == 0
    assert found.text == (text.replace("`", "") if balanced else text)
    assert {tag for tag, _ in found.tags} <= {"p", "code"}


def test_what_html_cannot_hold_is_replaced() -> None:
    assert el("p", "a\0b\ud800c") == "<p>a\ufffdb?c</p>"


def test_elements() -> None:
    assert el("br") == "<br>"
    assert el("td", None, 3, class_="right", hidden=True, id=None) == (
        '<td class="right" hidden>3</td>'
    )
    assert join(Html("<b>"), ["<", [Html("</b>")]]) == "<b>&lt;</b>"
    assert el("meta", name="x", http_equiv="y") == '<meta name="x" http-equiv="y">'
