"""The newcomer's page, executed: from an OBO file to Table 4 and the report, in ten minutes."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

from tests.conftest import ROOT

PAGE = ROOT / "docs" / "your-ontology.md"
LIMIT_S = 600


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def test_the_page_leads_from_a_file_to_table_4(tmp_path: Path) -> None:
    """The commands stand as in the page, but for the folder and where results go."""
    mine = tmp_path / "mine"
    mine.mkdir()
    (obo,) = blocks("obo")
    (mine / "garden.obo").write_text(obo, encoding="utf-8")
    results = f"--config results={tmp_path / 'results'}"
    programs = {
        "copyceiling": f"{sys.executable} -m copyceiling.cli",
        "snakemake": f"{sys.executable} -m snakemake --nolock",
    }
    env = {**os.environ, "PYTHONPATH": str(ROOT / "scripts")}
    printed: list[str] = []
    text = PAGE.read_text(encoding="utf-8")
    start = time.monotonic()
    lines = [line for block in blocks("sh") for line in block.splitlines() if line]
    lines += re.findall(r"`(snakemake report --configfile mine/garden.yaml)`", text)
    for line in lines:
        program, rest = line.replace("mine/", f"{mine}/").split(" ", 1)
        more = results if "--configfile" in rest else ""
        command = f"{programs[program]} {rest} {more}".split()
        done = subprocess.run(
            command, cwd=ROOT, env=env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{line}\n{done.stderr[-3000:]}"
        printed.append(done.stdout)
    assert time.monotonic() - start < LIMIT_S
    programs_typed = [line.split()[0] for line in lines]
    assert programs_typed == ["copyceiling", "copyceiling", "snakemake", "copyceiling", "snakemake"]
    assert (tmp_path / "results" / "report.html").is_file()
    printed.pop()
    assert "Questions that each setting would give" in printed[0]
    assert f"snakemake --configfile {mine}/garden.yaml" in printed[1]
    assert printed[-1].startswith("**Table 4.")
    for reader in ("reader-copy", "reader-silent", "reader-lead", "reader-extract"):
        assert reader in printed[-1]
