"""The commands of the documentation: found on its pages, and each put into a class.

- *run*: blocks with ``<!-- run -->`` above them, executed in a copy of the repository;
- *executed elsewhere*: blocks of the pages in `ELSEWHERE`, executed by the test named there;
- *checked*: everything else. `check` says what is wrong with a command: its program, target,
  options, settings and files must exist. What needs the network or changes the reader's repository
  is never run.
"""

import argparse
import contextlib
import io
import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from copyceiling.cli import build_parser
from copyceiling.config import study_of
from copyceiling.errors import CopyCeilingError
from copyceiling.tables.parts import TARGETS
from snakemake.cli import get_argument_parser

from tests.conftest import ROOT

# Pages whose blocks another test executes, all of them and in order.
ELSEWHERE = {
    "docs/check.md": "tests/check/test_command.py",
    "docs/your-ontology.md": "tests/corpus/test_newcomer.py",
}
PROGRAMS = ("snakemake", "copyceiling", "make", "python", "pip", "git")
# Not ours, or with an effect that a test must not have; the reason is why they are not executed.
OUTSIDE = {
    "git": "changes or compares the reader's repository",
    "pip": "needs the network",
    "unzip": "reads what pip got",
    "sha256sum": "checks an unpacked crate; tests/test_crate.py checks the same file",
    "export": "sets the reader's environment",
    "cd": "moves the reader",
}
_FENCE = re.compile(r"(<!-- run -->\n)?^(`{3,})(\w*)\n(.*?)^\2$", re.DOTALL | re.MULTILINE)
_INDENTED = re.compile(r"(?:(?<=\n\n)|\A)((?:    \S.*\n(?:    .*\n)*)+)", re.MULTILINE)
_INLINE = re.compile(r"`((?:snakemake|copyceiling|make) [^`]+)`")


@dataclass(frozen=True)
class Block:
    """A block of commands of a page: its text, and whether it is marked to be run."""

    page: str
    text: str
    run: bool


def pages() -> list[Path]:
    """Return every page of the documentation."""
    top = [ROOT / n for n in ("README.md", "CONTRIBUTING.md", "benchmarks/README.md")]
    return [*top, *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "data").rglob("*.md"))]


def blocks(page: Path) -> list[Block]:
    """Return the blocks of commands of a page: fenced as sh or console, or indented."""
    text = page.read_text(encoding="utf-8")
    name = page.relative_to(ROOT).as_posix()
    found = [
        Block(name, match[4], bool(match[1]))
        for match in _FENCE.finditer(text)
        if match[3] in ("sh", "console")
    ]
    bare = _FENCE.sub("", text)
    for match in _INDENTED.finditer(bare):
        block = re.sub(r"^    ", "", match[1], flags=re.MULTILINE)
        if block.split()[0] in PROGRAMS:
            found.append(Block(name, block, run=False))
    return found


def inline(page: Path) -> list[str]:
    """Return the commands that stand in a page's sentences."""
    bare = _FENCE.sub("", page.read_text(encoding="utf-8"))
    return [" ".join(m[1].split()) for m in _INLINE.finditer(bare)]


def commands(block: Block) -> list[str]:
    """Return the commands of a block, one a string: lines that go on are joined."""
    found: list[str] = []
    open_line = ""
    for line in block.text.splitlines():
        joined = f"{open_line} {line.removeprefix('$ ').strip()}".strip()
        if joined.endswith("\\") or _is_open(joined):
            open_line = joined.removesuffix("\\").strip()
            continue
        open_line = ""
        found.extend(part for part in re.split(r"\s&&\s", joined) if part)
    assert not open_line, f"{block.page}: a command has no end: {open_line}"
    return found


def _is_open(text: str) -> bool:
    """Return whether a quoted word goes on in the next line."""
    try:
        shlex.split(text, comments=True)
    except ValueError:
        return True
    return False


def check(command: str) -> str | None:
    """Return what is wrong with a command, None if nothing is."""
    words = shlex.split(command, comments=True)
    if not words:
        return None
    program = Path(words[0]).name
    if program in OUTSIDE:
        return None
    if program in CHECKS:
        return CHECKS[program](words[1:])
    return f"'{program}' is in no class of commands (tests/doc_commands.py)"


def _parsed(parser: argparse.ArgumentParser, words: Sequence[str]) -> argparse.Namespace | str:
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
        try:
            return parser.parse_args(list(words))
        except SystemExit as e:
            return argparse.Namespace(command=None) if e.code == 0 else said.getvalue()


@cache
def targets() -> frozenset[str]:
    """Return the rules that may be asked for by name: those without wildcards."""
    text = "".join(
        f"\n{p.read_text(encoding='utf-8')}" for p in sorted((ROOT / "rules").glob("*.smk"))
    )
    found = {"all", *TARGETS}
    for rule in re.split(r"\n\s*rule (?=\w+:)", text)[1:]:
        name, _, body = rule.partition(":")
        made = re.search(r"\boutput:(.*?)\n\s*log:", body, re.DOTALL)
        if made is None or not re.search(r'"[^"]*\{(?!RESULTS)\w+\}[^"]*"', made[1]):
            found.add(name)
    return frozenset(found)


@cache
def _snakemake_parser() -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = get_argument_parser()
    return parser


def _snakemake(words: Sequence[str]) -> str | None:
    given = _parsed(_snakemake_parser(), words)
    if isinstance(given, str):
        return given
    unknown = [t for t in given.targets if t not in targets() and not _is_placeholder(t)]
    if unknown:
        return f"no such target: {', '.join(unknown)}"
    return _settings(given.configfile or [], given.config or [])


def _copyceiling(words: Sequence[str]) -> str | None:
    given = _parsed(build_parser(), ["x" if _is_placeholder(w) else w for w in words])
    if isinstance(given, str):
        # A command named alone, in a sentence, need not be complete.
        return None if len(words) == 1 and words[0] in _subcommands() else given
    if given.command is None:
        return None
    return _settings(getattr(given, "configfile", []), getattr(given, "config", []))


@cache
def _subcommands() -> frozenset[str]:
    (found,) = [a for a in build_parser()._actions if isinstance(a, argparse._SubParsersAction)]
    return frozenset(found.choices)


def _settings(files: Sequence[object], overrides: Sequence[str]) -> str | None:
    """Return what is wrong with study files and settings; those of a reader are not there."""
    theirs = [f for f in files if Path(str(f)).parts[0] != "config"]
    missing = [str(f) for f in files if f not in theirs and not (ROOT / str(f)).is_file()]
    if missing:
        return f"no such file: {', '.join(missing)}"
    try:
        study_of([] if theirs else [ROOT / str(f) for f in files], overrides)
    except CopyCeilingError as e:
        return str(e)
    return None


def _make(words: Sequence[str]) -> str | None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z0-9-]+):", text, re.MULTILINE))
    unknown = [w for w in words if w not in targets]
    return f"no such target of make: {', '.join(unknown)}" if unknown else None


def _python(words: Sequence[str]) -> str | None:
    if list(words[:2]) == ["-m", "pip"]:
        return None
    if words[:1] == ["-m"]:
        module = ROOT / "scripts" / f"{words[1].replace('.', '/')}.py"
        return None if module.is_file() else f"no such module: {words[1]}"
    return None if (ROOT / words[0]).is_file() else f"no such file: {words[0]}"


def _is_placeholder(word: str) -> bool:
    return word.isupper() or word.startswith(("<", "results/"))


CHECKS: dict[str, Callable[[Sequence[str]], str | None]] = {
    "snakemake": _snakemake,
    "copyceiling": _copyceiling,
    "make": _make,
    "python": _python,
}
