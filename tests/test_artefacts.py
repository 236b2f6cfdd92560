"""Content hash and storage: what moves the hash, what does not, and damage found on reading."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from copyceiling.artefacts.hashing import content_hash
from copyceiling.artefacts.schema import Column, Schema
from copyceiling.artefacts.store import atomic_file, describe, read, to_table, write
from copyceiling.commands import OPTIONS
from copyceiling.errors import ArtefactError
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import ROOT

ITEM = pa.list_(pa.struct([("slug", pa.string()), ("score", pa.float64())]))
SCHEMA = Schema(
    "thing",
    "A thing.",
    ("key",),
    (
        Column("key", pa.string(), "Key"),
        Column("count", pa.int64(), "Count", "items", True),
        Column("rate", pa.float64(), "Rate", "[0, 1]", True),
        Column("flag", pa.bool_(), "Flag", "", True),
        Column("items", ITEM, "Items"),
        Column("took", pa.float64(), "Time", "ms", True, True),
    ),
)
NUMBER = st.floats(allow_nan=False, allow_infinity=False, width=32)
ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "key": st.text(max_size=5),
            "count": st.none() | st.integers(-(2**40), 2**40),
            "rate": st.none() | NUMBER,
            "flag": st.none() | st.booleans(),
            "items": st.lists(
                st.fixed_dictionaries({"slug": st.text(max_size=4), "score": NUMBER}), max_size=3
            ),
            "took": st.none() | NUMBER,
        }
    ),
    max_size=8,
    unique_by=lambda row: row["key"],
)
MADE: dict[str, Any] = {"rule": "test", "script": "none", "inputs": {}}


def hash_of(rows: list[dict[str, Any]]) -> str:
    return content_hash(to_table(rows, SCHEMA), SCHEMA)


@settings(deadline=None)
@given(ROWS, st.randoms(use_true_random=False), st.integers(1, 5))
def test_hash_ignores_row_order_row_groups_chunks_and_volatile_columns(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Any]], rng: random.Random, n: int
) -> None:
    expected = hash_of(rows)
    shuffled = rng.sample(rows, len(rows))
    assert hash_of([{**row, "took": 1.5} for row in shuffled]) == expected
    file = tmp_path_factory.mktemp("groups") / "t.parquet"
    raw = pa.Table.from_pylist(shuffled, schema=SCHEMA.arrow)
    pq.write_table(raw, file, row_group_size=n, compression="none", version="1.0")
    assert content_hash(pq.read_table(file), SCHEMA) == expected
    if len(rows) > 1:
        half = len(rows) // 2
        parts = [raw.slice(0, half), raw.slice(half)]
        assert content_hash(pa.concat_tables(parts), SCHEMA) == expected


def _other(value: Any) -> Any:
    """Return a value of the same type that differs."""
    if value is None:
        return 1
    if isinstance(value, bool):
        return not value
    if isinstance(value, float):
        return value + 1.0 if abs(value) < 1e6 else value / 2
    if isinstance(value, int):
        return value + 1
    if isinstance(value, list):
        return [*value, {"slug": "new", "score": 0.5}]
    return value + "x"


@settings(deadline=None)
@given(ROWS.filter(bool), st.data())
def test_hash_moves_with_any_cell(rows: list[dict[str, Any]], data: st.DataObject) -> None:
    i = data.draw(st.integers(0, len(rows) - 1))
    name = data.draw(st.sampled_from(["key", "count", "rate", "flag", "items"]))
    changed = [dict(row) for row in rows]
    value = changed[i][name]
    changed[i][name] = True if name == "flag" and value is None else _other(value)
    if len({row["key"] for row in changed}) == len(changed):
        assert hash_of(changed) != hash_of(rows)


def test_missing_is_not_zero_and_boundaries_count() -> None:
    base = {"key": "a", "count": 0, "rate": 0.0, "flag": False, "items": [], "took": None}
    variants = [
        [base],
        [{**base, "count": None}],
        [{**base, "rate": None}],
        [{**base, "flag": None}],
        [base, {**base, "key": "b"}],
        [base, {**base, "key": ""}],
        [{**base, "items": [{"slug": "ab", "score": 0.0}, {"slug": "c", "score": 0.0}]}],
        [{**base, "items": [{"slug": "a", "score": 0.0}, {"slug": "bc", "score": 0.0}]}],
    ]
    assert len({hash_of(rows) for rows in variants}) == len(variants)
    assert hash_of([{**base, "rate": -0.0}]) == hash_of([base])
    assert hash_of([{**base, "rate": 1 / 3}]) == hash_of([{**base, "rate": 0.33333333334 - 1e-11}])


CHILD = """
import locale, sys
sys.path.insert(0, "scripts"); sys.path.insert(0, ".")
for name in ("de_DE.UTF-8", "tr_TR.UTF-8", ""):
    try:
        locale.setlocale(locale.LC_ALL, name)
        break
    except locale.Error:
        pass
