"""What a run says on the terminal: a line a job, no chatter, and errors that lead on."""

import argparse
import logging
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from copyceiling.cli import _GROUPS, build_parser
from copyceiling.cli import main as cli
from copyceiling.commands import OPTIONS
from copyceiling.jobs import run
from copyceiling.terminal import Terminal, tail

from tests.conftest import ROOT, SMOKE


def record(text: str | None, level: int = logging.INFO, **extra: Any) -> logging.LogRecord:
    made = logging.LogRecord("snakemake", level, "", 0, text, None, None)
    vars(made).update(extra)
    return made


def terminal(dry_run: bool = False) -> Terminal:
    return Terminal(dry_run, lambda r: f"in full: {r.msg}" if hasattr(r, "rule_name") else r.msg)


JOB = {"event": "job_info", "jobid": 4, "rule_name": "score_answers", "wildcards": {"model": "m"}}
FAILED = {"event": "job_error", "jobid": 4, "rule_name": "score_answers"}


def test_a_line_a_job_and_none_of_the_chatter() -> None:
    shown = terminal()
    records = [
        record("Building DAG of jobs..."),
        record("Job stats:", event="run_info", stats={"score_answers": 1, "all": 1, "total": 2}),
        record("Select jobs to execute..."),
        record("Execute 1 jobs...", event="job_started"),
        record("Rule", **JOB),
        record("Finished", event="job_finished"),
        record(None, event="progress", done=1, total=2),
        record("Rule", **{**JOB, "rule_name": "all", "wildcards": {}}),
        record(None, event="progress", done=2, total=2),
        record("Complete log(s): x"),
    ]
    lines = [line for r in records if (line := shown.lines(r)) is not None]
    assert lines == ["[1/2] score_answers m", "[2/2] all", "Done: 2 jobs."]


@pytest.mark.parametrize(
    "text", ["Nothing to be done (all requested files are present and up to date).", "Unlocking."]
)
def test_what_is_not_known_as_chatter_is_shown(text: str) -> None:
    assert terminal().lines(record(text)) == text


def test_a_warning_is_shown_whatever_its_words() -> None:
    text = "Building DAG of jobs took long"
    assert terminal().lines(record(text, logging.INFO)) is None
    assert terminal().lines(record("Falling back", logging.WARNING)) == "Falling back"


def test_a_dry_run_shows_jobs_in_full() -> None:
    assert terminal(dry_run=True).lines(record("a", **JOB)) == "in full: a"


def fail(log: Path | None, status: str) -> tuple[str, str]:
    """Return what is said when a job fails and when the run ends."""
    shown = terminal()
    shown.lines(record("", event="run_info", stats={"total": 3}))
    shown.lines(record("Rule", **JOB))
    raised = f"RuleException: in file x.smk, line 3:\nCommand 'python x.py' {status}"
    assert shown.lines(record(raised, logging.ERROR, event="error")) is None
    said = shown.lines(record("x", logging.ERROR, **FAILED, log=[str(log)] if log else []))
    assert shown.lines(record("Exiting because a job execution failed. Look above")) is None
    end = "WorkflowError:\nAt least one job did not complete successfully."
    last = shown.lines(record(end, logging.ERROR, event="error"))
    assert said and last
    return said, last


def test_a_failed_job_names_rule_and_log_and_what_next(tmp_path: Path) -> None:
    log = tmp_path / "score.log"
    log.write_text("question q7: no gold\n", encoding="utf-8")
    said, last = fail(log, "returned non-zero exit status 1.")
    assert "Failed: score_answers m" in said and f"Log: {log}" in said and "above" in said
    assert (
        last.strip().startswith("1 job failed, 0 of 3 done. Correct what")
        and "run the same" in last
    )


@pytest.mark.parametrize("held", ["started\n", "done\n", None])
def test_a_job_that_was_ended_from_outside_says_so(tmp_path: Path, held: str | None) -> None:
    log = tmp_path / "score.log"
    if held:
        log.write_text(held, encoding="utf-8")
    said, _ = fail(log, "died with <Signals.SIGKILL: 9>.")
    assert "ended from outside" in said and "<Signals.SIGKILL: 9>)" in said and "--cores 1" in said


@pytest.mark.parametrize(
    ("status", "memory"),
    [
        ("died with <Signals.SIGKILL: 9>.", True),
        ("returned non-zero exit status 137.", True),
        ("died with <Signals.SIGTERM: 15>.", False),
        ("returned non-zero exit status 143.", False),
        ("returned non-zero exit status 130.", False),
        ("died with <Signals.SIGSEGV: 11>.", False),
    ],
)
def test_only_a_kill_is_blamed_on_memory(tmp_path: Path, status: str, memory: bool) -> None:
    log = tmp_path / "score.log"
    log.write_text("started\n", encoding="utf-8")
    said, last = fail(log, status)
    assert ("memory" in said) is memory
    stopped = not memory and "SEGV" not in status
    assert ("stopped from outside" in said) is stopped
    assert last.strip().startswith("1 job stopped" if stopped else "1 job failed")
    assert ("Correct" in last) is not stopped and "same command again" in last


def test_a_job_alone_has_no_count_for_it_may_count_steps_of_its_own() -> None:
    shown = terminal()
    shown.lines(record("", event="run_info", stats={"total": 1}))
    assert shown.lines(record("Rule", **JOB)) == "score_answers m"


