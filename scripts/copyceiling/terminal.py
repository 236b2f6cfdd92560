"""What a run of the workflow says on the terminal: a line a job, and errors that lead on.

Rules and their scripts say the rest themselves: a table when it is built, the bar of a long run,
and what is wrong (`copyceiling.jobs`).
"""

import logging
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

# What jobs write into their log before and after; anything else there is what went wrong.
STARTED, DONE = "started", "done"
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
# What to do about a fault that the engine reports itself: name of the exception to the way out.
_NEXT = {"MissingRuleException": "What can be asked for: snakemake --list"}
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
        self._total = self._started = self._failed = 0
        self._status = ""
        self._names: dict[int, str] = {}

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
        self._names[told["jobid"]] = _name(told)
        return f"[{self._started}/{self._total}] {_name(told)}"

    def _progress(self, record: logging.LogRecord) -> str | None:
        told = vars(record)
        return f"Done: {told['done']} job(s)." if told["done"] == told["total"] else None

    def _exception(self, record: logging.LogRecord) -> str | None:
        text = self._default(record).strip()
        status = _STATUS.search(text)
        if status:  # that the script failed is all that it says; why, the script has said
            self._status = status[0].rstrip(".")
            return None
        if text.startswith(_CHATTER):
            return self._end()
        kind = getattr(record, "exception", "")
        return "\n".join([text, _NEXT[kind]]) if kind in _NEXT else text

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
            return (
                f"{words}. It was ended from outside before it could say why ({self._status}); "
                f"often memory ran out.\nFree some, or run fewer jobs at once: --cores 1\n"
                f"Log: {log}"
            )
        return f"{words}. What it said stands above and in its log.\nLog: {log}"

    def _end(self) -> str:
        return (
            f"\n{self._failed} job(s) failed, {self._started - self._failed} of {self._total} are "
            "done. Correct what is named above, then run the same command again: what is done "
            "stays done."
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
