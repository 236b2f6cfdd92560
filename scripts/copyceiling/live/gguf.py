"""Local GGUF weights, run in process on the CPU by ``xllamacpp`` (llama.cpp).

An answer is a function of the call alone: nothing is kept between calls, every sampler that the
call does not name is neutral, and the model works on one call at a time. What decides the bits
beside the call is the build of ``xllamacpp`` and the instruction set of the processor.

The model's own chat template is applied. Many templates add a system message of their own where
the call has none; such text is the model's, so it is no part of `requests.visible_input`.
"""

import importlib
import importlib.util
import os
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from copyceiling.errors import ConfigError, counted, listing
from copyceiling.gguf_params import LOADING, NEUTRAL, param_faults
from copyceiling.live.backend import BackendError, Response
from copyceiling.live.weights import check_revision, check_undated, locate
from copyceiling.models import ModelSpec
from copyceiling.requests import Call, Message

VERBOSITY = "COPYCEILING_GGUF_LOG"
_WAIT_POLICY = "OMP_WAIT_POLICY"

_WARM_UP = Call("", "", {}, 1, (Message("user", "."),))
# The address of a Unix socket holds 107 bytes.
_LONGEST_FOLDER = 80


class GgufBackend:
    """A `Backend` over one GGUF file, loaded once.

    Params of the model: ``threads`` and ``context`` (tokens; the runtime rounds it up to a
    multiple of 256) and ``temperature`` are required, and ``seed`` where temperature is above 0;
    optional are ``stop`` (list of strings), ``chat_template_kwargs`` (object handed to the chat
    template) and llama.cpp's ``top_k``, ``top_p``, ``min_p``, ``typical_p``, ``repeat_penalty``,
    ``presence_penalty``, ``frequency_penalty``, ``dry_multiplier``, ``xtc_probability``,
    ``mirostat``, each doing nothing unless given.

    Repeat k of a call samples with ``seed + k``, so that repeats differ where temperature does.
    """

    def __init__(self, spec: ModelSpec) -> None:
        """Find, check and load the weights.

        Raises:
            ConfigError: A param is wrong, the file is missing, is not the declared one or cannot
                be loaded, or ``xllamacpp`` is not installed.
        """
        _check_params(spec)
        self._spec = spec
        self._path = locate(spec)
        check_revision(spec, self._path)
        check_undated(spec, self._path)
        self._lock = threading.Lock()
        # The runtime always listens; a socket in a folder of our own keeps it off the network.
        parent = tempfile.gettempdir()
        short = len(os.fsencode(parent)) <= _LONGEST_FOLDER
        self._folder = tempfile.TemporaryDirectory(prefix="gguf-", dir=parent if short else "/tmp")
        try:
            self._server = _load(spec, self._path, Path(self._folder.name) / "s.sock")
        except BaseException:
            self._folder.cleanup()
            raise

    def send(self, call: Call) -> Response:
        """Return the answer; calls from several threads are answered one after the other.

        ``finish_reason`` is ``stop`` or ``length``: cut at ``call.max_tokens``, or, with fewer
        tokens than that, at the end of the context. Text that a reasoning model marks as thought
        is counted in ``completion_tokens`` but left out of ``text``.

        Raises:
            BackendError: ``context`` if the prompt alone does not fit the context, ``mismatch``
                if the call is for other weights or loading params, ``closed`` after `close`,
                ``runtime`` for anything the runtime reports; none is retryable.
        """
        self._check_call(call)
        reply = self._ask(_body(call))
        try:
            choice, usage = reply["choices"][0], reply["usage"]
            return Response(
                text=choice["message"].get("content") or "",
                finish_reason=choice["finish_reason"],
                prompt_tokens=usage["prompt_tokens"],
                completion_tokens=usage["completion_tokens"],
                response_model=self._path.name,
            )
        except (KeyError, IndexError) as e:
            raise BackendError(
                "runtime", f"{self._spec.model}: reply without {e}", retryable=False
            ) from e

    def close(self) -> None:
        """Free model and context, after the call in flight if there is one."""
        with self._lock:
            self._server = None
            self._folder.cleanup()

    def _check_call(self, call: Call) -> None:
        loaded = {name: self._spec.params[name] for name in LOADING}
        asked = {name: call.params.get(name) for name in LOADING}
        here = (self._spec.call_target, self._spec.revision, loaded)
        if (call.target, call.revision, asked) != here:
            raise BackendError(
                "mismatch",
                f"{self._spec.model}: asked for {call.target} {call.revision[:12]} {asked}, "
                f"loaded is {here[0]} {here[1][:12]} {loaded}",
                retryable=False,
            )

    def _ask(self, body: Mapping[str, Any]) -> Any:
        """Return the runtime's reply, an object of the OpenAI form plus ``timings``."""
        with self._lock:
            if self._server is None:
                raise BackendError("closed", f"{self._spec.model}: is closed", retryable=False)
            try:
                reply = self._server.handle_chat_completions(dict(body))
            except (ValueError, TypeError, RuntimeError) as e:
                raise BackendError("runtime", f"{self._spec.model}: {e}", retryable=False) from e
        if "error" in reply:
            error = reply["error"]
            kind = "context" if error.get("type") == "exceed_context_size_error" else "runtime"
            raise BackendError(
                kind, f"{self._spec.model}: {error.get('message', error)}", retryable=False
            )
        return reply


