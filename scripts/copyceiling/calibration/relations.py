"""How each relation of a corpus is said in a sentence, and which relations exclude each other."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from copyceiling.errors import ConfigError, listing

# Names for what T-TAX and T-COMMON ask: the parents of one class, of both of two.
PARENT, COMMON = "is_a", "common"
_SUBJECT, _OBJECT = "{subject}", "{object}"
_PLACES = re.compile(r"\{(\w+)\}")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True)
class Relation:
    """A relation as it is said.

    Attributes:
        name: Readable name.
        phrase: A clause with the places ``{subject}`` and ``{object}``.
        family: Relations of one family say the same, imply or invert each other; a wrong
            relation comes from another family.
        reversible: Whether swapped ends say something else; false for a symmetric relation.
    """

    name: str
    phrase: str
    family: str
    reversible: bool = True

    def clause(self, subject: str, target: str) -> str:
        """Return the clause that asserts the relation from subject to target."""
        return fill(self.phrase, subject=subject, object=target)

    @property
    def gloss(self) -> str:
        """The name with what it says, so that its direction is plain."""
        return f"{self.name}, that is: {self.clause('X', 'Y')} (X the subject, Y the item)"


def fill(template: str, **values: str) -> str:
    """Return a template of ours with its places filled, in one pass.

    What is filled in is never read as a template: braces in a title stay as they are.
    """
    return _PLACES.sub(lambda place: values.get(place[1], place[0]), template)


def readable(kind: str) -> str:
    """Return a relation type as words: ``part_of`` and ``partOf`` are both "part of"."""
    return " ".join(_CAMEL.sub(" ", kind).replace("_", " ").replace("-", " ").lower().split())


def relations_of(
    kinds: Iterable[str], declared: Mapping[str, Mapping[str, Any]]
) -> dict[str, Relation]:
    """Return the relations of a study by type, with `PARENT` and `COMMON`.

    Args:
        kinds: Relation types that questions ask for.
        declared: Type to ``phrase``, ``family`` and ``reversible``; a type that is not declared
            is said by its name and stands in a family of its own.

    Raises:
        ConfigError: A phrase lacks a place, or has one that means nothing; lists all.
    """
    faults = [
        f"judging.relations.{kind}.phrase: must hold {_SUBJECT} and {_OBJECT} once each"
        for kind, how in declared.items()
        if sorted(_PLACES.findall(how["phrase"])) != ["object", "subject"]
    ]
    if faults:
        raise ConfigError(f"calibration phrases have {len(faults)} fault(s):\n{listing(faults)}")
    found = {
        PARENT: Relation("has as immediate parent", f"{_SUBJECT} is a kind of {_OBJECT}", PARENT),
        COMMON: Relation(
            "have as shared broader concept", f"{_SUBJECT} are both a kind of {_OBJECT}", PARENT
        ),
    }
    # In order of name: that of a mapping in a file must not count.
    for kind in sorted(kinds):
        name = readable(kind)
        plain = f'{_SUBJECT} has the relation "{name}" to {_OBJECT}'
        how = declared.get(kind, {"phrase": plain, "family": None, "reversible": True})
        found[kind] = Relation(name, how["phrase"], how["family"] or kind, how["reversible"])
    return found
