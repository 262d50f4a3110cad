"""ONNX files in ONNX Runtime, whose Python interface has no arrays of BFloat16: such inputs and outputs are Float32."""

from __future__ import annotations

from typing import Any

import numpy as np

from ms_compat._core.diagnostics.extras import needed
from ms_compat._formats.onnx.types import BFLOAT16


def run(path: str, inputs: list[np.ndarray]) -> list[np.ndarray]:
    """The outputs of a file on the CPU, for inputs in the graph's order.

    Raises:
        ImportError: `onnx` or `onnxruntime` is not installed.
    """
    onnxruntime = needed("onnxruntime", "test", "Running ONNX files")
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    if any("bfloat16" in value.type for value in (*session.get_inputs(), *session.get_outputs())):
        session = onnxruntime.InferenceSession(_in_floats(path), providers=["CPUExecutionProvider"])
    names = [value.name for value in session.get_inputs()]
    given = [x.astype(np.float32) if x.dtype == BFLOAT16 else x for x in inputs]
    return session.run(None, dict(zip(names, given, strict=True)))


def _in_floats(path: str) -> bytes:
    """The file's content with a Cast at each input and output of BFloat16."""
    onnx = needed("onnx", "onnx", "Running ONNX files")
    model = onnx.load(path)
    half, single = onnx.TensorProto.BFLOAT16, onnx.TensorProto.FLOAT
    before, after = [], []

    def cast(name: str, to: Any, source: str) -> Any:
        return onnx.helper.make_node("Cast", [source], [name], to=to)

    for value in model.graph.input:
        if value.type.tensor_type.elem_type == half:
            before.append(cast(value.name, half, f"{value.name}/float"))
            value.name, value.type.tensor_type.elem_type = f"{value.name}/float", single
    for value in model.graph.output:
        if value.type.tensor_type.elem_type == half:
            after.append(cast(f"{value.name}/float", single, value.name))
            value.name, value.type.tensor_type.elem_type = f"{value.name}/float", single
    nodes = [*before, *model.graph.node, *after]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    return model.SerializeToString()
