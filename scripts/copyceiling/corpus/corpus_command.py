"""``copyceiling corpus``: says what an ontology holds and what a study could ask of it."""

import argparse
import sys

from copyceiling.corpus.read import FORMATS
from copyceiling.corpus.report import page
from copyceiling.corpus.survey import survey
from copyceiling.errors import CopyCeilingError

HELP = "Report what an ontology holds, and how many questions each setting would give."
EPILOG = """\
reads: OBO; OWL, SKOS and RDFS in any RDF syntax (rdf); JSONL; scaffold-index JSON (index);
       a folder or tar of markdown pages with JSON-LD; each but the last also as .gz
exit status: 0 read, whatever its faults; 2 nothing to read (the reason on stderr)
more: docs/your-ontology.md
"""


def add_source(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that say which source."""
    parser.add_argument("path", metavar="PATH", help="file, folder or archive")
    parser.add_argument("--format", choices=FORMATS, help="default: by the name of the file")
    parser.add_argument("--package", help="installed Python package that PATH lies in")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the subcommand."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EPILOG
    add_source(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the report; returns 0, or 2 with the reason on stderr."""
    try:
        text = page(survey(arguments.path, form=arguments.format, package=arguments.package))
    except CopyCeilingError as e:
        print(f"copyceiling corpus: {e}", file=sys.stderr)
        return 2
    print_text(text)
    return 0


def print_text(text: str) -> None:
    """Print a source's text; a terminal of another encoding shows a question mark for a letter."""
    encoding = sys.stdout.encoding or "utf-8"
    print(text.encode(encoding, "replace").decode(encoding), end="")
