"""Which text encoders there are: one row of ``config/embedders.tsv`` each."""

import csv
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from copyceiling.config import ROOT
from copyceiling.errors import ConfigError, listing

Backend = Literal["onnx", "safetensors"]
Pooling = Literal["mean", "cls"]
BACKENDS: tuple[Backend, ...] = ("onnx", "safetensors")
POOLINGS: tuple[Pooling, ...] = ("mean", "cls")
TABLE = ROOT / "config" / "embedders.tsv"

_NAME = re.compile(r"[a-z0-9][a-z0-9.-]*")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_HUB_REVISION = re.compile(r"[\w.-]+/[\w.-]+ [0-9a-f]{40}")
_COLUMNS = (
    "name backend weights weights_sha256 tokenizer tokenizer_sha256 revision pooling dimension "
    "window get"
).split()


@dataclass(frozen=True)
class EmbedderSpec:
    """An encoder and where its files lie.

    Attributes:
        name: Label, ``[a-z0-9.-]+``; stands in paths and tables.
        backend: ``onnx`` (run by onnxruntime) or ``safetensors`` (run by numpy).
        weights: ``package:<package>/<file>``, ``hub:<file>`` of the repository that ``revision``
            names, or a path.
        weights_sha256: sha256 of that file; another one is refused.
        tokenizer: Like ``weights``: a ``tokenizer.json``.
        tokenizer_sha256: Its sha256.
        revision: Where the files come from, for people; for files of a hub its repository and
            commit, ``owner/name <40 hex digits>``.
        pooling: ``mean`` over all tokens, or ``cls``: the first one.
        dimension: Length of a vector.
        window: Most tokens of one input, with the two special ones.
        get: How to get the files: a command, or what to put where.
    """

    name: str
    backend: Backend
    weights: str
    weights_sha256: str
    tokenizer: str
    tokenizer_sha256: str
    revision: str
    pooling: Pooling
    dimension: int
    window: int
    get: str

    @property
    def hub(self) -> tuple[str, str]:
        """Repository and commit of files that lie on a model hub."""
        repository, _, commit = self.revision.partition(" ")
        return repository, commit

    @property
    def digest(self) -> str:
        """Hex sha256 over all that decides a vector; part of every key of a cached one."""
        decisive = {k: v for k, v in asdict(self).items() if k in _DECISIVE}
        return hashlib.sha256(json.dumps(decisive, sort_keys=True).encode()).hexdigest()


_DECISIVE = ("backend", "weights_sha256", "tokenizer_sha256", "pooling", "dimension", "window")


def load_embedders(table: Path = TABLE) -> dict[str, EmbedderSpec]:
    """Read and check the table of encoders.

    Raises:
        ConfigError: Lists every fault by line and column.
    """
    with open(table, newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        if reader.fieldnames is None or list(reader.fieldnames) != _COLUMNS:
            raise ConfigError(f"{table}:1: the columns must be: {' '.join(_COLUMNS)}")
        records = list(reader)
    found: dict[str, EmbedderSpec] = {}
    faults: list[str] = []
    for number, record in enumerate(records, 2):
        cell = {name: (record.get(name) or "").strip() for name in _COLUMNS}
        faults += [f"{table}:{number}: column {fault}" for fault in _faults(cell)]
        if cell["name"] in found:
            faults.append(f"{table}:{number}: column 'name': '{cell['name']}' stands twice")
        if not faults:
            found[cell["name"]] = _spec(cell)
    if faults:
        raise ConfigError(f"embedder table has {len(faults)} fault(s):\n{listing(faults)}")
    return found


def _faults(cell: Mapping[str, str]) -> list[str]:
    good = {
        "name": bool(_NAME.fullmatch(cell["name"])),
        "backend": cell["backend"] in BACKENDS,
        "weights": bool(cell["weights"]),
        "weights_sha256": bool(_SHA256.fullmatch(cell["weights_sha256"])),
        "tokenizer": bool(cell["tokenizer"]),
        "tokenizer_sha256": bool(_SHA256.fullmatch(cell["tokenizer_sha256"])),
        "pooling": cell["pooling"] in POOLINGS,
        # A branch moves; only a commit says which files.
        "revision": "hub:" not in (cell["weights"][:4], cell["tokenizer"][:4])
        or bool(_HUB_REVISION.fullmatch(cell["revision"])),
        "dimension": cell["dimension"].isdigit() and int(cell["dimension"]) > 0,
        # Room for the two special tokens and for one word.
        "window": cell["window"].isdigit() and int(cell["window"]) > 2,
        "get": bool(cell["get"]),
    }
    return [f"'{name}': '{cell[name]}' will not do" for name, fine in good.items() if not fine]


def _spec(cell: Mapping[str, str]) -> EmbedderSpec:
    return EmbedderSpec(
        name=cell["name"],
        backend=cell["backend"],  # type: ignore[arg-type]  # checked above
        weights=cell["weights"],
        weights_sha256=cell["weights_sha256"],
        tokenizer=cell["tokenizer"],
        tokenizer_sha256=cell["tokenizer_sha256"],
        revision=cell["revision"],
        pooling=cell["pooling"],  # type: ignore[arg-type]  # checked above
        dimension=int(cell["dimension"]),
        window=int(cell["window"]),
        get=cell["get"],
    )


def embedder_spec(name: str, table: Path = TABLE) -> EmbedderSpec:
    """Return one encoder's row.

    Raises:
        ConfigError: There is no such row; lists those there are.
    """
    known = load_embedders(table)
    if name not in known:
        raise ConfigError(
            f"embedder '{name}' is not in {table.name}, which has: {', '.join(known)}"
        )
    return known[name]
