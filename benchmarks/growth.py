"""How time and memory grow with the size of the corpus: ``python benchmarks/growth.py``.

Makes corpora of 1,000 to 500,000 classes with titles of two to six words from a vocabulary whose
frequencies fall as in natural language, and times building the index, retrieval, freezing and
scoring on each, in a process of its own so that peak memory is its own. Writes ``growth.csv`` and
``growth.svg`` beside this file.
"""

import argparse
import csv
import json
import random
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "scripts")]

from copyceiling.corpus.model import OntologyClass  # noqa: E402
from copyceiling.questions import GoldItem, Question  # noqa: E402
from copyceiling.requests import build_messages  # noqa: E402
from copyceiling.scaffold import ScaffoldEngine  # noqa: E402
from copyceiling.scoring import Gold, exposure_rows  # noqa: E402

SIZES = (1_000, 3_000, 10_000, 30_000, 100_000, 200_000, 500_000)
QUESTIONS = 300
HERE = Path(__file__).resolve().parent
FIELDS = ("classes", "index_s", "query_ms", "query_p95_ms", "freeze_and_score_s", "peak_gb")


def corpus(n: int) -> list[OntologyClass]:
    """Return n made-up classes; the vocabulary grows with the square root of their number."""
    rng = random.Random(n)
    letters = "abcdefghijklmnopqrstuvwxyz"
    size = int(40 * n**0.5)
    words = ["".join(rng.choices(letters, k=rng.randint(3, 10))) for _ in range(size)]
    weights = [1 / (rank + 10) for rank in range(size)]  # Zipf's law, flattened at the top
    drawn = rng.choices(words, weights, k=7 * n)
    classes = []
    for i in range(n):
        title = " ".join(drawn[7 * i : 7 * i + rng.randint(2, 6)])
        slug = f"{title.replace(' ', '-')}-{i}"
        parents = (classes[rng.randrange(i)].slug,) if i else ()
        relations = {"uses": tuple(classes[rng.randrange(i)].slug for _ in range(3))} if i else {}
        text = " ".join(drawn[7 * i : 7 * i + 7] * 3)
        classes.append(
            OntologyClass(
                f"x:{i}", slug, title, text, "made-up", None, None, (), parents, (), relations
            )
        )
    return classes


def measure(n: int) -> dict[str, float]:
    """Return the measurements on one size: seconds, milliseconds a query, gigabytes."""
    classes = corpus(n)
    start = time.perf_counter()
    engine = ScaffoldEngine(classes)
    index_s = time.perf_counter() - start
    by_slug = {c.slug: c for c in classes}
    asked = random.Random(1).sample([c for c in classes if c.relations], QUESTIONS)
    prompts = [f"What does {c.title} use, according to the source?" for c in asked]
    times = []
    for prompt in prompts:
        before = time.perf_counter()
        engine.seeds(prompt)
        times.append(time.perf_counter() - before)
    start = time.perf_counter()
    for c, prompt in zip(asked, prompts, strict=True):
        gold = tuple(GoldItem(s, by_slug[s].title) for s in c.relations["uses"])
        q = Question("q", "k", "d", "T-REL", (c.slug,), prompt, prompt, gold, "all")
        exposure_rows(Gold.of(q), build_messages("", engine.scaffold(prompt).block, prompt))
    return {
        "classes": n,
        "index_s": index_s,
        "query_ms": 1000 * statistics.median(times),
        "query_p95_ms": 1000 * sorted(times)[int(0.95 * len(times))],
        "freeze_and_score_s": time.perf_counter() - start,
        "peak_gb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
    }


def plot(rows: list[dict[str, float]], path: Path) -> None:
    """Draw time and memory against size, both axes logarithmic."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot as plt

    with mpl.rc_context({"svg.hashsalt": "growth", "font.size": 9}):
        figure, axes = plt.subplots(1, 3, figsize=(10, 3.2))
        for ax, names, label in (
            (axes[0], ("query_ms", "query_p95_ms"), "one query, ms"),
            (axes[1], ("index_s", "freeze_and_score_s"), "seconds"),
            (axes[2], ("peak_gb",), "peak memory, GB"),
        ):
            for name in names:
                ax.loglog([r["classes"] for r in rows], [r[name] for r in rows], "o-", label=name)
            ax.set_xlabel("classes")
            ax.set_ylabel(label)
            ax.legend(fontsize=7)
            ax.grid(alpha=0.3)
        figure.tight_layout()
        figure.savefig(path, metadata={"Date": None})


def main() -> None:
    """Measure every size, each in a process of its own, and write table and plot."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--one", type=int, help="measure this size only and print JSON")
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.one)))
        return
    rows = []
    print("  ".join(f"{name:>18}" for name in FIELDS))
    for n in SIZES:
        command = [sys.executable, __file__, "--one", str(n)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        rows.append(json.loads(done.stdout))
        print("  ".join(f"{rows[-1][name]:>18.3f}" for name in FIELDS), flush=True)
    with (HERE / "growth.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(
            {**{k: f"{r[k]:.4g}" for k in FIELDS}, "classes": r["classes"]} for r in rows
        )
    plot(rows, HERE / "growth.svg")


if __name__ == "__main__":
    main()
