"""Take answers out of a live cache, so that they are asked again: the way out of a damaged entry.

Usage: python -m copyceiling.live.forget FOLDER KEY [KEY ...]
"""

import contextlib
import sqlite3
import sys
from collections.abc import Sequence
from pathlib import Path

from copyceiling.errors import ArtefactError, CopyCeilingError
from copyceiling.live.entry import DATABASE, broken_database
from copyceiling.live.ledger import Ledger
from copyceiling.live.lock import only_writer


def forget(folder: Path, names: Sequence[str]) -> int:
    """Delete entries, and note it in the ledger. Returns how many there were.

    Args:
        folder: A model's folder in the live cache.
        names: Keys of calls, or ``row:<number>`` for a row without a key, as errors name them.

    Raises:
        FolderInUse: A run is using the folder.
        ArtefactError: The folder is no cache.
    """
    path = folder / DATABASE
    if not path.exists():
        raise ArtefactError(f"there is no cache '{path}'")
    with only_writer(folder, wait=False), contextlib.closing(Ledger(folder, folder.name)) as ledger:
        for name in names:
            ledger.append({"event": "forgotten", "key": name, "try": 0})
        try:
            with contextlib.closing(sqlite3.connect(path)) as connection, connection:
                return sum(_delete(connection, name) for name in names)
        except sqlite3.Error as e:
            raise broken_database(folder, e) from e


def _delete(connection: sqlite3.Connection, name: str) -> int:
    row = name.removeprefix("row:")
    if row != name and row.isdigit():
        return connection.execute("DELETE FROM Cache WHERE rowid = ?", (int(row),)).rowcount
    return connection.execute("DELETE FROM Cache WHERE key = ?", (name,)).rowcount


def main(arguments: Sequence[str]) -> int:
    """Run the command; returns its exit status."""
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        count = forget(Path(arguments[0]), arguments[1:])
    except CopyCeilingError as e:
        print(e, file=sys.stderr)
        return 1
    print(f"forgot {count} answer(s)")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
