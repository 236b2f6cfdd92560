"""What the production study asks: graph questions served and raw, general ones with and without.

A graph question is served as a node would serve it, its block in the system message; a general
one gets preamble, block and question as one user message, and is asked bare where nothing
matches. Source: STUDIES sections 3 and 6.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from copyceiling.arms.asking import QuestionKey
from copyceiling.arms.prompts import NO_BLOCK, prompt_row
from copyceiling.audit.allocate import largest_remainder
from copyceiling.production.general import GeneralQuestion
from copyceiling.production.references import Reference
from copyceiling.questions import Question
from copyceiling.requests import Message
from copyceiling.served import Served, wrap
from copyceiling.stats import named_rng

Serve = Callable[[str, int], Served]
Rows = list[dict[str, Any]]
PRODUCTION, GENERAL = "production", "general"


def draw_questions(
    questions: Sequence[Question], count: int | None, seed: int, part: str = PRODUCTION
) -> list[Question]:
    """Return so many questions spread over the templates by their share, in order of id.

    Each template has a random stream of its own, so a change of one share moves no other draw.

    Args:
        questions: The study's questions.
        count: How many; None, or more than there are, takes all.
        seed: Study seed.
        part: Part of the study that asks them; names the streams.
    """
    if count is None or count >= len(questions):
        return sorted(questions, key=lambda q: q.id)
    strata: dict[str, list[Question]] = {}
    for question in sorted(questions, key=lambda q: q.id):
        strata.setdefault(question.template, []).append(question)
    shares = largest_remainder(count, {name: len(of) for name, of in strata.items()})
    drawn = []
    for name, of in strata.items():
        order = named_rng(seed, f"{part}:questions:{name}").permutation(len(of)).tolist()
        drawn += [of[i] for i in order[: shares[name]]]
    return sorted(drawn, key=lambda q: q.id)


def production_rows(
    questions: Sequence[Question],
    references: Mapping[str, Reference],
    serve: Serve,
    *,
    preamble: str,
    budget: int,
) -> tuple[Rows, Rows]:
    """Return rows of `ARM_PROMPTS` (arms ``served`` and ``raw``) and of `REFERENCES`.

    The set of a question is its template.

    Args:
        questions: What is asked.
        references: Question id to reference.
        serve: Query and token budget to what is served.
        preamble: Text before a block.
        budget: Token budget of a block, before the confidence gate.
    """
    prompts: Rows = []
    told: Rows = []
    for question in questions:
        key = QuestionKey(PRODUCTION, question.template, question.id)
        gold = [item.title for item in question.gold]
        served = serve(question.retrieval_text, budget)
        raw = (Message("user", question.prompt),)
        for arm, messages, telemetry in (
            ("served", wrap(raw, preamble, served.block), served.telemetry()),
            ("raw", raw, NO_BLOCK),
        ):
            prompts.append(
                prompt_row(
                    key,
                    arm,
                    messages,
                    question=question.prompt,
                    telemetry=telemetry,
                    gold=gold,
                )
            )
        told.append(
            _reference_row(
                key,
                question.prompt,
                references[question.id],
                gold=gold,
                gold_type=question.gold_type,
                template=question.template,
                domain=question.domain,
            )
        )
    return prompts, told


def general_rows(
    questions: Sequence[GeneralQuestion], serve: Serve, *, preamble: str, budget: int
) -> tuple[Rows, Rows]:
    """Return rows of `ARM_PROMPTS` (arms ``harness`` and ``bare``) and of `REFERENCES`.

    The set of a question is its stratum; the block is fetched once a question.

    Args:
        questions: What is asked.
        serve: Query and token budget to what is served.
        preamble: Text before a block.
        budget: Token budget of a block.
    """
    prompts: Rows = []
    told: Rows = []
    for question in questions:
        key = QuestionKey(GENERAL, question.stratum, question.id)
        served = serve(question.text, budget)
        bare = Message("user", question.text)
        parts = [part for part in (preamble, served.block, question.text) if part]
        harness = Message("user", "\n\n".join(parts)) if served.block else bare
        for arm, message, telemetry in (
            ("harness", harness, served.telemetry()),
            ("bare", bare, NO_BLOCK),
        ):
            prompts.append(
                prompt_row(key, arm, [message], question=question.text, telemetry=telemetry)
            )
        told.append(_reference_row(key, question.text, question.reference))
    return prompts, told


def _reference_row(
    key: QuestionKey,
    question: str,
    reference: Reference,
    *,
    gold: Sequence[str] = (),
    gold_type: str | None = None,
    template: str | None = None,
    domain: str | None = None,
) -> dict[str, Any]:
    return {
        **key._asdict(),
        "question": question,
        "reference": reference.text,
        "key_points": list(reference.key_points),
        "gold": list(gold),
        "gold_type": gold_type,
        "template": template,
        "domain": domain,
        "source": reference.source,
    }