from tests.test_artefacts import hash_of, FIXED
print(hash_of(FIXED))
"""
FIXED = [
    {"key": k, "count": i, "rate": i / 7, "flag": i % 2 == 0, "items": [], "took": None}
    for i, k in enumerate(["b", "a", "ä", "Z", "İ", "z", "\U0001f600"])
]


def test_hash_ignores_locale_hash_seed_threads_and_time_zone() -> None:
    found = set()
    for env in (
        {"PYTHONHASHSEED": "0", "TZ": "UTC", "OMP_NUM_THREADS": "1", "LC_ALL": "C"},
        {"PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "OMP_NUM_THREADS": "4", "LC_ALL": "C.UTF-8"},
    ):
        done = subprocess.run(
            [sys.executable, "-c", CHILD],
            cwd=ROOT,
            env={**os.environ, **env},
            capture_output=True,
            text=True,
            check=True,
        )
        found.add(done.stdout.strip())
    assert found == {hash_of(FIXED)}


def test_hash_is_what_it_was() -> None:
    """A changed value here means that every claimed hash changes: say so in the changelog."""
    assert hash_of(FIXED) == "e0720ed1fb5b819b13c4697cf6f243186544442e0b474f8e88e9e8d678c860a2"


def test_written_file_reads_back_and_states_its_hash(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "t.parquet"
    digest = write(file, FIXED, SCHEMA, MADE)
    assert content_hash(read(file, SCHEMA), SCHEMA) == digest == describe(file)["content_hash"]
    assert describe(file)["rows"] == len(FIXED)
    assert [p.name for p in file.parent.iterdir()] == ["t.parquet"], "no temporary is left"


def test_any_flipped_byte_is_found(tmp_path: Path) -> None:
    """Every byte, except where a flip only changes what the reader never looks at."""
    file = tmp_path / "t.parquet"
    digest = write(file, FIXED, SCHEMA, MADE)
    good = file.read_bytes()
    unnoticed = []
    for i in range(len(good)):
        bad = bytearray(good)
        bad[i] ^= 0x01
        file.write_bytes(bad)
        try:
            table = read(file, SCHEMA)
        except ArtefactError:
            continue
        assert content_hash(table, SCHEMA) == digest, f"byte {i} changed the data unnoticed"
        unnoticed.append(i)
    # Footer text that is not data (writer version, statistics, provenance) may change freely.
    assert len(unnoticed) < len(good)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{**FIXED[0]}, {**FIXED[0]}], "more than once"),
        ([{**FIXED[0], "key": None}], "misses values"),
        ([{k: v for k, v in FIXED[0].items() if k != "count"}], "missing columns"),
        ([{**FIXED[0], "more": 1}], "unknown columns"),
        ([{**FIXED[0], "rate": float("nan")}], "not finite"),
    ],
)
def test_bad_rows_are_refused(tmp_path: Path, rows: list[dict[str, Any]], message: str) -> None:
    with pytest.raises(ArtefactError, match=message):
        write(tmp_path / "t.parquet", rows, SCHEMA, MADE)
    assert not list(tmp_path.iterdir())


def test_foreign_and_missing_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(ArtefactError, match="there is no artefact"):
        read(tmp_path / "none.parquet", SCHEMA)
    foreign = tmp_path / "foreign.parquet"
    pq.write_table(pa.table({"a": [1]}), foreign)
    with pytest.raises(ArtefactError, match="not written by this pipeline"):
        read(foreign, SCHEMA)
    (tmp_path / "text.parquet").write_text("no parquet")
    with pytest.raises(ArtefactError, match="damaged or no Parquet"):
        read(tmp_path / "text.parquet", SCHEMA)


def test_the_message_of_a_damaged_or_missing_result_ends_in_what_to_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(OPTIONS, "--configfile mine.yaml")
    file = tmp_path / "m.parquet"
    lines = [f"  rm {file}", f"  snakemake {file} --configfile mine.yaml"]
    write(file, FIXED, SCHEMA, MADE)
    file.write_bytes(file.read_bytes()[:-20])
    for reader in (describe, lambda path: read(path, SCHEMA)):
        with pytest.raises(ArtefactError, match="damaged or no Parquet file") as e:
            reader(file)
        assert str(e.value).splitlines()[-2:] == lines
    file.unlink()
    with pytest.raises(ArtefactError, match="there is no artefact") as e:
        describe(file)
    assert str(e.value).splitlines()[-1:] == lines[1:]


def test_a_changed_cell_behind_a_stale_hash_is_found(tmp_path: Path) -> None:
    file = tmp_path / "t.parquet"
    write(file, FIXED, SCHEMA, MADE)
    table = pq.read_table(file)
    meta = table.schema.metadata
    rows = table.to_pylist()
    rows[0]["count"] += 1
    changed = pa.Table.from_pylist(rows, schema=SCHEMA.arrow).replace_schema_metadata(meta)
    pq.write_table(changed, file)
    assert json.loads(meta[b"copyceiling"])["schema"] == "thing"
    with pytest.raises(ArtefactError, match="is damaged: its content hash"):
        read(file, SCHEMA)


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_bytes(b"old")
    with pytest.raises(ArtefactError, match="No space left"), atomic_file(file) as out:
        out.write(b"new")
        raise OSError(28, "No space left on device")
    assert file.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["f"]


def test_a_full_disk_is_named(tmp_path: Path) -> None:
    """A real one: the process may not write files beyond 1 kB."""
    code = (
        "import resource, signal, sys; sys.path.insert(0, 'scripts'); sys.path.insert(0, '.')\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))\n"
        "from pathlib import Path\n"
        "from tests.test_artefacts import FIXED, SCHEMA, MADE\n"
        "from copyceiling.artefacts.store import write\n"
        f"write(Path({str(tmp_path)!r}, 't.parquet'), FIXED, SCHEMA, MADE)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "cannot write" in done.stderr and "Nothing was changed" in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("")
    with pytest.raises(ArtefactError, match="cannot write"):
        write(tmp_path / "f" / "t.parquet", FIXED, SCHEMA, MADE)
