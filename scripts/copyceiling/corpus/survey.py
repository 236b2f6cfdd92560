"""Surveys an ontology for someone who wants to make a study of it: what is there to ask?

Faults are counted here, never fatal. Which settings give how many questions is counted by the
generator itself, over a small grid, so that what is promised is what the study will draw.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from copyceiling.config import resolve
from copyceiling.confusion import census_rows
from copyceiling.corpus.account import why_no_class
from copyceiling.corpus.build import FAULTS, build_corpus
from copyceiling.corpus.files import locate
from copyceiling.corpus.model import Corpus, Issue, OntologyClass, RawClass
from copyceiling.corpus.read import guess_format, read_raw
from copyceiling.corpus.wording import Wording, word_questions
from copyceiling.errors import CorpusError
from copyceiling.questions import TEMPLATES, QuestionGenerator
from copyceiling.retrieval import RetrievalIndex

SEED = 42
CENSUS_SAMPLE = 500
MAX_WORDED = 30  # relation types that get a wording; of a vocabulary with more, the commonest
_DROP_ALL = dict.fromkeys(FAULTS, "drop")
_SMALL_CORPUS = 200  # classes; below, domains of ten are much to ask for
_DEFINITION_CHARS = (120, 60, 20, 0)
_BROAD_ROOT = 10  # a root above at least one class in so many answers nothing


@dataclass(frozen=True)
class Setting:
    """One row of the grid: settings, and what they give.

    Attributes:
        domains: ``source`` or ``branches`` (corpus.domains).
        questions: The other settings, as keys of a study's ``questions`` section.
        eligible: Classes that questions may be about, in domains that are large enough.
        n_domains: Such domains.
        counts: Questions by template, drawn with seed `SEED`.
    """

    domains: str
    questions: Mapping[str, Any]
    eligible: int
    n_domains: int
    counts: Mapping[str, int]

    @property
    def total(self) -> int:
        """Questions in all."""
        return sum(self.counts.values())

    @property
    def relation_share(self) -> float | None:
        """Share of questions about relations, None if there is no question."""
        return self.counts["T-REL"] / self.total if self.total else None


@dataclass(frozen=True)
class Survey:
    """What one source holds; ``corpora`` has the same classes under each rule for domains.

    ``n_read`` classes were read, ``n_lost`` records could not be; ``passed_over`` says why pages
    hold no class (reason to number).
    """

    path: Path
    form: str
    sha256: str
    n_read: int
    n_lost: int
    passed_over: Mapping[str, int]
    corpora: Mapping[str, Corpus]
    wording: Wording
    n_unworded: int
    census: Sequence[Mapping[str, Any]]
    grid: Sequence[Setting]

    @property
    def classes(self) -> tuple[OntologyClass, ...]:
        """The classes, in corpus order."""
        return next(iter(self.corpora.values())).classes

    @property
    def issues(self) -> tuple[Issue, ...]:
        """Every fault met."""
        return next(iter(self.corpora.values())).issues

    @property
    def nesting_share(self) -> float:
        """Share of sampled titles that another class's title names by itself."""
        hits = sum(bool(row["n_substring"] or row["n_word_bag"]) for row in self.census)
        return hits / len(self.census) if self.census else 0.0


def survey(path: str, *, form: str | None = None, package: str | None = None) -> Survey:
    """Read a source in whatever state it is and count what a study could ask of it.

    Args:
        path: File, folder or archive; with package, a path inside it.
        form: One of `copyceiling.corpus.read.FORMATS`; None guesses from the name.
        package: Installed package that carries the file.

    Raises:
        CorpusError: Nothing there, a name that tells no format, or no class in it.
    """
    found = locate(path, package)
    form = form or guess_format(found)
    read = read_raw(found, form)
    corpora = _corpora(read.classes, read.issues, found.name)
    first = next(iter(corpora.values()))
    if not first.classes:
        what = "pages" if form == "markdown" else "file"
        raise CorpusError(
            f"{why_no_class(found, form, read, first.issues)}\n"
            f"Mend the {what}, or say another format with --format."
        )
    index = RetrievalIndex(first.classes)
    types = relation_types(first.classes)
    wording = word_questions(index, types[:MAX_WORDED])
    return Survey(
        path=found,
        form=form,
        sha256=read.sha256,
        n_read=len(read.classes),
        n_lost=read.n_lost,
        passed_over=read.passed_over,
        corpora=corpora,
        wording=wording,
        n_unworded=max(len(types) - MAX_WORDED, 0),
        census=census_rows(first.classes, seed=SEED, sample=CENSUS_SAMPLE),
        grid=[s for rule, corpus in corpora.items() for s in _grid(rule, corpus.classes, wording)],
    )


