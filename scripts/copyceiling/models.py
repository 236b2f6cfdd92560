"""The models a study may sweep: one row of ``config/models.tsv`` each."""

import csv
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from copyceiling.errors import ConfigError, counted, did_you_mean, listing
from copyceiling.gguf_params import param_faults

Runner = Literal["reference", "gguf", "litellm"]
RUNNERS: tuple[Runner, ...] = ("reference", "gguf", "litellm")
READERS = ("copy", "silent", "lead", "extract")
# Rules that judge, see `copyceiling.calibration.reference`.
JUDGES = ("judge-reference", "judge-lenient", "judge-obeys")
_LABEL = re.compile(r"[a-z0-9][a-z0-9.-]*")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_COLUMNS = (
    "model runner target revision params budgets base_url key_env rpm tpm concurrency note".split()
)
_FEWEST = 6  # of them: some editors strip the tabs of empty ones at the end of a line


@dataclass(frozen=True)
class ModelSpec:
    """A model and how to call it.

    Attributes:
        model: Label, ``[a-z0-9.-]+``; stands in paths and tables.
        runner: ``reference`` (a deterministic reader), ``gguf`` (local weights, in process) or
            ``litellm`` (any provider LiteLLM knows, or any OpenAI-compatible server).
        target: Name of a reader or of a judging rule; ``package:<package>/<file>`` or a path to a
            GGUF file; or the LiteLLM name.
        revision: sha256 of the weights for ``gguf`` (required), free text otherwise.
        params: Sampling parameters sent with every call; for ``gguf`` also ``threads`` and
            ``context`` (tokens), which decide the bits.
        budgets: Completion budgets in tokens, ascending: one, or a ladder climbed on ``empty``
            and ``truncated``.
        base_url: Address of an OpenAI-compatible server, None for the provider's own.
        key_env: Environment variable that holds the key, None if none is needed.
        rpm, tpm: Requests and tokens a minute allowed, None for no limit.
        concurrency: Calls in flight at once, at least 1.
        note: For people.
    """

    model: str
    runner: Runner
    target: str
    revision: str
    params: Mapping[str, Any]
    budgets: tuple[int, ...]
    base_url: str | None
    key_env: str | None
    rpm: int | None
    tpm: int | None
    concurrency: int
    note: str

    @property
    def is_reference(self) -> bool:
        """Whether this is a reference reader, set apart in every table."""
        return self.runner == "reference"

    @property
    def call_target(self) -> str:
        """The provider-qualified id that enters the call's key; no path of a machine does."""
        if self.runner == "gguf":
            return "gguf/" + re.split(r"[/:]", self.target)[-1]
        return f"{self.runner}/{self.target}" if self.is_reference else self.target


def spec_params(spec: ModelSpec) -> dict[str, Any]:
    """Return a model as plain values, as a rule's parameters need it."""
    return {**asdict(spec), "params": dict(spec.params), "budgets": list(spec.budgets)}


def spec_of(params: Mapping[str, Any]) -> ModelSpec:
    """Return the model that `spec_params` wrote down."""
    return ModelSpec(**{**params, "budgets": tuple(params["budgets"])})


def load_models(path: Path) -> dict[str, ModelSpec]:
    """Read and check the model table.

    Raises:
        ConfigError: Lists every fault by line, label and column.
    """
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            reader = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            lines = [(reader.line_num, cells) for cells in reader if cells]
    except OSError as e:
        raise ConfigError(f"cannot read the model table '{path}': {e.strerror}") from e
    _check_head(path, lines[0][1] if lines else [])
    models: dict[str, ModelSpec] = {}
    faults: list[str] = []
    for number, cells in lines[1:]:
        if not _FEWEST <= len(cells) <= len(_COLUMNS):
            faults.append(f"{path}:{number}: {_columns_found(len(cells))}")
            continue
        spec, wrong = _spec(dict(zip(_COLUMNS, cells, strict=False)))
        if spec.model in models:
            wrong.append(("model", f"'{spec.model}' stands twice"))
        label = f"model '{spec.model}': " if _LABEL.fullmatch(spec.model) else ""
        faults.extend(f"{path}:{number}: {label}column '{name}': {what}" for name, what in wrong)
        models[spec.model] = spec
    if faults:
        raise ConfigError(
            f"model table has {counted(len(faults), 'fault')}:\n{listing(faults)}\n"
            "What each column holds: docs/your-models.md"
        )
    return models


