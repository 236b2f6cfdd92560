"""Errors that a person can act on: each names the item, what was found and the way out."""

import difflib
from collections.abc import Iterable, Sequence


class CopyCeilingError(Exception):
    """Base of all errors raised for bad input, shown without a traceback by the command line."""


class ConfigError(CopyCeilingError):
    """A study's configuration is wrong; the message names file and field."""


class CorpusError(CopyCeilingError):
    """A corpus source breaks its declared policy; the message names every fault."""


class ArtefactError(CopyCeilingError):
    """An artefact or frozen file is missing, damaged or not what its schema says."""


class StatisticsError(CopyCeilingError):
    """Data that a statistic is not defined on; the message names every item at fault."""


class EmbeddingError(CopyCeilingError):
    """An encoder or a vector is missing or not the declared one; says how to get it."""


class ReleaseError(CopyCeilingError):
    """Files of a release that are not as released; the message names file, line and field."""


class AnnotationError(CopyCeilingError):
    """A sheet or label file that cannot be taken as it is; the message names each faulty line."""


class MissingCompletionsError(CopyCeilingError):
    """A replay asks for completions that were never frozen."""


class MissingHitsError(CopyCeilingError):
    """A replay asks for the nearest classes of a query that was never embedded."""


def listing(items: Sequence[str], limit: int = 20) -> str:
    """Return the items one a line, indented, with a count of those left out."""
    lines = [f"  - {item}" for item in items[:limit]]
    if len(items) > limit:
        lines.append(f"  ... and {len(items) - limit} more")
    return "\n".join(lines)


def counted(n: int, what: str) -> str:
    """Return a number of things in words: ``1 fault``, ``2 faults``."""
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return `` Did you mean 'x'?`` where a known word is much like this one, else ""."""
    close = difflib.get_close_matches(word, list(known), n=1)
    return f" Did you mean '{close[0]}'?" if close else ""
