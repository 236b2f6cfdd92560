"""Nothing of a release changes unnoticed: every cell of every file, dropped and doubled rows.

A wrong value is either refused with its file named, because something else in the release or in the
corpus contradicts it, or it stands in an artefact, whose hash moves and whose values are compared
with the published ones. `UNREAD` lists what is neither: fields that say nothing of the result.
"""

import copy
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from copyceiling.errors import ReleaseError
from copyceiling.released.gates import GATES
from copyceiling.released.layout import PARTS
from copyceiling.requests import ARMS

from tests.released_samples import full, reduced, text_of, write_release
from tests.test_released import IMPORTS, import_part

LAYOUTS = {"full": full(), "reduced": reduced()}
FILES = [(layout, name) for layout, files in LAYOUTS.items() for name in files]


def parts_of(name: str) -> list[str]:
    """Return which parts read a file."""
    if name.startswith("sweep/"):
        return ["sweep"]
    found = [
        part
        for part, slots in PARTS.items()
        if any(Path(name).match(pattern) for slot in slots for pattern, _ in slot.paths)
    ]
    assert found, f"no part reads {name}"
    return found


def toy_gates(root: Path, part: str) -> dict[str, int]:
    """Return the counts of the intact release, as the gates themselves state them."""
    with pytest.raises(ReleaseError) as caught:
        import_part(root, part, dict.fromkeys(GATES, 9_999))
    return {n: int(k) for n, k in re.findall(r"gate '([^']+)': (\d+) ", str(caught.value))}


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield every value inside a row with its path."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list) and value:
        for i, inner in enumerate(value):
            yield from leaves(inner, (*path, i))
    else:
        yield path, value


def planted(value: Any, column: list[Any]) -> list[Any]:
    """Return wrong values: near ones, and one that the column has elsewhere."""
    near: list[Any] = []
    if isinstance(value, bool):
        near = [not value]
    elif isinstance(value, int):
        near = [value + 1, value - 1]
    elif isinstance(value, float):
        near = [value + 0.01, value - 0.01, value + 0.25]
    elif isinstance(value, str):
        near = [value + "x", ""]
    elif isinstance(value, (list, dict)):
        near = [[1]]
    other = [v for v in column if v != value and v is not None]
    return [v for v in (*near, *other[:1]) if v != value]


