"""The page that ``copyceiling corpus`` prints: what a source holds, as Markdown tables."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from copyceiling.corpus.account import by_kind, lost, one_line, pages_read
from copyceiling.corpus.build import unmatchable
from copyceiling.corpus.choice import choose, why_chosen
from copyceiling.corpus.model import OntologyClass
from copyceiling.corpus.survey import (
    CENSUS_SAMPLE,
    MAX_WORDED,
    Setting,
    Survey,
    relation_types,
)
from copyceiling.errors import CorpusError
from copyceiling.questions import TEMPLATES
from copyceiling.render import MISSING, Panel, Show, Table, integer, markdown, text

_SHOWN = 25  # rows of a table that may be long
_EXAMPLES = 3
_EXAMPLE_CHARS = 110
_BUCKETS = ((1, 1), (2, 2), (3, 5), (6, None))


def page(found: Survey) -> str:
    """Return the report on a source."""
    tables = [
        _overview(found),
        _relations(found.classes),
        *(_domains(rule, corpus.classes) for rule, corpus in found.corpora.items()),
        _faults(found),
        _census(found),
        _settings(found),
    ]
    return "\n".join(map(markdown, tables))


def _facts(caption: str, facts: Mapping[str, object], notes: Sequence[str] = ()) -> Table:
    rows = [{"what": what, "found": _cell(value)} for what, value in facts.items()]
    columns = [Show("What", text("what"), "left"), Show("Found", text("found"))]
    return Table(caption, [Panel("", columns, rows)], notes)


def _cell(value: object) -> str:
    if value is None:
        return MISSING
    return f"{value:,}" if isinstance(value, int) else _plain(str(value))


def _plain(value: str) -> str:
    """Return a text that cannot break a Markdown table or a terminal."""
    return one_line(value, _EXAMPLE_CHARS).replace("|", "\\|")


def _overview(found: Survey) -> Table:
    classes = found.classes
    blind = unmatchable(classes)
    lengths = np.array([len(c.definition) for c in classes if c.definition])
    tenth, median, ninth = (
        np.percentile(lengths, [10, 50, 90], method="lower").astype(int).tolist()
        if len(lengths)
        else (None, None, None)
    )
    facts = {
        "format": found.form,
        "sha256": found.sha256,
        "classes read": found.n_read,
        "records that could not be read": found.n_lost,
        "classes kept": len(classes),
        "with a parent in the corpus": sum(bool(c.parents) for c in classes),
        "with a relation to a class of the corpus": sum(bool(c.relations) for c in classes),
        "with a definition": len(lengths),
        "definition characters, 10th percentile": tenth,
        "definition characters, median": median,
        "definition characters, 90th percentile": ninth,
        "with a stated quality": sum(c.quality is not None for c in classes),
        "unmatchable titles": len(blind),
    }
    notes = [f"{lost(found.n_read, found.n_lost)}; see the faults"] if found.n_lost else []
    if found.form == "markdown":
        notes.append(pages_read(found.n_read, found.passed_over))
    notes += [
        f"unmatchable (no letter a-z, no digit): '{_plain(c.title)}' ({_plain(c.id)})"
        for c in blind[:_EXAMPLES]
    ]
    return _facts(f"What was read from {found.path.name}", facts, notes)


def _relations(classes: Sequence[OntologyClass]) -> Table:
    types = relation_types(classes)
    of_type = {name: [c.relations[name] for c in classes if name in c.relations] for name in types}
    rows = [_relation_row("(parents)", [c.parents for c in classes if c.parents])]
    rows += [_relation_row(name, of_type[name]) for name in types[:_SHOWN]]
    columns = [
        Show("Relation", text("name"), "left"),
        Show("Classes", integer("classes")),
        Show("Targets", integer("targets")),
        Show("Distinct", integer("distinct")),
        *(Show(_bucket(low, high), integer(_bucket(low, high))) for low, high in _BUCKETS),
    ]
    notes = [_left_out(len(types), "relation types")] if len(types) > _SHOWN else []
    caption = "Relations: classes that have them, and how many have 1, 2, 3 to 5, 6 or more targets"
    return Table(caption, [Panel("", columns, rows)], notes)


def _bucket(low: int, high: int | None) -> str:
    return f"{low}+" if high is None else str(low) if low == high else f"{low}-{high}"


def _relation_row(name: str, targets: Sequence[Sequence[str]]) -> dict[str, Any]:
    buckets = {
        _bucket(low, high): sum(low <= len(t) <= (high or len(t)) for t in targets)
        for low, high in _BUCKETS
    }
    return {
        "name": _plain(name),
        "classes": len(targets),
        "targets": sum(map(len, targets)),
        "distinct": len({slug for t in targets for slug in t}),
        **buckets,
    }


def _left_out(total: int, what: str) -> str:
    return f"{total - _SHOWN:,} more {what} are not shown"


def _domains(rule: str, classes: Sequence[OntologyClass]) -> Table:
    sizes = Counter(c.domain for c in classes if c.domain)
    titles = {c.slug: c.title for c in classes} if rule == "branches" else {}
    ordered = sorted(sizes, key=lambda d: (-sizes[d], d))
    rows = [{"name": _plain(titles.get(d, d)), "n": sizes[d]} for d in ordered[:_SHOWN]]
    columns = [Show("Domain", text("name"), "left"), Show("Classes", integer("n"))]
    notes = [_in_none([c for c in classes if not c.domain])]
    notes += [_left_out(len(sizes), "domains")] if len(sizes) > _SHOWN else []
    what = "as the source states them" if rule == "source" else "the branches below the roots"
    return Table(f"Domains, corpus.domains: {rule} ({what})", [Panel("", columns, rows)], notes)


def _in_none(classes: Sequence[OntologyClass]) -> str:
    """Return how many classes are in no domain, and the first few of them."""
    if not classes:
        return "every class is in a domain"
    first = ", ".join(_plain(c.title) for c in classes[:_EXAMPLES])
    more = ", ..." if len(classes) > _EXAMPLES else ""
    one = "1 class is in no domain"
    what = one if len(classes) == 1 else f"{len(classes):,} classes are in no domain"
    return f"{what}: {first}{more}"


def _faults(found: Survey) -> Table:
    rows = [
        {
            "kind": kind,
            "n": len(issues) if n == 0 else None,
            "example": _plain(f"{issue.where}: {issue.field}: {issue.detail}"),
        }
        for kind, issues in by_kind(found.issues).items()
        for n, issue in enumerate(issues[:_EXAMPLES])
    ]
    columns = [
        Show("Fault", text("kind"), "left"),
        Show("Found", lambda row: "" if row["n"] is None else f"{row['n']:,}"),
        Show("For example", text("example"), "left"),
    ]
    notes = ["A study stops at a fault unless corpus.policy says drop; this report drops them."]
    caption = f"Faults of the source: {len(found.issues):,}"
    return Table(caption, [Panel("", columns, rows)] if rows else [], notes if rows else ["none"])


def _census(found: Survey) -> Table:
    rows = found.census
    facts = {
        "titles looked at": len(rows),
        "named by another class's title": sum(r["n_substring"] + r["n_word_bag"] > 0 for r in rows),
        "of these as whole words in order (strict)": sum(r["n_strict"] > 0 for r in rows),
        "named by their own opposite": sum(bool(r["antonym_credited"]) for r in rows),
    }
    note = "Where titles nest, drop_gold_in_question leaves out gold that the question itself names"
    sample = "all titles" if len(rows) < CENSUS_SAMPLE else f"a random sample of {CENSUS_SAMPLE}"
    return _facts(f"Confusion census, {sample}", facts, [note])


def _settings(found: Survey) -> Table:
    try:
        chosen: Setting | None = choose(found)
        notes = [f"* is what `copyceiling init` takes: {why_chosen(found)}"]
    except CorpusError as e:
        chosen, notes = None, [str(e)]
    rows = [_setting_row(s, s is chosen) for s in found.grid if s.total]
    if len(rows) < len(found.grid):
        notes.append(f"{len(found.grid) - len(rows)} settings that give no question are not shown")
    keys = ("min_relation_types", "min_targets", "min_domain_classes", "drop_gold_in_question")
    columns = [
        Show("", text("mark"), "left"),
        Show("domains", text("domains"), "left"),
        *(Show(key, text(key)) for key in keys),
        Show("Eligible", integer("eligible")),
        Show("Domains", integer("n_domains")),
        *(Show(template, integer(template)) for template in TEMPLATES),
        Show("Questions", integer("total")),
        Show("Relations", text("share")),
    ]
    questions = found.grid[0].questions
    notes.append(f"all with min_definition_chars {questions['min_definition_chars']}")
    if found.n_unworded:
        notes.append(f"only the {MAX_WORDED} commonest relation types are asked for")
    notes += [f"not asked for: {n}: {why}" for n, why in found.wording.unworded.items()]
    return Table("Questions that each setting would give", [Panel("", columns, rows)], notes)


def _setting_row(s: Setting, chosen: bool) -> dict[str, Any]:
    share = s.relation_share
    return {
        "mark": "*" if chosen else "",
        "domains": s.domains,
        **s.questions,
        "drop_gold_in_question": "true" if s.questions["drop_gold_in_question"] else "false",
        "eligible": s.eligible,
        "n_domains": s.n_domains,
        **s.counts,
        "total": s.total,
        "share": MISSING if share is None else f"{share:.0%}",
    }
