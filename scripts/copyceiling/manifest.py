"""The claim: what each published artefact is, and whether a folder of results is just that.

``MANIFEST.json`` (for programs) and ``MANIFEST.md`` (for people) are written by ``copyceiling
accept`` alone, outside the DAG, committed and reviewed in the diff. Source: DESIGN section 3.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from copyceiling.artefacts.schemas import GENERATION
from copyceiling.artefacts.store import describe, file_sha256, rows, write_text
from copyceiling.errors import ArtefactError

CLAIM = "MANIFEST.json"
PAGE = "MANIFEST.md"
VERSION = 1
_TEXTS = (".csv", ".md", ".tex")
# Order of the chain: a difference is named at the first stage that has one.
_STAGES = (
    "corpus/",
    "questions",
    "scaffolds",
    "exposure",
    "completions/",
    "items/",
    "scores/",
    "calibration/",
    # What is asked and answered, then what was judged, then what both come to.
    *(
        f"{part}/{name}"
        for part in ("production", "controls", "wrappers")
        for name in ("node", "prompts", "references", "completions/")
    ),
    "audit/sample",
    "audit/units",
    "judged/",
    "audit/",
    "production/",
    "controls/",
    "wrappers/",
    "terms/",
    "rescore/",
    "stress/",
    "seeds/",
    "studies/",
    "tables/",
    "figures/",
)
_SECTIONS = {
    "rescore/": "6",
    "studies/rescore": "6",
    "studies/neighbours": "6",
    "tables/rescore": "6",
    "tables/neighbours": "6",
    "figures/rescore": "6",
    "stress/": "8",
    "seeds/": "16",
    "studies/stress": "8",
    "studies/rewriting": "8",
    "studies/contamination": "8",
    "studies/intruders": "8",
    "studies/seeds": "16",
    "tables/stress": "8",
    "tables/rewriting": "8",
    "tables/contamination": "8",
    "tables/intruders": "8",
    "tables/seeds": "16",
    "figures/seeds": "16",
    "corpus/": "3",
    "questions": "9",
    "scaffolds": "4, 9",
    "exposure": "5.2",
    "completions/": "9",
    "items/": "5.2",
    "scores/": "5.2",
    "studies/sweep": "10.1, 10.3",
    "studies/decomposition": "10.3",
    "studies/confusion": "5.1 (A2)",
    "studies/pipeline": "4",
    "studies/overview": "10",
    "studies/terms": "11",
    "terms/": "11",
    "released/": "9",
    "production/": "10.5",
    "controls/": "10.7",
    "audit/": "10.2",
    "paraphrase/": "8",
    "studies/contrasts_production": "10.5",
    "studies/flow_production": "10.5",
    "studies/recall_production": "10.5",
    "studies/contrasts_controls": "10.7",
    "studies/flow_controls": "10.7",
    "studies/audit": "10.2",
    "studies/mechanisms": "10.2",
    "studies/omitted": "10.4",
    "studies/run_together": "10.2",
    "studies/paraphrase": "8",
    "studies/diagnostics": "13",
    "tables/table3": "10.2, Table 3",
    "tables/table6": "10.5, Table 6",
    "tables/table7": "10.7, Table 7",
    "tables/audit": "10.2",
    "tables/mechanisms": "10.2",
    "tables/omitted": "10.4",
    "tables/run_together": "10.2",
    "tables/paraphrase": "8",
    "tables/diagnostics": "13",
    "tables/table1": "4, Table 1",
    "tables/table2": "10, Table 2",
    "tables/table8": "11, Table 8",
    "tables/table4": "10.3, Table 4",
    "tables/table5": "10.3, Table 5",
    "tables/confusion": "5.1 (A2)",
    "figures/figure3": "10.3, Figure 3",
}


@dataclass(frozen=True)
class Verdict:
    """One claimed file against what was found."""

    name: str
    claimed: str | None
    found: str | None

    @property
    def word(self) -> str:
        """``same``, ``differs``, ``missing`` (claimed, not found) or ``unclaimed``."""
        if self.claimed == self.found:
            return "same"
        if self.found is None:
            return "missing"
        return "unclaimed" if self.claimed is None else "differs"


def _stage(name: str) -> int:
    return next((i for i, s in enumerate(_STAGES) if name.startswith(s)), len(_STAGES))


def _section(name: str) -> str:
    return next((s for prefix, s in _SECTIONS.items() if name.startswith(prefix)), "")


def chain_order(name: str) -> tuple[int, str]:
    """Sort key of artefact names: along the chain, then by name."""
    return _stage(name), name


def scan(results: Path) -> dict[str, dict[str, Any]]:
    """Return every artefact of a results folder by name, with its claim's fields.

    Raises:
        ArtefactError: There is no such folder, or an artefact cannot be read.
    """
    if not results.is_dir():
        raise ArtefactError(f"there are no results in '{results}'. Build them: snakemake")
    found: dict[str, dict[str, Any]] = {}
    for path in results.rglob("*.parquet"):
        name = path.relative_to(results).with_suffix("").as_posix()
        stated = describe(path)
        made = stated["provenance"]
        found[name] = {
            "content_hash": stated["content_hash"],
            "rows": stated["rows"],
            "section": _section(name),
            "rule": made["rule"],
            "script": made["script"],
            "inputs": made["inputs"],
            # What shows latencies has other bytes each time; its content hash leaves them out.
            "texts": {
                suffix[1:]: file_sha256(path.with_suffix(suffix))
                for suffix in _TEXTS
                if path.with_suffix(suffix).exists() and not stated["volatile"]
            },
        }
    return {name: found[name] for name in sorted(found, key=chain_order)}


def frozen_files(folder: Path) -> dict[str, str]:
    """Return the frozen files that a study lists, with the sha256 of what is there now."""
    sums = folder / "SHA256SUMS"
    if not sums.exists():
        return {}
    names = [line.partition("  ")[2] for line in sums.read_text(encoding="utf-8").splitlines()]
    there = {name: folder / name for name in sorted(names)}
    return {name: file_sha256(path) for name, path in there.items() if path.exists()}


def read_claim(path: Path) -> dict[str, Any]:
    """Return the claim of all studies; empty where nothing was ever accepted."""
    if not path.exists():
        return {"version": VERSION, "studies": {}}
    try:
        claim: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if claim["version"] != VERSION:
            raise ArtefactError(f"'{path}' is of version {claim['version']}, not {VERSION}")
        claim["studies"].items()
    except (ValueError, KeyError, TypeError, AttributeError) as e:
        raise ArtefactError(f"'{path}' is damaged: {e}. Restore it from version control.") from e
    return claim


def claim_study(study: Mapping[str, Any], results: Path) -> dict[str, Any]:
    """Return what a study's results claim now."""
    artefacts = scan(results)
    (generation,) = rows(results / "corpus" / "generation.parquet", GENERATION)
    return {
        "title": study["title"],
        "seed": study["seed"],
        "corpus": {k: generation[k] for k in ("name", "version", "licence", "sha256", "n_classes")},
        "frozen": frozen_files(Path(study["frozen"])),
        "artefacts": artefacts,
    }


