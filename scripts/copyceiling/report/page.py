"""The page: one file that fetches nothing, runs its own script alone and shows all text as text.

The content policy in its head names the hashes of the style sheet and the script, so that nothing
else in the file can run, whatever a corpus or a model wrote. Evidence is a block of base64, and
the script puts text into the page by ``textContent`` only.
"""

import base64
import hashlib
from collections.abc import Mapping, Sequence

from copyceiling.report import evidence_section
from copyceiling.report.absent import lacking
from copyceiling.report.contents import navigation
from copyceiling.report.evidence.pack import encode, pack
from copyceiling.report.figures import figure_sections
from copyceiling.report.files import SCRIPTS, STYLES
from copyceiling.report.landing import overview
from copyceiling.report.markup import Html, el, join
from copyceiling.report.material import Material
from copyceiling.report.order import ordered
from copyceiling.report.plots.frame import SIZES
from copyceiling.report.plots.provenance import draw_provenance
from copyceiling.report.provenance import lines
from copyceiling.report.tables import table_section

_ANCHORS = {
    "overview": "Overview",
    "figures": "Figures",
    "tables": "Tables",
    "evidence": "Evidence",
    "provenance": "Provenance",
    "lacking": "Not in this study",
}


def page(material: Material, assets: Mapping[str, str]) -> str:
    """Return the report as HTML.

    Args:
        material: What it shows.
        assets: File name of each of `files.ASSETS` to its text.

    Raises:
        ArtefactError: The evidence contradicts itself, see `pack`.
    """
    style = "\n".join(assets[name] for name in STYLES)
    script = f'"use strict";\n(() => {{\n{"".join(assets[name] for name in SCRIPTS)}}})();\n'
    title = f"{material.study['title']}: the copy ceiling"
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=_policy(style, script)),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("meta", name="referrer", content="no-referrer"),
        el("link", rel="icon", href="data:,"),
        el("title", title),
        Html(f"<style>{style}</style>"),
    )
    body = el("body", *_body(material, title), Html(f"<script>{script}</script>"))
    return f"<!doctype html>\n{el('html', head, body, lang='en')}\n"


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; script-src '{_source(script)}'; style-src '{_source(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _source(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"


def _body(material: Material, title: str) -> list[Html]:
    figures = figure_sections(material)
    chain = {a.name: a for a in material.chain}
    tables = {name: material.displayed[name] for name in ordered(material.displayed)}
    absent = lacking(material.study)
    sections = {
        "overview": overview(material),
        "figures": join(*(section for _, _, section in figures)),
        "tables": join(
            *(
                table_section(name, table, material.cautions[name], chain[f"tables/{name}"])
                for name, table in tables.items()
            )
        ),
        "evidence": evidence_section.section(
            encode(pack(material.answers, list(material.groups))), material.groups
        ),
        "provenance": _provenance(material),
        "lacking": _lacking(absent),
    }
    if not absent:
        del sections["lacking"]
    own = f"{material.study['title']}: "
    captions = {
        # A caption that starts with the study's title says first what its name says.
        name: name.capitalize() if table.caption.startswith(own) else table.caption
        for name, table in tables.items()
    }
    empty = [name for name in tables if not material.tables[name]]
    return [
        el("a", "Skip to the report", href="#overview", class_="skip"),
        el("header", el("p", "Copy ceiling report"), el("h1", material.study["title"])),
        navigation(
            {name: _ANCHORS[name] for name in sections},
            [(name, heading) for name, heading, _ in figures],
            captions,
            empty,
        ),
        el("main", *(_section(name, inside) for name, inside in sections.items())),
        el("footer", el("p", title, ". Works from disk; fetches nothing.")),
    ]


def _section(name: str, inside: Html) -> Html:
    heading = el("h2", _ANCHORS[name], id=f"{name}-heading", tabindex=-1)
    return el("section", heading, inside, id=name, class_="part", aria_labelledby=f"{name}-heading")


def _provenance(material: Material) -> Html:
    return join(
        el(
            "p",
            "Every artefact states the content hashes of what it was made from. A content hash is "
            "over the logical values, so it does not move with machine, locale or writer. Point at "
            "a box, or move to it with the tab key, to see what it rests on.",
        ),
        el("div", *(draw_provenance(material.chain, size) for size in SIZES), class_="graph"),
        el("p", f"{len(material.chain):,} artefacts. Scroll within the frame.", class_="framed"),
        el("div", lines(material.chain), class_="scroll tall", role="region", tabindex=0,
           aria_label="Every artefact with its content hash and inputs"),
    )  # fmt: skip


def _lacking(absent: Sequence[tuple[str, str, str]]) -> Html:
    """Return what a study lacks, tables of one reason together."""
    by_reason: dict[str, list[tuple[str, str]]] = {}
    for name, what, why in absent:
        by_reason.setdefault(why, []).append((name, what))
    return join(
        *(
            join(
                el("ul", *(el("li", el("code", name), f" {what}") for name, what in tables),
                   class_="lacks"),
                el("p", f"What it takes: {why}.", class_="takes"),
            )
            for why, tables in by_reason.items()
        )
    )  # fmt: skip