def _check_params(spec: ModelSpec) -> None:
    # The table of models is checked as it is read; a spec need not come from it.
    faults = param_faults(spec.params)
    if faults:
        raise ConfigError(
            f"model '{spec.model}': column 'params' has {counted(len(faults), 'fault')}:\n"
            f"{listing(faults)}"
        )


def _load(spec: ModelSpec, path: Path, socket: Path) -> Any:
    """Return the running model; silent unless ``$COPYCEILING_GGUF_LOG`` gives a verbosity."""
    runtime = _import_runtime(spec)
    settings = runtime.CommonParams()
    settings.model.path = str(path)
    settings.hostnames = [str(socket)]
    settings.verbosity = int(os.environ.get(VERBOSITY) or -1)
    for name, value in _settings(runtime, spec.params).items():
        setattr(settings, name, value)
    for cpu in (settings.cpuparams, settings.cpuparams_batch):
        cpu.n_threads = spec.params["threads"]
    try:
        server = runtime.Server(settings)
        # The runtime misses a stop that comes before its queue has begun to run, and then hangs
        # for ever; an answer shows that it runs. Nothing of it is kept.
        server.handle_chat_completions(_body(_WARM_UP))
        return server
    except RuntimeError as e:
        raise ConfigError(
            f"model '{spec.model}': {path} cannot be loaded: {e} Set {VERBOSITY}=4 to see why"
        ) from e


def _import_runtime(spec: ModelSpec) -> Any:
    """Return the module; its threads sleep, not spin, where they wait for each other.

    On a busy machine spinning slows two threads to a tenth, and it changes no bit of the answer.
    OpenMP reads the policy once, as its library is loaded, so the environment is put back.
    """
    policy = os.environ.get(_WAIT_POLICY)
    os.environ.setdefault(_WAIT_POLICY, "passive")
    try:
        return importlib.import_module("xllamacpp")
    except ImportError as e:
        raise ConfigError(
            f"model '{spec.model}': running local weights needs the package xllamacpp and the "
            f"system library libgomp ({e}). Install them: pip install xllamacpp; "
            f"apt-get install libgomp1"
        ) from e
    finally:
        if policy is None:
            os.environ.pop(_WAIT_POLICY, None)


def _settings(runtime: Any, params: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "n_ctx": params["context"],
        # One sequence: calls batched together would round differently from calls alone.
        "n_parallel": 1,
        "cont_batching": False,
        # Nothing of an earlier call is reused, as a reused prefix was computed in other batches.
        "cache_prompt": False,
        "cache_ram_mib": 0,
        "cache_idle_slots": False,
        "n_cache_reuse": 0,
        "n_ctx_checkpoints": 0,
        "slot_prompt_similarity": 0.0,
        "ctx_shift": False,
        # What the runtime would choose by itself from the machine it finds.
        "n_batch": 2048,
        "n_ubatch": 512,
        "flash_attn_type": runtime.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED,
        "fit_params": False,
        "n_gpu_layers": 0,
        "no_op_offload": True,
        "no_kv_offload": True,
        # No downloads, no pages.
        "offline": True,
        "ui": False,
        "endpoint_slots": False,
        "n_threads_http": 1,
    }


def _body(call: Call) -> dict[str, Any]:
    sampling = {name: value for name, value in call.params.items() if name not in LOADING}
    return {
        **NEUTRAL,
        **sampling,
        "seed": call.params.get("seed", 0) + call.repeat,
        "messages": [{"role": m.role, "content": m.content} for m in call.messages],
        "max_tokens": call.max_tokens,
        "cache_prompt": False,
    }
