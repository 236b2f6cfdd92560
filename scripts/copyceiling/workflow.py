"""What the Snakemake rules ask of the library: which files a script's result rests on."""

import ast
import tempfile
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from copyceiling.config import SCHEMA, load_yaml
from copyceiling.corpus.files import source_file
from copyceiling.errors import ArtefactError, ConfigError, listing
from copyceiling.released.layout import PARTS, find_part, find_release, find_sweep

PACKAGE = "copyceiling"


def check_writable(folder: Path) -> None:
    """Refuse a results folder that cannot be written, before any rule runs.

    Raises:
        ArtefactError: Names the folder, or the nearest one above it that exists.
    """
    nearest = next(p for p in (folder, *folder.absolute().parents) if p.exists())
    try:
        # A real file: permission bits say nothing to root, nor of read-only or full disks.
        with tempfile.TemporaryFile(dir=nearest):
            pass
    except OSError as e:
        raise ArtefactError(
            f"results folder '{folder}': '{nearest}' cannot be written ({e.strerror}). Make it "
            "writable, or write elsewhere: snakemake --config results=/another/folder"
        ) from e


def code_files(root: Path, script: str) -> list[str]:
    """Return a script and every module of the package that it imports, over any distance.

    Snakemake reruns a job when its script changes, but not when a module that the script imports
    does; as inputs, modules count. Imports inside functions count only where the rule can reach
    them in every mode, so `copyceiling.live` is left out: what it returns is frozen or cached.

    Args:
        root: The repository.
        script: Name of the script, without folder and ending.

    Returns:
        Paths relative to the root, the script first, modules sorted.
    """
    scripts = root / "scripts"
    seen: set[Path] = set()
    waiting = [scripts / f"{script}.py"]
    while waiting:
        file = waiting.pop()
        if file not in seen:
            seen.add(file)
            waiting.extend(_imports(file, scripts))
    first = scripts / f"{script}.py"
    ordered = [first, *sorted(seen - {first})]
    return [path.relative_to(root).as_posix() for path in ordered]


@cache
def _imports(file: Path, scripts: Path) -> tuple[Path, ...]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    found: list[Path] = []
    for name in names:
        if name.split(".")[0] != PACKAGE or name.startswith(f"{PACKAGE}.live"):
            continue
        parts = name.split(".")
        # Importing a module runs its packages' __init__ too.
        for n in range(1, len(parts) + 1):
            base = scripts.joinpath(*parts[:n])
            found.extend(p for p in (base.with_suffix(".py"), base / "__init__.py") if p.exists())
    return tuple(sorted(set(found)))


def source_files(study: Mapping[str, Any]) -> dict[Any, Any]:
    """Return the files from outside that a study reads: corpus, questions, released scores.

    Returns:
        ``corpus`` to its path; ``questions`` to a released question file or an empty list;
        ``assertions`` to a file of assertion rows or an empty list; ``sweep`` to the released
        files by (model, arm, kind); each judged part to its released files by slot, an empty list
        where one is not at hand.

    Raises:
        CopyCeilingError: One is not there; the message says what to point where.
    """
    check_files(study)
    release, sweep = study["release"], study["sweep"]
    name = study["questions"]["file"]
    found: dict[Any, Any] = {
        "corpus": source_file(study["corpus"]),
        "questions": str(find_release(release["path"], name)) if name else [],
        "assertions": study["terms"]["assertions"] or [],
    }
    found["sweep"] = (
        find_sweep(release["path"], sweep["models"], sweep["arms"], release["labels"])
        if sweep["source"] == "release"
        else {}
    )
    for part in PARTS:
        if study[part] and study[part]["source"] == "release":
            found[part] = find_part(release["path"], part)
    return found


def is_released(study: Mapping[str, Any], part: str) -> bool:
    """Return whether a study reads a part from released rows."""
    return study[part] is not None and study[part]["source"] == "release"


def check_files(study: Mapping[str, Any]) -> None:
    """Refuse settings that name a file which is not there.

    Snakemake would not: where a result is there and an input is not, it takes the result for a
    given file, and prints the old table.

    Raises:
        ConfigError: Names every such setting.
    """
    missing = [
        f"{where}: there is no file '{name}'"
        for where, name in _files(study, load_yaml(SCHEMA))
        if not Path(name).is_file()
    ]
    if missing:
        raise ConfigError(f"{listing(missing)}\nCorrect the path, or leave the setting out.")


def _files(value: Any, schema: Mapping[str, Any], where: str = "") -> Iterator[tuple[str, str]]:
    """Yield every setting that the schema says is a file and that names one, with its place."""
    if schema.get("format") == "file" and value is not None:
        yield where, value
    elif isinstance(value, Mapping):
        for key, inner in schema.get("properties", {}).items():
            if key in value:
                yield from _files(value[key], inner, f"{where}.{key}" if where else key)
    elif isinstance(value, list | tuple):
        for i, item in enumerate(value):
            yield from _files(item, schema.get("items", {}), f"{where}.{i}")
