"""Operands that operations take or refuse as MindSpore 2.10.0 does (asked on 2026-11-22)."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, ParameterTuple, Tensor, nn, ops


def of(*values, dtype=ms.float32):
    return Tensor(list(values), dtype)


ONES = Tensor(np.ones((2, 3)), ms.float32)
DOUBLES = of(1, 2, dtype=ms.float64)

REFUSALS = {
    "select_scatter shape": (ValueError, "src", lambda: ops.select_scatter(ONES, of(1), 0, 1)),
    "select_scatter index": (ValueError, "index", lambda: ops.select_scatter(ONES, of(1, 2, 3), 0, 2)),
    "select_scatter negative": (ValueError, "index", lambda: ops.select_scatter(ONES, of(1, 2, 3), 0, -3)),
    "select_scatter number": (TypeError, "Tensor", lambda: ops.select_scatter(1.0, 2, 0, 0)),
    "slice_scatter": (ValueError, "src", lambda: ops.slice_scatter(ONES, of(1), 0, 1)),
    "diagonal_scatter": (ValueError, "src", lambda: ops.diagonal_scatter(ONES, of(1))),
    "SquareSumAll double": (TypeError, "SquareSumAll", lambda: ops.SquareSumAll()(DOUBLES, DOUBLES)),
    "SquareSumAll mixed": (TypeError, "SquareSumAll", lambda: ops.SquareSumAll()(of(1), of(1, dtype=ms.float16))),
    "rand_like": (ValueError, "dtype", lambda: ops.rand_like(Tensor([1], ms.int32))),
    "uniform int": (TypeError, "maxval", lambda: ops.uniform((2,), of(1), Tensor(2, ms.int32))),
    "uniform half": (TypeError, "minval", lambda: ops.uniform((2,), of(1, dtype=ms.float16), of(2))),
    "bitwise_or": (ValueError, "broadcast", lambda: ops.bitwise_or(Tensor([7, 8, 9]), Tensor([14, 6]))),
    "dense mixed": (TypeError, "one dtype", lambda: ops.dense(of(1, dtype=ms.complex64), of(1, dtype=ms.complex128))),
    "dense bool": (TypeError, "bool", lambda: ops.dense(Tensor([True]), Tensor([True]))),
    "SparseApplyAdagrad": (
        TypeError, "SparseApplyAdagrad",
        lambda: ops.SparseApplyAdagrad(0.1)(
            Parameter(DOUBLES), Parameter(DOUBLES), of(1, dtype=ms.float64), Tensor([0], ms.int32)
        ),
    ),
}  # fmt: skip


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE], ids=["GRAPH", "PYNATIVE"])
@pytest.mark.parametrize("name", REFUSALS)
def test_refusals(name, mode):
    error, named, call = REFUSALS[name]
    ms.set_context(mode=mode)
    try:
        with pytest.raises(error, match=named):
            call()
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_parts_are_replaced():
    assert ops.select_scatter(ONES, of(1, 2, 3), 0, -1).asnumpy().tolist() == [[1, 1, 1], [1, 2, 3]]
    assert ops.slice_scatter(ONES, Tensor([[1.0, 2, 3]]), 0, 1, 2).asnumpy().tolist() == [[1, 1, 1], [1, 2, 3]]
    assert ops.diagonal_scatter(ONES, of(5, 6)).asnumpy().tolist() == [[5, 1, 1], [1, 6, 1]]


def test_complex_dense():
    x, weight = of(1 + 1j, 2, dtype=ms.complex64), Tensor([[1j, 2]], ms.complex64)
    out = ops.dense(x, weight, of(1, dtype=ms.complex64))
    assert out.dtype == ms.complex64
    np.testing.assert_allclose(out.asnumpy(), [4 + 1j])


@pytest.mark.parametrize("dtype", [ms.float16, ms.float32, ms.float64], ids=str)
def test_rand_like_keeps_the_type(dtype):
    assert ops.rand_like(Tensor([1, 2], dtype)).dtype == dtype


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE], ids=["GRAPH", "PYNATIVE"])
def test_weights_of_recurrent_layers_are_replaced_by_lists(mode):
    ms.set_context(mode=mode)
    try:
        net = nn.LSTM(2, 3)
        shapes = {"w_ih": (12, 2), "w_hh": (12, 3), "b_ih": (12,), "b_hh": (12,)}
        for name, shape in shapes.items():
            own = getattr(net, f"{name}_list")[0].name
            ones = Parameter(Tensor(np.ones(shape), ms.float32), name=own)
            setattr(net, f"{name}_list", ParameterTuple([ones]))
            assert getattr(net, f"{name}_list")[0] is ones
        out = net(Tensor(np.ones((2, 1, 2)), ms.float32))[0].asnumpy()
        np.testing.assert_allclose(out.ravel(), [0.7400966] * 3 + [0.9604866] * 3, rtol=1e-6)
        assert sorted(p.name for p in net.trainable_params()) == [
            "bias_hh_l0", "bias_ih_l0", "weight_hh_l0", "weight_ih_l0",
        ]  # fmt: skip
        with pytest.raises(ValueError, match="weight_ih"):
            net.w_ih_list = ParameterTuple([])
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
