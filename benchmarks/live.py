"""Times live calls and their replay: ``python benchmarks/live.py``. Needs the extra ``live``.

Three measurements: replaying 10,200 frozen completions, answering 10,200 calls of a live run from
its cache, and the rate sustained against a local provider that takes 200 ms an answer, as a share
of the rate that the model table permits (above 100 % in a short run: the limiter lets a burst go).
"""

import argparse
import os
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT)]

from copyceiling.artefacts.schemas import CALLS  # noqa: E402
from copyceiling.artefacts.store import write  # noqa: E402
from copyceiling.completions import call_of, complete, plan, replay_lookup  # noqa: E402
from copyceiling.live.runner import run_calls  # noqa: E402
from copyceiling.live.shard import open_shard  # noqa: E402
from copyceiling.requests import ARMS, Call, Message, Outcome  # noqa: E402
from copyceiling.rows.completions import call_row, read_outcomes  # noqa: E402

from tests.live import playing  # noqa: E402
from tests.live.hostile_provider import HostileProvider  # noqa: E402

CALLS_OF_A_SWEEP = 10_200  # ten models, 510 questions, two arms
SPEC = replace(playing.spec(), budgets=(50,))


def line(what: str, seconds: float, target: float) -> None:
    """Print one measurement against its target."""
    verdict = "met" if seconds <= target else "MISSED"
    print(f"{what:<48} {seconds:7.2f} s   target {target:g} s: {verdict}", flush=True)


def outcome(call: Call) -> Outcome:
    """Return a made-up answer of the usual length."""
    return Outcome(call.key, "ok", f"answer {call.key} " + "words " * 200, "stop", 700, 200)


def replay(folder: Path) -> None:
    """Freeze a whole sweep's calls, then time reading and replaying them."""
    shown = {
        f"q{i:05d}": {arm: (Message("user", f"{arm} {i}"),) for arm in ARMS}
        for i in range(CALLS_OF_A_SWEEP // 2)
    }
    prompts = plan(shown, SPEC.model, ARMS, None, 1)
    rows = [
        call_row(
            outcome(call_of(SPEC, p.arms[arm], 50)),
            model=SPEC.model,
            question_id=p.question_id,
            arm=arm,
            repeat=0,
            budget=50,
        )
        for p in prompts
        for arm in ARMS
    ]
    path = folder / "calls.parquet"
    write(path, rows, CALLS, {"rule": "benchmark", "script": "", "inputs": {}})
    start = time.perf_counter()
    cells = complete(SPEC, prompts, replay_lookup(read_outcomes(path), SPEC, "benchmark"))
    line(f"replay of {len(cells):,} frozen completions", time.perf_counter() - start, 10.0)


def cache_hits(folder: Path) -> None:
    """Fill a model's cache as a live run does, then time a run that finds every answer there."""
    settings = playing.settings(folder / "cache")
    calls = playing.calls(CALLS_OF_A_SWEEP)
    never = threading.Event()
    with open_shard(settings.folder(SPEC), SPEC.model, cap_usd=None, wait=False) as shard:
        start = time.perf_counter()
        for call in calls:
            tries = shard.begin(call, 0.0, never)
            shard.arrived(replace(outcome(call), tries=tries), other_model=False)
        took = time.perf_counter() - start
    print(f"{'   (filling it, each answer on disk:':<48} {took:7.2f} s)", flush=True)
    start = time.perf_counter()
    found = run_calls(calls, SPEC, settings)
    line(f"live run of {len(found):,} cache hits", time.perf_counter() - start, 20.0)


def sustained_rate(folder: Path, rates: Sequence[int], seconds: float) -> None:
    """Ask a provider with 200 ms latency at its limit, and say what share of it was used."""
    for rpm in rates:
        concurrency = max(4, rpm // 60)  # enough in flight for twice the latency
        with HostileProvider(latency_s=0.2) as provider:
            model = playing.spec(provider.base_url, rpm=rpm, concurrency=concurrency)
            backend = playing.UrlBackend(provider.base_url)
            n = int(rpm / 60 * seconds)
            calls = [playing.call(f"r{rpm}x{i}") for i in range(n)]
            settings = playing.settings(folder / f"rate{rpm}")
            start = time.perf_counter()
            run_calls(calls, model, settings, backend=backend)
            share = n / (time.perf_counter() - start) / (rpm / 60)
        verdict = "met" if share >= 0.9 else "MISSED"
        print(f"{f'{rpm} requests a minute permitted, share used':<48} {100 * share:7.1f} %   "
              f"target 90 %: {verdict}", flush=True)  # fmt: skip


def main() -> None:
    """Run the three measurements."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--seconds", type=float, default=20.0, help="length of each rate")
    options = parser.parse_args()
    print(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}; one run each")
    with tempfile.TemporaryDirectory() as folder:
        replay(Path(folder))
        cache_hits(Path(folder))
        sustained_rate(Path(folder), (600, 1200), options.seconds)


if __name__ == "__main__":
    main()
