"""Operands that operations take or refuse as MindSpore 2.10.0 does (asked on 2026-11-22)."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, ops


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


@pytest.mark.parametrize("name", REFUSALS)
def test_refusals(name, mode):
    error, named, call = REFUSALS[name]
    with pytest.raises(error, match=named):
        call()
