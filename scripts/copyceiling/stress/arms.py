"""Exposure by retrieval, without a model: what each arm shows of a question's gold.

Every arm has the same number of seeds and the same token budget, and differs in nothing but which
classes it retrieves. Gated arms choose between these per question; see `gates`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from copyceiling.matching import Text, match_all
from copyceiling.questions import Question
from copyceiling.requests import build_messages, visible_input
from copyceiling.retrieval import Seed
from copyceiling.scaffold import ScaffoldEngine, estimate_tokens
from copyceiling.scoring import Gold
from copyceiling.semantic import N_HITS, Hit, disagreement, fuse
from copyceiling.text import words

ARMS = ("lexical", "semantic", "semantic_titles", "fused")
VERSIONS = ("original", "rewritten")


@dataclass(frozen=True)
class Asked:
    """A question in one of its versions.

    Attributes:
        question: With the prompt and the retrieval text of this version.
        version: ``original`` or ``rewritten``.
        how: How the rewrite was made; None for the original.
    """

    question: Question
    version: str
    how: str | None = None

    @classmethod
    def rewritten(cls, question: Question, text: str, how: str) -> "Asked":
        """Return a question as rewritten: retrieval sees all of the rewrite."""
        return cls(replace(question, prompt=text, retrieval_text=text), "rewritten", how)


@dataclass(frozen=True)
class Found:
    """What the retrievers find for one version of a question, best first."""

    lexical: tuple[Seed, ...]
    semantic: tuple[Hit, ...]
    titles: tuple[Hit, ...]

    def seeds(self, arm: str, n: int) -> list[str]:
        """Return an arm's seeds, at most n."""
        lexical, semantic = [s.slug for s in self.lexical], [h.slug for h in self.semantic]
        if arm == "fused":
            return fuse([lexical, semantic], n)
        rankings = {"lexical": lexical, "semantic": semantic}
        rankings["semantic_titles"] = [h.slug for h in self.titles]
        return rankings[arm][:n]


def retrieve(
    asked: Asked, engine: ScaffoldEngine, semantic: Sequence[Hit], titles: Sequence[Hit]
) -> Found:
    """Return what each retriever finds; the lexical ranking is as deep as the semantic one."""
    ranked = engine.index.seeds(asked.question.retrieval_text, N_HITS)
    return Found(tuple(ranked), tuple(semantic), tuple(titles))


def exposure_rows(
    asked: Asked, found: Found, engine: ScaffoldEngine, preamble: str
) -> list[dict[str, Any]]:
    """Return one row an arm (`ARM_EXPOSURE`) for one version of a question."""
    gold = Gold.of(asked.question)
    alone = match_all(gold.titles, Text.of(asked.question.prompt))
    rows = []
    for arm in ARMS:
        seeds = found.seeds(arm, engine.max_seeds)
        block, _ = engine.block(seeds)
        shown = build_messages(preamble, block, asked.question.prompt)
        matched = match_all(gold.titles, Text.of(visible_input(shown)))
        rows.append(
            {
                "question_id": asked.question.id,
                "version": asked.version,
                "arm": arm,
                "domain": asked.question.domain,
                "seeds": seeds,
                "tokens": estimate_tokens(block),
                "gold_type": asked.question.gold_type,
                "n_gold": len(matched),
                "n_exposed": sum(m.paper for m in matched),
                "n_exposed_strict": sum(m.strict for m in matched),
                "n_alone": sum(m.paper for m in alone),
                "n_alone_strict": sum(m.strict for m in alone),
            }
        )
    return rows


def boilerplate(prompts: Mapping[str, Sequence[str]], frames: Sequence[str] = ()) -> frozenset[str]:
    """Return the words of the wording: those that prompts hold outside their subjects' titles.

    Args:
        prompts: Prompt to the titles of its subjects.
        frames: Further sentences whose words belong to the wording.
    """
    found = {w for frame in frames for w in words(frame)}
    for prompt, titles in prompts.items():
        for title in sorted(titles, key=len, reverse=True):
            prompt = prompt.replace(title, " ")
        found.update(words(prompt))
    return frozenset(found)


def signal_row(
    asked: Asked, found: Found, engine: ScaffoldEngine, wording: frozenset[str], half: str
) -> dict[str, Any]:
    """Return what a gate can see of one version of a question (`SIGNALS`)."""
    stripped = " ".join(w for w in words(asked.question.retrieval_text) if w not in wording)
    best = engine.index.seeds(stripped, 1)
    lexical = [s.slug for s in found.lexical[: engine.max_seeds]]
    return {
        "question_id": asked.question.id,
        "version": asked.version,
        "how": asked.how,
        "half": half,
        "subjects": list(asked.question.class_slugs),
        "n_lexical": len(lexical),
        "top_score": found.lexical[0].score if found.lexical else None,
        "stripped_score": best[0].score if best else None,
        "disagreement": disagreement(lexical, [h.slug for h in found.semantic]),
    }