def _corpora(raw: Sequence[RawClass], issues: Sequence[Issue], name: str) -> dict[str, Corpus]:
    """Return the corpus under each rule for domains that gives it any, at least one."""
    built: dict[str, Corpus] = {}
    for rule in ("source", "branches"):
        corpus = build_corpus(
            raw,
            source=name,
            policy=_DROP_ALL,
            issues=issues,
            branch_domains=rule == "branches",
        )
        built[rule] = corpus
    useful = {rule: c for rule, c in built.items() if any(k.domain for k in c.classes)}
    return useful or {"source": built["source"]}


def relation_types(classes: Sequence[OntologyClass]) -> list[str]:
    """Return the relation types, that of most classes first, ties by name."""
    counts = Counter(name for c in classes for name in c.relations)
    return sorted(counts, key=lambda name: (-counts[name], name))


def broad_roots(classes: Sequence[OntologyClass]) -> list[str]:
    """Return the roots that lie above a tenth of the classes, with a level between."""
    parentless = {c.slug for c in classes if not c.parents}
    below = Counter(a for c in classes for a in c.ancestors if a in parentless)
    deep = set(below)
    below.update(p for c in classes for p in c.parents if p in deep)
    return sorted(s for s, n in below.items() if n * _BROAD_ROOT >= len(classes))


def _definition_chars(classes: Sequence[OntologyClass]) -> int:
    """Return the longest of the usual minimums that at least half of the classes reach."""
    lengths = [len(c.definition) for c in classes]
    return next(n for n in _DEFINITION_CHARS if 2 * sum(x >= n for x in lengths) >= len(lengths))


def _grid(rule: str, classes: Sequence[OntologyClass], wording: Wording) -> list[Setting]:
    sizes = (3, 10) if len(classes) < _SMALL_CORPUS else (10, 50)
    fixed = {
        "min_definition_chars": _definition_chars(classes),
        "drop_gold": broad_roots(classes) if rule == "branches" else [],
    }
    return [
        _measure(
            rule,
            classes,
            wording,
            {
                **fixed,
                "min_relation_types": types,
                "min_targets": targets,
                "min_domain_classes": size,
                "drop_gold_in_question": drop,
            },
        )
        for types, targets, size, drop in product((2, 1, 0), (2, 1), sizes[::-1], (False, True))
    ]


def _measure(
    rule: str, classes: Sequence[OntologyClass], wording: Wording, questions: Mapping[str, Any]
) -> Setting:
    generator = QuestionGenerator(
        classes, {**_question_defaults(), **questions, "wording": wording.settings()}
    )
    eligible = generator.eligible()
    counts = Counter(q.template for q in generator.generate(SEED))
    return Setting(
        domains=rule,
        questions=dict(questions),
        eligible=sum(map(len, eligible.values())),
        n_domains=len(eligible),
        counts={template: counts[template] for template in TEMPLATES},
    )


def _question_defaults() -> dict[str, Any]:
    """Return the ``questions`` section of a study that sets none of it."""
    corpus = {"name": "", "version": "", "source": "", "licence": "", "format": "obo", "path": ""}
    sweep = {"models": ["reader-copy"]}
    study = {"study": "x", "title": "", "corpus": corpus, "questions": {}, "sweep": sweep}
    return dict(resolve(study, "defaults")["questions"])


def with_gold(found: Survey, chosen: Setting) -> dict[str, int]:
    """Return, for each worded relation type, the eligible classes that it can be asked of."""
    settings = {**_question_defaults(), **chosen.questions, "wording": found.wording.settings()}
    classes = found.corpora[chosen.domains].classes
    known = {c.slug for c in classes}
    most = settings["max_targets"]
    counts = dict.fromkeys(found.wording.relations, 0)
    for of_domain in QuestionGenerator(classes, settings).eligible().values():
        for c in of_domain:
            for name in counts.keys() & c.relations.keys():
                n = len(known.intersection(c.relations[name]))
                counts[name] += settings["min_targets"] <= n <= most
    return counts
