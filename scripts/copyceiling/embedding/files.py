"""Finds an encoder's files and checks that they are the declared ones."""

import hashlib
import importlib.util
import os
from pathlib import Path

from copyceiling.embedding.spec import EmbedderSpec
from copyceiling.errors import EmbeddingError, listing

MODELS_FOLDER = "COPYCEILING_MODELS"
DEFAULT_FOLDER = "weights"
HUB = "hub:"


def checked_file(spec: EmbedderSpec, column: str) -> Path:
    """Return the file that a column of the table names, after its bytes were checked.

    A file inside a package is located, not imported. A relative path that is not found is looked
    up in the folder ``$COPYCEILING_MODELS``, or in ``weights`` where that is not set. A file of a
    model hub is looked up there too, under the repository's name; where it is not, huggingface_hub
    gets it at the declared commit, and keeps it in its own cache.

    Args:
        spec: The encoder.
        column: ``weights`` or ``tokenizer``.

    Raises:
        EmbeddingError: The package or file is not there or cannot be had, or has another sha256
            than declared.
    """
    target, declared = getattr(spec, column), getattr(spec, f"{column}_sha256")
    places = _places(spec, target)
    path = next((place for place in places if place.is_file()), None)
    if path is None and target.startswith(HUB):
        path = _from_hub(spec, target.removeprefix(HUB), places)
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


def _places(spec: EmbedderSpec, target: str) -> list[Path]:
    if target.startswith("package:"):
        package, _, inside = target.removeprefix("package:").partition("/")
        # A dotted name would make find_spec import its parent.
        found = importlib.util.find_spec(package) if package.isidentifier() else None
        return [Path(root) / inside for root in (found and found.submodule_search_locations) or ()]
    folder = Path(os.environ.get(MODELS_FOLDER, DEFAULT_FOLDER)).expanduser()
    if target.startswith(HUB):
        return [folder / spec.hub[0].rpartition("/")[2] / target.removeprefix(HUB)]
    path = Path(target).expanduser()
    return [path] if path.is_absolute() else [path, folder / path]


def _from_hub(spec: EmbedderSpec, file: str, places: list[Path]) -> Path:
    """Return a file of a repository of the model hub at its commit, from the cache or the network.

    Raises:
        EmbeddingError: It cannot be had; says how to put it in place by hand.
    """
    repository, commit = spec.hub
    by_hand = (
        f"Where there is a network: {spec.get}\n"
        f"Then carry the files here, this one to: {places[0].absolute()}"
    )
    try:
        from huggingface_hub import hf_hub_download
    except ImportError as e:
        raise EmbeddingError(
            f"embedder '{spec.name}': to get '{file}' from the hub takes the library '{e.name}', "
            f"which is not installed: pip install 'copyceiling[embed]'. {by_hand}"
        ) from e
    try:
        return Path(hf_hub_download(repository, file, revision=commit))
    # Its errors, and those of the transports below it, have no base of their own.
    except Exception as e:
        reason = (str(e).strip().splitlines() or [type(e).__name__])[0]
        raise EmbeddingError(
            f"embedder '{spec.name}': '{file}' of {repository} is not at hand and cannot be had "
            f"({type(e).__name__}: {reason}). {by_hand}"
        ) from e
