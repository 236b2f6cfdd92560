"""Writes the crate of a study."""

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from copyceiling.artefacts.schemas import GENERATION
from copyceiling.artefacts.store import atomic_file, rows
from copyceiling.crate.contents import FOLDERS, SUMS, gather, sums
from copyceiling.crate.graph import DESCRIPTOR, metadata
from copyceiling.crate.history import read_jobs
from copyceiling.crate.people import read_citation
from copyceiling.crate.whole import check_whole, claimed_names
from copyceiling.manifest import CLAIM

_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest date that a zip can state
_MODE = 0o644 << 16


def build_crate(
    root: Path, study: Mapping[str, Any], outputs: Sequence[Path], crate: Path
) -> dict[str, Any]:
    """Write the crate of a study and return its metadata document.

    The same files give the same bytes: members are sorted, bear no date and are stored as they
    are, for what a compressor writes moves with its version.

    Args:
        root: The repository.
        study: The study, as resolved.
        outputs: Tables and figures; what led to them goes in.
        crate: The zip to write.

    Raises:
        CopyCeilingError: An artefact is missing or damaged, or ``CITATION.cff`` lacks a field. No
            crate is written.
    """
    results = root / study["results"]
    ends = [root / path for path in outputs]
    jobs = read_jobs(results, root / study["frozen"], ends)
    check_whole(jobs, results, claimed_names(root / CLAIM, study["study"]))
    contents = gather(root, study, jobs)
    (generation,) = rows(results / "corpus" / "generation.parquet", GENERATION)
    citation = read_citation(root / "CITATION.cff")
    document = metadata(study, generation, jobs, contents, citation)
    text = json.dumps(document, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    members = {name: contents.data(name) for name in contents.files}
    members |= {SUMS: sums(contents), DESCRIPTOR: text.encode()}
    members |= dict.fromkeys(FOLDERS, b"")  # described as parts, so they are members themselves
    with atomic_file(crate) as file:
        file.write(_zip(members))
    return document


def _zip(members: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(members):
            info = zipfile.ZipInfo(name, _EPOCH)
            info.external_attr = _MODE
            archive.writestr(info, members[name])
    return buffer.getvalue()
