"""A reader of the documentation: has a clone of the repository, and types what a page says."""

import os
import shutil
import subprocess
import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.conftest import ROOT
from tests.doc_commands import BY_PAGE, Block, blocks, commands, executed_by, is_script

_MARK = "== typed =="


@dataclass
class Reader:
    """Somebody who follows pages in a clone.

    Attributes:
        folder: The clone.
        env: What is added to the environment.
    """

    folder: Path
    env: dict[str, str] = field(default_factory=dict)

    def type(self, text: str) -> str:
        """Run lines of a shell as they stand and return what they print, errors included.

        Raises:
            AssertionError: One ends in a status that is not 0.
        """
        done = subprocess.run(
            ["bash", "-euc", text],
            cwd=self.folder,
            env={**os.environ, **self.own(), **self.env},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{text}\n{done.stdout[-4000:]}"
        return done.stdout

    def own(self) -> dict[str, str]:
        """Return the environment of the clone: its code, and the programs of this one."""
        return {
            "PATH": f"{self.folder / '.venv' / 'bin'}:{os.environ['PATH']}",
            "PYTHONPATH": str(self.folder / "scripts"),
        }

    def follow(
        self,
        page: str,
        before: Mapping[str, str] | None = None,
        but: Collection[str] = (),
        also: Collection[str] = (),
    ) -> dict[str, str]:
        """Type the commands of a page, from top to bottom, in one shell.

        Left out is what another test executes, and what continuous integration does.

        Args:
            page: Its path, from the root.
            before: What a command needs that its page says in words, as lines of a shell.
            but: Commands that are typed on another page, and left out here.
            also: Commands that continuous integration executes, and that are typed here as well.

        Returns:
            What each printed, by command, or by the first line of a block that is typed whole.
        """
        steps: list[tuple[str, str]] = []
        for block in blocks(ROOT / page):
            steps += _steps(block, before or {}, but, also)
        assert steps, f"nothing on {page} is executed"
        lines = [f"{text.rstrip()}\necho '{_MARK}'" for _, text in steps]
        printed = self.type("\n".join(lines)).split(f"{_MARK}\n")
        return {name: said for (name, _), said in zip(steps, printed, strict=False)}


def _steps(
    block: Block, before: Mapping[str, str], but: Collection[str], also: Collection[str]
) -> list[tuple[str, str]]:
    """Return what is typed of a block, each with its name: a command each, or the block whole."""
    if is_script(block):
        return [(block.text.splitlines()[0], block.text)]
    here = BY_PAGE.get(block.page)
    own = [c for c in commands(block) if c in also or executed_by(c, block.page) == here]
    found = [c for c in own if c not in but]
    return [(c, f"{before.get(c, '')}\n{c}") for c in found]


def clone(to: Path) -> Reader:
    """Return a reader with what a fresh clone holds, and an environment that is set up."""
    listed = subprocess.run(
        [
            *("git", "-c", "safe.directory=*", "ls-files", "-z"),
            *("--cached", "--others", "--exclude-standard"),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in listed.stdout.split("\0"):
        if name and (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)
    environment = to / ".venv"
    environment.mkdir()
    for part in Path(sys.prefix).iterdir():
        (environment / part.name).symlink_to(part)
    for stamp in ("core.stamp", "test.stamp"):  # what `make env-test` leaves when it is done
        (environment / stamp).unlink(missing_ok=True)
        (environment / stamp).touch()
    return Reader(to)


def copy_of(go_clone: Path, to: Path) -> Reader:
    """Return a reader with a clone of his own, in which `go` is built."""
    subprocess.run(["cp", "-a", str(go_clone), str(to)], check=True)
    return Reader(to)
