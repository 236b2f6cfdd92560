"""What stands against judges: in full once in the page, in short over every table and figure."""

from collections.abc import Iterable, Mapping, Sequence

from copyceiling.report.markup import Html, el, join

ANCHOR = "judges"
_HEAD, _TAIL = "): ", ". Its verdicts "


def short(caution: str, what: str) -> str:
    """Return a caution without the measures that it lists.

    Args:
        caution: As `calibration.banner.card_banner` or `audit.panels.caution` gives it; one that
            lists no measures stays as it is.
        what: What it stands over: ``table`` or ``figure``.
    """
    head, listed, rest = caution.partition(_HEAD)
    _, closed, end = rest.rpartition(_TAIL)
    kept = f"{head}){_TAIL}{end}" if listed and closed else caution
    return kept.replace("this table", f"this {what}")


def in_full(caution: str) -> str:
    """Return a caution as it stands once for the whole page."""
    return caution.replace("this table", "any table or figure")


def boxes(cautions: Iterable[str], what: str) -> list[Html]:
    """Return the cautions over a table or figure, each in short, with the way to the full one."""
    why = el("a", "What it fails", href=f"#{ANCHOR}")
    return [
        el("p", said, *((" ", why) if len(said) < len(caution) else ()), class_="warning",
           role="note")
        for caution in cautions
        for said in [short(caution, what)]
    ]  # fmt: skip


def distinct(cautions: Mapping[str, Sequence[str]]) -> list[str]:
    """Return every caution of the page once, in the order of the tables.

    A row that rests on several judges carries their cautions one after the other; where each of
    them stands elsewhere by itself, the row's adds nothing.
    """
    every = list(dict.fromkeys(text for said in cautions.values() for text in said))
    return [text for text in every if _rest(text, every)]


def _rest(text: str, every: Sequence[str]) -> str:
    """Return what is left of a caution without the others that it holds."""
    for other in every:
        if other != text:
            text = text.replace(other, "")
    return text.strip()


def section(cautions: Sequence[str]) -> Html:
    """Return what stands against the study's judges, in full."""
    return join(*(el("p", in_full(text), class_="warning", role="note") for text in cautions))
