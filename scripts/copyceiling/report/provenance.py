"""How each table and figure of a study came to be: artefact by artefact, back to the corpus.

An artefact names the content hashes of its inputs, so the chain is followed by hash alone: what
lies in the results folder but went into nothing shown is not part of it. Source: DESIGN section 3.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from copyceiling.artefacts.store import describe
from copyceiling.manifest import chain_order
from copyceiling.report.markup import Html, el, join

SHORT = 10  # hex digits of a hash that people are shown at first
FROZEN = "frozen/"  # how the rules name their inputs that are frozen files


@dataclass(frozen=True)
class Artefact:
    """One artefact of the chain.

    Attributes:
        name: Path below the results folder, without ending; an input that is not there goes by
            the name that the rule has for it.
        content_hash: Of its logical values.
        rows: Its rows, None for an input that is not in the folder.
        rule, script: What made it; empty for such an input.
        inputs: Names of artefacts that it was made from.
        parameters: Parameters of the rule, as stated in the file.
    """

    name: str
    content_hash: str
    rows: int | None
    rule: str
    script: str
    inputs: tuple[str, ...]
    seed: int | None = None


def trace(results: Path, ends: Sequence[Path]) -> list[Artefact]:
    """Return every artefact that the ends rest on, and the ends, in order of the chain.

    Args:
        results: The study's results folder.
        ends: Tables and figures shown.

    Raises:
        ArtefactError: An artefact cannot be read.
    """
    stated: dict[str, dict[str, Any]] = {}
    by_hash: dict[str, str] = {}
    for path in sorted(results.rglob("*.parquet")):
        name = path.relative_to(results).with_suffix("").as_posix()
        stated[name] = describe(path)
        by_hash.setdefault(stated[name]["content_hash"], name)
    # An end is itself, even where another artefact of the folder has its very content.
    waiting = [path.relative_to(results).with_suffix("").as_posix() for path in ends]
    found: dict[str, Artefact] = {}
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        made = stated[name]["provenance"]
        inputs = {k: by_hash.get(h) for k, h in made["inputs"].items()}
        for key, source in inputs.items():
            if source is None:
                outside = Artefact(key, made["inputs"][key], None, "", "", ())
                found.setdefault(key, outside)
        names = sorted({source or key for key, source in inputs.items()} - {name})
        found[name] = _artefact(name, stated[name], names)
        waiting.extend(source for source in inputs.values() if source is not None)
    return sorted(found.values(), key=lambda a: (a.rows is not None, chain_order(a.name)))


def _artefact(name: str, stated: Mapping[str, Any], inputs: Iterable[str]) -> Artefact:
    made = stated["provenance"]
    parameters = made.get("params", {})
    seed = parameters.get("seed", parameters.get("statistics", {}).get("seed"))
    return Artefact(
        name,
        stated["content_hash"],
        stated["rows"],
        made["rule"],
        made["script"],
        tuple(inputs),
        seed,
    )


def anchor(name: str) -> str:
    """Return the id of an artefact's line in the page."""
    return f"artefact-{name.replace('/', '-')}"


def lines(chain: Sequence[Artefact]) -> Html:
    """Return the chain as a table: a line an artefact, inputs linked."""
    head = el("tr", *(el("th", h, scope="col") for h in _HEADINGS))
    return el(
        "table",
        el("thead", head),
        el("tbody", *(_line(artefact) for artefact in chain)),
        class_="data chain",
        aria_label="Artefacts with content hashes and inputs",
    )


_HEADINGS = ("Artefact", "Content hash", "Rows", "Rule", "Script", "Seed", "Made from")


def _line(artefact: Artefact) -> Html:
    inputs = [el("a", name, href=f"#{anchor(name)}") for name in artefact.inputs]
    made_from = join(*(join(", " if i else "", link) for i, link in enumerate(inputs)))
    source = "source files"
    if artefact.rows is None:
        source = "frozen file" if artefact.name.startswith(FROZEN) else "not in the results folder"
    return el(
        "tr",
        el("th", artefact.name, scope="row"),
        el("td", el("code", artefact.content_hash, class_="hash")),
        el("td", "" if artefact.rows is None else f"{artefact.rows:,}", class_="right"),
        el("td", artefact.rule),
        el("td", artefact.script),
        el("td", artefact.seed, class_="right"),
        el("td", made_from if inputs else source, class_="sources"),
        id=anchor(artefact.name),
    )
