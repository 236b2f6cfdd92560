"""Tells from an answer's wording whether it declines, and whether it denies an item.

Patterns stand in a versioned file, see its head for what they may hold. A rule over wording is
blunt: it sees no denial in words that it does not list. It reads sentences, never whole answers, so
that a negation in one says nothing of a name in another.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from copyceiling.config import load_yaml
from copyceiling.errors import ConfigError, listing
from copyceiling.text import normalise

KINDS = ("decline", "denied", "closed")
_KEYS = ("id", "version", "gap", "breakers", "ignored", "classes", *KINDS)
# Upper case cannot stand in normalised text, so marks are told from words.
_ITEM, _OTHER, _BREAK = "ITEM", "OTHER", "BREAK"
_SENTENCE = re.compile(r"[.!?;](?=\s|$)|\n")
Pattern = re.Pattern[str]


@dataclass(frozen=True)
class Phrases:
    """Compiled patterns.

    Attributes:
        version: Version of the file, from 1.
        ignored: What is taken out of a sentence before matching.
        sources: Words for the context that a sentence may speak of.
        patterns: Kind (`KINDS`) to its patterns.
    """

    version: int
    ignored: Pattern
    sources: Pattern
    patterns: Mapping[str, tuple[Pattern, ...]]

    def declines(self, answer: str) -> bool:
        """Whether some sentence says that the answer is not known, or not in the context."""
        return any(self._any("decline", self._clean(s)) for s in sentences(answer))

    def closes(self, answer: str) -> bool:
        """Whether some sentence says that there is nothing, or nothing beyond what is named.

        A sentence that speaks of the context says what that holds, not what there is.
        """
        cleaned = [self._clean(s) for s in sentences(answer)]
        return any(
            self._any("closed", s) and not self._any("decline", s) and not self.sources.search(s)
            for s in cleaned
        )

    def denies(self, answer: str, item: str, others: Sequence[str]) -> bool:
        """Whether every sentence that names an item denies it; False if none names it.

        A sentence that declines ("I am not sure, perhaps X") denies nothing.

        Args:
            answer: The whole answer.
            item: Title of the item.
            others: Other titles of the question; in one that holds the item's, the item is not
                named.
        """
        marked = [mark(s, item, others) for s in sentences(answer)]
        naming = [self._clean(s) for s in marked if f" {_ITEM} " in s]
        return bool(naming) and all(
            self._any("denied", s) and not self._any("decline", s) for s in naming
        )

    def _clean(self, sentence: str) -> str:
        return self.ignored.sub(f" {_BREAK}", sentence)

    def _any(self, kind: str, sentence: str) -> bool:
        return any(pattern.search(sentence) for pattern in self.patterns[kind])


def sentences(answer: str) -> list[str]:
    """Return an answer's sentences and lines, normalised, each between single spaces."""
    cut = (normalise(part) for part in _SENTENCE.split(answer))
    return [f" {part} " for part in cut if part]


def mark(sentence: str, item: str, others: Sequence[str]) -> str:
    """Put marks in the places of titles, longest titles first; a plural `s` goes with its title."""
    wanted = normalise(item)
    titles = {normalise(title): _OTHER for title in others} | {wanted: _ITEM}
    for title in sorted(titles, key=lambda t: (-len(t), t)):
        if title:
            # The space after stays, so that titles next to one another are both found.
            sentence = re.sub(f" {title}s?(?= )", f" {titles[title]}", sentence)
    return sentence


def load_phrases(path: Path) -> Phrases:
    """Read, check and compile a file of patterns.

    Raises:
        ConfigError: Lists every fault with its field.
    """
    document = load_yaml(path)
    faults = _faults(document)
    if faults:
        raise ConfigError(f"phrases '{path}': {len(faults)} fault(s):\n{listing(faults)}")
    made = _Compiler(document["gap"], document["breakers"], document["classes"])
    ignored = sorted(map(normalise, document["ignored"]), key=lambda p: (-len(p), p))
    return Phrases(
        version=document["version"],
        ignored=re.compile(f" (?:{'|'.join(ignored)})(?= )"),
        sources=made.compile("{source}"),
        patterns={kind: tuple(made.compile(p) for p in document[kind]) for kind in KINDS},
    )


class _Compiler:
    """Turns patterns into regular expressions over sentences between single spaces."""

    def __init__(
        self, gap: int, breakers: Sequence[str], classes: Mapping[str, Sequence[str]]
    ) -> None:
        # Another title may stand in a gap: "not part of OTHER and ITEM" denies both.
        stops = "|".join([*map(normalise, breakers), _ITEM, _BREAK])
        self._gap = f"(?: (?!(?:{stops})(?= ))[^ ]+){{0,{gap}}}?"
        self._classes = classes

    def compile(self, pattern: str) -> Pattern:
        return re.compile("".join(map(self._token, pattern.split())) + "(?= )")

    def _token(self, token: str) -> str:
        if token == "*":
            return self._gap
        if token.startswith("{"):
            words = sorted(map(normalise, self._classes[token[1:-1]]), key=lambda w: (-len(w), w))
            return f" (?:{'|'.join(words)})"
        return f" {token if token in (_ITEM, _OTHER) else normalise(token)}"


def _faults(document: Any) -> list[str]:
    if not isinstance(document, Mapping):
        return ["the file holds no mapping of fields"]
    faults = [f"field '{key}' is missing" for key in _KEYS if key not in document]
    faults += [f"field '{key}' is unknown" for key in document if key not in _KEYS]
    if faults:
        return faults
    for key in ("version", "gap"):
        if not isinstance(document[key], int) or isinstance(document[key], bool):
            faults.append(f"field '{key}' must be a whole number")
    classes = document["classes"]
    if not isinstance(classes, Mapping) or "source" not in classes:
        return [*faults, "field 'classes' must be a mapping that has 'source'"]
    lists = {key: document[key] for key in ("breakers", "ignored", *KINDS)}
    lists |= {f"classes.{name}": words for name, words in classes.items()}
    for name, entries in lists.items():
        if not isinstance(entries, list) or not entries:
            faults.append(f"field '{name}' must be a list that is not empty")
            continue
        # YAML reads a bare no as false.
        bad = [repr(e) for e in entries if not isinstance(e, str) or not e.strip()]
        faults += [f"field '{name}': {e} is no text; put it in quotes" for e in bad]
    return faults or _pattern_faults(document)


def _pattern_faults(document: Mapping[str, Any]) -> list[str]:
    return [
        f"field '{kind}': pattern '{pattern}' names the class {token}, which is not declared"
        for kind in KINDS
        for pattern in document[kind]
        for token in pattern.split()
        if token.startswith("{") and token.strip("{}") not in document["classes"]
    ]
