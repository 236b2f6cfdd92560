"""The wrappers: texts that stand before the block, in a versioned file.

All share an opening and differ in one instruction, so that two arms differ in nothing else.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from copyceiling.config import load_yaml
from copyceiling.errors import ConfigError, listing

WRAPPERS = ("authoritative", "incomplete", "supplement", "neutral")
RAW = "raw"
# Every arm in printed order; raw is the question alone.
ARMS = (*WRAPPERS, RAW)
_KEYS = {"id": str, "version": int, "opening": str, "wrappers": dict}


@dataclass(frozen=True)
class Wrapper:
    """What an arm puts before the block.

    Attributes:
        arm: One of `WRAPPERS`.
        version: Version of the file that it stands in, from 1.
        text: Opening and instruction in one line.
    """

    arm: str
    version: int
    text: str

    @property
    def sha256(self) -> str:
        """Hex sha256 of the text's UTF-8 bytes."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def load_wrappers(path: Path) -> tuple[Wrapper, ...]:
    """Read and check a file of wrappers; one for each of `WRAPPERS`, in that order.

    Raises:
        ConfigError: Lists every fault with its field.
    """
    document = load_yaml(path)
    faults = _faults(document)
    if faults:
        raise ConfigError(f"wrappers '{path}': {len(faults)} fault(s):\n{listing(faults)}")
    opening = _one_line(document["opening"])
    return tuple(
        Wrapper(arm, document["version"], f"{opening} {_one_line(document['wrappers'][arm])}")
        for arm in WRAPPERS
    )


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _faults(document: Any) -> list[str]:
    if not isinstance(document, Mapping):
        return ["the file holds no mapping of fields"]
    faults = [f"field '{key}' is unknown" for key in document if key not in _KEYS]
    for key, kind in _KEYS.items():
        if not isinstance(document.get(key), kind) or isinstance(document.get(key), bool):
            faults.append(f"field '{key}' must be a {kind.__name__}")
    if faults:
        return faults
    given = document["wrappers"]
    if list(given) != list(WRAPPERS):
        named = ", ".join(map(str, given))
        return [f"field 'wrappers' names {named}; it must name {', '.join(WRAPPERS)}, in order"]
    empty = [arm for arm in WRAPPERS if not isinstance(given[arm], str) or not given[arm].strip()]
    faults = [f"wrapper '{arm}' must be text" for arm in empty]
    texts = [_one_line(given[arm]) for arm in WRAPPERS if arm not in empty]
    if len(set(texts)) < len(texts):
        faults.append("two wrappers have one text, so that their arms would be the same")
    return faults
