"""The plan of a sweep and what became of each of its cells.

The plan is every question in every arm. A cell's calls come from a lookup: frozen outcomes, and in
a live run a client for the rest, both answering calls by key, so that the policy below is one piece
of code for both. A model with a ladder of budgets climbs on ``empty`` or ``truncated``, and then
the pair climbs: both arms are asked again at that budget, so that no contrast mixes budgets.
Source: DESIGN section 5.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from copyceiling.errors import ConfigError, MissingCompletionsError, listing
from copyceiling.models import READERS, ModelSpec
from copyceiling.readers import read
from copyceiling.requests import Call, Message, Outcome, classify
from copyceiling.stats import named_rng

Lookup = Callable[[Sequence[Call]], Mapping[str, Outcome]]
# What asks models for completions that were never frozen.
LIVE = "snakemake completions --config mode=live"


@dataclass(frozen=True)
class Prompt:
    """What one question shows a model in each arm."""

    question_id: str
    arms: Mapping[str, tuple[Message, ...]]


@dataclass(frozen=True)
class Cell:
    """One planned cell and how it ended.

    Attributes:
        question_id, arm: Which cell.
        outcome: The call that counts: the one at the highest budget asked.
        budget: That budget, in tokens.
        n_calls: Budgets asked, at least 1.
        tries: Transport tries over all of them.
    """

    question_id: str
    arm: str
    outcome: Outcome
    budget: int
    n_calls: int
    tries: int


def plan(
    shown: Mapping[str, Mapping[str, tuple[Message, ...]]],
    model: str,
    arms: Sequence[str],
    subset: int | None,
    seed: int,
) -> list[Prompt]:
    """Return what a model is asked: every question, or a declared random subset, in every arm.

    The order is by question id. A subset is drawn without replacement by the study seed and the
    model's name, so a larger one holds a smaller one.

    Args:
        shown: Question id to arm to messages.
        model: Label of the model.
        arms: Arms of the study.
        subset: Questions to draw, None for all.
        seed: Study seed.
    """
    ids = sorted(shown)
    if subset is not None and subset < len(ids):
        order = named_rng(seed, f"subset:{model}").permutation(len(ids)).tolist()
        ids = sorted(ids[i] for i in order[:subset])
    return [Prompt(q, {arm: shown[q][arm] for arm in arms}) for q in ids]


def call_of(spec: ModelSpec, messages: tuple[Message, ...], budget: int, repeat: int = 0) -> Call:
    """Return the call that asks a model this, at this budget."""
    return Call(spec.call_target, spec.revision, spec.params, budget, messages, repeat)


def complete(spec: ModelSpec, prompts: Sequence[Prompt], lookup: Lookup) -> list[Cell]:
    """Carry out one model's plan and return its cells, in order of question and arm.

    Args:
        spec: The model; a reference reader needs no lookup.
        prompts: What each question shows in each arm.
        lookup: Returns the outcome of each call by key, or raises.
    """
    if spec.is_reference:
        lookup = reference_lookup(spec)
    history: dict[tuple[str, str], list[tuple[int, Outcome]]] = {}
    climbing = list(prompts)
    for budget in spec.budgets:
        calls = {
            (p.question_id, arm): call_of(spec, messages, budget)
            for p in climbing
            for arm, messages in p.arms.items()
        }
        outcomes = lookup(list(calls.values())) if calls else {}
        for cell, call in calls.items():
            history.setdefault(cell, []).append((budget, outcomes[call.key]))
        climbing = [
            p
            for p in climbing
            if any(
                history[p.question_id, a][-1][1].status in ("empty", "truncated") for a in p.arms
            )
        ]
    return [
        _cell(p.question_id, arm, history[p.question_id, arm]) for p in prompts for arm in p.arms
    ]


def _cell(question_id: str, arm: str, asked: Sequence[tuple[int, Outcome]]) -> Cell:
    budget, outcome = asked[-1]
    tries = sum(o.tries for _, o in asked)
    return Cell(question_id, arm, outcome, budget, len(asked), tries)


def reference_lookup(spec: ModelSpec) -> Lookup:
    """Return a lookup that answers with a reference reader. Readers have no budget to exhaust.

    Raises:
        ConfigError: The model is a rule that judges, no reader.
    """
    if spec.target not in READERS:
        raise ConfigError(
            f"model '{spec.model}': '{spec.target}' judges answers and gives none. Name it under "
            f"judging.judges; reference readers are: {', '.join(READERS)}"
        )

    def lookup(calls: Sequence[Call]) -> dict[str, Outcome]:
        found = {}
        for call in calls:
            answer = read(spec.target, call.messages)
            status = classify(answer, "stop", None, call.max_tokens)
            found[call.key] = Outcome(call.key, status, answer, "stop", None, None)
        return found

    return lookup


def lookup_of(
    frozen: Mapping[str, Outcome],
    spec: ModelSpec,
    study: str,
    command: str,
    ask: Lookup | None,
) -> Lookup:
    """Return a lookup over frozen outcomes: of a replay, or of a live run.

    Args:
        frozen: Outcomes by key.
        spec: The model.
        study: Name of the study.
        command: What asks for calls that are missing, see `replay_lookup`.
        ask: Asks the model, see `frozen_first`; None in a replay.
    """
    if ask is None:
        return replay_lookup(frozen, spec, study, command)
    return frozen_first(frozen, ask)


def frozen_first(frozen: Mapping[str, Outcome], ask: Lookup) -> Lookup:
    """Return a lookup that takes what is frozen as it is, and asks for the rest in one batch.

    A frozen ``error`` is no answer, so it is asked again: it cost nothing to keep, and what went
    wrong may have passed. Where all is frozen, ``ask`` is not called, so nothing that it needs
    (a key, a cap, weights) need be there.
    """
    had = answers(frozen)

    def lookup(calls: Sequence[Call]) -> Mapping[str, Outcome]:
        rest = [call for call in calls if call.key not in had]
        return {**had, **ask(rest)} if rest else had

    return lookup


def answers(outcomes: Mapping[str, Outcome]) -> dict[str, Outcome]:
    """Return the outcomes that a live run need not ask for again: all but errors."""
    return {key: outcome for key, outcome in outcomes.items() if outcome.status != "error"}


def replay_lookup(
    frozen: Mapping[str, Outcome],
    spec: ModelSpec,
    study: str,
    command: str = LIVE,
) -> Lookup:
    """Return a lookup over frozen outcomes; ``command`` is what asks for those that are missing.

    Raises (on lookup):
        MissingCompletionsError: Counts and names what was never frozen, and how to run it.
    """

    def lookup(calls: Sequence[Call]) -> Mapping[str, Outcome]:
        missing = [call for call in calls if call.key not in frozen]
        if missing:
            shown = [f"{c.key[:16]}...  {c.messages[-1].content[:80]}" for c in missing]
            raise MissingCompletionsError(
                f"study '{study}', model '{spec.model}': {len(missing)} of {len(calls)} "
                f"completions were never frozen:\n{listing(shown, 5)}\n"
                "Prompts, parameters or revision differ from the frozen run, or it was not "
                "finished. Run them live, then freeze them, with the --configfile and --config of "
                "this run besides (a provider's model needs a cap: 'live={max_usd: 5}'):\n"
                f"  {command}\n  copyceiling freeze"
            )
        return frozen

    return lookup