def accept(study: Mapping[str, Any], root: Path) -> dict[str, Any]:
    """Write the claim of a study from its results, beside those of the other studies."""
    claim = read_claim(root / CLAIM)
    claim["studies"][study["study"]] = claim_study(study, root / study["results"])
    claim["studies"] = dict(sorted(claim["studies"].items()))
    write_text(root / CLAIM, json.dumps(claim, indent=1, ensure_ascii=False) + "\n")
    write_text(root / PAGE, page(claim))
    return claim


def compare(
    claimed: Mapping[str, Any], found: Mapping[str, Any]
) -> tuple[list[Verdict], list[Verdict]]:
    """Return the verdicts on frozen files, and on artefacts and renderings along the chain."""
    frozen = _verdicts(claimed["frozen"], found["frozen"])
    flat = [_flatten(side["artefacts"]) for side in (claimed, found)]
    return frozen, _verdicts(*flat)


def _flatten(artefacts: Mapping[str, Any]) -> dict[str, str]:
    out = {}
    for name, entry in artefacts.items():
        out[name] = f"{entry['content_hash']} ({entry['rows']} rows)"
        out.update({f"{name}.{kind}": sha for kind, sha in entry["texts"].items()})
    return out


def _verdicts(claimed: Mapping[str, str], found: Mapping[str, str]) -> list[Verdict]:
    names = sorted({*claimed, *found}, key=chain_order)
    return [Verdict(name, claimed.get(name), found.get(name)) for name in names]


def page(claim: Mapping[str, Any]) -> str:
    """Return ``MANIFEST.md``: the claim for people."""
    lines = [
        "# Manifest",
        "",
        "What each published artefact is. Written by `copyceiling accept`, checked by",
        "`snakemake verify`; the same for programs in `MANIFEST.json`. A content hash is over the",
        "logical values of an artefact, a sha256 over the bytes of a file.",
    ]
    for name, study in claim["studies"].items():
        lines += ["", f"## Study `{name}`: {study['title']}", "", *_study_lines(name, study)]
    return "\n".join(lines) + "\n"


def _study_lines(name: str, study: Mapping[str, Any]) -> list[str]:
    corpus = study["corpus"]
    option = "" if name == "go" else f" --configfile config/studies/{name}.yaml"
    lines = [
        f"Corpus {corpus['name']}, {corpus['version']}, {corpus['n_classes']:,} classes, "
        f"{corpus['licence']}, sha256 `{corpus['sha256']}`. Study seed {study['seed']}. "
        f"Build: `snakemake{option}`. Check: `snakemake verify{option}`.",
        "",
    ]
    if study["frozen"]:
        lines += ["| Frozen input | sha256 |", "| --- | --- |"]
        lines += [f"| `{file}` | `{sha}` |" for file, sha in study["frozen"].items()]
        lines.append("")
    lines += [
        "| Artefact | Content hash | Rows | Paper | Rule | Script | Inputs |",
        "| --- | --- | ---: | --- | --- | --- | --- |",
    ]
    lines += [
        f"| `{artefact}` | `{entry['content_hash']}` | {entry['rows']:,} | {entry['section']} | "
        f"`{entry['rule']}` | `{entry['script']}` | {', '.join(entry['inputs']) or 'source'} |"
        for artefact, entry in study["artefacts"].items()
    ]
    return lines


def first_difference(verdicts: Sequence[Verdict]) -> Verdict | None:
    """Return the first verdict along the chain that is not ``same``."""
    return next((v for v in verdicts if v.word != "same"), None)
