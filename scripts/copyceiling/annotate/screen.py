"""A unit as plain text for a terminal: no colours, no cursor movement, nothing text can forge."""

import textwrap
import unicodedata

from copyceiling.annotate.labelling import MEANINGS
from copyceiling.annotate.session import Session
from copyceiling.audit.labels import Row

WIDTH = 100
_KEYS = "u undo   b back   s skip   t remark   g guide   q quit (all is saved)"


def plain(text: str) -> str:
    """Return text without control characters: an answer must not steer the terminal."""
    return "".join(
        c if c in "\n\t" or not _steers(c) else "\N{REPLACEMENT CHARACTER}" for c in text
    )


def _steers(character: str) -> bool:
    # Cc: control; Cf: format, such as the marks that turn text round; Cs: half surrogates.
    return unicodedata.category(character) in ("Cc", "Cf", "Cs")


def unit_text(session: Session, total: int) -> str:
    """Return what is shown of the current unit, with the keys."""
    unit = session.current
    done = f"{session.n_labelled} of {total} labelled"
    if unit is None:
        return f"{'=' * WIDTH}\nEnd of the sheet: {done}.   u undo   b back   q quit\n"
    said = session.labels.get(unit["code"])
    parts = [
        "=" * WIDTH,
        f"Unit {session.number} of {total}   {done}   {unit['code']}",
        *(["Labelled: " + f"{said.label}, {said.role}"] if said else []),
        *_fields(unit),
        _rule("ANSWER"),
        _wrapped(unit["answer"]) or "(empty)",
        _rule("end of the answer"),
        f"Item: {plain(unit['item'])}",
        keys_text(session),
    ]
    return "\n".join(parts) + "\n"


def keys_text(session: Session) -> str:
    """Return the keys that the session takes now."""
    if session.wants_role:
        return "Does the answer really supply another one of the items?   y yes   n no   u undo"
    lines = [f"  {key}  {label:<17}{meaning}" for label, (key, meaning) in MEANINGS.items()]
    return "\n".join(["The first that fits:", *lines, f"  {_KEYS}"])


def _fields(unit: Row) -> list[str]:
    wanted = "all of them" if unit["gold_type"] == "all" else "any one of them suffices"
    items = [f"  - {plain(title)}" for title in unit["gold"]]
    return [
        _wrapped(f"Question: {unit['question']}"),
        _wrapped(f"Relation: {unit['relation']}"),
        _wrapped(f"Edge:     {unit['edge']}"),
        f"All items ({wanted}):",
        *items,
    ]


def _rule(name: str) -> str:
    return f"--- {name} {'-' * (WIDTH - 5 - len(name))}"


def _wrapped(text: str) -> str:
    lines = plain(text).split("\n")
    return "\n".join(
        textwrap.fill(line, WIDTH, subsequent_indent="  ", replace_whitespace=False) if line else ""
        for line in lines
    )
