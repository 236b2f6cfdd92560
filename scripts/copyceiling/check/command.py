"""``copyceiling check``: its arguments, and what it prints."""

import argparse
import os
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path

from copyceiling.check.api import LISTED, SEED, check_files
from copyceiling.check.display import page
from copyceiling.check.faults import IF_SO, CheckError
from copyceiling.check.progress import Progress
from copyceiling.check.sources import FORMATS
from copyceiling.check.write import make_folder, write_report
from copyceiling.errors import CopyCeilingError
from copyceiling.stats import LEVEL, RESAMPLES
from copyceiling.sweep import POLICIES

HELP = "Measure any log of questions, contexts and answers against its copy ceiling."
EPILOG = """\
a row: {"id": "q1", "question": "...", "gold": ["...", "..."], "context": ["...", "..."],
        "answer": "...", "raw_answer": "...", "system": "...", "cluster": "..."}
exit status: 0 done, 2 bad rows or settings (named on stderr)
more: docs/check.md
"""
_WORKERS = 2  # beyond two the reading process cannot keep up


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the subcommand."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EPILOG
    parser.add_argument("paths", nargs="+", metavar="ROWS", help="files; - is stdin (JSONL)")
    parser.add_argument(
        "--format", choices=FORMATS, default="auto", help="default: by the file's suffix"
    )
    parser.add_argument(
        "--field",
        action="append",
        default=[],
        metavar="OURS=THEIRS",
        help="read our field from theirs, as in context=passages; may be repeated",
    )
    parser.add_argument(
        "--system-from-file",
        action="store_true",
        help="label rows that state no system with the file's name",
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="write Parquet, JSON, Markdown")
    parser.add_argument("--skip-bad", action="store_true", help="leave bad rows out, count them")
    parser.add_argument("--limit", type=int, default=LISTED, help="bad rows listed (%(default)s)")
    parser.add_argument(
        "--policy",
        choices=POLICIES,
        default=POLICIES[0],
        help="what the headline does with answers that are not ok (%(default)s)",
    )
    parser.add_argument("--seed", type=int, default=SEED, help="default %(default)s")
    parser.add_argument("--resamples", type=int, default=RESAMPLES, help="default %(default)s")
    parser.add_argument("--level", type=float, default=LEVEL, help="of intervals (%(default)s)")
    parser.add_argument(
        "--workers",
        type=int,
        default=min(_WORKERS, os.cpu_count() or 1),
        help="processes (%(default)s); no figure depends on it",
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the check; returns 0, or 2 with the reason on stderr."""
    try:
        if arguments.out:
            make_folder(arguments.out)
        report = check_files(
            arguments.paths,
            form=arguments.format,
            system_from_file=arguments.system_from_file,
            fields=dict(map(_renaming, arguments.field)),
            skip_bad=arguments.skip_bad,
            listed=arguments.limit,
            policy=arguments.policy,
            seed=arguments.seed,
            resamples=arguments.resamples,
            level=arguments.level,
            workers=arguments.workers,
            told=Progress([str(p) for p in arguments.paths]),
        )
        text = page(report)
        files = write_report(report, arguments.out) if arguments.out else []
    except CheckError as e:
        again = f"\n{IF_SO}\n  {_command(arguments, e.fields)}" if e.fields else ""
        print(f"copyceiling check: {e.text}{again}", file=sys.stderr)
        return 2
    except CopyCeilingError as e:
        print(f"copyceiling check: {e}", file=sys.stderr)
        return 2
    # A terminal of another encoding shows a question mark, not a traceback.
    encoding = sys.stdout.encoding or "utf-8"
    print(text.encode(encoding, "replace").decode(encoding), end="")
    for file in files:
        print(f"wrote {file}")
    return 0


def _renaming(text: str) -> tuple[str, str]:
    ours, equals, theirs = text.partition("=")
    if not (ours and equals and theirs):
        raise CheckError(f"--field {text}: write OURS=THEIRS, as in context=passages")
    return ours, theirs


def _command(arguments: argparse.Namespace, fields: Mapping[str, str]) -> str:
    """Return the command as it was given, without what is the default, with these renamings."""
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    words = ["copyceiling", "check", *arguments.paths]
    for name, value in vars(parser.parse_args(["-"])).items():
        given = getattr(arguments, name)
        flag = f"--{name.replace('_', '-')}"
        if name in ("paths", "field") or given == value:
            continue
        words += [flag] if value is False else [flag, str(given)]
    kept = [f for f in arguments.field if _renaming(f)[0] not in fields]
    for renaming in (*kept, *(f"{ours}={theirs}" for ours, theirs in fields.items())):
        words += ["--field", renaming]
    return shlex.join(words)
