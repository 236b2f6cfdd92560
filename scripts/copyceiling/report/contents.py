"""The page's table of contents: sections, figures, and tables under their headings."""

from collections import Counter
from collections.abc import Mapping, Sequence

from copyceiling.report.markup import Html, el
from copyceiling.report.order import groups

_EMPTY = " (no rows)"
Titles = Sequence[tuple[str, str]]  # id and heading, in the order of the page


def navigation(
    sections: Mapping[str, str], figures: Titles, captions: Mapping[str, str], empty: Sequence[str]
) -> Html:
    """Return the page's navigation.

    Args:
        sections: Id of each section to its heading.
        figures: Figures.
        captions: Name of each table to its caption, cautions and the study's title taken off.
        empty: Tables without a row.
    """
    below = {"figures": _figures(figures), "tables": _tables(captions, empty)}
    entries = [
        el("li", el("a", heading, href=f"#{name}"), below.get(name))
        for name, heading in sections.items()
    ]
    inside = el("details", el("summary", "Contents"), el("ul", *entries), open=True)
    return el("nav", inside, aria_label="Contents")


def _figures(figures: Titles) -> Html:
    return el("ul", *(el("li", el("a", text, href=f"#{to}")) for to, text in figures))


def _tables(captions: Mapping[str, str], empty: Sequence[str]) -> Html:
    titles = short_titles(captions)

    def link(name: str) -> Html:
        return el("a", titles[name], _EMPTY if name in empty else "", href=f"#{name}")

    entries = []
    for heading, tables in groups(captions):
        listed = [
            el("li", link(t.name), el("ul", *(el("li", link(p)) for p in t.parts))
               if t.parts else None)
            for t in tables
        ]  # fmt: skip
        entries.append(el("li", el("span", heading, class_="group"), el("ul", *listed)))
    return el("ul", *entries)


def short_titles(captions: Mapping[str, str]) -> dict[str, str]:
    """Return what each caption says first; where several say the same, their names instead."""
    firsts = {name: short(caption) for name, caption in captions.items()}
    times = Counter(firsts.values())
    return {
        name: first if times[first] == 1 else name.replace("_", " ").capitalize()
        for name, first in firsts.items()
    }


def short(caption: str) -> str:
    """Return what a caption says first: up to its first full stop or colon."""
    for end in (". ", ": "):
        head, mark, _ = caption.partition(end)
        if mark and not head.isupper():
            return head
    return caption
