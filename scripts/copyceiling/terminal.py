"""What a run of the workflow says on the terminal: a line a job, and errors that lead on.

Rules and their scripts say the rest themselves: a table when it is built, the bar of a long run,
and what is wrong (`copyceiling.jobs`).
"""

import logging
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from copyceiling.commands import known_targets, snakemake
from copyceiling.errors import counted, did_you_mean

# What jobs write into their log before and after; anything else there is what went wrong.
STARTED, DONE = "started", "done"
INTERRUPTED = 130  # exit status of a job that Ctrl-C ended
_TAIL = 12  # lines of a log that are shown
_CHATTER = (
    "Using workflow specific profile",
    "Assuming unrestricted shared filesystem",
    "Building DAG of jobs",
    "Using shell",
    "Select jobs to execute",
    "Execute ",
    "Conda environments: ignored",
    "Singularity containers: ignored",
    "Shutting down, this might take some time",
    "Exiting because a job execution failed",
    "WorkflowError:\nAt least one job did not complete successfully",
    "Elapsed time:",
    "Complete log(s):",
)
_TARGETS = "What can be asked for: snakemake --list, or docs/regenerate.md"
# What to do about a fault that the engine reports itself: name of the exception to the way out.
_NEXT = {"MissingRuleException": _TARGETS}
_UNKNOWN = re.compile(r"No rule to produce (\S+)")
# A study file that is not there, of which the engine gives its own traceback; and one that is none.
_NO_FILE = re.compile(r"load_configfile.*FileNotFoundError: .*: '(.+)'$", re.DOTALL)
_NO_YAML = "Config file is not valid JSON or YAML"
_WILDCARDS = "Target rules may not contain wildcards"
_A_STEP = (
    "A rule that was asked for by name is a step that makes one file of several, so its name does "
    f"not say which. Ask for the file, or for a target such as table4.\n{_TARGETS}"
)
# How a job ended that could not say so itself: end of its status to what that tells.
_KILLED = ("SIGKILL: 9>", " 137")
_STOPPED = ("SIGTERM: 15>", "SIGINT: 2>", "SIGHUP: 1>", " 143", f" {INTERRUPTED}", " 129")
_STATUS = re.compile(r"(died with .*|non-zero exit status \d+)")
_SILENT = ("job_started", "job_finished", "resources_info", "shellcmd", "rulegraph")


