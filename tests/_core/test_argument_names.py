"""Functions take their arguments by the names that MindSpore gives them, whatever the operation behind calls them."""

import inspect
import json
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import ms_compat as ms
from ms_compat._core import faces
from ms_compat._core.dispatch.argument_aliases import OTHER_NAMES
from ms_compat.ops.function.elementwise.activation import InplaceOp

DATA = Path(__file__).parents[1] / "conformance" / "data"
RECORDED = json.loads((DATA / "argument_names.json").read_text("utf-8"))
# Inner names that share a function whose argument is called otherwise.
LEFT = {"stop_gradient_"}
SPACES = [space for space in RECORDED if space != "mindspore"]


def place(space):
    return ms.Tensor if space == "Tensor" else import_module(f"ms_compat.{space}")


def taken(value):
    """The names a function takes arguments by; None where it takes any."""
    operation = getattr(value, "op", value)  # what a view asks
    parameters = inspect.signature(value).parameters
    if any(p.kind is p.VAR_KEYWORD for p in parameters.values()) and not hasattr(value, "spellings"):
        return None
    of_the_call = {"inplace"} if isinstance(value, InplaceOp) else ()
    others = OTHER_NAMES.get(getattr(operation, "name", ""), ())
    return {*parameters, *getattr(value, "spellings", ()), *others, *of_the_call}


@pytest.mark.parametrize("space", SPACES)
def test_functions_take_the_names_of_mindspore(space):
    wrong = {}
    for name in faces.find(space):
        recorded = None if name in LEFT else RECORDED[space].get(name)
        known = taken(getattr(place(space), name)) if recorded else None
        if known is not None and (other := set(recorded.split()) - known):
            wrong[name] = other
    assert wrong == {}


X = [[1.0, 2.0], [3.0, 4.0]]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda x: ms.mint.gather(input=x, dim=1, index=ms.Tensor([[0, 0], [1, 0]])), [[1, 1], [4, 3]]),
        (lambda x: ms.ops.sqrt(x=x * x), X),
        (lambda x: ms.mint.isnan(tensor=x), [[False, False], [False, False]]),
        (lambda x: x.diagonal(axis1=1, axis2=0), [1, 4]),
        (lambda x: x.multiply(value=x), [[1, 4], [9, 16]]),
        (lambda x: x.float_power(other=x), [[1, 4], [27, 256]]),
        (lambda x: ms.ops.diff_ext(input=x, dim=0), [[2, 2]]),
        (lambda x: ms.mint.nn.functional.selu(input=-x * 0), [[0, 0], [0, 0]]),
        (lambda x: ms.ops.row_stack(tensors=[x, x]).shape, [4, 2]),
        (lambda x: ms.ops.numel(input=x), 4),
    ],
)
def test_results_of_the_other_names(call, expected, mode):
    out = (ms.jit(call) if mode == ms.GRAPH_MODE else call)(ms.Tensor(X))
    assert np.array_equal(out.asnumpy() if isinstance(out, ms.Tensor) else out, expected)


@pytest.mark.parametrize(("adjoint", "expected"), [(False, [[0.1], [0.6]]), (True, [[-0.1], [0.7]])])
def test_equations_with_the_transposed_matrix(adjoint, expected):
    out = ms.ops.matrix_solve(ms.Tensor([[4.0, 1.0], [2.0, 3.0]]), ms.Tensor([[1.0], [2.0]]), adjoint)
    assert np.allclose(out.asnumpy(), expected, atol=1e-6)


def test_an_argument_by_two_names():
    with pytest.raises(TypeError, match="'input' was given twice, also as 'x'"):
        ms.ops.sqrt(x=ms.Tensor(X), input=ms.Tensor(X))
    with pytest.raises(TypeError, match="given twice"):
        ms.ops.sqrt(ms.Tensor(X), x=ms.Tensor(X))
    with pytest.raises(TypeError, match="no argument 'y'. It takes: input"):
        ms.ops.sqrt(y=ms.Tensor(X))
