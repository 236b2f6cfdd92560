"""The commands of the documentation: found on its pages, and who executes each.

A command of a block is executed by ``.ci/run``, as it stands there; by the test that `EXECUTED_BY`
names for its page, or for the command itself; or it is in `NOT_EXECUTED`, with the reason. All of
them, and those that stand in sentences, are checked besides: `check` says what is wrong with a
command, whose program, target, options, settings and files must exist.
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

_DOCS_RUN, _DOCS_SOURCES = "tests/test_docs_run.py", "tests/test_docs_sources.py"
# Who executes what stands on a page, or a single command of it: a test that takes it from the page.
EXECUTED_BY = {
    "README.md": _DOCS_SOURCES,
    "data/go/README.md": _DOCS_RUN,
    "docs/check.md": "tests/check/test_command.py",
    "docs/diagrams/README.md": _DOCS_RUN,
    "docs/findings/controls.md": _DOCS_SOURCES,
    "docs/findings/production.md": _DOCS_SOURCES,
    "docs/findings/seeds.md": _DOCS_SOURCES,
    "docs/judged-studies.md": _DOCS_RUN,
    "docs/judges.md": _DOCS_RUN,
    "docs/new-study.md": _DOCS_RUN,
    "docs/ontologies.md": _DOCS_SOURCES,
    "docs/published-release.md": _DOCS_SOURCES,
    "docs/published-values.md": _DOCS_SOURCES,
    "docs/regenerate.md": _DOCS_RUN,
    "docs/your-models.md": _DOCS_RUN,
    "docs/your-ontology.md": "tests/corpus/test_newcomer.py",
    "docs/your-pages.md": _DOCS_RUN,
    # Commands that a test of their own executes, other than the page that they stand on.
    "snakemake verify --configfile config/studies/smoke.yaml": "tests/test_workflow.py",
}
# Start of a command to the reason why nothing executes it.
NOT_EXECUTED = {
    "snakemake verify --config deep=true": (
        "embeds the texts of the whole study again, for half an hour; tests/test_rescore_deep.py "
        "does it with the smoke study"
    ),
    "snakemake rescore --config 'rescore={embedder: bge-small-en-v1.5, vectors: live}'": (
        "fetches 130 MB from a model hub; tests/test_embedding_hub.py has a local one"
    ),
    "snakemake rescore --configfile config/studies/paper.yaml": (
        "embeds 102,565 texts, for a quarter of an hour; the same rule with what is not frozen of "
        "go is on data/go/README.md"
    ),
}
PROGRAMS = ("snakemake", "copyceiling", "make", "python", "pip", "git")
# Not ours: there is nothing of this repository in them to check.
OUTSIDE = ("git", "pip", "unzip", "sha256sum", "export", "cd", "head", "tail", "sed")
_FENCE = re.compile(r"^(`{3,})(\w*)\n(.*?)^\1$", re.DOTALL | re.MULTILINE)
_NOTE = re.compile(r"\s{2,}# .*$")
_INDENTED = re.compile(r"(?:(?<=\n\n)|\A)((?:    \S.*\n(?:    .*\n)*)+)", re.MULTILINE)
_INLINE = re.compile(r"`((?:snakemake|copyceiling|make) [^`]+)`")


@dataclass(frozen=True)
class Block:
    """A block of commands of a page."""

    page: str
    text: str


def pages() -> list[Path]:
    """Return every page of the documentation."""
    top = [ROOT / n for n in ("README.md", "CONTRIBUTING.md", "benchmarks/README.md")]
    return [*top, *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "data").rglob("*.md"))]


def blocks(page: Path) -> list[Block]:
    """Return the blocks of commands of a page: fenced as sh or console, or indented."""
    text = page.read_text(encoding="utf-8")
    name = page.relative_to(ROOT).as_posix()
    found = [
        Block(name, match[3]) for match in _FENCE.finditer(text) if match[2] in ("sh", "console")
    ]
    bare = _FENCE.sub("", text)
    for match in _INDENTED.finditer(bare):
        block = re.sub(r"^    ", "", match[1], flags=re.MULTILINE)
        if block.split()[0] in PROGRAMS:
            found.append(Block(name, block))
    return found


def is_script(block: Block) -> bool:
    """Return whether a block is one piece: its lines define a function or hold a text."""
    return "<<" in block.text or "() {" in block.text


def in_ci() -> frozenset[str]:
    """Return the commands that continuous integration executes as they stand."""
    lines = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    return frozenset(re.sub(r"^time | > /dev/null$", "", line.strip()) for line in lines)


def executed_by(block: Block, command: str) -> str | None:
    """Return what executes a command of a block, None if nothing does."""
    if command in in_ci():
        return ".ci/run"
    if any(command.startswith(start) for start in NOT_EXECUTED):
        return None
    return EXECUTED_BY.get(command, EXECUTED_BY.get(block.page))


def inline(page: Path) -> list[str]:
    """Return the commands that stand in a page's sentences."""
    bare = _FENCE.sub("", page.read_text(encoding="utf-8"))
    return [" ".join(m[1].split()) for m in _INLINE.finditer(bare)]


def commands(block: Block) -> list[str]:
    """Return the commands of a block, one a string: lines that go on are joined."""
    found: list[str] = []
    open_line = ""
    for line in block.text.splitlines():
        joined = f"{open_line} {_NOTE.sub('', line.removeprefix('$ ')).strip()}".strip()
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
