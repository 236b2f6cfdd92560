"""What is asked: prompts by arm, and what each context exposes of each gold item, as rows."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from copyceiling.arms.asking import QuestionKey
from copyceiling.arms.prompts import NO_BLOCK, prompt_row
from copyceiling.calibration.relations import Relation
from copyceiling.matching import Text, Title
from copyceiling.production.references import graph_reference
from copyceiling.scaffold import estimate_tokens
from copyceiling.wrappers.contexts import Context, arm_messages
from copyceiling.wrappers.texts import RAW, Wrapper

COHORT = "wrappers"
Rows = list[dict[str, Any]]


def key_of(context: Context) -> QuestionKey:
    """Return which question a context is of; the set says how gold is left out."""
    return QuestionKey(COHORT, context.omission, context.question.id)


def prompt_rows(contexts: Iterable[Context], wrappers: Sequence[Wrapper], budget: int) -> Rows:
    """Return rows of `ARM_PROMPTS`: every context under every wrapper, and the question alone.

    Args:
        contexts: Contexts drawn.
        wrappers: Every wrapper.
        budget: Token budget of the blocks.
    """
    out = []
    for context in contexts:
        question = context.question
        telemetry = {
            **NO_BLOCK,
            "block": context.block,
            "block_tokens": estimate_tokens(context.block),
            "engaged": True,
            "top_score": context.top_score,
            "effective_budget": budget,
            "seeds": list(context.seeds),
        }
        for arm, messages in arm_messages(wrappers, context.block, question.prompt).items():
            out.append(
                prompt_row(
                    key_of(context),
                    arm,
                    messages,
                    question=question.prompt,
                    telemetry=NO_BLOCK if arm == RAW else telemetry,
                    gold=[item.title for item in question.gold],
                )
            )
    return out


def reference_rows(
    contexts: Iterable[Context], titles: Mapping[str, str], relations: Mapping[str, Relation]
) -> Rows:
    """Return rows of `REFERENCES`: what the graph says in answer to each question.

    Args:
        contexts: Contexts drawn.
        titles: Class slug to title.
        relations: Relations by type, as `relations_of` gives them.
    """
    out = []
    for context in contexts:
        question = context.question
        reference = graph_reference(question, titles, relations)
        out.append(
            {
                **key_of(context)._asdict(),
                "question": question.prompt,
                "reference": reference.text,
                "key_points": list(reference.key_points),
                "gold": [item.title for item in question.gold],
                "gold_type": question.gold_type,
                "template": question.template,
                "domain": question.domain,
                "source": reference.source,
            }
        )
    return out


def item_rows(contexts: Iterable[Context], titles: Mapping[str, str]) -> Rows:
    """Return rows of `WRAPPER_ITEMS`: what the arms with a block expose of each gold item.

    Args:
        contexts: Contexts drawn.
        titles: Class slug to title.
    """
    return [
        {
            "set": context.omission,
            "question_id": context.question.id,
            "item": i,
            "slug": gold.slug,
            "title": gold.title,
            "others": _others(context, gold.title, titles),
            "template": context.question.template,
            "domain": context.question.domain,
            "path": shown.path,
            "exposed": shown.paper,
            "exposed_strict": shown.strict,
            "question_exposed": alone.paper,
            "question_words": _share(Title.of(gold.title), Text.of(context.question.prompt)),
            "withheld": gold.slug == context.withheld,
        }
        for context in contexts
        for i, (gold, shown, alone) in enumerate(
            zip(context.question.gold, context.shown, context.alone, strict=True)
        )
    ]


def _share(title: Title, question: Text) -> float | None:
    there = [word in question.words for word in title.long_words]
    return sum(there) / len(there) if there else None


def _others(context: Context, title: str, titles: Mapping[str, str]) -> list[str]:
    question = context.question
    names = [g.title for g in (*question.gold, *question.gold_extra)]
    names += [titles.get(slug, slug) for slug in question.class_slugs]
    return sorted(set(names) - {title})


def text_rows(wrappers: Iterable[Wrapper]) -> Rows:
    """Return rows of `WRAPPER_TEXTS`."""
    return [
        {
            "arm": w.arm,
            "version": w.version,
            "sha256": w.sha256,
            "tokens": estimate_tokens(w.text),
            "text": w.text,
        }
        for w in wrappers
    ]
