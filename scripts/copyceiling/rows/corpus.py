"""Corpus classes as artefact rows."""

from collections.abc import Iterable
from pathlib import Path

from copyceiling.artefacts.schemas import CLASSES
from copyceiling.artefacts.store import rows
from copyceiling.corpus.model import OntologyClass
from copyceiling.rows import Row


def class_rows(classes: Iterable[OntologyClass]) -> list[Row]:
    """Return classes as rows of `CLASSES`."""
    return [
        {
            "slug": c.slug,
            "position": i,
            "id": c.id,
            "title": c.title,
            "definition": c.definition,
            "domain": c.domain,
            "quality": c.quality,
            "maturity": c.maturity,
            "synonyms": list(c.synonyms),
            "parents": list(c.parents),
            "ancestors": list(c.ancestors),
            "relations": [{"type": k, "targets": list(v)} for k, v in c.relations.items()],
        }
        for i, c in enumerate(classes)
    ]


def read_classes(path: Path) -> list[OntologyClass]:
    """Read a corpus artefact, in corpus order."""
    found = sorted(rows(path, CLASSES), key=lambda row: row["position"])
    return [
        OntologyClass(
            id=r["id"],
            slug=r["slug"],
            title=r["title"],
            definition=r["definition"],
            domain=r["domain"],
            quality=r["quality"],
            maturity=r["maturity"],
            synonyms=tuple(r["synonyms"]),
            parents=tuple(r["parents"]),
            ancestors=tuple(r["ancestors"]),
            relations={x["type"]: tuple(x["targets"]) for x in r["relations"]},
        )
        for r in found
    ]
