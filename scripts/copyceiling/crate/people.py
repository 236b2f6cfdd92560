"""Authors, date and licence of the software, as ``CITATION.cff`` states them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from copyceiling.config import load_yaml
from copyceiling.errors import ConfigError

Entity = dict[str, Any]
# Names of licences as studies state them, to their addresses.
_LICENCES = {
    "Apache-2.0": "https://spdx.org/licenses/Apache-2.0",
    "MIT": "https://spdx.org/licenses/MIT",
    "CC0 1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
    "CC BY 3.0": "https://creativecommons.org/licenses/by/3.0/",
    "CC BY 4.0": "https://creativecommons.org/licenses/by/4.0/",
    "CC BY-SA 4.0": "https://creativecommons.org/licenses/by-sa/4.0/",
    "Open Database License": "https://opendatacommons.org/licenses/odbl/1-0/",
}


@dataclass(frozen=True)
class Citation:
    """What a crate takes from ``CITATION.cff``.

    Attributes:
        title, version: Of the software.
        released: Date of the version, as ``YYYY-MM-DD``.
        licence: Entity of its licence.
        authors: Entities of people and organisations, in order.
    """

    title: str
    version: str
    released: str
    licence: Entity
    authors: tuple[Entity, ...]


def read_citation(path: Path) -> Citation:
    """Read ``CITATION.cff``.

    Raises:
        ConfigError: It is no CFF file or lacks a field; names the field.
    """
    stated = load_yaml(path)
    needed = ("title", "version", "date-released", "license", "authors")
    missing = [name for name in needed if not (isinstance(stated, dict) and stated.get(name))]
    if missing:
        raise ConfigError(
            f"'{path}' lacks {', '.join(missing)}: a crate names authors, licence and date of the "
            "software. Add them; https://citation-file-format.github.io says how."
        )
    return Citation(
        str(stated["title"]),
        str(stated["version"]),
        str(stated["date-released"]),
        licence_entity(str(stated["license"])),
        tuple(author_entity(author) for author in stated["authors"]),
    )


def author_entity(author: Mapping[str, Any]) -> Entity:
    """Return the entity of an author: an organisation if it has one name, else a person."""
    if author.get("name"):
        site = author.get("website")
        name = str(author["name"])
        return {
            "@id": str(site or f"#{_slug(name)}"),
            "@type": "Organization",
            "name": name,
            **({"url": str(site)} if site else {}),
        }
    name = " ".join(str(author[k]) for k in ("given-names", "family-names") if author.get(k))
    return {
        "@id": str(author.get("orcid") or f"#{_slug(name)}"),
        "@type": "Person",
        "name": name,
        **({"affiliation": str(author["affiliation"])} if author.get("affiliation") else {}),
    }


def licence_entity(name: str) -> Entity:
    """Return the entity of a licence: its address where it is a common one, else its name."""
    return {"@id": _LICENCES.get(name, f"#licence-{_slug(name)}"), "@type": "CreativeWork",
            "name": name}  # fmt: skip


def _slug(text: str) -> str:
    return "-".join(
        "".join(c if c.isalnum() and c.isascii() else " " for c in text.lower()).split()
    )
