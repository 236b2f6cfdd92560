"""The check as Python calls: rows or files in, a `Report` out."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike, fspath
from typing import Any

from copyceiling.check.analyse import analyse
from copyceiling.check.chunks import Chunk, Reading, record_chunks
from copyceiling.check.explain import bad_rows_error, renaming_error, unread_error
from copyceiling.check.faults import CheckError
from copyceiling.check.fields import FIELDS
from copyceiling.check.gather import Gathered, Told, gather
from copyceiling.check.names import nearest
from copyceiling.check.report import Report
from copyceiling.check.sources import FORMATS, chunks_of
from copyceiling.stats import LEVEL, RESAMPLES
from copyceiling.sweep import POLICIES, Settings

SEED = 42
LISTED = 50
MAX_SYSTEMS = 50  # pairs grow with its square


@dataclass(frozen=True)
class Options:
    """Settings of a check; the defaults are those of the command line.

    Attributes:
        seed: Seed of every resampling, at least 0.
        resamples: Resamples behind every interval, at least 1.
        level: Level of the intervals, in (0, 1).
        policy: What counts in the headline for answers that are not ``ok``: ``as_received``
            scores whatever text came, ``as_wrong`` scores 0, ``complete_case`` leaves them out.
            All three are in the report.
        skip_bad: Leave bad rows out and count them, instead of stopping.
        listed: Most bad rows named in an error.
        workers: Processes that measure and resample; no figure depends on it.
        fields: Our field to the name it has in the source, as in ``{"context": "passages"}``.
    """

    seed: int = SEED
    resamples: int = RESAMPLES
    level: float = LEVEL
    policy: str = POLICIES[0]
    skip_bad: bool = False
    listed: int = LISTED
    workers: int = 1
    fields: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        unknown = [_no_field(ours, theirs) for ours, theirs in sorted(self.fields.items())]
        faults = (
            (self.seed < 0, f"seed {self.seed} is below 0"),
            (self.resamples < 1, f"resamples {self.resamples} is below 1"),
            (not 0.0 < self.level < 1.0, f"level {self.level} is not between 0 and 1"),
            (
                self.policy not in POLICIES,
                f"policy '{self.policy}' is none of {', '.join(POLICIES)}",
            ),
            (self.workers < 1, f"workers {self.workers} is below 1"),
            (self.listed < 1, f"limit {self.listed} is below 1"),
            (any(unknown), "; ".join(filter(None, unknown))),
        )
        for wrong, what in faults:
            if wrong:
                raise CheckError(f"{what}. Correct the setting")

    @property
    def reading(self) -> Reading:
        """How records become rows."""
        return Reading(rename=tuple(sorted(self.fields.items())))


def _no_field(ours: str, theirs: str) -> str:
    """Return what is wrong with a renaming, "" if nothing is."""
    if ours in FIELDS:
        return ""
    turned = f"; did you mean {theirs}={ours}?" if theirs in FIELDS else nearest(ours, FIELDS)
    return f"'{ours}' is no field of a row{turned or '.'} The fields are {', '.join(FIELDS)}"


def check_rows(
    rows: Iterable[Mapping[str, Any]],
    *,
    seed: int = SEED,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    policy: str = POLICIES[0],
    skip_bad: bool = False,
    listed: int = LISTED,
    workers: int = 1,
    fields: Mapping[str, str] | None = None,
) -> Report:
    """Check rows that are at hand as mappings.

    Args:
        rows: One mapping an answer, with the fields ``id``, ``question``, ``gold`` and, as there
            are, ``gold_type``, ``context``, ``answer``, ``status``, ``raw_answer``,
            ``raw_status``, ``system``, ``arm``, ``cluster``. Read once, in chunks.
        seed: Seed of every resampling, at least 0.
        resamples: Resamples behind every interval, at least 1.
        level: Level of the intervals, in (0, 1).
        policy: What counts in the headline for answers that are not ``ok``; see `Options`.
        skip_bad: Leave bad rows out and count them, instead of stopping.
        listed: Most bad rows named in an error.
        workers: Processes; no figure depends on it. With more than one, a script needs the usual
            ``if __name__ == "__main__":``.
        fields: Our field to its name in the rows, as in ``{"context": "passages"}``.

    Returns:
        The report; the same for the same set of rows in any order. Source: DESIGN section 9.

    Raises:
        BadRowsError: Rows cannot be read, all of them named by position and field, faults of all
            rows once; not with `skip_bad`.
        UnreadFieldError: No row, or none of a system, has a context or none has an answer, and not
            every one says so (``"context": None``).
        CheckError: No row is left, or an argument is out of range.
    """
    options = Options(
        seed, resamples, level, policy, skip_bad, listed, workers, fields=fields or {}
    )
    numbered = enumerate(rows, 1)
    return _report(record_chunks(numbered, "<rows>", "row", options.reading), options)


def check_files(
    paths: Sequence[str | PathLike[str]],
    *,
    form: str = "auto",
    system_from_file: bool = False,
    seed: int = SEED,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    policy: str = POLICIES[0],
    skip_bad: bool = False,
    listed: int = LISTED,
    workers: int = 1,
    fields: Mapping[str, str] | None = None,
    told: Told | None = None,
) -> Report:
    """Check files of rows; several are read as if they were one.

    Args:
        paths: Files; ``-`` is standard input as JSONL.
        form: ``auto`` (by suffix), ``jsonl``, ``csv``, ``parquet``, or a tool's log: ``inspect``,
            ``lm-eval``, ``promptfoo``, ``ragas``, ``ragchecker``.
        system_from_file: Label rows that state no system with the file's name.
        seed, resamples, level, policy, skip_bad, listed, workers, fields: As of `check_rows`.
        told: As of `gather`: told of rows, and bytes of lines, that were measured so far.

    Returns:
        The report; the same however the rows are ordered and split into files.

    Raises:
        BadRowsError: As of `check_rows`.
        UnreadFieldError: As of `check_rows`; of a file, too.
        CheckError: A file cannot be read, its format is not known, or as of `check_rows`.
    """
    if form not in FORMATS:
        raise CheckError(f"format '{form}' is none of {', '.join(FORMATS)}")
    options = Options(
        seed, resamples, level, policy, skip_bad, listed, workers, fields=fields or {}
    )
    names = [fspath(p) for p in paths]
    chunks = chunks_of(names, form, options.reading, system_from_file=system_from_file)
    return _report(chunks, options, told)


def _refuse(gathered: Gathered, options: Options) -> None:
    """Raise what keeps these rows from being measured as they are meant."""
    misread = renaming_error(gathered.seen, options.reading)
    if misread is not None:
        raise misread
    if gathered.n_bad and not options.skip_bad:
        raise bad_rows_error(gathered, options.listed)
    if not gathered.labels:
        none = f"there is no row to check ({gathered.n_read:,} read, {gathered.n_bad:,} bad). "
        if gathered.n_bad:
            bad = bad_rows_error(gathered, options.listed)
            raise CheckError(none + bad.text, bad.fields)
        raise CheckError(f"{none}Give at least one with id, question, gold, context and answer")
    unread = unread_error(gathered.seen)
    if unread is not None:
        raise unread


def _report(chunks: Iterator[Chunk], options: Options, told: Told | None = None) -> Report:
    gathered = gather(chunks, options.workers, told)
    _refuse(gathered, options)
    systems = {label[0] for label in gathered.labels}
    if len(systems) > MAX_SYSTEMS:
        raise CheckError(
            f"the rows name {len(systems)} systems, and at most {MAX_SYSTEMS} are compared. Is "
            "'system' (or 'arm') a label of what answered? Name another field: --field "
            "system=THEIRS, or check fewer systems at once"
        )
    settings = Settings(options.seed, options.resamples, options.level)
    return analyse(gathered, options.policy, settings, options.workers)
