"""Says what is wrong with whole sources: once for all rows, with the names found and a way out."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from copyceiling.check.adapters import ADAPTERS
from copyceiling.check.chunks import Reading
from copyceiling.check.faults import (
    BadRow,
    BadRowsError,
    CheckError,
    Fault,
    UnreadFieldError,
    counted,
    shown,
)
from copyceiling.check.fields import CONTENT, FIELDS, REQUIRED
from copyceiling.check.gather import Gathered
from copyceiling.check.names import assign, nearest
from copyceiling.check.seen import Seen, Tally

_LISTED_NAMES = 40
_GUESSED = {"context": 20, "answer": 1}  # characters below which an unknown name is no guess
_IN_WORDS = {"context": "a context", "answer": "an answer"}
_NOTHING = {"context": "if nothing was shown", "answer": "if nothing was answered"}


def renaming_error(seen: Sequence[Seen], reading: Reading) -> CheckError | None:
    """Return the error that no row has the name a renaming asks for; None if all names are there.

    Read as a field that is merely missing, a slip of the pen would leave out context or answer.
    """
    found = {name for s in seen for name in s.renamed}
    absent = [pair for pair in reading.rename if pair[1] not in found]
    if not absent or not any(s.n for s in seen):
        return None
    names = [name for s in seen for name in s.names]
    faults = [
        f"no row has '{shown(theirs)}', which is to be read as {ours}{nearest(theirs, names)}"
        for ours, theirs in absent
    ]
    return CheckError("\n".join([*faults, *map(_names, seen), "Correct --field"]))


def bad_rows_error(gathered: Gathered, limit: int) -> BadRowsError:
    """Return the error that lists bad rows; faults of all rows of a source stand once.

    Args:
        gathered: All rows; at least one is bad.
        limit: Most single rows to list.
    """
    whole = [s for s in gathered.seen if s.shared]
    rest = _rest(gathered)
    lines = [_block(s) for s in whole] + [f"  - {bad}" for bad in rest[:limit]]
    n_rest = len(rest) if whole else gathered.n_bad
    if n_rest > limit:
        lines.append(f"  ... and {n_rest - limit:,} more")
    chosen = [(s, _proposed(s, _missing(s))) for s in whole if not _tool(s)]
    fields = _together(chosen, gathered.seen)
    # Leaving out bad rows is no way out where no other is left.
    skip = ", or leave them out and count them: --skip-bad" if gathered.labels else ""
    tail = [f"Correct them{skip}"] if rest or skip or not fields else []
    head = f"{counted(gathered.n_bad, 'bad row')}:"
    return BadRowsError("\n".join([head, *lines, *tail]), fields)


def unread_error(seen: Sequence[Seen]) -> UnreadFieldError | None:
    """Return the error that no row of a source, or of a system, has a context or an answer.

    None where at least one has, and where every row says that there was none.
    """
    faults: list[str] = []
    ways_out: list[str] = []
    chosen: list[tuple[Seen, dict[str, str]]] = []
    for field in CONTENT:
        files = [s for s in seen if s.total().silent_on(field)]
        systems = _silent_systems(seen, files, field)
        faults += [_silent(shown(s.source, 200), s.total().rows, field) for s in files]
        faults += [_silent(f"system '{shown(k)}'", t.rows, field) for k, t in systems.items()]
        among = [s for s in seen if s in files or not systems.keys().isdisjoint(s.systems)]
        chosen += [(s, _proposed(s, [field])) for s in among]
        if among:
            ways_out.append(
                f"{_NOTHING[field].capitalize()}, say so in every row: {_null(field, among)}"
            )
            if any(_unread(s) for s in among):
                ways_out.append(f"If another name holds it, say which: --field {field}=NAME")
    if not faults:
        return None
    names = [_names(s) for s in seen if any(s is other for other, _ in chosen)]
    return UnreadFieldError("\n".join([*faults, *names, *ways_out]), _together(chosen, seen))


def _silent(where: str, n: int, field: str) -> str:
    if n == 1:
        return f"{where}: its only row has no {field}, and does not say that there was none"
    return (
        f"{where}: none of its {n:,} rows has {_IN_WORDS[field]}, and not all of them say that "
        "there was none"
    )


def _silent_systems(seen: Iterable[Seen], files: Sequence[Seen], field: str) -> dict[str, Tally]:
    """Return the systems none of whose rows has a field, but for those of whole files without."""
    total: dict[str, Tally] = {}
    elsewhere = set()
    for s in seen:
        for system, tally in s.systems.items():
            total.setdefault(system, Tally()).add(tally)
            if s not in files:
                elsewhere.add(system)
    return {k: t for k, t in sorted(total.items()) if k in elsewhere and t.silent_on(field)}


def _null(field: str, among: Iterable[Seen]) -> str:
    """Return how a row says that a field is empty, in our fields or in those of its tool."""
    tools = [ADAPTERS[s.adapter].names.get(field, field) if s.adapter else field for s in among]
    names = " or ".join(f'"{name}": null' for name in dict.fromkeys(tools))
    return f"{names} (in a table: an empty column of that name)"


def _rest(gathered: Gathered) -> list[BadRow]:
    """Return the bad rows without the faults that all rows of their source share."""
    shared = {s.source: s.shared or frozenset() for s in gathered.seen}
    found = []
    for bad in gathered.bad:
        faults = tuple(f for f in bad.faults if f not in shared.get(bad.source, ()))
        found += [replace(bad, faults=faults)] if faults else []
    return found


def _block(seen: Seen) -> str:
    """Return the faults that all rows of a source share, and its names where one is missing."""
    missing = _missing(seen)
    chosen = _proposed(seen, missing)
    faults = {fault.field: fault for fault in seen.shared or ()}
    order = ("", *FIELDS, *sorted(faults.keys() - {"", *FIELDS}))
    said = [_said(f, faults.get(f), chosen.get(f)) for f in order if f in faults or f in missing]
    rows = "its only row" if seen.n == 1 else f"all {seen.n:,} rows"
    names = [_names(seen), *_tool(seen)] if missing else []
    return "\n      ".join([f"  - {shown(seen.source, 200)}, {rows}:", *said, *names])


def _said(field: str, fault: Fault | None, name: str | None) -> str:
    if name:
        none = f"; {_NOTHING[field]}, give {field}: null" if field in CONTENT else ""
        return f"{field}: is missing, but there is '{shown(name)}', which is not read{none}"
    if fault is None:
        return f"{field}: no row has one"
    return f"{field}: {fault.detail}" if field else fault.detail


def _tool(seen: Seen) -> list[str]:
    """Return which tool's names these are, if they are and its format was not asked for."""
    return [
        f"these are names that {tool} uses: --format {tool} reads them"
        for tool, adapter in ADAPTERS.items()
        if adapter.names and adapter.records is None and not seen.adapter
        if seen.names.keys() >= set(adapter.names.values())
    ]