class Terminal:
    """Turns the records of a run into the lines to show.

    Args:
        dry_run: Whether nothing is run; then jobs are shown in full.
        default: How the engine itself would show a record.
    """

    def __init__(self, dry_run: bool, default: Callable[[logging.LogRecord], str]) -> None:
        self._dry_run = dry_run
        self._default = default
        self._total = self._started = self._failed = self._stopped = 0
        self._status = ""
        self._names: dict[int, str] = {}
        self._rules: set[str] = set()
        self._tables: Path | None = None

    def lines(self, record: logging.LogRecord) -> str | None:
        """Return what to show of a record, None for nothing."""
        event = str(getattr(record, "event", None) or "")
        if self._dry_run and event in ("job_info", "run_info"):
            return self._default(record)
        shown = {
            "run_info": self._plan,
            "job_info": self._job,
            "job_error": self._error,
            "progress": self._progress,
            "error": self._exception,
        }.get(event)
        if shown:
            return shown(record)
        text = self._default(record)
        chatter = record.levelno < logging.WARNING or "job" in text
        if event in _SILENT or not text or (chatter and text.strip().startswith(_CHATTER)):
            return None
        return text

    def _plan(self, record: logging.LogRecord) -> None:
        self._total = int(vars(record)["stats"]["total"])

    def _job(self, record: logging.LogRecord) -> str:
        told = vars(record)
        self._started += 1
        self._names[told["jobid"]] = name = _name(told)
        self._rules.add(told["rule_name"])
        if told["rule_name"] == "build_table":
            self._tables = Path(told["log"][0]).parent.parent / "tables"
        # One job may count steps of its own, as verify does: no second count beside it.
        return f"[{self._started}/{self._total}] {name}" if self._total > 1 else name

    def _progress(self, record: logging.LogRecord) -> str | None:
        told = vars(record)
        if told["done"] != told["total"]:
            return None
        return "\n".join([f"Done: {counted(told['done'], 'job')}.", *self._what_next()])

    def _what_next(self) -> list[str]:
        """Return where tables are that were built, and what shows them all."""
        if self._tables is None:
            return []
        where = f"Tables: {self._tables}, as Markdown, CSV, LaTeX, HTML and Parquet."
        page = f"All on one page, with figures and evidence: {snakemake('report')}"
        return [where] if "build_report" in self._rules else [where, page]

    def _exception(self, record: logging.LogRecord) -> str | None:
        text = self._default(record).strip()
        status = _STATUS.search(text)
        if status:  # that the script failed is all that it says; why, the script has said
            self._status = status[0].rstrip(".")
            return None
        if text.startswith(_CHATTER):
            return self._end()
        if _WILDCARDS in text:
            return _A_STEP
        missing = _NO_FILE.search(text)
        if missing:
            return _no_study_file(missing[1])
        if _NO_YAML in text:
            return f"{text}\nIt is a file of --configfile; docs/new-study.md has the smallest one."
        kind = getattr(record, "exception", "")
        if kind not in _NEXT:
            return text
        unknown = _UNKNOWN.search(text)
        meant = did_you_mean(unknown[1], known_targets()).strip() if unknown else ""
        return "\n".join(filter(None, [text, meant, _NEXT[kind]]))

    def _error(self, record: logging.LogRecord) -> str:
        """Return where the message stands, and the message where the script could not give it."""
        told = vars(record)
        self._failed += 1
        log = next(iter(told["log"]), None)
        words = f"\nFailed: {self._names.get(told['jobid'], told['rule_name'])}"
        if log is None:
            return f"{words} ({self._status})."
        said = tail(Path(log))
        if not said or said[-1] in (STARTED, DONE):
            return f"{words}. {self._cut_short()}\nLog: {log}"
        return f"{words}. What it said stands above and in its log.\nLog: {log}"

    def _cut_short(self) -> str:
        """Return how a job ended that could not say so, and what to do."""
        if self._status.endswith(_KILLED):
            return (
                f"It was ended from outside before it could say why ({self._status}); often "
                "memory ran out.\nFree some, or run fewer jobs at once: --cores 1"
            )
        if self._status.endswith(_STOPPED):
            self._stopped += 1
            return (
                f"It was stopped from outside ({self._status}): by Ctrl-C, a timeout, a scheduler "
                "or a person. Nothing is half written."
            )
        return f"It ended before it could say why ({self._status})."

    def _end(self) -> str:
        done = self._started - self._failed
        only_stopped = self._failed == self._stopped
        return (
            f"\n{counted(self._failed, 'job')} {'stopped' if only_stopped else 'failed'}, "
            f"{done} of {self._total} done. "
            f"{'R' if only_stopped else 'Correct what is named above, then r'}"
            "un the same command again: what is done stays done."
        )


def _no_study_file(name: str) -> str:
    """Return what there is instead of a study file, in the folder that was named or in ours."""
    folder = Path(name).parent if Path(name).parent.is_dir() else Path()
    here = [p for f in (folder, Path("config/studies")) for p in sorted(f.glob("*.yaml"))]
    meant = did_you_mean(name, [p.as_posix() for p in here])
    return (
        f"--configfile: there is no file '{name}'.{meant}\n"
        "Studies lie in config/studies; a new one: docs/new-study.md"
    )


def tail(log: Path, limit: int = _TAIL) -> list[str]:
    """Return the last lines of a log; none where it cannot be read."""
    try:
        text = log.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return [line for line in text.splitlines() if line.strip()][-limit:]


def _name(told: dict[str, Any]) -> str:
    """Return a job's rule and wildcards."""
    return " ".join([told["rule_name"], *(str(v) for v in told["wildcards"].values())])
