"""Loops, branches and inner functions on Tensors in files of every format, with lists that loops carry."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import ops
from tests._formats import open_sizes
from tests._formats.mindir.nets import Of, floats, ints
from tests._formats.test_open_sizes import file_format  # noqa: F401  (a fixture)
from tests.conformance.record.mindir_export import leaves


def carried_list(x):
    held = [x, x * 0]
    while held[0].sum() < 40:
        held = [held[0] * 1.5 + 1, held[1] + held[0]]
    return held


def nested_loops(x):
    total = x * 0
    while total.sum() < 30:
        inner = x
        while inner.sum() < 10:
            inner = inner + ops.abs(x) + 0.5
        total = total + inner
    return total


def branch_in_a_loop(x):
    steps = ops.zeros((), ms.int32)
    while x.sum() < 100:
        if steps % 2 == 0:
            x = ops.abs(x) * 2 + 1
        else:
            x = x + 3
        steps = steps + 1
    return x, steps


def loop_in_a_branch(x):
    if x.mean() > 0:
        while x.sum() < 50:
            x = x * 2 + 1
    else:
        x = x - 1
    return x


def branches(x):
    if x.sum() > 5:
        y = x * 2
    elif x.sum() > 0:
        y = x + 1
    else:
        y = -x
    return y


def left_early(x):
    for step in range(5):
        x = x + step
        if x.sum() > 12:
            break
    return x


def inner_functions(x):
    def scaled(value, by):
        def shifted(value):
            return value + by

        return shifted(value) * by

    return scaled(scaled(x, 2.0), 3.0)


def over_rows(x):
    rows = []
    for row in x:
        rows.append(ops.relu(row) * 2 if row.sum() > 0 else row)
    return ops.stack(rows)


def messages(x, index):
    """A step of a graph net: messages along edges, added up at their ends."""
    sent = ops.gather(x, index[0], 0) * 0.5
    received = ops.tensor_scatter_add(ops.zeros_like(x), index[1].reshape(-1, 1), sent)
    return ops.relu(received) + ops.unsorted_segment_sum(sent, index[1], 5)


# a name -> (the net, its inputs, others of the same shapes)
CASES = {
    **{
        fn.__name__: (fn, [floats(2, 3)], [[floats(2, 3) * 0 + 4], [ops.abs(floats(2, 3))]])
        for fn in (carried_list, nested_loops, branch_in_a_loop, loop_in_a_branch, branches, left_early,
                   inner_functions, over_rows)
    },
    "messages": (messages, [floats(5, 4), ints(2, 7)], [[floats(5, 4) * 2, ints(2, 7, below=3)]]),
}  # fmt: skip
# which operators of ONNX show that nothing is written out
OPERATORS = {"carried_list": {"Loop"}, "nested_loops": {"Loop"}, "branch_in_a_loop": {"Loop", "If"},
             "loop_in_a_branch": {"Loop", "If"}, "branches": {"If"}, "messages": {"ScatterND"}}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_every_format(name, file_format, tmp_path):  # noqa: F811
    fn, first, others = CASES[name]
    net = Of(fn)
    run = open_sizes.saved(file_format, net, first, tmp_path)
    for given in (first, *others):
        found, wanted = run(*given), leaves(net(*given))
        assert [(f.shape, f.dtype) for f in found] == [(w.shape, w.dtype) for w in wanted]
        for mine, theirs in zip(found, wanted, strict=True):
            np.testing.assert_allclose(mine, theirs, rtol=1e-5, atol=1e-5)
    if file_format == "ONNX" and name in OPERATORS:
        import onnx

        from tests._formats.onnx_files import operators

        assert operators(onnx.load(f"{tmp_path}/net.onnx")) >= OPERATORS[name]
