"""The page: one file that fetches nothing, runs its own script alone and shows all text as text.

The content policy in its head names the hashes of the style sheet and the script, so that nothing
else in the file can run, whatever a corpus or a model wrote. Evidence is a block of base64, and
the script puts text into the page by ``textContent`` only.
"""

import base64
import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence

from copyceiling.report import evidence_section
from copyceiling.report.absent import lacking
from copyceiling.report.evidence.pack import encode, pack
from copyceiling.report.figures import figure_sections
from copyceiling.report.files import SCRIPTS, STYLES
from copyceiling.report.landing import overview
from copyceiling.report.markup import Html, el, join
from copyceiling.report.material import Material
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
    tables = [
        (
            name,
            table.caption,
            table_section(name, table, material.cautions[name], chain[f"tables/{name}"]),
        )
        for name, table in material.displayed.items()
    ]
    absent = lacking(material.study)
    sections = {
        "overview": overview(material),
        "figures": join(*(section for _, _, section in figures)),
        "tables": join(*(section for _, _, section in tables)),
        "evidence": evidence_section.section(
            encode(pack(material.answers, list(material.groups))), material.groups
        ),
        "provenance": _provenance(material),
        "lacking": _lacking(absent),
    }
    if not absent:
        del sections["lacking"]
    own = f"{material.study['title']}: "
    listed = {
        "figures": [(name, heading) for name, heading, _ in figures],
        # A caption that starts with the study's title says first what its name says.
        "tables": [
            (name, name.capitalize() if caption.startswith(own) else caption)
            for name, caption, _ in tables
        ],
    }
    return [
        el("a", "Skip to the report", href="#overview", class_="skip"),
        el("header", el("p", "Copy ceiling report"), el("h1", material.study["title"])),
        _navigation(list(sections), listed),
        el("main", *(_section(name, inside) for name, inside in sections.items())),
        el("footer", el("p", title, ". Works from disk; fetches nothing.")),
    ]


def _section(name: str, inside: Html) -> Html:
    heading = el("h2", _ANCHORS[name], id=f"{name}-heading", tabindex=-1)
    return el("section", heading, inside, id=name, class_="part", aria_labelledby=f"{name}-heading")


def _navigation(names: Sequence[str], listed: Mapping[str, Sequence[tuple[str, str]]]) -> Html:
    entries = []
    for name in names:
        titles = Counter(_short(text) for _, text in listed.get(name, ()))
        below = [
            el("li", el("a", _title(to, text, titles), href=f"#{to}"))
            for to, text in listed.get(name, ())
        ]
        link = el("a", _ANCHORS[name], href=f"#{name}")
        entries.append(el("li", link, el("ul", *below) if below else None))
    inside = el("ul", *entries)
    return el("nav", el("details", el("summary", "Contents"), inside, open=True),
              aria_label="Contents")  # fmt: skip


def _title(name: str, caption: str, titles: Mapping[str, int]) -> str:
    """Return what a caption says first, with the name where several captions start so."""
    short = _short(caption)
    return short if titles[short] == 1 else f"{short}: {name.replace('_', ' ')}"


def _short(caption: str) -> str:
    """Return what a caption says first: up to its first full stop or colon."""
    for end in (". ", ": "):
        head, mark, _ = caption.partition(end)
        if mark and not head.isupper():
            return head
    return caption


def _provenance(material: Material) -> Html:
    return join(
        el(
            "p",
            "Every artefact states the content hashes of what it was made from. A content hash is "
            "over the logical values, so it does not move with machine, locale or writer. Point at "
            "a box, or move to it with the tab key, to see what it rests on.",
        ),
        el("div", draw_provenance(material.chain), class_="scroll graph", role="region",
           tabindex=0, aria_label="Figure: provenance graph"),
        el("div", lines(material.chain), class_="scroll", role="region", tabindex=0,
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
                el("p", f"What it takes: {why}."),
                el("ul", *(el("li", el("code", name), f" {what}") for name, what in tables)),
            )
            for why, tables in by_reason.items()
        )
    )
