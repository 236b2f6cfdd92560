"""The one place that imports LiteLLM: 6 s and 200 MB, so only where a call needs it."""

import functools
import importlib
import importlib.metadata
import logging
import os
from typing import Any

from copyceiling.errors import ConfigError

_BACKDOORED = ("1.82.7", "1.82.8")
# No price list or header table is fetched, and no .env file is read, behind the user's back.
_ENVIRONMENT = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_OFFLINE_MODE": "true",
    "LITELLM_MODE": "PRODUCTION",
}
_LOGGERS = ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy", "httpx", "httpcore", "openai", "asyncio")


@functools.cache
def load_litellm() -> Any:
    """Import LiteLLM quiet, offline but for the calls, and without retries of its own.

    Raises:
        ConfigError: It is not installed, or in a version known to be backdoored.
    """
    try:
        version = importlib.metadata.version("litellm")
    except importlib.metadata.PackageNotFoundError as e:
        raise ConfigError("live calls need LiteLLM: pip install 'copyceiling[live]'") from e
    if version in _BACKDOORED:
        raise ConfigError(
            f"litellm {version} was published with a backdoor; it is not loaded. Remove it, change "
            "every key this machine has held, and install the version in the lock file."
        )
    os.environ.update(_ENVIRONMENT)
    litellm: Any = importlib.import_module("litellm")
    litellm.suppress_debug_info = True
    litellm.num_retries = 0
    litellm.drop_params = False  # a parameter that a model cannot take is an error, not left out
    litellm.modify_params = False
    litellm.disable_hf_tokenizer_download = True
    litellm.disable_aiohttp_transport = True  # httpx tells a lost connection from one never made
    for name in _LOGGERS:  # their lines carry addresses, and some providers put keys in those
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return litellm
