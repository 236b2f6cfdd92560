"""What a study lacks, and what it would take to have it."""

from collections.abc import Mapping
from typing import Any

from copyceiling.tables import LAYOUTS
from copyceiling.tables.parts import TAKES, has_part, what_it_takes

# Parts that follow from others.
_REASONS = {
    "stress": "set its section 'paraphrase' with source synonyms or model, so that it rewrites "
    "its questions itself",
    "released_rewrites": "released rewrites, by 'paraphrase: {source: release}'",
    "released_scores": "released score rows, by 'sweep: {source: release}'",
    "rescored_answers": "set its section 'rescore', in a study with 'sweep: {source: calls}'",
    "rescore_published": "set its section 'rescore', and point release.published at values",
    "answers": "answers to read, by 'sweep: {source: calls}'",
    "published": "published values to compare with: point release.published at a file of them",
}
_CALLS = "_calls"  # parts that judged studies have whose answers are calls of their own


def reason(part: str) -> str:
    """Return what it takes for a study to have a part that it lacks, for people."""
    if part in _REASONS:
        return _REASONS[part]
    if part.endswith(_CALLS):
        section = part.removesuffix(_CALLS)
        return f"answers of the study's own, by '{section}: {{source: calls, ...}}'"
    return what_it_takes(part) if part in TAKES else f"its section '{part}'"


def lacking(study: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Return the tables that a study has not: name, what it would show, and why it is not there."""
    return [
        (name, layout.schema.doc, reason(layout.part))
        for name, layout in LAYOUTS.items()
        if layout.part is not None and not has_part(study, layout.part)
    ]
