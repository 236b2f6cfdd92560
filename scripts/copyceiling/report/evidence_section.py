"""The evidence browser's frame: labelled controls that the script fills, and the data it reads."""

import json
from collections.abc import Mapping

from copyceiling.report.markup import Html, el, join

# Filters that have a control of their own: name in addresses and label.
SELECTS = (
    ("part", "Part"),
    ("model", "Model"),
    ("arm", "Arm"),
    ("domain", "Domain"),
    ("template", "Template"),
    ("cell", "Cell"),
    ("status", "Status"),
    ("judge", "Judge"),
    ("label", "Verdict"),
    ("matcher", "Matcher"),
    ("policy", "Answers that are not ok"),
)
_WORDS = (
    "A row is one gold item of one answer. Choose rows here, or follow a number of Tables 3, 4 and "
    "5 to the rows that it counts. Each row has an address of its own: copy it from the address "
    "line."
)
# Heading to the filter that makes a column superfluous.
_COLUMNS = {
    "Question": None,
    "Gold item": None,
    "Model": "model",
    "Arm": "arm",
    "Cell": None,
    "Found by": None,
    "Status": "status",
}


def section(data: str, groups: Mapping[str, str]) -> Html:
    """Return the browser's section.

    Args:
        data: Encoded evidence.
        groups: Label of each model of the sweep to ``model`` or ``reader``.
    """
    readers = json.dumps([label for label, group in groups.items() if group == "reader"])
    return join(
        el(
            "p",
            "Left out on paper: question, block, answer and verdicts of every row, to look through "
            "in a browser. They are in the file that this was printed from, report.html.",
            class_="on-paper",
        ),
        el("p", _WORDS),
        el(
            "noscript",
            el(
                "p",
                f"The evidence of {', '.join(groups)} is packed in this file and needs JavaScript "
                "to be shown. The tables above need none.",
                class_="absent",
            ),
        ),
        el("p", "Unpacking the evidence …", id="evidence-message", role="status"),
        el(
            "div",
            _form(),
            _counted(),
            _split(),
            id="evidence-browser",
            hidden=True,
            data_readers=readers,
        ),
        el("script", Html(data), type="text/plain", id="evidence-data"),
    )


def _form() -> Html:
    controls = [
        el("label", label, el("select", id=f"filter-{name}", name=name)) for name, label in SELECTS
    ]
    words = el("input", id="filter-text", name="text", type="search", autocomplete="off")
    search = el("label", "Words in question, gold or answer", words)
    reset = el("button", "Show all rows", type="button", id="evidence-reset")
    return el(
        "form", *controls, search, reset, id="evidence-form", role="search",
        aria_label="Choose rows of evidence",
    )  # fmt: skip


def _counted() -> Html:
    return join(
        el("p", id="evidence-extra", hidden=True),
        el("p", id="evidence-count", role="status", aria_live="polite"),
        el("p", id="evidence-means", hidden=True),
    )


def _split() -> Html:
    head = el(
        "tr",
        *(
            el("th", heading, scope="col", class_=name and f"of-{name}")
            for heading, name in _COLUMNS.items()
        ),
    )
    rows = el(
        "table",
        el("caption", "Rows. Arrow keys move and open, Enter goes to the row's text."),
        el("thead", head),
        el("tbody", id="evidence-rows"),
        class_="data",
        id="evidence-table",
    )
    buttons = (("first", "First"), ("previous", "Previous"), ("next", "Next"), ("last", "Last"))
    made = {
        name: el("button", text, type="button", id=f"page-{name}", aria_label=f"{text} page")
        for name, text in buttons
    }
    pager = el(
        "div", made["first"], made["previous"], el("span", id="page-place", role="status"),
        made["next"], made["last"], class_="pager", role="group", aria_label="Pages of rows",
    )  # fmt: skip
    return el(
        "div",
        el("div", pager, el("div", rows, class_="scroll rows", id="evidence-list"), class_="list"),
        el("article", id="evidence-detail", tabindex=-1, aria_label="The row chosen"),
        class_="split",
    )
