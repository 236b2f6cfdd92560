"""Loads the file of published values that a study is compared with (docs/published-values.md)."""

import contextlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from copyceiling.config import ROOT, load_yaml
from copyceiling.errors import ConfigError, listing

SCHEMA = ROOT / "config" / "schemas" / "published.schema.yaml"


@dataclass(frozen=True)
class Published:
    """One published value.

    Attributes:
        key: Name, unique; the part before the first dot is its family.
        paper: Where the paper has it, and as printed.
        definition: What it is.
        value: As released: a number, a text, or lists and mappings of them.
        tolerance: Largest absolute deviation of each number in it; None gates nothing.
        source: File of the release that it follows from.
        status: What recomputing it takes.
        note: Remarks, possibly empty.
    """

    key: str
    paper: str
    definition: str
    value: Any
    tolerance: float | None
    source: str
    status: str
    note: str = ""

    @property
    def family(self) -> str:
        """The first part of the key."""
        return self.key.partition(".")[0]


def load_published(path: Path) -> list[Published]:
    """Return the published values of a file, in its order.

    Raises:
        ConfigError: The file is missing or not as its schema says, or keys stand twice; lists
            every fault.
    """
    if not path.is_file():
        raise ConfigError(
            f"release.published: there is no file '{path}'. Point it at the published values: "
            "snakemake paper --config 'release={path: ..., published: /path/to/values.yaml}'"
        )
    content = _with_numbers(load_yaml(path))
    validator = jsonschema.Draft202012Validator(yaml.safe_load(SCHEMA.read_text(encoding="utf-8")))
    faults = [
        f"{'.'.join(map(str, e.absolute_path)) or '(top)'}: {e.message}"
        for e in validator.iter_errors(content)
    ]
    if not faults:
        counted = Counter(entry["key"] for entry in content["expected"])
        faults = [f"key '{key}' stands {n} times" for key, n in counted.items() if n > 1]
    if faults:
        raise ConfigError(f"published values '{path}': {len(faults)} fault(s):\n{listing(faults)}")
    return [Published(**entry) for entry in content["expected"]]


def _with_numbers(content: Any) -> Any:
    """Read tolerances such as ``5e-07`` as numbers; YAML 1.1 takes them for texts."""
    if isinstance(content, dict) and isinstance(content.get("expected"), list):
        for entry in content["expected"]:
            if isinstance(entry, dict) and isinstance(entry.get("tolerance"), str):
                with contextlib.suppress(ValueError):
                    entry["tolerance"] = float(entry["tolerance"])
    return content


@dataclass(frozen=True)
class Known:
    """A value that the paper prints otherwise than its own rows give, and why."""

    printed: str
    reason: str


def load_known(path: Path) -> dict[str, Known]:
    """Return the known differences by key; see ``config/known_differences.yaml``."""
    entries: Sequence[Mapping[str, str]] = load_yaml(path)["known"]
    return {entry["key"]: Known(entry["printed"], entry["reason"]) for entry in entries}
