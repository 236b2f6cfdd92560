"""Finds an encoder's files and checks that they are the declared ones."""

import hashlib
import importlib.util
import os
from pathlib import Path

from copyceiling.embedding.spec import EmbedderSpec
from copyceiling.errors import EmbeddingError, listing

MODELS_FOLDER = "COPYCEILING_MODELS"
DEFAULT_FOLDER = "weights"


def checked_file(spec: EmbedderSpec, column: str) -> Path:
    """Return the file that a column of the table names, after its bytes were checked.

    A file inside a package is located, not imported. A relative path that is not found is looked
    up in the folder ``$COPYCEILING_MODELS``, or in ``weights`` where that is not set.

    Args:
        spec: The encoder.
        column: ``weights`` or ``tokenizer``.

    Raises:
        EmbeddingError: The package or file is not there, or has another sha256 than declared.
    """
    target, declared = getattr(spec, column), getattr(spec, f"{column}_sha256")
    places = _places(target)
    path = next((place for place in places if place.is_file()), None)
    if path is None:
        looked = listing([str(p) for p in places]) if places else "  (package not installed)"
        raise EmbeddingError(
            f"embedder '{spec.name}': its {column} '{target}' is not at hand:\n{looked}\n"
            f"Get it: {spec.get}"
        )
    with open(path, "rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != declared:
        raise EmbeddingError(
            f"embedder '{spec.name}': {column} {path} has sha256 {found}, declared is {declared}. "
            f"Get the declared file: {spec.get}"
        )
    return path


def _places(target: str) -> list[Path]:
    if target.startswith("package:"):
        package, _, inside = target.removeprefix("package:").partition("/")
        # A dotted name would make find_spec import its parent.
        found = importlib.util.find_spec(package) if package.isidentifier() else None
        return [Path(root) / inside for root in (found and found.submodule_search_locations) or ()]
    path = Path(target).expanduser()
    if path.is_absolute():
        return [path]
    return [path, Path(os.environ.get(MODELS_FOLDER, DEFAULT_FOLDER)).expanduser() / path]
