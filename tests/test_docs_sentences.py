"""Commands that stand in the documentation's sentences, typed in a clone in which `go` is built.

Those of blocks are executed elsewhere (`tests/doc_commands.py`); here is every other.
"""

import re
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.doc_commands import (
    blocks,
    commands,
    executed_by,
    in_ci,
    inline,
    is_name,
    is_script,
    pages,
)
from tests.reader import Reader, copy_of

OWN = f"tests/{Path(__file__).name}"
TYPED = list(dict.fromkeys(c for p in pages() for c in inline(p) if executed_by(c) == OWN))
# What stands for a name that the reader chooses.
CHOSEN = {"NAME": "reader-2", "A B": "results/go results/go-other"}
# What a command needs that its sentence takes for granted, as lines of a shell.
BEFORE = {
    "copyceiling annotate --as NAME": "exec < <(printf 'cq')",
    "copyceiling annotate --as NAME --read sheet.csv": (
        r"""sed -i '0,/"","",""\r$/s//"absent","required",""\r/' sheet.csv"""
    ),
    "copyceiling diff A B": "cp -a results/go results/go-other",
}
# What a command must say; of the others that there is nothing to do, or a table.
SAYS = {
    "copyceiling --help": "copyceiling check",
    "copyceiling annotate --as NAME": "1 of 40 labelled",
    "copyceiling annotate --as NAME --read sheet.csv": "(1 new, 0 changed)",
    "copyceiling annotate --as NAME --sheet sheet.csv": "sheet.csv",
    "copyceiling check rows.jsonl": "Copy-ceiling check: 4 rows, 2 systems",
    "copyceiling diff A B": "0 of 164 artefact(s) differ",
    "copyceiling init my.obo --study mine": "snakemake --configfile",
    "copyceiling show table5": "**Table 5.",
    "make help": "make table4",
    "make report": "results/go/report.html",
    "snakemake --list": "score_answers",
    "snakemake results/go/studies/sweep.parquet": "Nothing to be done",
    "snakemake table4 --forcerun score_answers": "**Table 4.",
}


@pytest.fixture(scope="module")
def reader(go_clone: Path, tmp_path_factory: pytest.TempPathFactory) -> Reader:
    """A reader who has built `go`, made an ontology, and has the log of a system."""
    found = copy_of(go_clone, tmp_path_factory.mktemp("sentences") / "clone")
    (log,) = [b.text for b in blocks(ROOT / "docs" / "check.md") if "> rows.jsonl" in b.text]
    found.type(log)
    page = (ROOT / "docs" / "your-ontology.md").read_text(encoding="utf-8")
    (obo,) = re.findall(r"```obo\n(.*?)```", page, re.DOTALL)
    (found.folder / "my.obo").write_text(obo, encoding="utf-8")
    return found


@pytest.mark.parametrize("command", TYPED)
def test_a_command_of_a_sentence(command: str, reader: Reader) -> None:
    meant = command
    for name, chosen in CHOSEN.items():
        meant = meant.replace(name, chosen)
    said = reader.type(f"{BEFORE.get(command, '')}\n{meant}")
    must = [SAYS[command]] if command in SAYS else ["Nothing to be done", "**Table", "*Labels"]
    assert any(words in said for words in must), said[-2000:]


def test_what_is_typed_here_is_known() -> None:
    """A command that is on no page any more leaves no line here."""
    assert {*BEFORE, *SAYS} <= set(TYPED)
    assert not set(TYPED) & in_ci()


def test_a_subcommand_that_is_only_named_is_executed_somewhere() -> None:
    found = {c for p in pages() for b in blocks(p) if not is_script(b) for c in commands(b)}
    executed = {" ".join(c.split()[:2]) for c in {*found, *TYPED}}
    named = {c for p in pages() for c in inline(p) if is_name(c)}
    assert named <= executed
