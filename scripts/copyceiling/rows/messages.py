"""What each question shows a model, read from the scaffold artefact."""

from pathlib import Path

from copyceiling.artefacts.schemas import SCAFFOLDS
from copyceiling.artefacts.store import rows
from copyceiling.requests import Message, build_messages


def read_messages(path: Path) -> dict[str, dict[str, tuple[Message, ...]]]:
    """Read what each question shows a model: question id to arm to messages."""
    return {
        r["question_id"]: {
            "raw": build_messages("", "", r["prompt"]),
            "scaffold": build_messages(r["preamble"], r["block"], r["prompt"]),
        }
        for r in rows(path, SCAFFOLDS)
    }