def test_a_run_that_built_tables_says_once_where_they_are_and_what_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(OPTIONS, "--configfile mine/garden.yaml")
    table = {"event": "job_info", "rule_name": "build_table", "wildcards": {"table": "table4"}}
    shown = terminal()
    shown.lines(record("", event="run_info", stats={"total": 2}))
    for name in ("table4", "table5"):
        shown.lines(record("Rule", **table, jobid=name, log=[f"results/bike/logs/{name}.log"]))
    said = shown.lines(record(None, event="progress", done=2, total=2))
    assert said and said.count("results/bike/tables") == 1
    assert said.endswith("snakemake report --configfile mine/garden.yaml")
    page = {"event": "job_info", "rule_name": "build_report", "wildcards": {}}
    shown.lines(record("Rule", **page, jobid=7, log=["x"]))
    said = shown.lines(record(None, event="progress", done=3, total=3))
    assert said and "snakemake report" not in said, "it was built, and has said so"


def test_a_job_without_a_log_says_how_it_ended() -> None:
    said, _ = fail(None, "returned non-zero exit status 137.")
    assert said.strip() == "Failed: score_answers m (non-zero exit status 137)."


def test_an_unknown_target_leads_to_the_list_of_targets() -> None:
    text = "MissingRuleException:\nNo rule to produce table44"
    said = terminal().lines(
        record(text, logging.ERROR, event="error", exception="MissingRuleException")
    )
    assert said == f"{text}\nWhat can be asked for: snakemake --list, or docs/regenerate.md"


def test_a_step_asked_for_by_name_leads_to_the_list_of_targets() -> None:
    text = "WorkflowError:\nTarget rules may not contain wildcards. Please specify concrete files"
    said = terminal().lines(record(text, logging.ERROR, event="error", exception="WorkflowError"))
    assert said and "WorkflowError" not in said
    assert said.endswith("snakemake --list, or docs/regenerate.md")


def test_tail_of_a_log(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    log.write_bytes(b"one\n\ntwo \xff\nthree\n")
    assert tail(log, 2) == ["two �", "three"]
    assert tail(tmp_path / "none.log") == []


class Rule:
    """What a script is handed, as far as `run` looks."""

    def __init__(self, folder: Path) -> None:
        self.input: dict[str, Any] = {}
        self.output: dict[str, Any] = {}
        self.params: dict[str, Any] = {}
        self.log, self.rule, self.scriptdir = [str(folder / "r.log")], "a_rule", str(folder)


def test_an_error_that_nobody_foresaw_keeps_its_trace_and_says_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def main(**_: Any) -> None:
        raise ZeroDivisionError("by zero")

    with pytest.raises(SystemExit):
        run(Rule(tmp_path), main)
    said = capsys.readouterr().err
    assert "Traceback" in said and "a_rule: ZeroDivisionError" in said and "report it" in said
    assert "ZeroDivisionError: by zero" in (tmp_path / "r.log").read_text()


def test_ctrl_c_ends_a_job_without_a_trace(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def main(**_: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(SystemExit) as ended:
        run(Rule(tmp_path), main)
    assert ended.value.code == 130 and capsys.readouterr().err == ""
    assert (tmp_path / "r.log").read_text() == "started\n"


def test_a_wrong_argument_leads_to_the_help_of_its_command(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for words, last in (
        (["chek"], "Did you mean 'check'?\nSee: copyceiling --help"),
        (["check", "x", "--policy", "foo"], "See: copyceiling check --help"),
        (["diff", "--limit", "x", "a"], "See: copyceiling diff --help"),
        ([], "See: copyceiling --help"),
    ):
        with pytest.raises(SystemExit) as ended:
            cli(words)
        assert ended.value.code == 2
        assert capsys.readouterr().err.rstrip().endswith(last)
    with pytest.raises(SystemExit):
        cli(["diff", "--help"])
    assert "(default: 20)" in capsys.readouterr().out


def test_a_study_that_does_not_recompute_says_which_rule_and_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = yaml.safe_load((ROOT / SMOKE).read_text(encoding="utf-8"))
    study["corpus"]["sha256"] = "0" * 64
    file = tmp_path / "study.yaml"
    file.write_text(yaml.safe_dump(study), encoding="utf-8")
    results = tmp_path / "results"
    words = ["--configfile", str(file), "--config", f"results={results}", "frozen=data/smoke"]
    assert cli(["accept", *words]) == 2
    said = capsys.readouterr().err
    assert "does not recompute" in said and "Error in rule read_corpus: corpus.sha256" in said
    assert f"Log: {results}/logs/read_corpus.log" in said
    assert "the study declares 000" in (results / "logs" / "read_corpus.log").read_text()
    assert "Building DAG" not in said and "Select jobs" not in said


def test_help_lists_every_command_once() -> None:
    parser = build_parser()
    (commands,) = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
    listed = [name for group in _GROUPS.values() for name in group]
    assert sorted(listed) == sorted(commands.choices)
    shown = parser.format_help()
    for name, sub in commands.choices.items():
        assert f"  {name} " in shown
        assert sub.epilog and sub.description, f"{name} has neither example nor description"


def test_make_help_says_what_each_target_does() -> None:
    done = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True)
    text = (ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n", "")
    phony = next(line for line in text.splitlines() if line.startswith(".PHONY:")).split()[1:]
    for target in phony:
        assert f"make {target} " in done.stdout, target


def test_the_profile_names_a_logger_that_is_installed() -> None:
    profile = yaml.safe_load((ROOT / "profiles/default/config.yaml").read_text(encoding="utf-8"))
    probe = (
        "from snakemake_interface_logger_plugins.registry import LoggerPluginRegistry as R\n"
        "print(R().get_registered_plugins())"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert all(f"'{name}'" in done.stdout for name in profile["logger"])
