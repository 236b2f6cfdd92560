"""inspect_ai logs: ``.eval`` (a zip of samples) and JSON."""

import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from copyceiling.check.adapters.record import (
    Row,
    as_gold,
    document,
    held,
    listed,
    take,
)
from copyceiling.check.chunks import MAX_DOCUMENT, MAX_LINE, Unreadable, decode
from copyceiling.check.faults import CheckError, Fault
from copyceiling.requests import classify

_ZSTANDARD = 93  # compression method of .eval entries, which zipfile of Python 3.11 cannot read
_LOCAL_HEADER = 30  # bytes before the entry's name
_FINISH = {"max_tokens": "length", "model_length": "length", "content_filter": "content_filter"}
# RuntimeError: an encrypted entry. NotImplementedError: another compression.
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    pa.ArrowException,
    OSError,
    EOFError,
    RuntimeError,
    NotImplementedError,
)
_SHOWN = ("system", "user", "tool")


def records(path: Path) -> Iterator[tuple[int, Any]]:
    """Read the samples of a log, each with the header's model and number of epochs.

    Raises:
        CheckError: It is no log of inspect_ai, or it holds no samples.
    """
    if zipfile.is_zipfile(path):
        yield from _zipped(path)
        return
    log = document(path, "inspect_ai")
    about = _about(log)
    for i, sample in listed(take(log, "samples"), path, "inspect_ai", "samples"):
        yield i, {"sample": sample, **about}


def _about(header: Any) -> dict[str, Any]:
    return {
        "model": take(header, "eval", "model"),
        "epochs": take(header, "eval", "config", "epochs"),
    }


def _zipped(path: Path) -> Iterator[tuple[int, Any]]:
    try:
        with zipfile.ZipFile(path) as archive, open(path, "rb") as file:
            entries = {info.filename: info for info in archive.infolist()}
            if "header.json" not in entries:
                raise CheckError(f"'{path}' has no header.json: no finished log of inspect_ai")
            about = _about(_entry(archive, file, entries["header.json"], MAX_DOCUMENT))
            names = [n for n in entries if n.startswith("samples/") and n.endswith(".json")]
            for i, name in enumerate(sorted(names), 1):
                sample = _entry(archive, file, entries[name], MAX_LINE)
                unread = isinstance(sample, Unreadable)
                yield i, sample if unread else {"sample": sample, **about}
    except _DAMAGE as e:
        raise CheckError(f"'{path}' is damaged: {e}") from e


def _entry(archive: zipfile.ZipFile, file: Any, info: zipfile.ZipInfo, limit: int) -> Any:
    """Return an entry's JSON; one that unpacks to more than `limit` bytes is `Unreadable`."""
    if info.compress_type == _ZSTANDARD:
        file.seek(info.header_offset)
        head = file.read(_LOCAL_HEADER)
        if len(head) < _LOCAL_HEADER:
            raise zipfile.BadZipFile(f"entry {info.filename} is cut short")
        file.seek(int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little"), 1)
        packed = pa.BufferReader(file.read(info.compress_size))
        data = pa.CompressedInputStream(packed, "zstd").read(limit + 1)
    else:
        with archive.open(info) as stream:
            data = stream.read(limit + 1)
    if len(data) > limit:
        return Unreadable(f"entry {info.filename} has more than {limit} bytes")
    return decode(data)


def row(record: Mapping[str, Any]) -> Row | Fault:
    """Map a sample.

    The context is all that the model was shown: the contents of system, user and tool messages.
    Several targets are alternatives, as inspect_ai's own text scorers take them; letters of a
    multiple choice become the texts of their choices. ``gold``, ``gold_type`` and ``cluster`` in
    the sample's metadata come first.
    """
    sample = record.get("sample")
    gold, gold_type = _gold(sample)
    answer = take(sample, "output", "completion")
    about = take(sample, "metadata")
    several = isinstance(record.get("epochs"), int) and record["epochs"] > 1
    name, epoch = take(sample, "id"), take(sample, "epoch")
    found = {
        "id": f"{name} epoch {epoch}" if several and name is not None else name,
        "question": _question(take(sample, "input")),
        "gold": gold,
        "gold_type": take(about, "gold_type") or gold_type,
        "context": _shown(take(sample, "messages")),
        "answer": answer,
        "status": _status(sample, answer),
        "system": record.get("model"),
        "cluster": take(about, "cluster") or (name if several else None),
    }
    return held(found)


def _status(sample: Any, answer: Any) -> str:
    if take(sample, "error"):
        return "error"
    finish = take(sample, "output", "choices", 0, "stop_reason")
    text = answer if isinstance(answer, str) else ""
    known = _FINISH.get(finish) if isinstance(finish, str) else None
    return classify(text, known, None, 0)


def _question(shown: Any) -> Any:
    """Return the input where it is a text, else the last user message of it."""
    if not isinstance(shown, list):
        return shown
    asked = [take(m, "content") for m in shown if take(m, "role") == "user"]
    return asked[-1] if asked else None


def _shown(messages: Any) -> Any:
    if not isinstance(messages, list):
        return messages
    return [m for m in messages if take(m, "role") in _SHOWN]


def _gold(sample: Any) -> tuple[Any, str]:
    chosen = take(sample, "metadata", "gold")
    if chosen is not None:
        return chosen, "all"
    target, choices = take(sample, "target"), take(sample, "choices")
    items = target if isinstance(target, list) else as_gold(target)
    if isinstance(choices, list) and choices and isinstance(items, list):
        items = [_choice(item, choices) for item in items]
    return items, "any" if isinstance(target, list) and len(target) > 1 else "all"


def _choice(letter: Any, choices: list[Any]) -> Any:
    """Return the text of a choice named by its letter, the target itself if it is no letter."""
    at = ord(letter) - ord("A") if isinstance(letter, str) and len(letter) == 1 else -1
    return choices[at] if 0 <= at < len(choices) else letter
