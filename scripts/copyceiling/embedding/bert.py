"""Runs a BERT encoder from a safetensors file with numpy, in float32.

Slower than onnxruntime and independent of it: the reference that the quantised encoder is checked
against. Layout of the file: https://huggingface.co/docs/safetensors; of the network: Devlin et al.
2019, post-norm layers, exact GELU.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from copyceiling.embedding.interface import Vectors
from copyceiling.embedding.pooling import Network
from copyceiling.errors import EmbeddingError

_HEAD_WIDTH = 32  # of MiniLM; 12 heads of 384 states
_EPSILON = 1e-12
_TYPES: dict[str, np.dtype[Any]] = {"F32": np.dtype("<f4"), "I64": np.dtype("<i8")}


def read_safetensors(file: Path) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of a safetensors file by name.

    Raises:
        EmbeddingError: It is no such file, or holds numbers of a kind other than F32 and I64.
    """
    data = np.fromfile(file, dtype=np.uint8)
    try:
        size = int(data[:8].view("<u8")[0])
        header = json.loads(data[8 : 8 + size].tobytes())
        body = data[8 + size :]
        return {
            name: _array(body, stated) for name, stated in header.items() if name != "__metadata__"
        }
    except (ValueError, KeyError, IndexError, TypeError) as e:
        raise EmbeddingError(f"{file} is no safetensors file that can be read: {e}") from e


def _array(body: npt.NDArray[np.uint8], stated: Mapping[str, Any]) -> npt.NDArray[Any]:
    start, stop = stated["data_offsets"]
    kind: np.dtype[Any] = _TYPES[stated["dtype"]]
    return np.frombuffer(body[start:stop], dtype=kind).reshape(stated["shape"])


def bert_network(file: Path) -> Network:
    """Return the network of a BERT encoder's safetensors file."""
    tensors = read_safetensors(file)
    words = tensors["embeddings.word_embeddings.weight"]
    places = tensors["embeddings.position_embeddings.weight"]
    kind = tensors["embeddings.token_type_embeddings.weight"][0]
    n_layers = len([name for name in tensors if name.endswith("attention.self.query.weight")])

    def run(ids: npt.NDArray[np.int64]) -> Vectors:
        states: Vectors = words[ids] + places[: ids.shape[1]] + kind
        states = _norm(states, tensors, "embeddings.LayerNorm")
        for i in range(n_layers):
            states = _layer(states, tensors, f"encoder.layer.{i}")
        return states

    return run


def _layer(states: Vectors, tensors: Mapping[str, Vectors], at: str) -> Vectors:
    """Return the next layer's states: attention, then two dense maps, each added and normed."""
    from scipy.special import erf

    seen = _dense(_attend(states, tensors, at), tensors, f"{at}.attention.output.dense")
    states = _norm(states + seen, tensors, f"{at}.attention.output.LayerNorm")
    inner = _dense(states, tensors, f"{at}.intermediate.dense")
    inner *= np.float32(0.5) * (np.float32(1) + erf(inner / np.float32(np.sqrt(2))))
    outer = _dense(inner, tensors, f"{at}.output.dense")
    return _norm(states + outer, tensors, f"{at}.output.LayerNorm")


def _attend(states: Vectors, tensors: Mapping[str, Vectors], at: str) -> Vectors:
    batch, length, width = states.shape
    split = (batch, length, width // _HEAD_WIDTH, _HEAD_WIDTH)
    query, key, value = (
        _dense(states, tensors, f"{at}.attention.self.{name}").reshape(split).swapaxes(1, 2)
        for name in ("query", "key", "value")
    )
    weights = query @ key.swapaxes(2, 3) / np.float32(np.sqrt(_HEAD_WIDTH))
    weights = np.exp(weights - weights.max(axis=3, keepdims=True))
    weights /= weights.sum(axis=3, keepdims=True)
    attended: Vectors = (weights @ value).swapaxes(1, 2).reshape(batch, length, width)
    return attended


def _dense(states: Vectors, tensors: Mapping[str, Vectors], name: str) -> Vectors:
    mapped: Vectors = states @ tensors[f"{name}.weight"].T + tensors[f"{name}.bias"]
    return mapped


def _norm(states: Vectors, tensors: Mapping[str, Vectors], name: str) -> Vectors:
    centred = states - states.mean(axis=2, keepdims=True)
    scale = np.sqrt(np.square(centred).mean(axis=2, keepdims=True) + np.float32(_EPSILON))
    normed: Vectors = centred / scale * tensors[f"{name}.weight"] + tensors[f"{name}.bias"]
    return normed
