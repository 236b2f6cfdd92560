"""Reads the bytes of a corpus source: one file, a folder of files, or an archive of a folder."""

import gzip
import hashlib
import importlib.util
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from copyceiling.errors import CorpusError

Member = tuple[str, bytes]


def locate(path: str, package: str | None) -> Path:
    """Return where a corpus source lies: a path, or a file that an installed package carries.

    The package is located, not imported.

    Raises:
        CorpusError: There is nothing at that place.
    """
    if package is None:
        found = Path(path)
    else:
        spec = importlib.util.find_spec(package)
        if spec is None or not spec.submodule_search_locations:
            raise CorpusError(
                f"corpus.package: '{package}' is not installed. Install what is locked: make env"
            )
        found = Path(next(iter(spec.submodule_search_locations)), path)
    if not found.exists():
        raise CorpusError(
            f"corpus.path: there is nothing at '{found}'. Name a file or folder that is there; for "
            "a study, in its file or as in: snakemake --config 'corpus={path: /where/it/is}'"
        )
    return found


def source_file(settings: Mapping[str, Any]) -> str:
    """Return where a study's corpus lies, for the rule that reads it.

    Raises:
        CorpusError: No path is set, or nothing is there.
    """
    if settings["path"] is None:
        raise CorpusError(
            f"corpus.path: the study needs the corpus '{settings['name']}' ({settings['source']}). "
            "Point it there: snakemake --config 'corpus={path: /where/the/corpus/is}'"
        )
    return str(locate(settings["path"], settings["package"]))


def members(path: Path, suffix: str) -> Iterator[Member]:
    """Yield (name, bytes) of the files of a folder or tar archive with a suffix, by name.

    The name is relative to the folder, or to the archive's top-level folder, so that both give
    the same members for the same files.
    """
    if path.is_dir():
        for file in sorted(path.rglob(f"*{suffix}"), key=lambda p: p.relative_to(path).as_posix()):
            yield file.relative_to(path).as_posix(), file.read_bytes()
        return
    found: list[Member] = []
    try:
        with tarfile.open(path) as archive:
            for item in archive:
                if item.isfile() and item.name.endswith(suffix):
                    content = archive.extractfile(item)
                    if content is not None:
                        found.append((item.name, content.read()))
    except tarfile.TarError as e:
        raise CorpusError(f"corpus '{path}' is neither a folder nor a tar archive: {e}") from e
    tops = {name.split("/", 1)[0] for name, _ in found}
    if len(tops) == 1 and all("/" in name for name, _ in found):
        found = [(name.split("/", 1)[1], content) for name, content in found]
    yield from sorted(found, key=lambda member: member[0])


def read_bytes(path: Path) -> bytes:
    """Return a file's bytes, decompressed if its name ends in ``.gz``.

    Raises:
        CorpusError: The file is damaged.
    """
    raw = path.read_bytes()
    if path.suffix != ".gz":
        return raw
    try:
        return gzip.decompress(raw)
    except (OSError, EOFError) as e:
        raise CorpusError(f"corpus '{path}' is not a whole gzip file: {e}") from e


def digest(contents: Sequence[Member]) -> str:
    """Return the sha256 of named contents: of their names and sha256, in order."""
    total = hashlib.sha256()
    for name, content in contents:
        total.update(f"{hashlib.sha256(content).hexdigest()}  {name}\n".encode())
    return total.hexdigest()
