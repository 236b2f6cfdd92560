"""Asks some of a study's frozen calls again and says how many answers are the same, byte for byte.

    python benchmarks/repeat_calls.py smollm2-135m --questions 20

Needs the extra ``live`` and the model itself. The questions are drawn by seed; both arms are asked.
"""

import argparse
import os
import random
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "scripts")]

from copyceiling.artefacts.schemas import CALLS  # noqa: E402
from copyceiling.artefacts.store import check_frozen, rows  # noqa: E402
from copyceiling.completions import call_of  # noqa: E402
from copyceiling.config import study_of  # noqa: E402
from copyceiling.live.runner import make_backend  # noqa: E402
from copyceiling.models import load_models  # noqa: E402
from copyceiling.rows.messages import read_messages  # noqa: E402


def main() -> None:
    """Ask again and compare."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("model", help="label from config/models.tsv")
    parser.add_argument("--questions", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--configfile", type=Path, nargs="+", default=[])
    options = parser.parse_args()
    study = study_of(options.configfile)
    spec = load_models(ROOT / study["sweep"]["table"])[options.model]
    frozen = ROOT / study["frozen"]
    path = frozen / "calls" / f"{spec.model}.parquet"
    check_frozen([path], frozen / "SHA256SUMS")
    had = {row["key"]: row for row in rows(path, CALLS)}
    shown = read_messages(ROOT / study["results"] / "scaffolds.parquet")
    ids = sorted({row["question_id"] for row in had.values()})
    chosen = sorted(random.Random(options.seed).sample(ids, min(options.questions, len(ids))))
    backend = make_backend(spec)
    same, differ, start = 0, [], time.perf_counter()
    for question in chosen:
        for arm, messages in shown[question].items():
            call = call_of(spec, messages, spec.budgets[0])
            if call.key not in had:
                continue
            answer = backend.send(call).text
            same += answer == had[call.key]["answer"]
            if answer != had[call.key]["answer"]:
                differ.append(f"{question} {arm}")
    backend.close()
    took = time.perf_counter() - start
    print(f"{spec.model}: {len(chosen)} questions, {same} of {same + len(differ)} answers the same")
    print(f"{took:.0f} s on {os.cpu_count()} cores")
    if differ:
        sys.exit(f"differ: {', '.join(differ)}")


if __name__ == "__main__":
    main()
