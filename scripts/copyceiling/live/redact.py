"""Keys come from the environment alone, and go nowhere but into the request."""

import os
import re
from urllib.parse import quote

from copyceiling.errors import ConfigError
from copyceiling.models import ModelSpec

NO_KEY = "no-key"  # what is sent where a model needs no key, so that no other variable is read
_SHORTEST = 8  # a shorter value is a placeholder such as EMPTY, and may be a word of an answer
_MASK = "[redacted]"
_KEY_LIKE = re.compile(
    r"(?i)(bearer\s+)[^\s\"',;]+|([?&](?:api[-_]?)?key=)[^\s\"'&]+|()\b(?:sk|gsk|xai|pplx)-[\w*.-]{8,}"
    r"|()\bAIza[\w-]{10,}"
)


def read_key(spec: ModelSpec) -> str | None:
    """Return a model's key from the variable that its row names, None if it names none.

    Raises:
        ConfigError: The variable is not set, empty, or no key can look like its value.
    """
    return None if spec.key_env is None else read_variable(spec.key_env, f"model '{spec.model}'")


def read_variable(name: str, who: str) -> str:
    """Return the key that an environment variable holds; ``who`` needs it, for messages.

    Raises:
        ConfigError: The variable is not set, empty, or no key can look like its value.
    """
    key = os.environ.get(name, "").strip()
    if not key:
        raise ConfigError(
            f"{who} needs a key in the environment variable {name}, which is not set. Nothing was "
            f"sent. Set it: export {name}=..."
        )
    if not key.isascii() or not key.isprintable() or " " in key:
        raise ConfigError(
            f"the value of {name} holds characters that no key has (white space, control "
            "or accented characters). Nothing was sent. Set it again."
        )
    return key


class Redactor:
    """Takes a key out of text."""

    def __init__(self, key: str | None) -> None:
        forms = {key, quote(key, safe="")} if key and len(key) >= _SHORTEST else set()
        self._forms = tuple(sorted(forms, key=len, reverse=True))

    def answer(self, text: str) -> str:
        """Return an answer without the key; nothing else of it is touched."""
        for form in self._forms:
            text = text.replace(form, _MASK)
        return text

    def message(self, text: str) -> str:
        """Return an error message without the key, or anything that looks like one."""

        def mask(match: re.Match[str]) -> str:
            return "".join(lead or "" for lead in match.groups()) + _MASK

        return _KEY_LIKE.sub(mask, self.answer(text))
