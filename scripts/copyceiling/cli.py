"""The command line: ``copyceiling --help``."""

import argparse
import functools
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NoReturn

from copyceiling import __version__
from copyceiling.annotate import command as annotate_command
from copyceiling.check import command as check_command
from copyceiling.commands import snakemake, study_options
from copyceiling.config import ROOT, study_of
from copyceiling.corpus import corpus_command, init_command
from copyceiling.difference import describe_difference, diff_artefacts
from copyceiling.errors import CopyCeilingError, did_you_mean
from copyceiling.fetch import command as fetch_command
from copyceiling.manifest import CLAIM, PAGE, accept, claim_study, compare, read_claim, scan
from copyceiling.report.absent import no_table
from copyceiling.terminal import INTERRUPTED
from copyceiling.verify import recompute, verify

# What there is, as --help shows it: heading to command to what it does.
_GROUPS = {
    "Your own data": {
        "check": check_command.HELP,
        "corpus": corpus_command.HELP,
        "init": init_command.HELP,
        "fetch": fetch_command.HELP,
    },
    "Results": {
        "show": "Print a table of a study that was built.",
        "diff": "Compare two artefacts or result folders; exit 0 if equal, 1 if not.",
        "verify": "Recompute the study and compare it with the manifest.",
    },
    "What a run cannot recompute": {
        "annotate": annotate_command.HELP,
        "freeze": "Turn a live run's answers and cosines into the study's frozen ones.",
        "accept": "Build the study and write its artefacts' hashes into the manifest.",
    },
}
_EXAMPLES = {
    "init": ["copyceiling init my.obo --study mine", "snakemake --configfile mine.yaml"],
    "fetch": ["copyceiling fetch --list"],
    "show": ["copyceiling show table4", "copyceiling show table5 --configfile mine.yaml"],
    "diff": [
        "copyceiling diff results/go                   against the claim",
        "copyceiling diff results/go results/go-new    folder against folder",
    ],
    "verify": ["copyceiling verify", "copyceiling verify --configfile config/studies/smoke.yaml"],
    "annotate": ["copyceiling annotate --guide", "copyceiling annotate --as reader-1"],
    "freeze": ["snakemake completions --config mode=live", "copyceiling freeze"],
    "accept": ["copyceiling accept", "git diff MANIFEST.md"],
}
_EPILOG = """\
Examples:
  copyceiling check rows.jsonl    the copy check on the log of any RAG system (docs/check.md)
  copyceiling corpus my.obo       what an ontology holds, and how many questions it would give
  copyceiling show table4         print a table that was built
  copyceiling COMMAND --help      what a command takes, with examples

Tables are built by Snakemake: `snakemake table4`; `snakemake --list` says what there is.
Exit status: 0 done, 1 there is a difference, 2 bad input, with the reason on stderr.
"""


def _overview() -> str:
    lines = ["Measures how much of a grounded model's recall is merely exposed to it."]
    for heading, commands in _GROUPS.items():
        lines += ["", f"{heading}:", *(f"  {name:<9} {text}" for name, text in commands.items())]
    return "\n".join(lines)


