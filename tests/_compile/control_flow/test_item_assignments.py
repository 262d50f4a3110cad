"""`x[i][j] = value` in compiled functions. The expected values were taken from MindSpore 2.10.0.

MindSpore's compiler goes by how the statement is written: the value is written back through each index, until one that
is a slice alone.
"""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, ops

AT = Tensor(np.array([0, 2], np.int32))
ONE = Tensor(1)


def row(x):
    x[1][0] = 1.0
    return x


def part_of_row(x):
    x[1][0:2] = 1.0
    return x


def positions_of_row(x):
    x[1][AT] = 1.0
    return x


def row_of_positions(x):
    x[AT][0:2] = 1.0
    return x


def column_of_positions(x):
    x[AT][:, 0] = 1.0
    return x


def of_column(x):
    x[:, 0][1] = 1.0
    return x


def of_whole(x):
    x[...][1] = 1.0
    return x


def of_new_axis(x):
    x[None][0, 1] = 1.0
    return x


def of_list(x):
    x[[0, 1]][0] = 1.0
    return x


def at_tensor(x):
    x[ONE][ONE] = 1.0
    return x


def added(x):
    x[1][0] += 1.0
    return x


def read_beside(x):
    x[-1][-1] = x[0][0] + 3.0
    return x


def in_container(x):
    held = {"a": [x]}
    held["a"][0][1][0] = 1.0
    return held["a"][0]


def of_slice(x):
    x[0:2][1] = 1.0
    return x


def of_slice_of_row(x):
    x[1][0:2][1] = 1.0
    return x


def of_slice_added(x):
    x[1:][0] += 1.0
    return x


def of_name(x):
    y = x[1]
    y[0] = 1.0
    return x


WRITTEN = {
    row: "000010000000",
    part_of_row: "000011000000",
    positions_of_row: "000010100000",
    row_of_positions: "111100001111",
    column_of_positions: "100000001000",
    of_column: "000010000000",
    of_whole: "000011110000",
    of_new_axis: "000011110000",
    of_list: "111100000000",
    at_tensor: "000001000000",
    added: "000010000000",
    read_beside: "000000000003",
    in_container: "000010000000",
    of_slice: "000000000000",
    of_slice_of_row: "000000000000",
    of_slice_added: "000000000000",
    of_name: "000000000000",
}


def digits(x):
    return "".join(str(int(value)) for value in x.asnumpy().ravel())


@pytest.mark.parametrize("write", WRITTEN)
def test_what_is_written_into_a_part_is_in_the_whole_where_the_statement_names_it(write):
    @ms.jit
    def f(x):
        return write(x * 1)

    assert digits(f(ops.zeros((3, 4)))) == WRITTEN[write]


def test_the_gradient_goes_to_the_value_and_not_to_what_was_there():
    class Net(nn.Cell):
        def construct(self, x, v):
            x = x * 1
            x[1][0] = v
            return (x * x).sum()

    ms.set_context(mode=ms.GRAPH_MODE)
    to_x, to_v = ms.grad(Net(), (0, 1))(ops.ones((2, 2)), Tensor(3.0))
    assert to_x.asnumpy().tolist() == [[2, 2], [0, 2]] and float(to_v) == 6


def test_a_condition_on_a_tensor_around_it():
    @ms.jit
    def f(x, b):
        if b.sum() > 0:
            x[AT][:, 1] = b
        return x

    ones = f(ops.zeros((3, 4)), ops.ones(()))
    assert digits(ones) == "010000000100"
    assert digits(f(ops.zeros((3, 4)), -ops.ones(()))) == "000000000000"


def whole(x):
    x[None] = ops.ones((1, 1, 3, 4))
    return x


@pytest.mark.parametrize("fn", [whole, ms.jit(whole)])
def test_leading_axes_of_the_value_are_dropped_where_the_index_is_none(fn):
    assert digits(fn(ops.zeros((3, 4)))) == "1" * 12
