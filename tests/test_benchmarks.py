"""The benchmarks run: small here, and as benchmarks/README.md has them by `make test-long`.

No figure is tested: machines differ, and a target may be missed on a busy one.
"""

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.doc_commands import LONG, inline
from tests.reader import Reader

PAGE = ROOT / "benchmarks" / "README.md"
# A command of the page: how it runs small, and what it prints then and as it stands.
SMALL = {
    "make bench": ("python benchmarks/run.py go --repeats 1", "seeds identical on 11/11"),
    "python benchmarks/live.py": ("--seconds 1", "1200 requests a minute permitted"),
    "python benchmarks/check.py": ("--rows 500 --workers 1", "peak memory, all processes"),
    "python benchmarks/growth.py": ("--one 1000", "peak_gb"),
    "python benchmarks/intervals.py": ("--repeats 1 --resamples 200", "100 intervals"),
    "python benchmarks/coverage.py": ("--datasets 40 --resamples 100", "Points short of 95 %"),
    "python benchmarks/embedding.py": ("--strings 50", "spans a second"),
    "python benchmarks/repeat_calls.py MODEL": ("--questions 1", "answers the same"),
}


@pytest.fixture(scope="module")
def reader(go_clone: Path) -> Reader:
    for library in ("litellm", "onnxruntime", "xllamacpp"):  # found, not imported
        if find_spec(library) is None:
            pytest.skip(f"{library} is not installed: make env-test")
    return Reader(go_clone)


def typed(reader: Reader, command: str) -> str:
    """Return what a benchmark prints; status 1 says that a target was missed."""
    said = reader.type(f"{command.replace('MODEL', 'smollm2-135m')} || test $? = 1")
    assert "Traceback" not in said and "differ:" not in said, said[-3000:]
    return said


def test_every_benchmark_of_the_page_is_run() -> None:
    assert list(dict.fromkeys(c for c in inline(PAGE) if c.startswith(LONG))) == list(SMALL)
    others = {"run.py", "alternatives.py"}  # what `make bench` runs, and a part of coverage.py
    assert {p.name for p in PAGE.parent.glob("*.py")} == others | {
        Path(c.split()[1]).name for c in SMALL if c.startswith("python")
    }


@pytest.mark.parametrize("command", SMALL)
def test_small(command: str, reader: Reader) -> None:
    options, says = SMALL[command]
    small = options if options.startswith("python") else f"{command} {options}"
    assert says in typed(reader, small)


@pytest.mark.long
@pytest.mark.parametrize("command", SMALL)
def test_as_on_the_page(command: str, reader: Reader) -> None:
    folder = reader.folder / "benchmarks"
    kept = {name: (folder / name).read_bytes() for name in ("growth.csv", "growth.svg")}
    try:
        assert SMALL[command][1] in typed(reader, command)
    finally:
        for name, had in kept.items():
            (folder / name).write_bytes(had)
