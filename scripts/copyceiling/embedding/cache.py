"""Keeps vectors on disk, so that a string is embedded once over all runs of an encoder.

One SQLite file an encoder, named by what decides its vectors; the key of a row is the string's
sha256, its value the float32 numbers with a checksum. A row that is not what was written is an
error, never a miss. Nothing expires. The file is scratch: deleting it costs time alone.
"""

import contextlib
import hashlib
import sqlite3
import sys
import time
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from copyceiling.embedding.interface import Embedder, Vectors
from copyceiling.embedding.spec import EmbedderSpec
from copyceiling.errors import EmbeddingError

# Strings embedded between two commits; a killed run loses no more.
_CHUNK = 4096
TOLD = "embedded"  # how a line begins that tells how far a long run has come
_TABLE = "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, value BLOB)"


class CachedEmbedder:
    """An `Embedder` that asks another one only for strings it has no vector of."""

    def __init__(self, embedder: Embedder, folder: Path) -> None:
        self._embedder = embedder
        self.file = folder / f"{embedder.identity.name}-{embedder.identity.digest[:16]}.db"
        self.n_embedded = 0
        """Strings embedded anew so far."""

    @property
    def identity(self) -> EmbedderSpec:
        """Which encoder this is."""
        return self._embedder.identity

    def windows(self, texts: Sequence[str]) -> list[list[str]]:
        """Return each text in pieces that fit the window."""
        return self._embedder.windows(texts)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one vector of length 1 a text; see `Embedder`."""
        place = {text: i for i, text in enumerate(dict.fromkeys(texts))}
        found = np.empty((len(place), self.identity.dimension), dtype=np.float32)
        with self._open() as connection:
            missing = [t for t, i in place.items() if not self._read(connection, t, found, i)]
            began = time.monotonic()
            for start in range(0, len(missing), _CHUNK):
                chunk = missing[start : start + _CHUNK]
                found[[place[t] for t in chunk]] = fresh = self._fresh(chunk)
                rows = [(_key(t), _pack(_key(t), v)) for t, v in zip(chunk, fresh, strict=True)]
                with connection:
                    connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)
                self.n_embedded += len(chunk)
                _say(start + len(chunk), len(missing), time.monotonic() - began)
        return found[[place[text] for text in texts]]

    def _fresh(self, texts: Sequence[str]) -> Vectors:
        vectors = self._embedder.encode(texts)
        if vectors.shape != (len(texts), self.identity.dimension) or not np.isfinite(vectors).all():
            raise EmbeddingError(
                f"embedder '{self.identity.name}' gave {vectors.shape} numbers for {len(texts)} "
                f"texts of {self.identity.dimension}, or some that are not finite"
            )
        return vectors

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with contextlib.closing(sqlite3.connect(self.file, timeout=60)) as connection:
                connection.execute(_TABLE)
                yield connection
        except (sqlite3.Error, OSError) as e:
            raise EmbeddingError(
                f"vector cache '{self.file}': {e}. Free space or make the folder writable; if the "
                "file is damaged, delete it: its vectors are computed again"
            ) from e

    def _read(self, connection: sqlite3.Connection, text: str, out: Vectors, row: int) -> bool:
        """Put a cached vector into its row; return whether there is one."""
        key = _key(text)
        found = connection.execute("SELECT value FROM vectors WHERE key = ?", (key,)).fetchone()
        if found is None:
            return False
        value = found[0]
        if not isinstance(value, bytes) or len(value) != 4 * self.identity.dimension + 4:
            raise self._damaged(key)
        if value[-4:] != zlib.crc32(key + value[:-4]).to_bytes(4, "little"):
            raise self._damaged(key)
        out[row] = np.frombuffer(value[:-4], dtype="<f4")
        return True

    def _damaged(self, key: bytes) -> EmbeddingError:
        return EmbeddingError(
            f"vector cache '{self.file}': row {key.hex()} is not what was written. "
            "Delete the file: its vectors are computed again"
        )


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def _pack(key: bytes, vector: Vectors) -> bytes:
    body = vector.astype("<f4").tobytes()
    return body + zlib.crc32(key + body).to_bytes(4, "little")


def _say(done: int, of: int, took: float) -> None:
    """Tell how far a long run has come in so many seconds, on stderr."""
    if of > _CHUNK:
        rate = f"{done / took:,.0f} a second, about {took / done * (of - done):.0f} s left"
        print(f"{TOLD} {done:,} of {of:,} strings, {rate}", file=sys.stderr, flush=True)
