"""Reads the general questions: those that the corpus does not answer, with reference answers.

They show whether a block that does not help does harm. A stratum says how far a question is from
the corpus. Source: STUDIES section 3 (out-of-domain arm).
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from copyceiling.config import load_yaml
from copyceiling.errors import ConfigError, listing
from copyceiling.production.references import Reference, reference_faults

STRATA = ("off_domain", "in_domain_general", "adjacent")
_FIELDS = {"id", "stratum", "question", "reference", "key_points"}


@dataclass(frozen=True)
class GeneralQuestion:
    """A general question: its id, stratum (one of `STRATA`), text and reference."""

    id: str
    stratum: str
    text: str
    reference: Reference


def read_general(path: Path) -> list[GeneralQuestion]:
    """Read a file of general questions, in file order.

    Raises:
        ConfigError: It cannot be read, or entries are at fault; lists all.
    """
    document = load_yaml(path)
    entries = document.get("questions") if isinstance(document, dict) else None
    if not isinstance(entries, list) or not entries:
        raise ConfigError(f"production.general: '{path}' has no list 'questions'")
    faults = [f"{_name(i, e)}: {fault}" for i, e in enumerate(entries) for fault in _faults(e)]
    for field in ("id", "question"):
        values = [str(e[field]) for e in entries if isinstance(e, Mapping) and field in e]
        faults += [f"{field} '{v}' stands twice" for v, n in Counter(values).items() if n > 1]
    if faults:
        raise ConfigError(
            f"production.general: '{path}' has {len(faults)} fault(s):\n{listing(faults)}"
        )
    return [
        GeneralQuestion(
            e["id"],
            e["stratum"],
            e["question"],
            Reference(e["reference"], tuple(e["key_points"]), path.name),
        )
        for e in entries
    ]


def _name(number: int, entry: Any) -> str:
    return f"question {number + 1} ({entry.get('id') if isinstance(entry, Mapping) else '?'})"


def _faults(entry: Any) -> list[str]:
    faults = reference_faults(entry)
    if not isinstance(entry, Mapping):
        return faults
    faults += [f"unknown field '{name}'" for name in entry if name not in _FIELDS]
    for name in ("id", "question"):
        if not isinstance(entry.get(name), str) or not entry[name].strip():
            faults.append(f"'{name}' must be text")
    if entry.get("stratum") not in STRATA:
        faults.append(f"stratum {entry.get('stratum')!r} is none of {', '.join(STRATA)}")
    return faults
