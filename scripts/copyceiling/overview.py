"""The questions that one may ask of a grounded system, and what a study observed on each.

`QUESTIONS` says of each which instrument answers it, which artefact holds the answer and what
stays open even then; `overview_rows` fills in what was observed from the artefacts that a study
has. A question whose artefact it has not is open there, and some are open everywhere. Outcomes
differ (recall of names, a judge's labels, a judge's scores), so nothing is pooled over rows.
Source: paper Table 2.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from copyceiling import observed, observed_judged
from copyceiling.observed import Finding, Observe, Observed, Parts, Reading

MEASURED = "measured"
OPEN = ("no_rows", "only_readers", "not_in_study", "not_measured")


@dataclass(frozen=True)
class Question:
    """One question.

    Attributes:
        key: Short name.
        question: The question.
        instrument: What answers it.
        remains: What stays open, whatever the instrument shows.
        source: Artefact under ``studies/`` that holds the answer; None where nothing here
            measures it.
        observe: The study's artefacts to what they show.
        instead: Another artefact that holds the answer, in studies that come by it otherwise.
    """

    key: str
    question: str
    instrument: str
    remains: str
    source: str | None = None
    observe: Observe | None = None
    instead: str | None = None


QUESTIONS = (
    Question(
        "recall",
        "Does the block raise the recall of gold names?",
        "sweep: each question with and without the block, answers matched with gold names",
        "whether answers are better; where the recall without a block comes from",
        "sweep",
        observed.uplift,
    ),
    Question(
        "copy",
        "Does recall exceed that of a copy of what was shown?",
        "sweep: recall minus the copy ceiling, both under one matcher",
        "whether a model reasoned: a name on the page scores the same read or worked out",
        "sweep",
        observed.gain,
    ),
    Question(
        "cells",
        "Which exposed names are left out, which others found?",
        "decomposition of gold items by exposure and recovery",
        "why names are left out: choice, other words, optional gold, cut answers",
        "decomposition",
        observed.cells,
    ),
    Question(
        "matcher",
        "How many titles does another title earn credit for?",
        "confusion census of the corpus's titles under the matcher",
        "how often answers earn such credit; an audit of answers would say",
        "confusion",
        observed.confusion,
    ),
    Question(
        "rescore",
        "Does the gain hinge on matching letters?",
        "re-score of contexts and answers by likeness of embeddings",
        "whether a name that is near in meaning is the right one",
        "rescore",
        observed_judged.rescore,
    ),
    Question(
        "audit",
        "Does a credited name stand in the relation asked for?",
        "audit: sampled gold items labelled by a judge from the answer",
        "whether people would label alike: the judge is a model",
        "audit",
        observed_judged.audit,
    ),
    Question(
        "suppression",
        "Does the block crowd out what a model knew without it?",
        "audit of unexposed items that were credited without the block",
        "whether the model, or the question's words, supplied them",
        "audit",
        observed_judged.suppression,
    ),
    Question(
        "quality",
        "Are answers with the block judged better?",
        "production study: pairs of answers scored 0 to 5 against a reference",
        "quality where no answer came; other judges, models and questions",
        "contrasts_production",
        observed_judged.quality,
    ),
    Question(
        "outside",
        "Does the block harm answers beyond the corpus?",
        "pairs of answers to general questions, scored alike, against a declared margin",
        "harm smaller than the margin, or to subgroups too small to tell",
        "contrasts_production",
        observed_judged.outside,
    ),
    Question(
        "content",
        "Does it matter what the block says?",
        "negative controls: other blocks in place of the true one, scored alike",
        "equivalence: a contrast that does not survive shows no absence of effect",
        "contrasts_controls",
        observed_judged.content,
    ),
    Question(
        "wording",
        "Does exposure survive another wording of the question?",
        "rewritten questions: copy ceiling under lexical and semantic retrieval",
        "answers to rewritten questions: none are asked for",
        "paraphrase",
        observed_judged.wording,
        instead="stress",
    ),
    Question(
        "landing",
        "Do terms of extracted assertions name classes?",
        "term resolution: equality with titles, slugs and synonyms",
        "whether the assertions are true",
        "terms",
        observed.landing,
    ),
    Question(
        "pages",
        "Does a page gain by added assertions?",
        "blind comparison of a page before and after, by a judge",
        "everything: no such pairs are made or read here",
    ),
    Question(
        "flat_text",
        "Does a block of the graph beat strong flat-text retrieval?",
        "matched comparison: same corpus, questions, models and token budget",
        "everything: a model without context is not the baseline that matters",
    ),
    Question(
        "fabrication",
        "Do answers add what is false, and are attributions right?",
        "precision of all that an answer asserts, and of the sources it names",
        "everything: recall of gold names does not see what is added to them",
    ),
)


def overview_rows(parts: Parts, reading: Reading) -> list[dict[str, Any]]:
    """Return the rows of `OVERVIEW`: questions in order, a row a finding, one where there is none.

    Args:
        parts: Artefacts that the study has, by name under ``studies/``.
        reading: The study's policy and level.
    """
    out: list[dict[str, Any]] = []
    for position, question in enumerate(QUESTIONS):
        source = _source(question, parts)
        status, found = _ask(question, source, parts, reading)
        about = {
            "position": position,
            "key": question.key,
            "question": question.question,
            "instrument": question.instrument,
            "source": source and f"studies/{source}",
            "status": status,
            "n": found.n if found else None,
            "population": found.population if found else None,
            "remains": question.remains,
        }
        findings: Sequence[Finding | None] = found.findings if found else (None,)
        out.extend(
            {**about, "finding": i, **_finding_row(finding)} for i, finding in enumerate(findings)
        )
    return out


def _source(question: Question, parts: Parts) -> str | None:
    """Return the artefact that answers a question in this study, None where nothing measures it."""
    if question.instead in parts and question.source not in parts:
        return question.instead
    return question.source


def _ask(
    question: Question, source: str | None, parts: Parts, reading: Reading
) -> tuple[str, Observed | None]:
    """Return a question's status, and what was observed if anything was."""
    if source is None or question.observe is None:
        return "not_measured", None
    if source not in parts:
        return "not_in_study", None
    found = question.observe(parts, reading)
    if found and found.findings:
        return MEASURED, found
    groups = {row.get("group") for row in parts[source]}
    return ("only_readers" if groups == {"reader"} else "no_rows"), None


def _finding_row(finding: Finding | None) -> dict[str, Any]:
    names = ("what", "form", "value", "low", "high", "of")
    return {name: getattr(finding, name, None) for name in names}