def _check_head(path: Path, head: Sequence[str]) -> None:
    if list(head) != list(_COLUMNS):
        known = f"The columns are: {' '.join(_COLUMNS)}"
        off = _columns_found(len(head)) if len(head) != len(_COLUMNS) else "they differ."
        raise ConfigError(f"{path}:1: {off} {known}")


def _columns_found(found: int) -> str:
    return (
        f"{counted(found, 'column')} found, {len(_COLUMNS)} expected: are the columns separated by "
        "tabs, one tab also for an empty one?"
    )


def _spec(record: Mapping[str, str]) -> tuple[ModelSpec, list[tuple[str, str]]]:
    cell = {name: record.get(name, "").strip() for name in _COLUMNS}
    wrong: list[tuple[str, str]] = []

    def check(column: str, good: bool, what: str) -> None:
        if not good:
            wrong.append((column, what))

    def number(column: str) -> int | None:
        found = cell[column]
        check(column, not found or found.isdigit(), f"'{found}' is no whole number")
        return int(found) if found.isdigit() else None

    check("model", bool(_LABEL.fullmatch(cell["model"])), f"'{cell['model']}' is not [a-z0-9.-]+")
    check("runner", cell["runner"] in RUNNERS, _no_runner(cell["runner"]))
    if cell["runner"] == "reference":
        known = (*READERS, *JUDGES)
        what = f"'{cell['target']}' is none of: {', '.join(known)}."
        check("target", cell["target"] in known, what + did_you_mean(cell["target"], known))
    if cell["runner"] == "gguf":
        good = bool(_SHA256.fullmatch(cell["revision"]))
        check("revision", good, "local weights need the sha256 of the file: sha256sum FILE")
    params, faults = _params(cell["params"], cell["runner"])
    wrong.extend(("params", fault) for fault in faults)
    budgets = tuple(int(b) for b in cell["budgets"].split(",") if b.strip().isdigit())
    rising = bool(budgets) and list(budgets) == sorted(set(budgets)) and budgets[0] > 0
    check("budgets", rising, "needs token counts in rising order, such as 2048 or 4096,8192")
    spec = ModelSpec(
        model=cell["model"],
        runner=cell["runner"],  # type: ignore[arg-type]  # checked above
        target=cell["target"],
        revision=cell["revision"],
        params=params,
        budgets=budgets,
        base_url=cell["base_url"] or None,
        key_env=cell["key_env"] or None,
        rpm=number("rpm"),
        tpm=number("tpm"),
        concurrency=number("concurrency") or 1,
        note=cell["note"],
    )
    return spec, wrong


def _no_runner(runner: str) -> str:
    """Return what to say of a runner that there is not; most are names of a provider."""
    said = f"'{runner}' is none of: {', '.join(RUNNERS)}."
    meant = did_you_mean(runner, RUNNERS)
    if meant or not _LABEL.fullmatch(runner):
        return said + meant
    return (
        f"{said} For a provider or a server: runner litellm, and the target as LiteLLM names it, "
        f"such as {runner}/NAME"
    )


def _params(text: str, runner: str) -> tuple[dict[str, Any], list[str]]:
    """Return a model's parameters and what is wrong with them."""
    try:
        params = json.loads(text or "{}")
    except ValueError as e:
        return {}, [f"is no JSON: {e}"]
    if not isinstance(params, dict):
        return {}, ['is no JSON object, such as {"temperature": 0}']
    return params, param_faults(params) if runner == "gguf" else []


def select(models: Mapping[str, ModelSpec], names: Sequence[str], where: str) -> list[ModelSpec]:
    """Return the named models, in order.

    Raises:
        ConfigError: A name is not in the table; lists them and what there is.
    """
    unknown = [name for name in names if name not in models]
    if unknown:
        told = ", ".join(unknown)
        meant = did_you_mean(unknown[0], models) if len(unknown) == 1 else ""
        raise ConfigError(
            f"{where}: unknown model{'s' * (len(unknown) > 1)} {told}.{meant} The model table has: "
            f"{', '.join(models)}"
        )
    return [models[name] for name in names]
