"""Times the fast paths and prints medians and ratios: ``make bench``.

The figures of the released Python harness stand beside ours; they were taken on a machine of the
same size, not in this run. So that a ratio within one run is at hand too, the retrieval is timed
against the brute-force form of the same rules that the tests use.

Needs the paper's material for the lines on the paper's corpus (COPYCEILING_SHARED, or ../shared).
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT)]

from copyceiling.config import load_study  # noqa: E402
from copyceiling.corpus.model import OntologyClass  # noqa: E402
from copyceiling.corpus.read import read_corpus  # noqa: E402
from copyceiling.questions import QuestionGenerator, load_questions  # noqa: E402
from copyceiling.requests import build_messages  # noqa: E402
from copyceiling.retrieval import RetrievalIndex  # noqa: E402
from copyceiling.scaffold import ScaffoldEngine  # noqa: E402
from copyceiling.scoring import Gold, exposure_rows  # noqa: E402

from tests import oracles  # noqa: E402


def seconds(task: Callable[[], Any], repeats: int) -> tuple[float, Any]:
    """Return the median wall time of a task in seconds, and its last value."""
    times, value = [], None
    for _ in range(repeats):
        start = time.perf_counter()
        value = task()
        times.append(time.perf_counter() - start)
    return statistics.median(times), value


def line(what: str, ours: float, unit: str, released: float | None, target: float | None) -> None:
    """Print one measurement with its ratio to the released figure and its target."""
    scale = 1000.0 if unit == "ms" else 1.0
    text = f"{what:<52} {ours * scale:9.3f} {unit:<3}"
    if released is not None:
        text += f"  released {released * scale:7.1f} {unit}  ratio {released / ours:6.1f}x"
    if target is not None:
        verdict = "met" if ours <= target else "MISSED"
        text += f"  target {target * scale:g} {unit}: {verdict}"
    print(text, flush=True)


def retrieval(
    name: str,
    classes: Sequence[OntologyClass],
    queries: Sequence[str],
    released: float,
    target: float,
) -> None:
    """Time queries one by one; check a sample against brute force and time that as well."""
    index = RetrievalIndex(classes)
    for query in queries[:50]:
        index.seeds(query)
    times = []
    for query in queries:
        start = time.perf_counter()
        index.seeds(query)
        times.append(time.perf_counter() - start)
    line(f"retrieval, {name}, median query", statistics.median(times), "ms", released, target)
    line(
        f"retrieval, {name}, 95th percentile",
        sorted(times)[int(0.95 * len(times))],
        "ms",
        None,
        None,
    )
    slow, same = [], 0
    for query in queries[:: max(1, len(queries) // 10)]:
        start = time.perf_counter()
        expected = oracles.seeds(classes, query)
        slow.append(time.perf_counter() - start)
        same += expected == [(s.slug, s.score) for s in index.seeds(query)]
    ratio = statistics.median(slow) / statistics.median(times)
    print(
        f"    brute force in this run: {ratio:.0f}x slower; seeds identical on {same}/{len(slow)}"
    )


def papers_corpus(shared: Path, repeats: int) -> None:
    """Pages to classes, retrieval and freezing on the paper's corpus."""
    study = load_study(ROOT / "config" / "studies" / "paper.yaml")
    with tempfile.TemporaryDirectory() as folder:
        (archive,) = (shared / "corpus").glob("*.tar.xz")
        with tarfile.open(archive) as tar:
            tar.extractall(folder, filter="data")
        settings = {**study["corpus"], "path": str(Path(folder, "pages"))}
        took, (corpus, _) = seconds(lambda: read_corpus(settings), repeats)
    line("8,138 pages to classes", took, "s", 7.5, 2.0)
    questions = load_questions(shared / "reference" / "questions_502.jsonl")
    retrieval("8,138 classes", corpus.classes, [q.prompt for q in questions], 5.9e-3, 0.25e-3)
    build, engine = seconds(lambda: ScaffoldEngine(corpus.classes), repeats)
    line("index build, 8,138 classes", build, "s", None, None)

    def freeze() -> int:
        n = 0
        for q in questions:
            block = engine.scaffold(q.prompt).block
            rows = exposure_rows(Gold.of(q), build_messages("", block, q.prompt))
            n += sum(bool(r["exposed"]) for r in rows)
        return n

    took, exposed = seconds(freeze, repeats)
    line(f"502 scaffolds frozen and scored ({exposed} exposed)", took, "s", 6.6, 1.0)


def gene_ontology() -> None:
    """Retrieval over the Gene Ontology's titles."""
    study = load_study(ROOT / "config" / "studies" / "go.yaml")
    took, (corpus, _) = seconds(lambda: read_corpus(study["corpus"]), 1)
    line("go.obo.gz to classes", took, "s", None, None)
    questions = QuestionGenerator(corpus.classes, study["questions"]).generate(study["seed"])
    prompts = [q.prompt for q in questions]
    retrieval(f"{len(corpus.classes):,} classes", corpus.classes, prompts, 50e-3, 0.5e-3)


def commands() -> None:
    """Table 4 from empty results, a second call, and verify, as a reviewer runs them."""
    with tempfile.TemporaryDirectory() as folder:
        where = ["--config", f"results={folder}/results"]
        snakemake = [sys.executable, "-m", "snakemake", "--nolock"]

        def run(*words: str) -> None:
            subprocess.run(words, cwd=ROOT, check=True, capture_output=True)

        took, _ = seconds(lambda: run(*snakemake, "table4", *where), 1)
        line("snakemake table4 from empty results", took, "s", None, 45.0)
        took, _ = seconds(lambda: run(*snakemake, "table4", *where), 3)
        line("snakemake table4 again", took, "s", None, 4.0)
        if "go" in json.loads((ROOT / "MANIFEST.json").read_text(encoding="utf-8"))["studies"]:
            took, _ = seconds(lambda: run(*snakemake, "verify", *where), 1)
            line("snakemake verify", took, "s", None, 60.0)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e6
        print(f"{'largest process of these commands':<52} {peak:9.3f} GB   target 1 GB")


def main() -> None:
    """Run every benchmark, or those named."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("only", nargs="*", choices=["paper", "go", "commands", []], default=[])
    parser.add_argument("--repeats", type=int, default=5, help="repeats behind each median")
    options = parser.parse_args()
    print(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}; medians, one run")
    only = options.only or ["paper", "go", "commands"]
    shared = Path(os.environ.get("COPYCEILING_SHARED", ROOT.parent / "shared"))
    if "paper" in only and (shared / "reference").is_dir():
        papers_corpus(shared, options.repeats)
    elif "paper" in only:
        print("paper's corpus: not at hand (COPYCEILING_SHARED), left out")
    if "go" in only:
        gene_ontology()
    if "commands" in only:
        commands()


if __name__ == "__main__":
    main()