def place(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """Return a copy with one value replaced."""
    out = copy.deepcopy(value)
    inner = out
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = new
    return out


def column_of(path: tuple[Any, ...]) -> str:
    """Return a field's name, places in lists left out."""
    return ".".join(str(key) for key in path if not isinstance(key, int))


def chosen(
    found: list[tuple[tuple[Any, ...], Any]],
) -> list[tuple[tuple[Any, ...], Any]]:
    """Return up to two cells of each field that differ in value, to keep the test short."""
    kept: dict[str, list[tuple[tuple[Any, ...], Any]]] = {}
    for path, value in found:
        of = kept.setdefault(column_of(path), [])
        if len(of) < 2 and value not in [v for _, v in of]:
            of.append((path, value))
    return [cell for of in kept.values() for cell in of]


def import_all(root: Path, parts: list[str], gates: dict[str, dict[str, int]]) -> Any:
    return [IMPORTS[p](root) if p == "sweep" else import_part(root, p, gates.get(p)) for p in parts]


# Fields that no figure rests on and nothing else contradicts, by file. Texts that a judge was shown
# or wrote, what providers charge and how long they took, and settings repeated on every row.
UNREAD = {
    "live-results.jsonl": "attempt loom.generation.artifacts loom.generation.generated_at "
    "loom.generation.source loom.generation.verified_single_generation "
    "loom.grounding.seeds.provenance loom.grounding.seeds.score",
    "control-results.jsonl": "attempt",
    "judged.json": "why judge_base judged_at",
    "judged-claude-opus46.json": "why",
    "judged-cloud.json": "judge_family_match reference_source template why",
    "results-baker-bare.jsonl": "attempts finish_reason",
    "results-baker-harness.jsonl": "attempts finish_reason",
    "rows.jsonl": "attempts.attempt attempts.completion_tokens attempts.finish_reason "
    "attempts.latency_s attempts.model attempts.total_tokens donor.donor_seed_iris "
    "donor.recipient_seed_iris fluent_noise_slugs run_at",
    "verdicts.jsonl": "judge_backend parse_repair quote",
    "verdicts.tsv": "parse_repair",
    "quote-gate-v2.jsonl": "reask_conceded_no_span reask_response repaired_quote",
    "raw-hits-audit.jsonl": "judge_backend quote repaired_quote scaffold_arm_credited_same_item",
    "ceilings.jsonl": "facade_fusion_path facade_n_seeds facade_top_score semantic_seeds.cos "
    "semantic_seeds.slug skipped",
    "paraphrases.jsonl": "banned_tokens generator.model paraphrase rejection_log.leak_ok "
    "rejection_log.relation_ok rejection_log.relation_verdict rejection_log.text",
    **{
        f"results-baker-t0-{arm}.jsonl": "injected_tokens latency_ms response_model tokens usage "
        "scaffold_engaged"
        for arm in ARMS
    },
    **{
        f"scores-baker-t0-{arm}.jsonl": "injected_tokens latency_ms scaffold_engaged"
        for arm in ARMS
    },
}


@pytest.mark.parametrize(("layout", "name"), FILES, ids=lambda x: x.replace("/", "-"))
def test_every_cell_is_refused_or_kept(layout: str, name: str, tmp_path: Path) -> None:
    files = LAYOUTS[layout]
    root = write_release(tmp_path, files)
    parts = parts_of(name)
    gates = {p: toy_gates(root, p) for p in parts if p != "sweep"}
    intact = import_all(root, parts, gates)
    target, rows = root / name, files[name]
    found = list(leaves(rows))
    columns: dict[str, list[Any]] = {}
    for path, value in found:
        columns.setdefault(column_of(path), []).append(value)
    unseen: set[str] = set()
    refused = 0
    for path, value in chosen(found):
        for new in planted(value, columns[column_of(path)]):
            target.write_text(text_of(name, place(rows, path, new)), encoding="utf-8")
            try:
                if import_all(root, parts, gates) == intact:
                    unseen.add(column_of(path))
            except ReleaseError as e:
                refused += 1
                assert name.rsplit("/", 1)[-1] in str(e) or "gate '" in str(e), (path, new, e)
    assert refused
    allowed = set(UNREAD.get(target.name, "").split())
    assert unseen <= allowed, f"changed unnoticed: {sorted(unseen - allowed)}"


@pytest.mark.parametrize(
    ("layout", "name"),
    [(layout, name) for layout, name in FILES if isinstance(LAYOUTS[layout][name], list)],
    ids=lambda x: x.replace("/", "-"),
)
def test_every_dropped_doubled_or_misshapen_row_is_refused(
    layout: str, name: str, tmp_path: Path
) -> None:
    files = LAYOUTS[layout]
    root = write_release(tmp_path, files)
    parts = parts_of(name)
    gates = {p: toy_gates(root, p) for p in parts if p != "sweep"}
    import_all(root, parts, gates)
    rows = files[name]
    for i in (0, len(rows) - 1):
        field = next(iter(rows[i]))
        misshapen: dict[str, list[Any]] = {
            "dropped": [*rows[:i], *rows[i + 1 :]],
            "doubled": [*rows, rows[i]],
        }
        if not name.endswith(".tsv"):
            misshapen["unknown field"] = place(rows, (i,), {**rows[i], "novel": 1})
            short = {k: v for k, v in rows[i].items() if k != field}
            misshapen["missing field"] = place(rows, (i,), short)
        for what, changed in misshapen.items():
            if not changed:
                continue
            (root / name).write_text(text_of(name, changed), encoding="utf-8")
            with pytest.raises(ReleaseError) as caught:
                import_all(root, parts, gates)
            message = str(caught.value)
            if what == "doubled":
                assert "stands in" in message and "already" in message
            elif what.endswith("field"):
                named = "novel" if what.startswith("unknown") else field
                assert f"field '{named}': is {what.split()[0]}" in message
            assert Path(name).name in message or "gate '" in message, (what, message)


def test_tables_with_wrong_columns_or_cells_are_refused(tmp_path: Path) -> None:
    root = write_release(tmp_path, reduced())
    path = root / "audit" / "verdicts.tsv"
    text = path.read_text()
    for changed, expected in (
        (text.replace("qid", "question"), r"verdicts\.tsv:2: field 'qid': is missing"),
        (text.replace("qid", "unit_id", 1), r"verdicts\.tsv:1: a column stands twice"),
        (text.replace("\trequired\t", "\t", 1), r"verdicts\.tsv:2: 14 cells in a table of 15"),
        (text.replace("\t1.0\t", "\tone\t", 1), r"verdicts\.tsv:2: field 'confidence': 'one' is"),
        (text.replace("\t1.0\t", "\tnan\t", 1), r"field 'confidence': 'nan' is no number"),
        (text.replace("\t1.0\t", "\t1.5\t", 1), r"field 'confidence': 1\.5 is outside"),
        (text.replace("\ttrue\t", "\tyes\t", 1), r"field 'repair_pass': 'yes' is no flag"),
    ):
        assert changed != text
        path.write_text(changed)
        with pytest.raises(ReleaseError, match=expected):
            import_part(root, "audit")


def test_damaged_json_is_named_with_its_line(tmp_path: Path) -> None:
    root = write_release(tmp_path, full())
    array, lines = root / "paper-v2" / "judged.json", root / "paper-v2" / "live-results.jsonl"
    good_array, good_lines = array.read_text(), lines.read_text()
    for path, changed, expected in (
        (array, good_array[:-30], r"judged\.json:\d+: is no JSON"),
        (array, good_array[:-1], r"judged\.json:\d+: the JSON array does not end"),
        (array, good_array.replace('"score": 2', '"score": NaN'), "NaN is no number"),
        (array, good_array.replace('"score": 2', '"score": 2, "score": 2'), "'score' stands twice"),
        (array, good_array.replace('"score": 2', '"score": 6'), r"field 'score': 6 is outside 0"),
        (array, good_array.replace('"score": 2', '"score": true'), "True is no whole"),
        (lines, good_lines.replace("\n", "\n{\n", 1), r"live-results\.jsonl:2: is no JSON"),
        (
            lines,
            "[1]\n" + good_lines,
            r"live-results\.jsonl:1: field '\(row\)': \[1\] is no mapping",
        ),
    ):
        array.write_text(good_array)
        lines.write_text(good_lines)
        path.write_text(changed)
        with pytest.raises(ReleaseError, match=expected):
            import_part(root, "production")


def test_all_faults_come_at_once(tmp_path: Path) -> None:
    files = full()
    rows = files["semantic-audit/verdicts.jsonl"]
    rows[0]["category"], rows[1]["gold_title"], rows[2]["asserted"] = "n10", "Wine", "maybe"
    rows[3]["unit_id"] = "nobody|q0001|3"
    root = write_release(tmp_path, files)
    with pytest.raises(ReleaseError) as caught:
        import_part(root, "audit")
    message = str(caught.value)
    for number, field in ((2, "gold_title"), (3, "asserted"), (4, "unit_id")):
        assert f"verdicts.jsonl:{number}: field '{field}'" in message


def test_an_answer_that_its_scores_contradict_is_named(tmp_path: Path) -> None:
    files = full()
    files["sweep/results-baker-t0-scaffold.jsonl"][0] |= {"answer": "Flour.", "answer_chars": 6}
    root = write_release(tmp_path, files)
    with pytest.raises(ReleaseError, match=r"scores-.*:1: field 'n_hits': 2, our matcher finds 1"):
        IMPORTS["sweep"](root)
