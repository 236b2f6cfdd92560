"""A recomputation that is stopped ends the jobs that it started and leaves no folder behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from copyceiling.verify import _follow

from tests.conftest import ROOT

# Its one job says who it is, and would take for ever.
SNAKEFILE = """
rule all:
    input: "never"

rule sleeper:
    output: "never"
    shell: "echo $$ > '{pid}'; exec sleep 300"
"""
CHILD = """
import signal, sys
from pathlib import Path
sys.path.insert(0, "scripts")
from copyceiling.verify import _scratch, recompute
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
with _scratch() as folder:
    print(folder, flush=True)
    recompute({"study": "s"}, Path(sys.argv[1]), folder, ["all"])
"""


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_stop_leaves_neither_folder_nor_process(tmp_path: Path, number: signal.Signals) -> None:
    told = tmp_path / "pid"
    (tmp_path / "Snakefile").write_text(SNAKEFILE.format(pid=told), encoding="utf-8")
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stdout
    folder = Path(child.stdout.readline().strip())
    assert folder.is_dir() and folder.parent == tmp_path
    deadline = time.monotonic() + 120
    while not (told.exists() and told.read_text().strip()):
        assert time.monotonic() < deadline and child.poll() is None, child.communicate()[1][-2000:]
        time.sleep(0.1)
    sleeper = int(told.read_text())
    assert is_there(sleeper)
    child.send_signal(number)
    child.communicate(timeout=60)
    assert child.returncode
    assert not folder.exists()
    deadline = time.monotonic() + 10
    while is_there(sleeper) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not is_there(sleeper)


def test_steps_are_told_under_one_count(capsys: pytest.CaptureFixture[str]) -> None:
    """What the nested run counts is told as steps, with the time so far; the rest is kept."""
    text = "[2/7] score_answers m\nodd\nembedded 4,096 of 9,000 strings\n"
    script = f"import sys; sys.stderr.write({text!r})"
    with subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.PIPE, text=True) as run:
        assert _follow(run) == ["odd\n"]
    step, embedded = capsys.readouterr().err.splitlines()
    assert step.strip().startswith("2 of 7, ") and step.endswith(" s: score_answers m")
    assert embedded.strip() == "embedded 4,096 of 9,000 strings"
