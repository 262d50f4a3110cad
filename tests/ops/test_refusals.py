"""What is refused for its dtype or because a flag is no bool: the recorded exception classes."""

import numpy as np
import pytest

import ms_compat
from tests.conformance import replay
from tests.ops import refusal_samples


@pytest.mark.parametrize("topic", refusal_samples.TOPICS)
def test_classes_as_recorded(topic):
    wrong = []
    for case in replay.load(f"ops_refused_{topic}.json"):
        outcome = replay.evaluate({**case, "setup": refusal_samples.SETUP}, ms_compat)
        if "error" not in case:  # a neighbour that is taken
            wrong += replay.differences(case, outcome)
        elif outcome.get("error") != case["error"] and not case.get("kernel"):
            wrong.append(f"{case['expr']}: expected {case['error']} ({case['message']}); got {outcome}"[:300])
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("way", ("add", "sub", "mul", "div", "max", "min"))
def test_narrow_coordinates_are_refused(way):
    x, at = ms_compat.Tensor([[1.0, 2.0]]), ms_compat.Tensor([[0, 1]], ms_compat.int16)
    with pytest.raises(TypeError, match="'indices'"):
        getattr(ms_compat.ops, f"tensor_scatter_{way}")(x, at, ms_compat.Tensor([1.0]))


DTYPES = ("int8", "int16", "int32", "int64", "float16", "float32", "float64")
# By the Parameter's dtype: what is written into it without an error, as MindSpore's Assign and Scatter operations do.
TAKEN = {
    "int8": "int8",
    "int16": "int8 int16",
    "int32": "int8 int16 int32",
    "int64": "int8 int16 int32 int64",
    "float16": "int8 int16 int32 int64 float16",
    "float32": "int8 int16 int32 int64 float16 float32",
    "float64": "int8 int16 int32 int64 float16 float32 float64",
}


@pytest.mark.parametrize("held", DTYPES)
def test_a_parameter_is_never_converted(held):
    ms, ops = ms_compat, ms_compat.ops
    rows, places = ms.Tensor([0, 1], ms.int32), ms.Tensor([[0], [1]], ms.int32)
    calls = {
        "Assign": lambda p, v: ops.Assign()(p, v),
        "AssignAdd": lambda p, v: ops.AssignAdd()(p, v),
        "ScatterAdd": lambda p, v: ops.ScatterAdd()(p, rows, v),
        "ScatterNdUpdate": lambda p, v: ops.ScatterNdUpdate()(p, places, v),
    }
    for name, call in calls.items():
        for kind in DTYPES:
            parameter = ms.Parameter(ms.Tensor([1, 2], getattr(ms, held)), name="p")
            value = ms.Tensor([1, 2], getattr(ms, kind))
            if kind in TAKEN[held].split():
                assert call(parameter, value).dtype == getattr(ms, held), (name, kind)
            else:
                with pytest.raises(TypeError):
                    call(parameter, value)
    if held.startswith("int"):
        with pytest.raises(TypeError):
            ms.Parameter(ms.Tensor([1], getattr(ms, held)), name="p").set_data(1.5)
    for wrong in ([1, 2], (1, 2), np.ones(2, np.int8)):
        with pytest.raises(TypeError):
            ops.assign(ms.Parameter(ms.Tensor([1, 2], getattr(ms, held)), name="p"), wrong)


@pytest.mark.parametrize("name", ("max", "min"))
def test_extremes_along_no_dimension(name):
    extreme, x = getattr(ms_compat.mint, name), ms_compat.Tensor([[1.0, 2.0], [3.0, 4.0]])
    for arguments, options in (((), {"dim": None}), ((None, True), {}), ((), {"keepdim": True}), ((1, -1), {})):
        with pytest.raises(TypeError):
            extreme(x, *arguments, **options)
    assert extreme(x).shape == () and extreme(x, 2.5).shape == (2, 2) and extreme(x, 1, True)[0].shape == (2, 1)


def refused_arguments():
    ms, np_ones = ms_compat, ms_compat.numpy.ones
    from mindspore.ops import functional
    from mindspore.ops.operations import random_ops

    spectrum, square = np_ones((2, 1), ms.complex64), ms.Tensor([[0.0, 1.0], [2.0, 3.0]])
    mask = ms.Tensor([False, True])
    return [
        (ValueError, lambda: ms.ops.repeat_elements(np_ones((1,) * 8), 1)),
        (ValueError, lambda: ms.ops.FFTWithSize(2, True, True)(spectrum)),
        (RuntimeError, lambda: functional.tuple_div((8, 14), (2, 3))),
        (RuntimeError, lambda: functional.tuple_div((8, 14), (2, 2.0))),
        (RuntimeError, lambda: functional.tuple_div((8, 14), (2, 0))),
        (RuntimeError, lambda: functional.tuple_div((8, 14), (2,))),
        *[
            (TypeError, lambda kind=kind: random_ops.Uniform(1.0, 2.0)(np_ones((2,), kind)))
            for kind in (ms.int32, ms.int64, ms.bool_)
        ],
        (TypeError, lambda: square.min(0, False, initial=9, where=None)),
        (TypeError, lambda: square.max(0, False, initial=9, where=None)),
        (TypeError, lambda: square.min(0, False, initial=9, where=mask, return_indices=1)),
        (TypeError, lambda: square.max(0, False, initial=9, where=mask, return_indices=1)),
    ]


@pytest.mark.parametrize("at", range(13))
def test_arguments_that_mindspore_refuses(at):
    ms_compat.install()
    try:
        error, call = refused_arguments()[at]
        with pytest.raises(error) as caught:
            call()
        assert caught.type is error
    finally:
        ms_compat.uninstall()


def test_their_neighbours_are_taken():
    ms, spectrum = ms_compat, ms_compat.numpy.ones((2, 1), ms_compat.complex64)
    assert ms.ops.repeat_elements(ms.numpy.ones((1,) * 7), 2).shape == (2, 1, 1, 1, 1, 1, 1)
    for options in ((False,), (True, "backward", False), (True, "backward", True, (2, 1))):
        assert ms.ops.FFTWithSize(2, True, *options)(spectrum).shape == (2, 1)
    x = ms.ops.zeros((2, 3))
    x[...] = ms.ops.ones((1, 1, 2, 3))  # such dimensions are dropped for `...` alone
    assert x.sum() == 6
    with pytest.raises(ValueError):
        x[:2] = ms.ops.ones((1, 2, 3))
    with pytest.raises(ValueError):
        x[...] = ms.ops.ones((2, 2, 3))
