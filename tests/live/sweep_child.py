"""A live run in a process of its own, to be killed.

Usage: python -m tests.live.sweep_child BASE_URL FOLDER COUNT CONCURRENCY (plain | litellm)
"""

import signal
import sys
from pathlib import Path

from copyceiling.live.runner import run_calls

from tests.live.playing import FREE, UrlBackend, calls, settings, spec


def main(base_url: str, folder: str, count: str, concurrency: str, how: str) -> None:
    """Answer the calls, through LiteLLM or plainly."""
    model = spec(base_url, concurrency=int(concurrency))
    backend = UrlBackend(base_url) if how == "plain" else None
    live = settings(Path(folder), prices={"played": FREE})
    run_calls(calls(int(count)), model, live, backend=backend)


if __name__ == "__main__":
    # A process that a script started in the background inherits an interrupt that is ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    main(*sys.argv[1:])
