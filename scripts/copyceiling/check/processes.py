"""Worker processes: spawned, not forked, for the parent has threads of Arrow and BLAS."""

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager

from copyceiling.check.faults import CheckError


@contextmanager
def pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Open a pool of worker processes.

    Raises:
        CheckError: A worker ended by itself, whatever the reason.
    """
    try:
        with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as executor:
            yield executor
    except BrokenProcessPool as e:
        raise CheckError(
            "a worker process ended by itself: it was killed, most likely for want of memory, or "
            'it was started by a script without `if __name__ == "__main__":`. Use one process: '
            "--workers 1"
        ) from e
