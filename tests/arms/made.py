"""What the tests of the judged studies share: a plan over the bakery, and models that play."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from copyceiling.arms.asking import completion_rows, prompts_of
from copyceiling.artefacts.arm_schemas import ARM_COMPLETIONS, ARM_PROMPTS, REFERENCES
from copyceiling.artefacts.store import to_table
from copyceiling.calibration.relations import relations_of
from copyceiling.completions import complete
from copyceiling.config import ROOT, load_study
from copyceiling.corpus.read import read_corpus
from copyceiling.models import ModelSpec, load_models
from copyceiling.production.general import GeneralQuestion
from copyceiling.production.plan import general_rows, production_rows
from copyceiling.production.references import Reference, graph_reference
from copyceiling.questions import Question, QuestionGenerator
from copyceiling.requests import Call, Outcome, classify
from copyceiling.scaffold import ScaffoldEngine
from copyceiling.served import Confidence, Generation, Served, serve

Rows = list[dict[str, Any]]
STUDY = load_study(ROOT / "config" / "studies" / "smoke.yaml")
MODELS = load_models(ROOT / "config" / "models.tsv")
CORPUS = read_corpus(STUDY["corpus"])[0]
ENGINE = ScaffoldEngine(CORPUS.classes)
GENERATION = Generation("bakery@1", len(CORPUS.classes))
QUESTIONS: list[Question] = QuestionGenerator(CORPUS.classes, STUDY["questions"]).generate(7)
TITLES = {c.slug: c.title for c in CORPUS.classes}
RELATIONS = relations_of(STUDY["questions"]["wording"]["relations"], STUDY["judging"]["relations"])
GENERAL = [
    GeneralQuestion("g1", "off_domain", "Who ate Rye Bread?", Reference("A", ("A",), "f")),
    GeneralQuestion("g2", "adjacent", "Why is the sky blue?", Reference("B", ("B",), "f")),
]


def source(query: str, budget: int) -> Served:
    """Serve a query over the bakery."""
    return serve(ENGINE, query, budget, Confidence(), GENERATION)


def plan(count: int = 4) -> tuple[Rows, Rows]:
    """Return prompts and references of a few bakery questions and two general ones."""
    asked = QUESTIONS[:count]
    told = {q.id: graph_reference(q, TITLES, RELATIONS) for q in asked}
    graph = production_rows(asked, told, source, preamble="Notes:", budget=200)
    general = general_rows(GENERAL, source, preamble="Notes:", budget=100)
    prompts, references = graph[0] + general[0], graph[1] + general[1]
    to_table(prompts, ARM_PROMPTS)
    to_table(references, REFERENCES)
    return prompts, references


def model(*budgets: int) -> ModelSpec:
    """Return a model that is no reader; a script answers for it."""
    return replace(MODELS["smollm2-135m"], model="played", budgets=budgets or (50,))


def answering(
    reply: Callable[[Call], str | None],
) -> Callable[[Sequence[Call]], Mapping[str, Outcome]]:
    """Return a lookup; a reply of None is an answer that was cut before any text came."""

    def lookup(calls: Sequence[Call]) -> dict[str, Outcome]:
        found = {}
        for call in calls:
            text = reply(call)
            finish = "length" if text is None else "stop"
            status = classify(text or "", finish, 5, call.max_tokens)
            n_prompt = sum(len(m.content) for m in call.messages) // 4 + 30
            found[call.key] = Outcome(call.key, status, text or "", finish, n_prompt, 5)
        return found

    return lookup


def completed(prompts: Rows, reply: Callable[[Call], str | None], *budgets: int) -> Rows:
    """Return the completions of a plan, as its schema has them."""
    spec = model(*budgets)
    found = completion_rows(spec.model, complete(spec, prompts_of(prompts), answering(reply)))
    to_table(found, ARM_COMPLETIONS)
    return found
