"""Reads and checks a study's configuration before anything else happens.

The closed JSON Schema ``config/schemas/study.schema.yaml`` is the source: it names every key, its
meaning and its default. ``config/defaults.yaml`` is written from it, and a test fails on drift.
"""

import copy
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from copyceiling.config_faults import faults_of
from copyceiling.errors import ConfigError, counted, listing

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = ROOT / "config" / "schemas" / "study.schema.yaml"
DEFAULTS = ROOT / "config" / "defaults.yaml"
DEFAULT_STUDY = ROOT / "config" / "studies" / "go.yaml"
COMMAND_LINE = "the command line"


class _StrictLoader(yaml.SafeLoader):
    """A safe loader that refuses a key that stands twice in one mapping."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[Any] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if key in seen:
                line = key_node.start_mark.line + 1
                raise ConfigError(
                    f"{key_node.start_mark.name}:{line}: key '{key}' stands twice. Remove one."
                )
            seen.add(key)
        return super().construct_mapping(node, deep)


def load_yaml(path: Path) -> Any:
    """Load a YAML file safely.

    Raises:
        ConfigError: Unreadable, no YAML, or a key stands twice; names file and line.
    """
    try:
        with open(path, encoding="utf-8") as file:
            return yaml.load(file, Loader=_StrictLoader)  # noqa: S506  # a SafeLoader
    except OSError as e:
        raise ConfigError(f"cannot read '{path}': {e.strerror}") from e
    except yaml.YAMLError as e:
        raise ConfigError(f"'{path}' is no valid YAML: {e}") from e


@cache
def _schema() -> dict[str, Any]:
    schema: dict[str, Any] = load_yaml(SCHEMA)
    return schema


def _fill(schema: Mapping[str, Any], value: Any) -> Any:
    """Return the value with the schema's defaults where keys are missing.

    Inside a mapping given on the command line Snakemake leaves every scalar a string; where the
    schema wants none, it is read as YAML.
    """
    if isinstance(value, str) and "string" not in _types(schema) and "enum" not in schema:
        return yaml.safe_load(value)
    if isinstance(value, list) and isinstance(schema.get("items"), dict):
        return [_fill(schema["items"], inner) for inner in value]
    if isinstance(value, dict) and isinstance(schema.get("additionalProperties"), dict):
        return {key: _fill(schema["additionalProperties"], inner) for key, inner in value.items()}
    if not isinstance(value, dict) or "properties" not in schema:
        return value
    filled = dict(value)
    for key, inner in schema["properties"].items():
        if key not in filled and "default" in inner:
            filled[key] = copy.deepcopy(inner["default"])
        if key in filled:
            filled[key] = _fill(inner, filled[key])
    return filled


def _types(schema: Mapping[str, Any]) -> list[str]:
    kind = schema.get("type", [])
    return [kind] if isinstance(kind, str) else list(kind)


def resolve(
    config: Mapping[str, Any], where: str, overrides: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return a complete, checked study configuration.

    Args:
        config: The configuration as given, overrides applied.
        where: File it comes from, for messages.
        overrides: Of that, what the command line gave (``--config``), for messages.

    Raises:
        ConfigError: Lists every fault with its field and where it comes from.
    """
    filled: dict[str, Any] = _fill(_schema(), dict(config))
    faults = faults_of(_schema(), filled)
    if faults:
        origins = [origin(fault.path, where, overrides) for fault in faults]
        several = len(set(origins)) > 1
        told = [
            f"{fault} (from {came})" if several else str(fault)
            for fault, came in zip(faults, origins, strict=True)
        ]
        raise ConfigError(
            f"{' and '.join(dict.fromkeys(origins))}: {counted(len(faults), 'fault')}:\n"
            f"{listing(told)}\nEvery key and its default: {DEFAULTS.relative_to(ROOT)}"
        )
    name = filled["study"]
    filled["results"] = filled["results"] or f"results/{name}"
    filled["frozen"] = filled["frozen"] or f"data/{name}"
    return filled


def origin(path: Sequence[str], where: str, overrides: Mapping[str, Any] | None) -> str:
    """Return where a setting comes from: the command line, or else the study's file.

    Args:
        path: Keys that lead to it.
        where: The file.
        overrides: What the command line gave.
    """
    inner: Any = overrides or {}
    for key in path:
        if not isinstance(inner, Mapping):
            break  # inside a list or a value that was given whole
        if key not in inner:
            return where
        inner = inner[key]
    return COMMAND_LINE


def load_study(path: Path) -> dict[str, Any]:
    """Load and check one study file."""
    config = load_yaml(path)
    if not isinstance(config, dict):
        raise ConfigError(f"'{path}' holds no mapping of settings")
    return resolve(config, str(path))


def defaults_yaml() -> str:
    """Return the text of ``config/defaults.yaml``: every key with its meaning and default."""
    lines = [
        "# Every key of a study with its default, written from config/schemas/study.schema.yaml.",
        "# Not read by the pipeline; a study file states what differs. Write again: make defaults",
    ]
    _default_lines(_schema(), 0, lines)
    return "\n".join(lines) + "\n"


def _default_lines(schema: Mapping[str, Any], depth: int, lines: list[str]) -> None:
    pad = "  " * depth
    for key, inner in schema["properties"].items():
        lines.append(f"{pad}# {' '.join(str(inner.get('description', '')).split())}")
        if "properties" in inner and inner.get("default", {}) is None:
            lines.append(f"{pad}{key}: null")
            within: list[str] = []
            _default_lines(inner, depth + 1, within)
            lines.extend(f"{pad}  # {line.strip().removeprefix('# ')}" for line in within)
        elif "properties" in inner:
            lines.append(f"{pad}{key}:")
            _default_lines(inner, depth + 1, lines)
        elif "default" in inner:
            value = yaml.safe_dump(inner["default"], default_flow_style=True, width=1000)
            lines.append(f"{pad}{key}: {value.removesuffix('...' + chr(10)).strip()}")
        else:
            lines.append(f"{pad}# {key}: (required)")


def merge(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Return base with over laid on it, mapping by mapping, as Snakemake merges configs."""
    out = dict(base)
    for key, value in over.items():
        old = out.get(key)
        both = isinstance(old, Mapping) and isinstance(value, Mapping)
        out[key] = merge(old, value) if both else value  # type: ignore[arg-type]
    return out


def study_of(files: Sequence[Path], overrides: Sequence[str] = ()) -> dict[str, Any]:
    """Return the study that ``--configfile`` and ``--config`` name on a command line.

    Args:
        files: Study files, later ones on top; none means the default study.
        overrides: ``key=value`` with YAML values.
    """
    merged: dict[str, Any] = {}
    for file in files or [DEFAULT_STUDY]:
        merged = merge(merged, load_yaml(file))
    given: dict[str, Any] = {}
    for item in overrides:
        given = merge(given, _override(item))
    where = ", ".join(map(str, files or [DEFAULT_STUDY]))
    return resolve(merge(merged, given), where, given)


def _override(item: str) -> dict[str, Any]:
    key, mark, value = item.partition("=")
    if not mark:
        raise ConfigError(f"--config {item}: write key=value, such as mode=live")
    try:
        return {key: yaml.safe_load(value)}
    except yaml.YAMLError as e:
        raise ConfigError(
            f"--config {item}: the value is no valid YAML ({' '.join(str(e).split())}). Write "
            "such as 'live={max_usd: 5}', in quotes"
        ) from e
