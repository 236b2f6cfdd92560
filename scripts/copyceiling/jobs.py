"""What every rule's script shares: provenance, a log, and errors that a person can act on."""

import contextlib
import hashlib
import sys
import traceback
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from copyceiling import __version__
from copyceiling.artefacts.store import describe
from copyceiling.errors import CopyCeilingError
from copyceiling.terminal import DONE, INTERRUPTED, STARTED

_TOOLS = ("numpy", "pyarrow", "snakemake")


def provenance(
    rule: str,
    script: str,
    code: Iterable[str],
    params: Mapping[str, Any],
    inputs: Mapping[str, Any],
) -> dict[str, Any]:
    """Return how an artefact comes to be; it rides in the file and is no part of its identity.

    Args:
        rule: Name of the rule.
        script: Its script, relative to the repository.
        code: Source files that the result rests on.
        params: The rule's parameters.
        inputs: Name to path, or paths, of the rule's inputs.
    """
    digest = hashlib.sha256()
    for path in sorted(code):
        digest.update(Path(path).read_bytes())
    stated = {
        name: describe(path)
        for keyword, value in inputs.items()
        for name, path in _named_paths(keyword, value)
        if path.suffix == ".parquet"
    }
    corpora = {s["provenance"].get("corpus") for s in stated.values()} - {None}
    return {
        "rule": rule,
        "script": script,
        "code_version": __version__,
        "code_sha256": digest.hexdigest(),
        "params": dict(params),
        "inputs": {name: s["content_hash"] for name, s in stated.items()},
        # The generation that everything rests on, handed on from the artefact that read it.
        "corpus": min(corpora, default=None),
        "tools": {name: version(name) for name in _TOOLS},
    }


def _named_paths(keyword: str, value: Any) -> list[tuple[str, Path]]:
    """Name a rule's inputs by keyword, and several of one keyword by file name as well."""
    if isinstance(value, str):
        return [(keyword, Path(value))]
    return [(f"{keyword}/{Path(path).stem}", Path(path)) for path in value]


def run(snakemake: Any, main: Any) -> None:
    """Run a script's ``main`` with the rule's inputs, outputs and parameters as keywords.

    Named inputs, outputs and params become keyword arguments (paths as `Path`), ``code`` stays
    out, and ``made`` is the provenance. A `CopyCeilingError` ends the job with its message, in
    the rule's log and on stderr, without a traceback; so does Ctrl-C, without a word, for who
    pressed it knows. Any other error keeps its own traceback, for it is a fault of ours.
    """
    inputs = {k: v for k, v in snakemake.input.items() if k != "code"}
    code = [str(p) for p in snakemake.input.get("code", [])]
    script = Path(snakemake.scriptdir, Path(code[0]).name) if code else Path("?")
    log = Path(snakemake.log[0])
    _write_log(log, STARTED)  # what an earlier run left there is not of this one
    try:
        made = provenance(
            snakemake.rule, f"scripts/{script.name}", code, dict(snakemake.params.items()), inputs
        )
        main(
            **{k: _as_path(v) for k, v in inputs.items()},
            **{k: _as_path(v) for k, v in snakemake.output.items()},
            **dict(snakemake.params.items()),
            made=made,
        )
    except CopyCeilingError as e:
        print(f"\nError in rule {snakemake.rule}: {e}", file=sys.stderr, flush=True)
        _write_log(log, str(e))
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except Exception as e:
        trace = traceback.format_exc()
        print(
            f"\n{trace}\nError in rule {snakemake.rule}: {type(e).__name__}, which nothing here "
            "foresees. If the input is sound it is a fault of the program: report it with the "
            "lines above, which are in the log as well.",
            file=sys.stderr,
            flush=True,
        )
        _write_log(log, trace)
        sys.exit(1)
    _write_log(log, DONE)


def _write_log(log: Path, text: str) -> None:
    """Write a rule's log; on a full disk the message on stderr must do."""
    with contextlib.suppress(OSError):
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(f"{text}\n", encoding="utf-8")


def _as_path(value: Any) -> Any:
    return Path(value) if isinstance(value, str) else [Path(p) for p in value]
