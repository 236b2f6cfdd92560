"""Template contamination: what a question's wording does to retrieval (STUDIES section 2).

The same questions are retrieved twice: by the whole prompt, and by their subjects' titles alone. A
wording that names a class ("according to the ... knowledge graph") brings that class in as a seed
on nearly every question, whatever is asked.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from copyceiling.matching import Text, match_all
from copyceiling.questions import Question
from copyceiling.requests import build_messages, visible_input
from copyceiling.scaffold import Scaffold, ScaffoldEngine
from copyceiling.scoring import Gold, question_score
from copyceiling.stress.analysis import mean, paired_intervals
from copyceiling.sweep import Settings
from copyceiling.text import STOP_WORDS, words

QUERIES = ("prompt", "titles")
_MATCHERS = ("paper", "strict")


@dataclass(frozen=True)
class Retrieved:
    """What one query retrieves for one question, and which gold items that exposes."""

    question: Question
    scaffold: Scaffold
    exposed: Mapping[str, tuple[bool, ...]]
    foreign: int

    def score(self, matcher: str) -> Fraction:
        """Return the copy ceiling."""
        flags = self.exposed[matcher]
        return Fraction(*question_score(sum(flags), len(flags), self.question.gold_type))

    def fraction(self, matcher: str) -> Fraction:
        """Return the share of gold exposed."""
        return Fraction(sum(self.exposed[matcher]), len(self.exposed[matcher]))


def retrieve(
    questions: Sequence[Question], titles: Mapping[str, str], engine: ScaffoldEngine, preamble: str
) -> dict[str, list[Retrieved]]:
    """Return what each query retrieves for each question, in order.

    Args:
        questions: The questions.
        titles: Title of each class by slug.
        engine: Over the corpus.
        preamble: Text before the block.
    """
    out: dict[str, list[Retrieved]] = {query: [] for query in QUERIES}
    for question in questions:
        gold = Gold.of(question)
        subjects = [titles[slug] for slug in question.class_slugs]
        own = {w for title in subjects for w in words(title)} - STOP_WORDS
        for query, text in zip(QUERIES, (question.prompt, "; ".join(subjects)), strict=True):
            scaffold = engine.scaffold(text)
            shown = build_messages(preamble, scaffold.block, question.prompt)
            found = match_all(gold.titles, Text.of(visible_input(shown)))
            exposed = {
                "paper": tuple(m.paper for m in found),
                "strict": tuple(m.strict for m in found),
            }
            foreign = sum(not own.intersection(words(titles[s.slug])) for s in scaffold.seeds)
            out[query].append(Retrieved(question, scaffold, exposed, foreign))
    return out


def contamination_rows(
    found: Mapping[str, Sequence[Retrieved]], settings: Settings
) -> list[dict[str, Any]]:
    """Return the rows of `CONTAMINATION`: a row a query and matcher."""
    domains = [r.question.domain for r in found["prompt"]]
    rows = []
    for query in QUERIES:
        for matcher in _MATCHERS:
            scores = [r.score(matcher) for r in found[query]]
            base = [r.score(matcher) for r in found["prompt"]]
            differences = [s - b for s, b in zip(scores, base, strict=True)]
            rows.append(
                {
                    "query": query,
                    "matcher": matcher,
                    "n": len(scores),
                    "n_domains": len(set(domains)),
                    "ceiling": mean(scores),
                    "exposed_fraction": mean([r.fraction(matcher) for r in found[query]]),
                    "difference": mean(differences),
                    **paired_intervals("difference", differences, domains, settings),
                    "n_better": sum(d > 0 for d in differences),
                    "n_worse": sum(d < 0 for d in differences),
                    **_block_columns(found[query]),
                }
            )
    return rows


def _block_columns(found: Sequence[Retrieved]) -> dict[str, float | None]:
    first = [
        bool(r.scaffold.seeds) and r.scaffold.seeds[0].slug in r.question.class_slugs for r in found
    ]
    return {
        "tokens": mean([Fraction(r.scaffold.tokens) for r in found]),
        "seeds": mean([Fraction(len(r.scaffold.seeds)) for r in found]),
        "subjects_first": mean([Fraction(f) for f in first]),
        "foreign": mean([Fraction(r.foreign) for r in found]),
    }


def intruder_rows(
    found: Mapping[str, Sequence[Retrieved]], titles: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Return the rows of `INTRUDERS`: classes that a prompt retrieves and its titles do not."""
    slugs = {query: [[s.slug for s in r.scaffold.seeds] for r in found[query]] for query in QUERIES}
    counts = {query: Counter(s for seeds in slugs[query] for s in seeds) for query in QUERIES}
    pairs = list(zip(slugs["prompt"], slugs["titles"], strict=True))
    both = Counter(s for prompt, title in pairs for s in prompt if s in title)
    first = Counter(prompt[0] for prompt, _ in pairs if prompt)
    return [
        {
            "slug": slug,
            "title": titles[slug],
            "prompt": n,
            "titles": counts["titles"][slug],
            "both": both[slug],
            "first": first[slug],
            "questions": len(pairs),
        }
        for slug, n in sorted(counts["prompt"].items())
        if both[slug] < n
    ]
