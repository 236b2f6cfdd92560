"""Says in plain words what a study's configuration lacks or has too much of."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import jsonschema
import yaml

from copyceiling.errors import did_you_mean

TOP = "(top)"
_TYPES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping of settings",
    "null": "null",
}
_BOUNDS = {
    "minimum": "at least",
    "maximum": "at most",
    "exclusiveMinimum": "above",
    "exclusiveMaximum": "below",
}
_LONGEST = 60  # characters of a value that are shown


@dataclass(frozen=True)
class Fault:
    """One fault of a configuration.

    Attributes:
        path: Keys that lead to the value, or to the key, that is at fault.
        field: Name of the field that the message starts with: of the section, where it is a key.
        text: What is wrong.
    """

    path: tuple[str, ...]
    field: str
    text: str

    def __str__(self) -> str:
        return self.text if self.field == TOP else f"field '{self.field}': {self.text}"


def faults_of(schema: Mapping[str, Any], config: Mapping[str, Any]) -> list[Fault]:
    """Return every fault of a configuration under a closed JSON schema, in order of fields."""
    errors = jsonschema.Draft202012Validator(schema).iter_errors(config)
    found = [fault for error in errors for fault in _faults(error, schema)]
    return sorted(found, key=lambda fault: (fault.path, fault.text))


def _faults(error: Any, schema: Mapping[str, Any]) -> Iterator[Fault]:
    path = tuple(map(str, error.absolute_path))
    field = ".".join(path) or TOP
    if error.validator == "additionalProperties":
        known = error.schema["properties"]
        for key in error.instance:
            if key not in known:
                yield Fault((*path, str(key)), field, _unknown(str(key), known, field, schema))
    elif error.validator == "required":
        # One error a missing key, and its name stands in no field of the error but the message.
        for key in error.validator_value:
            if key not in error.instance and error.message.startswith(repr(key)):
                yield Fault(path, field, f"key '{key}' is missing")
    elif "propertyNames" in error.absolute_schema_path:
        key = str(error.instance)
        text = _unknown(key, error.validator_value, field, schema)
        yield Fault((*path, key), field, text)
    else:
        yield Fault(path, field, _value(error))


def _unknown(key: str, known: Sequence[str] | Mapping[str, Any], field: str, schema: Any) -> str:
    """Return what to say of a key that is not there: what it may have been meant to be."""
    said = f"there is no key '{key}'."
    meant = did_you_mean(key, known)
    elsewhere = [name for name in _homes(schema, key) if name != field]
    if meant or not elsewhere:
        return said + (meant or f" Its keys are: {', '.join(map(str, known))}")
    return f"{said} There is one under: {', '.join(elsewhere)}"


def _homes(schema: Any, key: str, above: tuple[str, ...] = ()) -> Iterator[str]:
    """Return the sections that have a key of this name."""
    for name, inner in schema.get("properties", {}).items():
        if name == key:
            yield ".".join(above) or TOP
        yield from _homes(inner, key, (*above, name))


def _value(error: Any) -> str:
    """Return what is wrong with a value."""
    found, limit = shown(error.instance), error.validator_value
    if error.validator == "type":
        kinds = [limit] if isinstance(limit, str) else limit
        return f"{found} must be {' or '.join(_TYPES[kind] for kind in kinds)}"
    if error.validator == "enum":
        known = ["null" if value is None else str(value) for value in limit]
        return f"{found} is none of: {', '.join(known)}.{did_you_mean(str(error.instance), known)}"
    if error.validator in _BOUNDS:
        return f"{found} must be {_BOUNDS[error.validator]} {limit}"
    if error.validator == "pattern":
        return f"{found} must be of the form {limit.strip('^$')}"
    if error.validator in ("minItems", "minProperties"):
        return f"{found} is too short: it needs {limit} or more"
    if error.validator == "maxItems":
        return f"{found} is too long: it may hold {limit}"
    if error.validator == "uniqueItems":
        twice = [v for i, v in enumerate(error.instance) if v in error.instance[:i]]
        return f"{', '.join(map(shown, twice))} stands more than once"
    return str(error.message)


def shown(value: Any) -> str:
    """Return a value as a study file would hold it, in quotes where it is text, cut to length."""
    if isinstance(value, str):
        text = f"'{value}'"
    else:
        plain = json.loads(json.dumps(value, default=str))  # no class of a loader's own
        dumped = yaml.safe_dump(plain, default_flow_style=True, width=10_000, sort_keys=False)
        text = dumped.removesuffix("...\n").strip()
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
