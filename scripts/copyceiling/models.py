"""The models a study may sweep: one row of ``config/models.tsv`` each."""

import csv
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from copyceiling.errors import ConfigError, listing

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
        ConfigError: Lists every fault by line and column.
    """
    with open(path, newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        if reader.fieldnames is None or list(reader.fieldnames) != _COLUMNS:
            raise ConfigError(
                f"{path}:1: the columns must be: {' '.join(_COLUMNS)} (tab-separated)"
            )
        records = list(reader)
    models: dict[str, ModelSpec] = {}
    faults: list[str] = []
    for number, record in enumerate(records, 2):
        spec, wrong = _spec(record)
        faults.extend(f"{path}:{number}: column '{column}': {what}" for column, what in wrong)
        if spec.model in models:
            faults.append(f"{path}:{number}: column 'model': '{spec.model}' stands twice")
        models[spec.model] = spec
    if faults:
        raise ConfigError(f"model table has {len(faults)} fault(s):\n{listing(faults)}")
    return models


def _spec(record: Mapping[str, str | None]) -> tuple[ModelSpec, list[tuple[str, str]]]:
    cell = {name: (record.get(name) or "").strip() for name in _COLUMNS}
    wrong: list[tuple[str, str]] = []

    def check(column: str, good: bool, what: str) -> None:
        if not good:
            wrong.append((column, what))

    def number(column: str) -> int | None:
        check(column, not cell[column] or cell[column].isdigit(), "is no whole number")
        return int(cell[column]) if cell[column].isdigit() else None

    check("model", bool(_LABEL.fullmatch(cell["model"])), f"'{cell['model']}' is not [a-z0-9.-]+")
    check("runner", cell["runner"] in RUNNERS, f"'{cell['runner']}' is none of {list(RUNNERS)}")
    if cell["runner"] == "reference":
        known = (*READERS, *JUDGES)
        check("target", cell["target"] in known, f"'{cell['target']}' is none of {known}")
    if cell["runner"] == "gguf":
        good = bool(_SHA256.fullmatch(cell["revision"]))
        check("revision", good, "local weights need the sha256 of the file")
    params: Any = {}
    try:
        params = json.loads(cell["params"] or "{}")
    except ValueError as e:
        check("params", False, f"is no JSON: {e}")
    check("params", isinstance(params, dict), "is no JSON object")
    budgets = tuple(int(b) for b in cell["budgets"].split(",") if b.strip().isdigit())
    rising = bool(budgets) and list(budgets) == sorted(set(budgets)) and budgets[0] > 0
    check("budgets", rising, "needs token counts in rising order, such as 2048 or 4096,8192")
    spec = ModelSpec(
        model=cell["model"],
        runner=cell["runner"],  # type: ignore[arg-type]  # checked above
        target=cell["target"],
        revision=cell["revision"],
        params=params if isinstance(params, dict) else {},
        budgets=budgets,
        base_url=cell["base_url"] or None,
        key_env=cell["key_env"] or None,
        rpm=number("rpm"),
        tpm=number("tpm"),
        concurrency=number("concurrency") or 1,
        note=cell["note"],
    )
    return spec, wrong


def select(models: Mapping[str, ModelSpec], names: Sequence[str], where: str) -> list[ModelSpec]:
    """Return the named models, in order.

    Raises:
        ConfigError: A name is not in the table; lists them and what there is.
    """
    unknown = [name for name in names if name not in models]
    if unknown:
        raise ConfigError(
            f"{where}: unknown model(s) {', '.join(unknown)}. The model table "
            f"(config/models.tsv) has: {', '.join(models)}"
        )
    return [models[name] for name in names]
