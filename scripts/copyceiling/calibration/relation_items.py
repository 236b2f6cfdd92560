"""Calibration items of the six labels, made from edges of the graph.

Base constructs assert, deny, swap, mistake, merely name or leave out one gold item. Variants put
something around a base that must not change its label: an injected instruction, padding, 4,000
characters before the content. Source: STUDIES section 5 (labels and their precedence).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from copyceiling.calibration import phrasing
from copyceiling.calibration.edges import Edge, draw, names
from copyceiling.calibration.items import Item
from copyceiling.calibration.relations import Relation, fill
from copyceiling.calibration.variants import Filler, inject, lengthen, pad, variants_of
from copyceiling.stats import named_rng

BASES = ("correct", "list", "name_only", "wrong_relation", "reversed", "negated", "absent")
OTHERS = ("any_one", "language")
VARIANTS = ("injected", "padded", "overlong")
CONSTRUCTS = (*BASES, *OTHERS, *VARIANTS)
LABEL_OF = {
    **{name: name for name in ("name_only", "wrong_relation", "reversed", "negated", "absent")},
    "correct": "correct_relation",
    "list": "correct_relation",
}
# Bases that variants are made of, in turn.
_INJECTED = ("name_only", "absent", "negated", "wrong_relation", "correct", "reversed")
_PADDED = ("correct", "name_only", "absent", "negated", "list", "reversed", "wrong_relation")
_OVERLONG = ("correct", "negated", "list", "reversed")


@dataclass(frozen=True)
class Sources:
    """What items are made of.

    Attributes:
        edges: Gold items that answers can be made of.
        relations: Relations of one subject; wrong ones are taken from other families.
        seed: Study seed.
        filler: Corpus text for over-long answers.
    """

    edges: Sequence[Edge]
    relations: Sequence[Relation]
    seed: int
    filler: Filler


def relation_items(sources: Sources, count: int) -> list[Item]:
    """Return up to ``count`` items a construct, in order of construct and number."""
    bases = {name: _bases(sources, name, count) for name in BASES}
    found = [item for items in bases.values() for item in items]
    found += _any_one(sources, count) + _languages(sources, count)
    found += variants_of(bases, "injected", _INJECTED, count, _inject)
    found += variants_of(bases, "padded", _PADDED, count, pad)
    found += variants_of(bases, "overlong", _OVERLONG, count, sources.filler.around(lengthen))
    return found


def _domain(edge: Edge) -> str:
    return edge.question.domain


def _bases(sources: Sources, construct: str, count: int) -> list[Item]:
    usable = [e for e in sources.edges if e.question.gold_type == "all"]
    if construct == "list":
        longer = [e for e in usable if len(e.gold) > 1]
        usable = longer or usable
    if construct == "reversed":
        usable = [e for e in usable if e.relation.reversible]
    if construct == "wrong_relation":
        usable = [e for e in usable if _others(sources, e)]
    drawn = draw(usable, count, _domain, seed=sources.seed, name=f"relation:{construct}")
    return [_base(sources, construct, i, edge) for i, edge in enumerate(drawn)]


def _base(sources: Sources, construct: str, number: int, edge: Edge) -> Item:
    wording, answer = _WRITERS[construct](sources, number, edge)
    return _item(construct, number, edge, wording, answer, LABEL_OF[construct], "required")


def _item(
    construct: str, number: int, edge: Edge, wording: str, answer: str, label: str, role: str
) -> Item:
    credited = tuple(title for title in edge.others if names(title, answer))
    shown = {
        "question": edge.question.prompt,
        "relation": edge.relation.gloss,
        "edge": edge.line,
        "item": edge.item,
        "gold": edge.gold,
        "gold_type": edge.question.gold_type,
        "credited": credited,
    }
    return Item(
        rubric="relation",
        construct=construct,
        number=number,
        source=edge.source,
        domain=edge.question.domain,
        phrasing=wording,
        answer=answer,
        shown=shown,
        right={"label": label, "role": role},
    )


def _fill(template: str, edge: Edge, clause: str | None = None) -> str:
    return fill(
        template,
        clause=edge.clause if clause is None else clause,
        subject=edge.subject,
        item=edge.item,
        relation=edge.relation.name,
    )


def _turn(templates: Sequence[str], number: int) -> tuple[str, str]:
    place = number % len(templates)
    return str(place), templates[place]


def _said(templates: Sequence[str]) -> "Writer":
    def write(_: Sources, number: int, edge: Edge) -> tuple[str, str]:
        wording, template = _turn(templates, number)
        return wording, _fill(template, edge)

    return write


def _reversed(_: Sources, number: int, edge: Edge) -> tuple[str, str]:
    # The template that names the item as the answer would assert the edge as well.
    wording, template = _turn(phrasing.CORRECT[:2], number)
    return wording, _fill(template, edge, edge.relation.clause(edge.item, edge.subject))


def _others(sources: Sources, edge: Edge) -> list[Relation]:
    """Return the relations that say something else than the one asked for."""
    return [r for r in sources.relations if r.family != edge.relation.family]


def _wrong(sources: Sources, number: int, edge: Edge) -> tuple[str, str]:
    wording, template = _turn(phrasing.CORRECT[:2], number)
    rng = named_rng(sources.seed, f"calibration:wrong:{number}:{edge.source}")
    other = _others(sources, edge)
    chosen = other[int(rng.integers(len(other)))]
    return wording, _fill(template, edge, chosen.clause(edge.subject, edge.item))


def _listed(_: Sources, number: int, edge: Edge) -> tuple[str, str]:
    wording = phrasing.LISTS[number % len(phrasing.LISTS)]
    return wording, write_list(edge.gold, wording)


def write_list(titles: Sequence[str], wording: str) -> str:
    """Return titles as a bare list: ``bullets``, ``commas`` or ``numbers``."""
    if wording == "commas":
        return ", ".join(titles)
    marks = [f"{i}." for i in range(1, len(titles) + 1)] if wording == "numbers" else None
    return "\n".join(f"{marks[i] if marks else '-'} {t}" for i, t in enumerate(titles))


def _absent(sources: Sources, number: int, edge: Edge) -> tuple[str, str]:
    """Leave the item out: of a list of the others where there are any, every other time."""
    if edge.others and number % 2:
        return "others", write_list(edge.others, "bullets")
    wording, template = _turn(phrasing.ABSENT, number // 2)
    return wording, _fill(template, edge)


Writer = Callable[[Sources, int, Edge], tuple[str, str]]
_WRITERS: Mapping[str, Writer] = {
    "correct": _said(phrasing.CORRECT),
    "list": _listed,
    "name_only": _said(phrasing.NAME_ONLY),
    "wrong_relation": _wrong,
    "reversed": _reversed,
    "negated": _said(phrasing.NEGATED),
    "absent": _absent,
}


def _any_one(sources: Sources, count: int) -> list[Item]:
    """Answers without the item, to questions that any item satisfies: with and without another."""
    usable = [e for e in sources.edges if e.question.gold_type == "any" and e.others]
    drawn = draw(usable, count, _domain, seed=sources.seed, name="relation:any_one")
    found = []
    for i, edge in enumerate(drawn):
        other = edge.others[i // 2 % len(edge.others)]
        if i % 2:
            answer, role = _fill(phrasing.ABSENT[0], edge), "n/a"
        else:
            clause = edge.relation.clause(edge.subject, other)
            answer, role = _fill(phrasing.CORRECT[0], edge, clause), "alternative"
        found.append(_item("any_one", i, edge, role, answer, "absent", role))
    return found


def _languages(sources: Sources, count: int) -> list[Item]:
    usable = [e for e in sources.edges if e.question.gold_type == "all"]
    drawn = draw(usable, count, _domain, seed=sources.seed, name="relation:language")
    cells = [(tongue, label) for label in ("correct_relation", "negated") for tongue in _TONGUES]
    found = []
    for i, edge in enumerate(drawn):
        tongue, label = cells[i % len(cells)]
        answer = _fill(phrasing.LANGUAGES[tongue][label], edge)
        item = _item("language", i, edge, f"{tongue}:{label}", answer, label, "required")
        found.append(replace(item, language=tongue))
    return found


_TONGUES = tuple(phrasing.LANGUAGES)


def _inject(item: Item, number: int) -> Item:
    demand = "absent" if item.right["label"] == "correct_relation" else "correct_relation"
    return inject(item, number, "label", demand)
