"""Times ``copyceiling check`` on 100,000 generated rows: seconds and peak memory.

    python benchmarks/check.py [--rows 100000] [--form jsonl|csv|parquet] [--workers 2]

Rows have a context of about 5.5 kB and an answer of about 1.2 kB, one to five gold names, one of
two hundred clusters. Memory is the sum of the resident sets of all processes of the command, read
ten times a second, so pages that they share are counted more than once.
"""

import argparse
import csv
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pyarrow as pa
import pyarrow.parquet as pq

ROOT = Path(__file__).resolve().parents[1]
COMMAND = (
    "import argparse, sys\n"
    "from copyceiling.check.command import add_arguments, run\n"
    "parser = argparse.ArgumentParser()\n"
    "add_arguments(parser)\n"
    "sys.exit(run(parser.parse_args()))\n"
)
CONTEXT, ANSWER = 5500, 1200
SECONDS, GIGABYTES = 60.0, 1.0  # targets, at 100,000 rows on two quiet cores


def generated(n: int) -> Iterator[dict[str, Any]]:
    """Yield rows: half the gold stands in the context, a good part of that in the answer."""
    rng = random.Random(7)
    words = ["".join(rng.choices("abcdefghilmnoprstu", k=rng.randint(3, 9))) for _ in range(4000)]
    titles = [" ".join(rng.choices(words, k=rng.randint(1, 4))).title() for _ in range(8000)]
    prose = [" ".join(rng.choices(words, k=900)) + ". " for _ in range(300)]
    for i in range(n):
        gold = rng.sample(titles, rng.randint(1, 5))
        shown, text = rng.choice(prose), rng.choice(prose)
        context = f"{shown[: CONTEXT - 300]} {'; '.join(gold[::2])}. {text[:200]}"
        yield {
            "id": f"q{i:06d}",
            "question": f"What does {rng.choice(titles)} need?",
            "gold": gold,
            "context": [context],
            "answer": f"{text[: ANSWER - 60]} {gold[0] if i % 4 else ''}",
            "cluster": f"c{rng.randrange(200)}",
        }


def write_rows(path: Path, n: int, form: str) -> None:
    """Write generated rows in one of the formats."""
    if form == "jsonl":
        with open(path, "w", encoding="utf-8") as file:
            for row in generated(n):
                file.write(json.dumps(row) + "\n")
    elif form == "csv":
        with open(path, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            for i, row in enumerate(generated(n)):
                if not i:
                    writer.writerow(row)
                writer.writerow(json.dumps(v) if isinstance(v, list) else v for v in row.values())
    else:
        pq.write_table(pa.Table.from_pylist(list(generated(n))), path, row_group_size=n)


def watched(command: list[str], env: dict[str, str]) -> tuple[float, float, int]:
    """Run a command; return seconds, peak gigabytes over its processes, exit status."""
    start, peak = time.perf_counter(), 0
    process = psutil.Popen(command, env=env, stdout=subprocess.DEVNULL)
    while process.poll() is None:
        held = 0
        try:
            for one in (process, *process.children(recursive=True)):
                held += one.memory_info().rss
        except psutil.Error:  # a worker that ended between the two calls
            continue
        peak = max(peak, held)
        time.sleep(0.1)
    return time.perf_counter() - start, peak / 1e9, process.returncode


def processor_seconds() -> float:
    """Return the processor time of commands that have ended, with that of their workers."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> int:
    """Generate, run, print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--form", choices=["jsonl", "csv", "parquet"], default="jsonl")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"rows.{options.form}")
        write_rows(path, options.rows, options.form)
        print(f"{options.rows:,} rows, {path.stat().st_size / 1e6:.0f} MB {options.form}")
        env = {**os.environ, "PYTHONPATH": str(ROOT / "scripts")}
        print(f"load before: {', '.join(f'{x:.2f}' for x in os.getloadavg())}", flush=True)
        command = [sys.executable, "-c", COMMAND, str(path), "--workers", str(options.workers)]
        took, peak, status = watched([*command, "--out", f"{folder}/out"], env)
    print(f"{'processor time':<28} {processor_seconds():8.2f} s   (says more on a busy machine)")
    print(f"load after:  {', '.join(f'{x:.2f}' for x in os.getloadavg())}")
    for what, found, unit, target in (
        ("wall time", took, "s", SECONDS),
        ("peak memory, all processes", peak, "GB", GIGABYTES),
    ):
        verdict = "met" if found <= target else "MISSED"
        print(f"{what:<28} {found:8.2f} {unit:<2}  target {target:g} {unit}: {verdict}")
    return status


if __name__ == "__main__":
    sys.exit(main())