class _Parser(argparse.ArgumentParser):
    """A parser whose errors say where to read on; the parsers of commands are of its class."""

    def error(self, message: str) -> NoReturn:
        known = [*_COMMANDS] if self.prog == "copyceiling" else []
        word = re.search(r"invalid choice: '(.*?)'", message)
        meant = did_you_mean(word[1], known) if word else ""
        self.print_usage(sys.stderr)
        self.exit(2, f"{self.prog}: {message}.{meant}\nSee: {self.prog} --help\n")


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of every subcommand."""
    parser = _Parser(
        prog="copyceiling",
        usage="copyceiling COMMAND ...",
        description=_overview(),
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(
        dest="command", required=True, metavar="COMMAND", help=argparse.SUPPRESS
    )
    made = {}
    for group in _GROUPS.values():
        for name, text in group.items():
            shown = "".join(f"\n  {line}" for line in _EXAMPLES.get(name, []))
            made[name] = commands.add_parser(
                name,
                prog=f"copyceiling {name}",
                description=text,
                epilog=f"Examples:{shown}" if shown else None,
                formatter_class=argparse.RawDescriptionHelpFormatter,
            )
    check_command.add_arguments(made["check"])
    corpus_command.add_arguments(made["corpus"])
    init_command.add_arguments(made["init"])
    fetch_command.add_arguments(made["fetch"])
    annotate_command.add_arguments(made["annotate"])
    _add_options(made)
    for name in ("show", "diff", "accept", "verify", "freeze", "annotate"):
        made[name].add_argument(
            "--configfile", type=Path, nargs="+", default=[], metavar="FILE", help="study file(s)"
        )
        made[name].add_argument(
            "--config", nargs="+", default=[], metavar="KEY=VALUE", help="override a setting"
        )
    return parser


def _add_options(made: Mapping[str, argparse.ArgumentParser]) -> None:
    """Add the arguments of the commands that have no module of their own."""
    made["show"].add_argument(
        "table", nargs="?", help="table4, table5, ...; without one, say what there is"
    )
    diff = made["diff"]
    diff.add_argument("old", type=Path, help="artefact or results folder")
    diff.add_argument("new", type=Path, nargs="?", help="the other one; without it, the claim")
    diff.add_argument(
        "--limit", type=int, default=20, help="differences shown an artefact (default: 20)"
    )
    made["freeze"].add_argument(
        "--cosines", action="store_true", help="only what vectors gave: cosines and hits"
    )
    made["freeze"].add_argument(
        "--judges", action="store_true", help="only what was judged: answers and what judges said"
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; return its exit status (2: bad input, with the reason on stderr)."""
    arguments = build_parser().parse_args(argv)
    try:
        return int(_COMMANDS[arguments.command](arguments))
    except CopyCeilingError as e:
        print(f"copyceiling {arguments.command}: {e}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        return 1
    except KeyboardInterrupt:
        print(f"\ncopyceiling {arguments.command}: stopped", file=sys.stderr)
        return INTERRUPTED


def _show(arguments: argparse.Namespace) -> int:
    study = study_of(arguments.configfile, arguments.config)
    folder = ROOT / study["results"] / "tables"
    names = sorted(p.stem for p in folder.glob("*.md"))
    if arguments.table is None:
        hint = f"no table was built in {folder}. Build them: {_snakemake(arguments)}"
        print("\n".join(names) if names else hint)
        return 0
    asked = arguments.table
    if asked not in names:
        command = functools.partial(_snakemake, arguments)
        raise CopyCeilingError(no_table(asked, study, folder, names, command))
    # An empty line after it, so that tables shown one after another stand apart.
    print((folder / f"{asked}.md").read_text(encoding="utf-8"))
    return 0


def _snakemake(arguments: argparse.Namespace, *targets: str) -> str:
    """Return the command that builds targets of the study that was asked for."""
    options = study_options(arguments.configfile, arguments.config, ROOT)
    return snakemake(*targets, options=options)


def _accept(arguments: argparse.Namespace) -> int:
    study = study_of(arguments.configfile, arguments.config)
    recompute(study, ROOT, (ROOT / study["results"]).resolve(), ["all"])
    claim = accept(study, ROOT)["studies"][study["study"]]
    print(
        f"{CLAIM} and {PAGE} now claim {len(claim['artefacts'])} artefacts and "
        f"{len(claim['frozen'])} frozen files of study '{study['study']}'. Review: git diff {PAGE}"
    )
    return 0


def _verify(arguments: argparse.Namespace) -> int:
    lines, same = verify(study_of(arguments.configfile, arguments.config), ROOT)
    print("\n".join(lines))
    return 0 if same else 1


def _diff(arguments: argparse.Namespace) -> int:
    if arguments.new is None:
        _must_exist([arguments.old])
        return _diff_claim(arguments)
    _must_exist([arguments.old, arguments.new])
    if arguments.old.is_dir() != arguments.new.is_dir():
        raise CopyCeilingError("compare two artefacts or two folders, not one of each")
    if not arguments.old.is_dir():
        found = diff_artefacts(arguments.old, arguments.new)
        print(
            "\n".join(describe_difference(found, arguments.limit)) if not found.equal else "equal"
        )
        return int(not found.equal)
    old, new = scan(arguments.old), scan(arguments.new)
    different = 0
    for name in dict.fromkeys([*old, *new]):
        if name not in old or name not in new:
            different += 1
            print(f"{name}: only in {arguments.old if name in old else arguments.new}")
        elif old[name]["content_hash"] != new[name]["content_hash"]:
            different += 1
            paths = [folder / f"{name}.parquet" for folder in (arguments.old, arguments.new)]
            print("\n".join([name, *describe_difference(diff_artefacts(*paths), arguments.limit)]))
    print(f"{different} of {len({*old, *new})} artefact(s) differ")
    return int(bool(different))


def _must_exist(paths: Sequence[Path]) -> None:
    """Stop where a path that was typed is not there, with the name beside it that is like it."""
    faults = []
    for path in paths:
        if not path.exists():
            beside = path.parent.iterdir() if path.parent.is_dir() else ()
            meant = did_you_mean(path.name, [p.name for p in beside])
            faults.append(f"there is nothing at '{path}'.{meant}")
    if faults:
        faults.append("`snakemake` builds a study's results folder, and the artefacts in it")
        raise CopyCeilingError("\n".join(faults))


def _diff_claim(arguments: argparse.Namespace) -> int:
    study = study_of(arguments.configfile, arguments.config)
    claimed = read_claim(ROOT / CLAIM)["studies"].get(study["study"])
    if claimed is None:
        raise CopyCeilingError(f"{CLAIM} claims nothing for study '{study['study']}'")
    frozen, artefacts = compare(claimed, claim_study(study, arguments.old))
    wrong = [v for v in (*frozen, *artefacts) if v.word != "same"]
    for v in wrong:
        print(f"{v.name}: {v.word}: claimed {v.claimed or '-'}, found {v.found or '-'}")
    print(f"{len(wrong)} of {len(frozen) + len(artefacts)} differ from {CLAIM}")
    return int(bool(wrong))


def _freeze(arguments: argparse.Namespace) -> int:
    from copyceiling.live.freeze import freeze_study  # needs the extra `live`, as the next two do
    from copyceiling.live.freeze_arms import freeze_arms
    from copyceiling.live.freeze_judges import freeze_judges
    from copyceiling.rescore.freeze import freeze_cosines
    from copyceiling.stress.freeze import freeze_stress

    study = study_of(arguments.configfile, arguments.config)
    vectors, judges = [freeze_cosines, freeze_stress], [freeze_arms, freeze_judges]
    asked = vectors if arguments.cosines else [freeze_study, *judges, *vectors]
    chosen = judges if arguments.judges else asked
    print("\n".join(line for freeze in chosen for line in freeze(study, ROOT)))
    return 0


_COMMANDS = {
    "check": check_command.run,
    "corpus": corpus_command.run,
    "init": init_command.run,
    "fetch": fetch_command.run,
    "show": _show,
    "accept": _accept,
    "verify": _verify,
    "diff": _diff,
    "freeze": _freeze,
    "annotate": annotate_command.run,
}

if __name__ == "__main__":
    sys.exit(main())
