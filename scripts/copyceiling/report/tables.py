"""A study's tables as sections of the page, the cells of some leading to their evidence."""

from collections.abc import Sequence

from copyceiling.render import MISSING, Panel, Row, Show, Table
from copyceiling.report.cautions import boxes
from copyceiling.report.links import pieces
from copyceiling.report.markup import Html, code_spans, el, join
from copyceiling.report.provenance import SHORT, Artefact, anchor

_LABEL = 30  # letters of a row's heading that stay on one line
# Letters of a panel, its widest cells side by side, from which on it is set smaller and its cells
# break: what a page of 1,400 pixels shows of the usual type, with room for wider fonts.
_DENSE = 118
_GAP = 1.2  # letters between two columns
_TALL = 80  # rows of a panel from which on it scrolls within a frame


def split_caption(caption: str, rows: Sequence[Row]) -> tuple[list[str], str]:
    """Return what stands across the top of a table against its judges, and its own caption.

    Args:
        caption: As displayed, see `calibration.banner.stamp`.
        rows: Rows of the table; those of judged studies carry a ``caution``.
    """
    said = []
    cautions = list(dict.fromkeys(r["caution"] for r in rows if r.get("caution")))
    while found := next((c for c in cautions if caption.startswith(f"{c} ")), None):
        said.append(found)
        caption = caption.removeprefix(f"{found} ")
    return said, caption


def table_section(name: str, table: Table, cautions: Sequence[str], source: Artefact) -> Html:
    """Return a table as a section: caption, panels, notes, and which artefact it shows.

    Args:
        name: Of the table.
        table: As displayed everywhere else, its cautions apart.
        cautions: What its judges' calibration says against it.
        source: The table's artefact.
    """
    return el(
        "section",
        el("h3", table.caption, id=f"{name}-heading"),
        *boxes(cautions, "table"),
        *(_panel(name, table, panel) for panel in table.panels),
        el("ul", *(el("li", code_spans(note)) for note in table.notes), class_="notes")
        if table.notes
        else None,
        el(
            "p",
            "Rows as stored: ",
            el("code", f"tables/{name}.parquet"),
            " (also csv, md, tex, html); content hash ",
            el("a", el("code", source.content_hash[:SHORT]), href=f"#{anchor(source.name)}"),
            ".",
            class_="source",
        ),
        class_="table",
        id=name,
        aria_labelledby=f"{name}-heading",
    )


def _panel(name: str, table: Table, panel: Panel) -> Html:
    label = f"{table.caption}{'; ' if panel.heading else ''}{panel.heading}"
    tall = len(panel.rows) >= _TALL
    return join(
        el("h4", _kept(panel.heading)) if panel.heading else None,
        el("p", f"{len(panel.rows):,} rows. Scroll within the frame.", class_="framed")
        if tall
        else None,
        el(
            "div",
            _grid(name, panel, label),
            class_="scroll tall" if tall else "scroll",
            role="region",
            aria_label=label,
            tabindex=0,
        )
        if panel.rows
        else el("p", "No rows.", class_="empty"),
    )


def _grid(name: str, panel: Panel, label: str) -> Html:
    head = el(
        "tr", *(el("th", _kept(c.heading), scope="col", class_=_side(c)) for c in panel.columns)
    )
    body = [el("tr", *_cells(name, panel, row)) for row in panel.rows]
    kind = "data dense" if _letters(panel) > _DENSE else "data"
    return el("table", el("thead", head), el("tbody", *body), class_=kind, aria_label=label)


def _kept(heading: str) -> str:
    """Return a heading whose per cent signs stay beside their numbers."""
    return heading.replace(" %", "\u00a0%")


def _letters(panel: Panel) -> float:
    """Return how wide a panel is where no cell breaks, and headings do at their spaces."""
    widest = (
        max([*(len(c.cell(row)) for row in panel.rows), *map(len, c.heading.split())], default=0)
        for c in panel.columns
    )
    return sum(n + _GAP for n in widest)


def _cells(name: str, panel: Panel, row: Row) -> list[Html]:
    out = []
    for i, show in enumerate(panel.columns):
        content = [
            text if href is None else el("a", text, href=href)
            for text, href in pieces(name, panel, show, row)
        ]
        missing = "missing" if content == [MISSING] else None
        first = i == 0 and show.align == "left"
        label = "label" if first and len(show.cell(row)) <= _LABEL else None
        classes = " ".join(filter(None, (_side(show), missing, label))) or None
        out.append(
            el("th", *content, scope="row", class_=classes)
            if first
            else el("td", *content, class_=classes)
        )
    return out


def _side(show: Show) -> str | None:
    return None if show.align == "left" else show.align
