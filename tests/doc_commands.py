"""The commands of the documentation: found on its pages, and who executes each.

A command is executed by ``.ci/run``, as it stands there or in a target of make that it calls; or by
a test that takes it from the page, which `BY_PAGE` names for the blocks of a page and `BY_COMMAND`
for a command. Those of sentences are executed as well, but for a program's name alone (`is_name`).
What `LONG` starts takes minutes and is run by `make test-long`. All are checked besides: `check`
says what is wrong with a command, whose program, target, options, settings and files must exist.
"""

import argparse
import contextlib
import io
import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from copyceiling.cli import build_parser
from copyceiling.config import study_of
from copyceiling.errors import CopyCeilingError
from copyceiling.tables.parts import TARGETS
from snakemake.cli import get_argument_parser

from tests.conftest import ROOT

_ENCODERS = "tests/test_docs_encoders.py"
_RUN = "tests/test_docs_run.py"
_SENTENCES = "tests/test_docs_sentences.py"
_SOURCES = "tests/test_docs_sources.py"
BY_PAGE = {
    "README.md": _SOURCES,
    "data/go/README.md": _RUN,
    "docs/check.md": "tests/check/test_command.py",
    "docs/diagrams/README.md": _RUN,
    "docs/findings/controls.md": _SOURCES,
    "docs/findings/production.md": _SOURCES,
    "docs/findings/seeds.md": _SOURCES,
    "docs/judged-studies.md": _RUN,
    "docs/judges.md": _RUN,
    "docs/new-study.md": _RUN,
    "docs/ontologies.md": _SOURCES,
    "docs/published-release.md": _SOURCES,
    "docs/published-values.md": _SOURCES,
    "docs/regenerate.md": _RUN,
    "docs/your-models.md": _RUN,
    "docs/your-ontology.md": "tests/corpus/test_newcomer.py",
    "docs/your-pages.md": _RUN,
}
# A command, or a pattern of one, to the test that executes it, wherever it stands.
BY_COMMAND = {
    "make defaults": _RUN,
    "make dictionary": _RUN,
    "make envs": _RUN,
    "make lock": _SOURCES,
    "snakemake paper": _SOURCES,
    "snakemake prose": _SOURCES,
    "snakemake report --configfile mine/garden.yaml": "tests/corpus/test_newcomer.py",
    "snakemake report --configfile mine/workshop.yaml": _RUN,
    # Embedding takes a quarter of an hour and more, or a model hub: here with stand-ins.
    "snakemake rescore --config 'rescore={embedder: bge-small-en-v1.5, vectors: live}'": _ENCODERS,
    "snakemake rescore --configfile config/studies/paper.yaml *": _SOURCES,
    "snakemake verify --config deep=true": _ENCODERS,
}
# Measurements, which take minutes: `make test-long` runs them as they stand, and continuous
# integration in a small form. See tests/test_benchmarks.py.
LONG = ("make bench", "make test-long", "python benchmarks/")
PROGRAMS = ("snakemake", "copyceiling", "make", "python", "pip", "git")
# Not ours: there is nothing of this repository in them to check.
OUTSIDE = ("git", "pip", "unzip", "sha256sum", "export", "cd", "head", "tail", "sed")
_FENCE = re.compile(r"^(`{3,})(\w*)\n(.*?)^\1$", re.DOTALL | re.MULTILINE)
_NOTE = re.compile(r"\s{2,}# .*$")
_INDENTED = re.compile(r"(?:(?<=\n\n)|\A)((?:    \S.*\n(?:    .*\n)*)+)", re.MULTILINE)
_INLINE = re.compile(r"`((?:snakemake|copyceiling|make|python) [^`]+)`")
_RECIPE = re.compile(r"^([a-z0-9-]+):([^#\n]*).*\n((?:\t.*\n)*)", re.MULTILINE)


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


@cache
def in_ci() -> frozenset[str]:
    """Return the commands that continuous integration executes, those of its make targets too."""
    recipes = {m[1]: (m[2].split(), m[3]) for m in _RECIPE.finditer(_text("Makefile"))}
    found: set[str] = set()
    todo = _text(".ci/run").splitlines()
    while todo:
        command = re.sub(r"^time | > /dev/null$", "", todo.pop().strip())
        found.add(command)
        if command.removeprefix("make ") in recipes and command.startswith("make "):
            needs, recipe = recipes[command.removeprefix("make ")]
            todo += [f"make {need}" for need in needs]
            todo += [re.sub(r"^\t@?(\$\(BIN\)/)?", "", line) for line in recipe.splitlines()]
    return frozenset(found)


def _text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def executed_by(command: str, page: str | None = None) -> str | None:
    """Return what executes a command of a block of a page, or of a sentence; None if nothing does.

    A command of a sentence is one that a block has as well, or a name, or typed by `_SENTENCES`.
    """
    if command in in_ci():
        return ".ci/run"
    if command.startswith(LONG):
        return "make test-long"
    own = [test for pattern, test in BY_COMMAND.items() if fnmatchcase(command, pattern)]
    if own:
        return own[0]
    if page is not None:
        return BY_PAGE.get(page)
    if command in _in_blocks():
        return executed_by(command, _in_blocks()[command])
    return None if is_name(command) else _SENTENCES


@cache
def _in_blocks() -> dict[str, str]:
    """Return the commands of blocks, each with a page that it stands on."""
    return {
        c: block.page
        for page in pages()
        for block in blocks(page)
        if not is_script(block)
        for c in commands(block)
    }


def is_name(command: str) -> bool:
    """Return whether this is the name of a subcommand alone, as sentences speak of it."""
    words = command.split()
    return words[0] == "copyceiling" and len(words) == 2 and words[1] in _subcommands()


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
