"""``copyceiling fetch``: gets a source of `data/sources.csv`, checked, or says how to by hand."""

import argparse
import sys
from pathlib import Path

from copyceiling.errors import CopyCeilingError
from copyceiling.fetch.get import FetchError, fetch, how_to_point
from copyceiling.fetch.sources import REGISTRY, Source, load_sources

HELP = "Get data or weights that a study rests on, checked against data/sources.csv."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the subcommand."""
    parser.add_argument("name", nargs="?", help="a source; --list says which there are")
    parser.add_argument(
        "--list", action="store_true", help="list the sources and what they are for"
    )
    parser.add_argument("--to", type=Path, metavar="DIR", help="folder to put it in")
    parser.add_argument(
        "--sources", type=Path, metavar="FILE", default=REGISTRY, help="another registry"
    )


def run(arguments: argparse.Namespace) -> int:
    """Fetch or list; returns 0, or 2 with the reason on stderr."""
    try:
        sources = load_sources(arguments.sources)
        if arguments.list or arguments.name is None:
            print("\n".join(_described(source) for source in sources.values()))
            return 0
        if arguments.name not in sources:
            raise FetchError(
                f"there is no source '{arguments.name}'. There is: {', '.join(sources)}"
            )
        source = sources[arguments.name]
        place, done = fetch(source, arguments.to)
    except CopyCeilingError as e:
        print(f"copyceiling fetch: {e}", file=sys.stderr)
        return 2
    print(f"{source.name}: {place} ({done}); licence {source.licence}")
    pointed = how_to_point(source, place)
    if pointed:
        print(f"point the study at it:\n  {pointed}")
    return 0


def _described(source: Source) -> str:
    identity = source.commit or source.sha256 or "none declared"
    lines = [
        f"{source.name}: {source.purpose}",
        f"  {source.version}, {source.licence}, {source.address}",
        f"  {'commit' if source.kind == 'git' else 'sha256'} {identity}",
    ]
    return "\n".join(lines + ([f"  {source.note}"] if source.note else []))