def _missing(seen: Seen) -> list[str]:
    """Return the fields that no row of a source has, and that it needs or seems to have."""
    asked = {fault.field for fault in seen.shared or ()}.union(REQUIRED, CONTENT)
    return [f for f in FIELDS if seen.n_mapped and f not in seen.fields and f in asked]


def _names(seen: Seen) -> str:
    """Return the names that the rows of a source have, on one line."""
    listed = [shown(name) for name in list(seen.names)[:_LISTED_NAMES]]
    more = len(seen.names) - len(listed)
    left = f" and {more} more" if more > 0 else ""
    return f"{shown(seen.source, 200)} has: {', '.join(listed) or 'no names'}{left}"


def _unread(seen: Seen) -> dict[str, frozenset[str]]:
    """Return the names of a source that stand for no field yet, with what their values fit."""
    return {
        name: named.fits
        for name, named in seen.names.items()
        if name not in FIELDS and name not in seen.renamed and name.isprintable()
    }


def _proposed(seen: Seen, wanted: Iterable[str]) -> dict[str, str]:
    """Return the names under which fields of a source seem to stand.

    Names that other tools use come first. For a context or an answer whose name is not known, it
    is the name that holds most text, unless rows that do have the field have that name as well.
    """
    wanted = list(wanted)
    unread = _unread(seen)
    chosen = assign(unread, wanted)
    for field in CONTENT:
        if field in wanted and field not in chosen:
            free = [
                (-seen.names[name].characters, name)
                for name, fits in unread.items()
                if field in fits and name not in seen.beside[field] and name not in chosen.values()
            ]
            most, name = min(free, default=(0, ""))
            if -most >= _GUESSED[field]:
                chosen[field] = name
    return chosen


def _together(
    chosen: Iterable[tuple[Seen, dict[str, str]]], seen: Iterable[Seen]
) -> dict[str, str]:
    """Return one renaming for all sources; empty if what mends one would spoil another."""
    found: dict[str, str] = {}
    for _, fields in chosen:
        for field, name in fields.items():
            if found.setdefault(field, name) != name:
                return {}
    # A renaming stands above a field of ours, so it must not hit rows that have both.
    spoilt = any(
        f in s.fields and name in s.beside.get(f, s.names)
        for s in seen
        for f, name in found.items()
    )
    return {} if spoilt or len(set(found.values())) < len(found) else found
