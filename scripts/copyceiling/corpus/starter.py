"""Writes a commented study for an ontology: one that runs as it stands, to be edited after."""

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import yaml

from copyceiling.config import ROOT
from copyceiling.corpus.choice import choose
from copyceiling.corpus.survey import SEED, Setting, Survey, with_gold

READERS = ("reader-copy", "reader-silent", "reader-lead", "reader-extract")
# Both may cost classes, and what refers to these is then dangling.
_WARNINGS = dict.fromkeys(
    ("bad_record", "invalid_utf8"), "; mend these first: a record that cannot be read is no class"
)
_COMMENT_CHARS = 95
_CONTROL = re.compile(r"[^ -~\u00a0-\ud7ff\ue000-\ufffd]")


def starter_yaml(found: Survey, study: str, package: str | None = None) -> str:
    """Return the text of a study file for a surveyed source.

    Args:
        found: The survey.
        study: Name of the study; stands in paths.
        package: Package that carries the source, None if it is a file of its own.

    Raises:
        CorpusError: No setting gives a question.
    """
    chosen = choose(found)
    lines = [
        *_comment(
            f"Written by `copyceiling init` for {found.path.name}: {len(found.classes):,} classes, "
            f"{chosen.total:,} questions in {chosen.n_domains} domains. Every key and its default: "
            "config/defaults.yaml. What other settings give: copyceiling corpus."
        ),
        f"study: {_scalar(study)}",
        f"title: {_scalar(f'Copy ceiling on {found.path.name}')}",
        f"seed: {SEED}",
        "",
        *_corpus(found, chosen, study, package),
        "",
        *_questions(found, chosen),
        "",
        "sweep:",
        *_comment("Reference readers need no model; add labels of config/models.tsv.", 2),
        f"  models: [{', '.join(READERS)}]",
    ]
    return "\n".join(lines) + "\n"


def _scalar(value: str) -> str:
    """Return a text as a YAML scalar on one line."""
    dumped = yaml.safe_dump(value, default_style='"', allow_unicode=True, width=10**9)
    return str(dumped).strip()


def _comment(text: str, indent: int = 0) -> list[str]:
    """Return a text as comment lines; what could end a comment or upset a reader is blanked."""
    words = _CONTROL.sub(" ", text).split()
    lines: list[str] = []
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > _COMMENT_CHARS - indent:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return [f"{' ' * indent}# {part}" for part in [*lines, line] if part]


def _place(found: Survey, package: str | None) -> tuple[str, str]:
    """Return ``corpus.path``, and what ``corpus.source`` says of it."""
    top = None
    if package:
        top = next((p for p in found.path.parents if p.name == package.split(".")[-1]), None)
    if top:
        return found.path.relative_to(top).as_posix(), f"carried by the Python package {package}"
    absolute = Path(os.path.abspath(found.path))
    # The workflow runs in the repository, wherever it was called from.
    inside = absolute.is_relative_to(ROOT)
    return (absolute.relative_to(ROOT) if inside else absolute).as_posix(), found.path.name


def _corpus(found: Survey, chosen: Setting, study: str, package: str | None) -> Iterator[str]:
    path, source = _place(found, package)
    yield "corpus:"
    yield f"  name: {_scalar(study)}"
    yield from _comment("State version and licence: every artefact names them.", 2)
    yield '  version: "unknown"'
    yield f"  source: {_scalar(source)}"
    yield '  licence: "unknown"'
    yield f"  format: {found.form}"
    if package:
        yield f"  package: {_scalar(package)}"
    yield f"  path: {_scalar(path)}"
    yield from _comment("Another file under this path is an error; remove the line to allow it.", 2)
    yield f"  sha256: {found.sha256}"
    yield from _comment("source: as stated; branches: the nearest branch below a root.", 2)
    yield f"  domains: {chosen.domains}"
    kinds = Counter(issue.kind for issue in found.issues)
    if kinds:
        yield from _comment(
            "Faults of the source that are reported and left out. Remove a line to stop at them.", 2
        )
        yield "  policy:"
        for kind in sorted(kinds):
            yield from _comment(f"{kinds[kind]:,} found{_WARNINGS.get(kind, '')}", 4)
            yield f"    {kind}: drop"


def _questions(found: Survey, chosen: Setting) -> Iterator[str]:
    settings = chosen.questions
    yield "questions:"
    for key in (
        "min_definition_chars",
        "min_relation_types",
        "min_targets",
        "min_domain_classes",
    ):
        yield f"  {key}: {settings[key]}"
    yield from _comment("Classes drawn a domain: raise it for more questions.", 2)
    yield "  classes_per_domain: 12"
    if settings["drop_gold_in_question"]:
        share = f"{found.nesting_share:.0%}"
        yield from _comment(
            f"{share} of sampled titles are named by another title alone; gold that a question "
            "names would measure the question.",
            2,
        )
        yield "  drop_gold_in_question: true"
    if settings["drop_gold"]:
        yield from _comment("Roots, shared by much of what lies below them, answer nothing.", 2)
        yield f"  drop_gold: [{', '.join(map(_scalar, settings['drop_gold']))}]"
    yield "  wording:"
    yield from _wording(found, with_gold(found, chosen))
    yield f"    parents: {_scalar(found.wording.parents)}"
    yield f"    common: {_scalar(found.wording.common)}"


def _wording(found: Survey, counts: dict[str, int]) -> Iterator[str]:
    asked = [name for name in found.wording.relations if counts[name]]
    yield from _comment(
        "Made from the relations' names: reword them, but let no wording name a class. "
        "The number is of eligible classes that the relation can be asked of.",
        4,
    )
    yield "    relations:" if asked else "    relations: {}"
    for name in asked:
        wording = found.wording.relations[name]
        yield f"      {_scalar(name)}: {_scalar(wording)}  # {counts[name]:,}"
    yield from _left_out([n for n in found.wording.relations if not counts[n]], "no eligible class")
    for name, why in found.wording.unworded.items():
        yield from _left_out([name], why)
    if found.n_unworded:
        yield from _comment(f"Not listed: {found.n_unworded:,} less common relation types.", 4)


def _left_out(names: Sequence[str], why: str) -> list[str]:
    return _comment(f"Left out, {why}: {', '.join(names)}", 4) if names else []
