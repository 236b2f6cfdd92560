"""``copyceiling init``: writes a commented study for an ontology and says how to run it."""

import argparse
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

from copyceiling.config import DEFAULT_STUDY, load_study
from copyceiling.corpus.account import fault_lines, lost, pages_read
from copyceiling.corpus.corpus_command import add_source, print_text
from copyceiling.corpus.starter import starter_yaml
from copyceiling.corpus.survey import Survey, survey
from copyceiling.errors import ConfigError, CopyCeilingError, CorpusError

HELP = "Write a commented study for an ontology, ready to run with reference readers."
_NAME = re.compile(r"[a-z0-9][a-z0-9-]*")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the subcommand."""
    add_source(parser)
    parser.add_argument("--study", required=True, metavar="NAME", help="name of the study")
    parser.add_argument("--out", type=Path, metavar="FILE", help="default: NAME.yaml here")
    parser.add_argument("--force", action="store_true", help="write over an existing file")


def run(arguments: argparse.Namespace) -> int:
    """Write the study; returns 0, or 2 with the reason on stderr."""
    try:
        out, found = _write(arguments)
    except CopyCeilingError as e:
        print(f"copyceiling init: {e}", file=sys.stderr)
        return 2
    lines = [f"wrote {out}", *_account(found)]
    lines.append(f"next, in the repository: snakemake --configfile {shlex.quote(str(out))}")
    print_text("\n".join([*lines, ""]))
    return 0


def _account(found: Survey) -> Iterator[str]:
    """Yield what was read, and every fault that the study is told to go on with."""
    yield lost(found.n_read, found.n_lost)
    if found.form == "markdown":
        yield pages_read(found.n_read, found.passed_over)
    if found.issues:
        yield (
            "the study leaves out these faults of the source, for the file says drop under "
            "corpus.policy; remove a line there, and the study stops at that kind:"
        )
        yield from fault_lines(found.issues)


def _write(arguments: argparse.Namespace) -> tuple[Path, Survey]:
    if not _NAME.fullmatch(arguments.study):
        raise ConfigError(
            f"--study {arguments.study}: small letters, digits and hyphens only; it stands in paths"
        )
    out: Path = arguments.out or Path(f"{arguments.study}.yaml")
    if out.exists() and not arguments.force:
        raise ConfigError(f"--out: '{out}' is there already. Name another file, or --force.")
    shipped = DEFAULT_STUDY.parent / f"{arguments.study}.yaml"
    if shipped.exists() and shipped.resolve() != out.resolve():
        raise ConfigError(
            f"--study {arguments.study}: there is a study of this name, '{shipped}', whose results "
            "it would write over. Choose another name."
        )
    found = survey(arguments.path, form=arguments.format, package=arguments.package)
    try:
        text = starter_yaml(found, arguments.study, arguments.package)
    except CorpusError as e:
        raise CorpusError(f"{e} See: {_report_command(arguments)}") from e
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(text, encoding="utf-8")
    except OSError as e:
        raise ConfigError(f"--out: '{out}' cannot be written: {e.strerror}") from e
    load_study(out)  # what is written must be a study
    return out, found


def _report_command(arguments: argparse.Namespace) -> str:
    given = {"--format": arguments.format, "--package": arguments.package}
    options = [part for name, value in given.items() if value for part in (name, value)]
    return shlex.join(["copyceiling", "corpus", arguments.path, *options])
