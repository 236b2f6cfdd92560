"""Says how far a check of a large log is: a line on stderr now and then, none for a small one."""

import os
import sys
import time
from collections.abc import Sequence

from copyceiling.errors import counted

EVERY_S = 5.0


class Progress:
    """Is told of rows and bytes that were measured, and tells rate and time left.

    Args:
        paths: Files that are read. The time left follows from their bytes, as far as these are
            known: not of standard input, nor of tables and logs of other tools.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        known = all(map(os.path.isfile, paths))  # one that cannot be read is named by its reader
        self._bytes = sum(map(os.path.getsize, paths)) if known else 0
        self._started = self._shown = time.monotonic()

    def __call__(self, n_rows: int, n_bytes: int) -> None:
        """Take what was measured so far."""
        now = time.monotonic()
        if now - self._shown < EVERY_S:
            return
        self._shown, took = now, now - self._started
        words = f"{counted(n_rows, 'row')} measured, {n_rows / took:,.0f} a second"
        if 0 < n_bytes <= self._bytes:
            words += f", about {took / n_bytes * (self._bytes - n_bytes):.0f} s left to measure"
        print(f"copyceiling check: {words}", file=sys.stderr, flush=True)
