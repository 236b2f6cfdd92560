"""The report's own style sheets and scripts, in `assets/`, in the order they are put together."""

STYLES = ("report.css", "figures.css", "evidence.css", "print.css")
SCRIPTS = (
    "data.js",
    "filter.js",
    "marks.js",
    "detail.js",
    "list.js",
    "browser.js",
    "frames.js",
    "page.js",
)
ASSETS = (*STYLES, *SCRIPTS)
