"""The registry of data from outside: what it is, whose, under which licence, and its identity."""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path

from copyceiling.config import ROOT
from copyceiling.errors import ConfigError, listing

REGISTRY = ROOT / "data" / "sources.csv"
KINDS = {
    "git": "a checkout, known by its commit",
    "package": "a file that an installed package carries, known by its sha256",
    "parts": "a file that packages carry in parts, known by its sha256",
}
SETTINGS = ("release.path", "corpus.path")
_NAME = re.compile(r"[a-z0-9][a-z0-9.-]*")
_VERSION = re.compile(r"[A-Za-z0-9][\w./-]*")
_ADDRESS = {
    "git": re.compile(r"(https|file)://\S+|/\S+"),
    "package": re.compile(r"pkg:pypi/[a-z0-9-]+@[0-9a-z.]+"),
    "parts": re.compile(r"pkg:pypi/[a-z0-9-]+@[0-9a-z.]+"),
}
_COMMIT, _SHA256 = re.compile(r"[0-9a-f]{40}"), re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Source:
    """One source.

    Attributes:
        name: What it is called here.
        kind: One of `KINDS`.
        version: Tag, commit or release as its owner states it.
        licence: SPDX identifier of its licence.
        address: Where it comes from: a repository, or a package URL.
        commit: Commit of a checkout, "" where none is declared.
        sha256: sha256 of the file, "" for a checkout.
        path: File or folder within the source, "" for all of it.
        setting: Setting of a study that is pointed at it, "" where none is.
        purpose: What it is for.
        note: What else there is to know; says why an identity is empty.
    """

    name: str
    kind: str
    version: str
    licence: str
    address: str
    commit: str
    sha256: str
    path: str
    setting: str
    purpose: str
    note: str

    def faults(self) -> Iterator[str]:
        """Yield what is wrong with the entry, field by field."""
        if not _NAME.fullmatch(self.name):
            yield f"field 'name': '{self.name}' is not of small letters, digits, dots and hyphens"
        if self.kind not in KINDS:
            yield f"field 'kind': '{self.kind}' is none of {', '.join(KINDS)}"
            return
        if not _VERSION.fullmatch(self.version):
            yield f"field 'version': '{self.version}' is none"
        for name in ("licence", "purpose"):
            if not getattr(self, name):
                yield f"field '{name}': is empty"
        if not _ADDRESS[self.kind].fullmatch(self.address):
            yield f"field 'address': '{self.address}' is none of kind '{self.kind}'"
        if self.setting and self.setting not in SETTINGS:
            yield f"field 'setting': '{self.setting}' is none of {', '.join(SETTINGS)}"
        yield from self._identity_faults()

    def _identity_faults(self) -> Iterator[str]:
        git = self.kind == "git"
        if self.commit and not (git and _COMMIT.fullmatch(self.commit)):
            yield f"field 'commit': '{self.commit}' is none of a {self.kind}"
        if self.sha256 and (git or not _SHA256.fullmatch(self.sha256)):
            yield f"field 'sha256': '{self.sha256}' is none of a {self.kind}"
        if not git and not self.path:
            yield "field 'path': is empty"
        if not self.commit and not self.sha256 and not self.note:
            yield "field 'note': must say why neither commit nor sha256 is known"


def load_sources(path: Path = REGISTRY) -> dict[str, Source]:
    """Read the registry.

    Raises:
        ConfigError: It cannot be read, or lists every entry that is wrong or stands twice.
    """
    names = [f.name for f in fields(Source)]
    try:
        with open(path, encoding="utf-8", newline="") as file:
            table = list(csv.reader(file, strict=True))
    except (OSError, UnicodeDecodeError, csv.Error) as e:
        raise ConfigError(f"cannot read '{path}': {e}") from e
    if not table or table[0] != names:
        raise ConfigError(f"{path}:1: columns must be {','.join(names)}")
    found: dict[str, Source] = {}
    faults: list[str] = []
    for number, cells in enumerate(table[1:], 2):
        if len(cells) != len(names):
            faults.append(f"{path.name}:{number}: {len(cells)} cells, not {len(names)}")
            continue
        source = Source(*cells)
        faults.extend(f"{path.name}:{number}: {fault}" for fault in source.faults())
        if source.name in found:
            faults.append(f"{path.name}:{number}: field 'name': '{source.name}' stands twice")
        found[source.name] = source
    if faults:
        raise ConfigError(f"'{path}' has {len(faults)} fault(s):\n{listing(faults)}")
    return found
