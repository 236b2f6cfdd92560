"""One writer a cache folder."""

import contextlib
import fcntl
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from copyceiling.errors import ArtefactError, CopyCeilingError

NAME = "lock"


class FolderInUse(CopyCeilingError):
    """Another run writes to the cache folder; the message names it."""


@contextlib.contextmanager
def only_writer(folder: Path, *, wait: bool) -> Iterator[None]:
    """Hold a folder as its only writer; the system lets go of it whenever the process ends.

    Args:
        folder: Made if it is not there.
        wait: Wait for the other writer, rather than raise.

    Raises:
        FolderInUse: Another run holds it.
        ArtefactError: The folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = os.open(folder / NAME, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as e:
        raise ArtefactError(f"cannot write the cache folder '{folder}': {e.strerror}") from e
    try:
        _take(file, folder, wait)
        yield
    finally:
        os.close(file)  # lets go of the lock


def _take(file: int, folder: Path, wait: bool) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as e:
        holder = os.pread(file, 20, 0).decode(errors="replace").strip()
        who = f"another run (process {holder})" if holder else "another run"
        if not wait:
            raise FolderInUse(
                f"{who} writes to the cache folder '{folder}', and one at a time may. Wait for it "
                "to end, or give this run another cache folder."
            ) from e
        print(f"{who} writes to '{folder}'; waiting for it to end", file=sys.stderr)
        fcntl.flock(file, fcntl.LOCK_EX)
    except OSError as e:
        raise ArtefactError(
            f"the file system of '{folder}' has no locks ({e.strerror}). Put the cache on a "
            "local disk."
        ) from e
    with contextlib.suppress(OSError):  # a full disk: the number is only for the other's message
        os.ftruncate(file, 0)
        os.pwrite(file, f"{os.getpid()}\n".encode(), 0)
