"""Loads an encoder by name."""

from pathlib import Path

from copyceiling.embedding.bert import bert_network
from copyceiling.embedding.files import checked_file
from copyceiling.embedding.interface import Embedder
from copyceiling.embedding.onnx import onnx_network
from copyceiling.embedding.pooling import Encoder
from copyceiling.embedding.spec import TABLE, EmbedderSpec, embedder_spec
from copyceiling.embedding.tokens import Tokens
from copyceiling.errors import EmbeddingError

_NETWORKS = {"onnx": onnx_network, "safetensors": bert_network}


def load_embedder(name: str, table: Path = TABLE) -> Embedder:
    """Return the encoder of that name in ``config/embedders.tsv``.

    Raises:
        ConfigError: The table is at fault, or has no such row.
        EmbeddingError: A package or file is missing (the message says how to get it), or its
            bytes are not the declared ones.
    """
    return open_embedder(embedder_spec(name, table))


def open_embedder(spec: EmbedderSpec) -> Embedder:
    """Return the encoder of a row of the table.

    Raises:
        EmbeddingError: As for `load_embedder`.
    """
    weights, tokenizer = checked_file(spec, "weights"), checked_file(spec, "tokenizer")
    try:  # the libraries are imported by these calls alone: a replay does without them
        network = _NETWORKS[spec.backend](weights)
        return Encoder(spec, Tokens(tokenizer, spec.window), network)
    except ImportError as e:
        raise EmbeddingError(
            f"embedder '{spec.name}' needs the library '{e.name}', which is not installed. Install "
            "what encoders need: pip install 'copyceiling[embed]'"
        ) from e
