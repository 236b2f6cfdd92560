"""What the column ``params`` of a model must hold for local weights (runner ``gguf``)."""

import json
from collections.abc import Mapping
from typing import Any

# Sampling parameters and the value at which each does nothing. All are sent with every call:
# those left out would come from the runtime's defaults or from the weights' metadata.
NEUTRAL: Mapping[str, float] = {
    "top_k": 0,
    "top_p": 1.0,
    "min_p": 0.0,
    "typical_p": 1.0,
    "repeat_penalty": 1.0,
    "presence_penalty": 0.0,
    "frequency_penalty": 0.0,
    "dry_multiplier": 0.0,
    "xtc_probability": 0.0,
    "mirostat": 0,
}
# How weights are loaded: the number of threads and the length of the context decide the bits.
LOADING = ("threads", "context")
_KNOWN = (*LOADING, "temperature", "seed", "stop", "chat_template_kwargs", *NEUTRAL)
_SUCH_AS = {"threads": 1, "context": 4096, "temperature": 0, "seed": 42}


def param_faults(params: Mapping[str, Any]) -> list[str]:
    """Return what is wrong with the parameters of local weights, a fault a line.

    ``threads``, ``context`` (tokens) and ``temperature`` are required, and ``seed`` where
    temperature is above 0. Optional are ``stop`` (list of texts), ``chat_template_kwargs`` (an
    object handed to the chat template) and the sampling parameters of `NEUTRAL`.
    """
    faults = [f"'{name}' is unknown; known are: {', '.join(_KNOWN)}"
              for name in params if name not in _KNOWN]  # fmt: skip

    def check(name: str, good: bool, what: str) -> None:
        if good:
            return
        if name in params:
            faults.append(f"'{name}' is {json.dumps(params[name])}, but must be {what}")
        else:
            given = json.dumps({name: _SUCH_AS[name]}).strip("{}")
            faults.append(f"'{name}' is missing; give {what}, such as {given}")

    for name in LOADING:
        check(name, _is_whole(params.get(name)) and params[name] > 0, "a whole number above 0")
    heat = params.get("temperature")
    check("temperature", _is_number(heat) and params["temperature"] >= 0, "a number from 0")
    if "seed" in params or (_is_number(heat) and heat != 0):
        # The runtime draws its own seed where none is given and for 2**32 - 1.
        good = _is_whole(params.get("seed")) and 0 <= params["seed"] < 2**31
        check("seed", good, "a whole number from 0 below 2**31")
    for name in NEUTRAL:
        check(name, name not in params or _is_number(params[name]), "a number")
    stop = params.get("stop", [])
    texts = isinstance(stop, list) and all(isinstance(text, str) for text in stop)
    check("stop", texts, "a list of strings")
    kwargs = params.get("chat_template_kwargs", {})
    check("chat_template_kwargs", isinstance(kwargs, dict), "an object")
    return faults


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
