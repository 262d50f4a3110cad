"""mint against PyTorch: value, dtype, shape and gradients of every sample, in PYNATIVE_MODE and in compiled functions.

Where mint differs on purpose, because MindSpore's documentation says something else than PyTorch, the sample stands in
`DIFFERENT` with the reason, and the test makes sure that it still differs.
"""

import ast
import re

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, mint
from tests.conformance import replay
from tests.mint import torch_samples as given

CASES = replay.load("mint.json")
DIFFERENT: dict[str, str] = {}
# Sizes that depend on values, and what is no tensor: compiled functions refuse or have nothing to compute.
ON_HOST = (
    "masked_select",
    "nonzero",
    "unique",
    "bincount",
    ".shape",
    "allclose",
    "mint.equal",
    "mint.where(b)",
    "one_hot(k)",
)
TOLERANCE = {
    "erfinv": 1e-4,
    "inverse": 1e-4,
    "inv": 1e-4,
    "nuc": 1e-4,
    "acosh": 1e-4,
    "bicubic": 1e-4,
    "layer_norm": 1e-4,
}


def fixed(layer):
    """The layer with its parameters set to fixed values, as the recorder does."""
    for parameter in layer.trainable_params():
        name = parameter.name.rpartition(".")[2]
        parameter.set_data(Tensor(given.weight_of(parameter.shape) + (name == "weight"), parameter.dtype))
    return layer.set_train()


KINDS = {"FLOAT32": ms.float32, "FLOAT64": ms.float64, "INT64": ms.int64}
TENSORS = {name: Tensor(array) for name, array in given.ARRAYS.items()}


def evaluate(expression, tensors):
    return given.parts(eval(expression, {"mint": mint, "layer": fixed, **KINDS, **TENSORS, **tensors}))


def with_layer_made(expression):
    """The expression with its layer replaced by one that is made now, as the Cells of a program are, and that layer."""
    if not re.match(r"(layer\()?mint\.nn\.[A-Z]", expression):
        return expression, None
    call = ast.parse(expression, mode="eval").body
    layer = evaluate(ast.unparse(call.func), {})[0]
    call.func = ast.Name("made")
    return ast.unparse(call), layer


def compare(case, output, rtol):
    wanted = case["outputs"]
    assert len(output) == len(wanted)
    for mine, other in zip(output, wanted, strict=True):
        if "python" in other:
            assert mine == other["python"]
            continue
        values = mine.asnumpy()
        assert (str(values.dtype), list(values.shape)) == (other["dtype"], other["shape"])
        close(values, other["value"], rtol)


def close(values, wanted, rtol):
    if values.dtype.kind == "c":
        values = np.stack([values.real, values.imag], -1)
    scale = max(np.abs(values[np.isfinite(values)]).max(initial=0.0), 1e-3) if values.dtype.kind == "f" else 0
    np.testing.assert_allclose(values.ravel(), np.asarray(wanted, dtype=values.dtype), rtol, rtol * scale)


def gradients(case):
    """The gradients that the tape gives for what PyTorch differentiated."""
    names = sorted(case["gradients"])

    def loss(*values):
        total = 0
        for part in evaluate(case["expr"], dict(zip(names, values, strict=True))):
            if isinstance(part, Tensor) and part.is_floating_point():
                total = total + (part * Tensor(given.weight_of(part.shape), part.dtype)).sum()
        return total

    found = ms.grad(loss, tuple(range(len(names))))(*[TENSORS[name] for name in names])
    return dict(zip(names, found if isinstance(found, tuple) else (found,), strict=True))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["expr"])
def test_as_pytorch(case):
    rtol = max([2e-5, *[v for k, v in TOLERANCE.items() if k in case["expr"]]])
    if case["expr"] in DIFFERENT:
        with pytest.raises(AssertionError):
            compare(case, evaluate(case["expr"], {}), rtol)
        return
    compare(case, evaluate(case["expr"], {}), rtol)
    for name, gradient in (gradients(case) if case.get("gradients") else {}).items():
        assert gradient.dtype == TENSORS[name].dtype
        close(gradient.asnumpy(), case["gradients"][name], 10 * rtol)


TRACEABLE = [case for case in CASES if case["expr"] not in DIFFERENT and not any(p in case["expr"] for p in ON_HOST)]
CHUNKS = [TRACEABLE[at : at + 24] for at in range(0, len(TRACEABLE), 24)]  # compiled together: one jit each is slow


@pytest.mark.parametrize("chunk", CHUNKS, ids=lambda chunk: chunk[0]["expr"])
def test_compiled_as_pytorch(chunk):
    names = list(TENSORS)
    calls = [with_layer_made(case["expr"]) for case in chunk]
    for i, (_, layer) in enumerate(calls):
        if isinstance(layer, ms.nn.Cell):  # Parameters of one program need different names
            layer.update_parameters_name(f"{i}.")

    def run(*values):
        tensors = dict(zip(names, values, strict=True))
        return [evaluate(text, {**tensors, "made": layer}) for text, layer in calls]

    for case, output in zip(chunk, ms.jit(run)(*TENSORS.values()), strict=True):
        rtol = max([5e-5, *[v for k, v in TOLERANCE.items() if k in case["expr"]]])
        compare(case, output, rtol)


@pytest.mark.parametrize("expression", [e.strip() for e in given.REFUSED.replace("\n", " ").split(";")])
def test_refuses(expression):
    with pytest.raises((TypeError, ValueError, RuntimeError, IndexError)) as caught:
        evaluate(expression, {})
    assert str(caught.value)


def test_the_recording_holds_the_samples():
    assert [case["expr"] for case in CASES] == [case["expr"] for case in given.samples()]
