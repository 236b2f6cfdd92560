"""Markdown pages with JSON-LD blocks, the form of the paper's corpus (DESIGN section 6).

A page holds blocks fenced as ``json-ld``. The first of type Page gives slug, title and the public
flag, the first of type Class, OntologyClass or Individual gives the entity. Two vocabularies
occur: ``subClassOf``, ``relations{...}``, ``quality``, ``domain``; and older flat keys with the
prefix ``vc:``.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import orjson

from copyceiling.corpus.files import Member
from copyceiling.corpus.model import Issue, RawClass

_FENCE = b"```json-ld"
_END = b"```"
_JSON_FENCE = re.compile(rb"^```+[ \t]*json", re.MULTILINE | re.IGNORECASE)
_ENTITIES = frozenset({"Class", "OntologyClass", "Individual"})

# Why a page gives no class.
UNREADABLE = "with something that cannot be read"
_JSON = "whose block is fenced as json, not as json-ld"
_NO_BLOCK = "without a block fenced as json-ld"
_NO_PAGE = "without a block of type Page"
_NO_ENTITY = "without a block of type Class"
_NOT_PUBLIC = 'whose Page block does not say "public": true'


def read_pages(pages: Iterable[Member]) -> tuple[list[RawClass], list[Issue], Counter[str]]:
    """Return the classes of the public pages that have one, the faults, and what was passed over.

    The last says why pages give no class: reason to number of pages, every such page once.

    Args:
        pages: (name, bytes) of each page.
    """
    classes: list[RawClass] = []
    issues: list[Issue] = []
    passed_over: Counter[str] = Counter()
    for name, content in pages:
        n_issues = len(issues)
        found = _read_page(name, content, issues)
        if isinstance(found, RawClass):
            classes.append(found)
        else:
            passed_over[UNREADABLE if len(issues) > n_issues else found] += 1
    return classes, issues, passed_over


def _read_page(name: str, content: bytes, issues: list[Issue]) -> RawClass | str:
    """Return a page's class, or why it has none; what is at fault is added to the issues."""
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as e:
        line = content.count(b"\n", 0, e.start) + 1
        issues.append(Issue("invalid_utf8", f"{name}:{line}", "text", str(e.reason)))
        return UNREADABLE
    if _FENCE not in content:
        return _JSON if _JSON_FENCE.search(content) else _NO_BLOCK
    page, entity = _first_blocks(name, content, issues)
    if page is None:
        return _NO_PAGE
    if _get(page, "public") is not True:
        return _NOT_PUBLIC
    return _NO_ENTITY if entity is None else _raw_class(name, entity, issues) or UNREADABLE


def _first_blocks(
    name: str, content: bytes, issues: list[Issue]
) -> tuple[Mapping[str, Any] | None, Mapping[str, Any] | None]:
    page = entity = None
    start = content.find(_FENCE)
    while start >= 0 and (page is None or entity is None):
        begin = content.find(b"\n", start) + 1
        end = content.find(b"\n" + _END, begin)
        if not begin or end < 0:
            line = content.count(b"\n", 0, start) + 1
            issues.append(Issue("bad_record", f"{name}:{line}", "json-ld", "block has no end"))
            break
        try:
            block = orjson.loads(content[begin:end])
        except orjson.JSONDecodeError as e:
            line = content.count(b"\n", 0, begin) + e.lineno
            issues.append(Issue("bad_record", f"{name}:{line}", "json-ld", str(e)))
            block = None
        if isinstance(block, dict):
            kind = block.get("@type")
            if kind == "Page" and page is None:
                page = block
            elif isinstance(kind, str) and kind in _ENTITIES and entity is None:
                entity = block
        start = content.find(_FENCE, end)
    return page, entity


def _get(block: Mapping[str, Any], key: str) -> Any:
    """Return a value under the newer key or, failing that, the older ``vc:`` one."""
    return block[key] if key in block else block.get(f"vc:{key}")


def _raw_class(name: str, entity: Mapping[str, Any], issues: list[Issue]) -> RawClass | None:
    identifier = entity.get("@id")
    if not isinstance(identifier, str) or not identifier:
        issues.append(Issue("bad_record", name, "@id", "the class has no id"))
        return None
    quality = _get(entity, "quality")
    relations = entity.get("relations")
    if relations is None:
        relations = {
            key[3:]: value
            for key, value in entity.items()
            if key.startswith("vc:") and key != "vc:subClassOf" and _is_references(value)
        }
    return RawClass(
        id=identifier,
        slug=identifier.rpartition(":")[2],
        title=_text(_get(entity, "label")),
        where=name,
        definition=_text(_get(entity, "definition")),
        domain=_text(_get(entity, "domain")) or None,
        quality=float(quality) if isinstance(quality, int | float) else None,
        maturity=_text(_get(entity, "maturity")) or None,
        parents=_references(_get(entity, "subClassOf")),
        relations={key: _references(value) for key, value in relations.items()},
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _is_references(value: Any) -> bool:
    items = value if isinstance(value, list) else [value]
    return bool(items) and all(isinstance(i, dict) and "@id" in i for i in items)


def _references(value: Any) -> list[str]:
    """Return the ids of a reference, or of a list of them; strings count as ids."""
    items = value if isinstance(value, list) else [] if value is None else [value]
    found = [i.get("@id") if isinstance(i, dict) else i for i in items]
    return [i for i in found if isinstance(i, str)]
