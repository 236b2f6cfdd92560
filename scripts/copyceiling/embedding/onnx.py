"""Runs an ONNX encoder with onnxruntime: one thread, one order of sums, no network access."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from copyceiling.embedding.interface import Vectors
from copyceiling.embedding.pooling import Network


def onnx_network(file: Path) -> Network:
    """Return the network of an ONNX file whose first output is the last hidden states."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    # More threads would split sums otherwise from machine to machine.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.use_deterministic_compute = True
    options.log_severity_level = 3
    session: Any = onnxruntime.InferenceSession(
        str(file), options, providers=["CPUExecutionProvider"]
    )
    takes_types = "token_type_ids" in {i.name for i in session.get_inputs()}

    def run(ids: npt.NDArray[np.int64]) -> Vectors:
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
        if takes_types:
            given["token_type_ids"] = np.zeros_like(ids)
        hidden: Vectors = session.run(None, given)[0]
        return hidden

    return run
