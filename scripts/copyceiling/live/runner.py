"""Answer calls live: each distinct call is asked until it has an answer, and never again."""

import contextlib
import logging
from collections.abc import Sequence

from copyceiling.errors import ConfigError
from copyceiling.live.backend import Backend
from copyceiling.live.dispatch import Dispatch
from copyceiling.live.pricing import price_of
from copyceiling.live.progress import Progress, spend_text
from copyceiling.live.settings import LiveSettings
from copyceiling.live.shard import BudgetExceeded, Shard, open_shard
from copyceiling.models import ModelSpec
from copyceiling.requests import Call, Outcome

logger = logging.getLogger(__name__)


def make_backend(spec: ModelSpec, timeout_s: float = LiveSettings.timeout_s) -> Backend:
    """Return what answers a model's calls; close it after use.

    Args:
        spec: The model.
        timeout_s: Longest wait for one answer in seconds; local weights have no limit.

    Raises:
        ConfigError: The model cannot be called as it stands: no key, no weights, no library.
    """
    if spec.runner == "gguf":
        from copyceiling.live.gguf import GgufBackend

        return GgufBackend(spec)
    if spec.runner == "litellm":
        from copyceiling.live.provider import LiteLLMBackend

        return LiteLLMBackend(spec, timeout_s)
    raise ConfigError(f"model '{spec.model}' is a {spec.runner} reader; it is not called")


def run_calls(
    calls: Sequence[Call],
    spec: ModelSpec,
    settings: LiveSettings,
    *,
    backend: Backend | None = None,
) -> dict[str, Outcome]:
    """Return the outcome of every distinct call by key, in order of the calls.

    Answers had before come from the model's folder in the cache. A call whose tries are exhausted
    has the status ``error``; it is not kept as an answer, so the next run asks again.

    Args:
        calls: Calls of one model; repetitions are asked once.
        spec: That model.
        settings: Cache folder, budget, tries and waits.
        backend: What answers, instead of `make_backend(spec)`; the caller closes it.

    Raises:
        ConfigError: The model cannot be called as it stands. Nothing was sent.
        FolderInUse: Another run writes to the folder.
        BudgetExceeded: The next call could pass the budget. Answers had so far are kept.
        ProviderStopped: The provider turns down every call (key, quota or name are wrong), or
            call after call reaches no server.
        ArtefactError: Cache or ledger is damaged or cannot be written.
    """
    distinct = {call.key: call for call in calls}
    strange = sorted({c.target for c in distinct.values()} - {spec.call_target})
    if strange:
        raise ConfigError(f"model '{spec.model}' ({spec.call_target}) got calls for {strange}")
    folder = settings.folder(spec)
    with open_shard(
        folder, spec.model, cap_usd=settings.max_usd, wait=settings.wait_for_folder
    ) as shard:
        if shard.n_unknown:
            logger.warning(
                "%s: %d call(s) of an interrupted run were sent and have no answer on record; they "
                "are asked again",
                spec.model,
                shard.n_unknown,
            )
        found = {key: had for key in distinct if (had := shard.get(key)) is not None}
        todo = [call for key, call in distinct.items() if key not in found]
        if todo:
            found |= _ask(todo, shard, spec, settings, n_had=len(found), given=backend)
    return {key: found[key] for key in distinct}


def _ask(
    todo: Sequence[Call],
    shard: Shard,
    spec: ModelSpec,
    settings: LiveSettings,
    *,
    n_had: int,
    given: Backend | None,
) -> dict[str, Outcome]:
    price = price_of(spec, settings)
    backend = given or make_backend(spec, settings.timeout_s)
    with contextlib.ExitStack() as at_end:
        if given is None:
            at_end.callback(backend.close)
        progress = at_end.enter_context(Progress(spec.model, len(todo) + n_had, n_had))
        dispatch = Dispatch(
            shard=shard,
            backend=backend,
            spec=spec,
            settings=settings,
            price=price,
            progress=progress,
        )
        at_end.callback(_report, dispatch, shard, spec)
        try:
            return dispatch.run(todo)
        except BudgetExceeded as e:
            e.remaining = len(todo) - dispatch.n_answered
            raise


def _report(dispatch: Dispatch, shard: Shard, spec: ModelSpec) -> None:
    failed = len(dispatch.found) - dispatch.n_answered
    logger.log(
        logging.WARNING if failed else logging.INFO,
        "%s: %d call(s) answered, %d in error%s; %s",
        spec.model,
        dispatch.n_answered,
        failed,
        " (run again: only these are asked)" if failed else "",
        spend_text(shard.spend),
    )
    if dispatch.n_other_model:
        logger.warning(
            "%s: %d answer(s) name another model than '%s'; see response_model",
            spec.model,
            dispatch.n_other_model,
            spec.target,
        )
