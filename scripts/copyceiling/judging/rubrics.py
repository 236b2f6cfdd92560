"""Rubrics: what a judge is told, as versioned files whose hash enters every verdict.

A rubric's text is wholly ours: no material to be judged is ever part of it. Source: DESIGN
section 11; STUDIES sections 3 and 5.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeVar

from copyceiling.audit.labels import LABELS
from copyceiling.config import load_yaml
from copyceiling.errors import ConfigError, listing
from copyceiling.stats import named_rng

T = TypeVar("T")
Kind = Literal["relation", "grade", "span"]
# What each kind of rubric lets a judge choose from.
OPTIONS: Mapping[str, tuple[str, ...]] = {
    "relation": LABELS,
    "grade": ("5", "4", "3", "2", "1", "0"),
    "span": (),
}
_TEXTS = ("opening", "closing", "request", "reask")
_KEYS = ("id", "version", "kind", *_TEXTS, "options")


@dataclass(frozen=True)
class Rubric:
    """What a judge is told.

    Attributes:
        id: Name, as its file states it.
        version: From 1; raised with every change of meaning.
        kind: ``relation`` (six labels), ``grade`` (0 to 5) or ``span`` (evidence for a verdict).
        opening, closing: System text before and after the options.
        options: What to choose from, with the meaning of each.
        request: Last lines of the user message.
        reask: What is appended where a reply could not be read; the fault follows it.
    """

    id: str
    version: int
    kind: Kind
    opening: str
    options: tuple[tuple[str, str], ...]
    closing: str
    request: str
    reask: str

    @cached_property
    def sha256(self) -> str:
        """Hex sha256 of the content: canonical JSON of every field, comments left out."""
        content = {name: getattr(self, name) for name in _KEYS}
        text = json.dumps(content, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def system(self, order: int = 0) -> str:
        """Return the system text.

        Args:
            order: Which order the options are shown in: 0 as in the file, 1 backwards, a higher
                one shuffled by its number. The order of precedence stands in the text and stays.
        """
        lines = [f"- {name}: {meaning}" for name, meaning in permuted(self.options, order, self.id)]
        parts = [self.opening, "\n".join(lines), self.closing]
        return "\n\n".join(part.strip() for part in parts if part.strip())


def permuted(items: Sequence[T], order: int, name: str) -> list[T]:
    """Return items in a numbered order: 0 as given, 1 backwards, others shuffled by name."""
    if order == 0:
        return list(items)
    if order == 1:
        return list(reversed(items))
    places = named_rng(order, f"order:{name}").permutation(len(items)).tolist()
    return [items[i] for i in places]


def load_rubric(path: Path, kind: Kind) -> Rubric:
    """Read and check a rubric file.

    Raises:
        ConfigError: Lists every fault with its field.
    """
    document = load_yaml(path)
    if not isinstance(document, dict):
        raise ConfigError(f"rubric '{path}' holds no mapping of fields")
    faults = _faults(document, kind)
    if faults:
        raise ConfigError(f"rubric '{path}': {len(faults)} fault(s):\n{listing(faults)}")
    options = tuple((o["name"], " ".join(o["meaning"].split())) for o in document["options"])
    texts = {name: document[name].strip() for name in _TEXTS}
    return Rubric(
        id=document["id"], version=document["version"], kind=kind, options=options, **texts
    )


def _faults(document: Mapping[str, Any], kind: Kind) -> list[str]:
    missing = [key for key in _KEYS if key not in document]
    faults = [f"field '{key}' is missing" for key in missing]
    faults += [f"field '{key}' is unknown" for key in document if key not in _KEYS]
    if missing:
        return faults
    for name in ("id", *_TEXTS):
        if not isinstance(document[name], str) or not document[name].strip():
            faults.append(f"field '{name}' must be text")
    version = document["version"]
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        faults.append(f"field 'version' is {version!r}, but must be a whole number from 1")
    if document["kind"] != kind:
        faults.append(f"field 'kind' is {document['kind']!r}, but a {kind} rubric is asked for")
    return faults + _option_faults(document["options"], kind)


def _option_faults(options: Any, kind: Kind) -> list[str]:
    if not isinstance(options, list):
        return ["field 'options' must be a list"]
    bad = [
        f"option {i} must have a 'name' and a 'meaning', both text"
        for i, option in enumerate(options)
        if not isinstance(option, dict)
        or set(option) != {"name", "meaning"}
        or not all(isinstance(value, str) and value.strip() for value in option.values())
    ]
    if bad:
        return bad
    names = tuple(option["name"] for option in options)
    if names != OPTIONS[kind]:
        return [f"options are {', '.join(names)}; they must be {', '.join(OPTIONS[kind])}"]
    return []
