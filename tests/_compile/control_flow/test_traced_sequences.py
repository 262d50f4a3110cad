"""Loops over ranges and rows whose number is known at run time only."""

import re

import jax
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import UnsupportedError, mint, nn, ops
from ms_compat.interop import jax as interop
from tests._formats.mindir.nets import Of, floats
from tests._formats.onnx.conftest import session as session
from tests._formats.onnx_files import check


# -- sizes that are open in an exported file ---------------------------------------------------------------------------
def sums(x, places, term):
    total = ops.zeros(3, ms.float32)
    for place in places:
        total = total * 0.5 + term(x, place)
    return total


def at(x, place):
    return x[place]


def row(x, place):
    return place


def numbered(x, item):
    return item[1] * item[0]


def assigns_rows(x):
    out = mint.zeros_like(x)
    for i in range(x.shape[0]):
        out[i] = x[i] * i
    return out


def nests(x):
    out = mint.zeros((x.shape[0], x.shape[0]))
    for i in range(x.shape[0]):
        for j in range(i + 1):
            out[i, j] = (x[i] * x[j]).sum()
    return out


def returns_early(x):
    for i in range(x.shape[0]):
        if x[i].sum() > 3:
            return x[i]
    return x[0] * 0


def breaks(x):
    total = ops.zeros(3, ms.float32)
    for i, item in enumerate(x):
        if i > 2:
            break
        total = total + item * i
    return total + x[0]


def pairs(x):
    total = ops.zeros(3, ms.float32)
    for i, (item, place) in enumerate(zip(x, range(1, x.shape[0]), strict=False)):
        total = total * 0.5 + item * place + i
    return total


OPEN = {
    "a range": lambda x: sums(x, range(x.shape[0]), at),
    "a range of a part": lambda x: sums(x, range(1, x.shape[0] - 1), at),
    "a range by two": lambda x: sums(x, range(0, x.shape[0], 2), at),
    "a range backwards": lambda x: sums(x, range(x.shape[0] - 1, -1, -1), at),
    "a reversed range": lambda x: sums(x, reversed(range(1, int(x.shape[0]), 3)), at),
    "a length": lambda x: sums(x, range(len(x)), at) * len(range(0, x.shape[0], 3)),
    "rows": lambda x: sums(x, x, row),
    "numbered rows": lambda x: sums(x, enumerate(x), numbered),
    "rows from 1": lambda x: sums(x, enumerate(x, 1), numbered),
    "rows and a range": pairs,
    "rows to assign": assigns_rows,
    "a loop in a loop": nests,
    "return": returns_early,
    "break": breaks,
}


@pytest.mark.parametrize("name", OPEN)
def test_a_file_loops_over_an_open_size(name, tmp_path):
    net = Of(OPEN[name])
    ms.export(net, ms.Tensor(shape=[None, 3], dtype=ms.float32), file_name=f"{tmp_path}/a", file_format="MINDIR")
    cell = nn.GraphCell(ms.load(f"{tmp_path}/a.mindir"))
    for batch in (1, 2, 7):
        x = floats(batch, 3)
        found, wanted = cell(x), net(x)
        assert found.dtype == wanted.dtype
        np.testing.assert_allclose(found.asnumpy(), wanted.asnumpy(), 1e-5, 1e-6)


@pytest.mark.parametrize("name", ["rows and a range", "a loop in a loop", "break"])
def test_every_format_loops_over_an_open_size(name, tmp_path, session):
    net = Of(OPEN[name])
    opened = session(net, ms.Tensor(shape=[None, 3], dtype=ms.float32))
    interop.export(net, floats(4, 3)._v, f"{tmp_path}/a", sizes="b, 3")
    loaded = jax.export.deserialize(bytearray((tmp_path / "a.stablehlo").read_bytes()))
    for batch in (1, 7):
        check(opened, net, floats(batch, 3))
        (found,) = jax.tree.leaves(loaded.call({}, floats(batch, 3)._v))
        np.testing.assert_allclose(found, net(floats(batch, 3)).asnumpy(), 1e-5, 1e-6)


def gathers_in_a_list(x):
    found = []
    for i in range(x.shape[0]):
        found.append(x[i] * 2)
    return ops.stack(found)


def walks_beside_a_list(x):
    total = 0
    for item, factor in zip(x, [1, 2, 3], strict=False):
        total = total + item * factor
    return total


@pytest.mark.parametrize(
    "program, why",
    [(gathers_in_a_list, "a list of 0 and one of 1 elements"), (walks_beside_a_list, "walks over a list beside")],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_cannot_loop_names_the_line(program, why, tmp_path):
    line = re.escape(f"{__file__}:") + r"\d+: for .* in .*" + re.escape(why)
    with pytest.raises(UnsupportedError, match=line):
        unknown = ms.Tensor(shape=[None, 3], dtype=ms.float32)
        ms.export(Of(program), unknown, file_name=f"{tmp_path}/a", file_format="MINDIR")


# -- numbers of a compiled function ------------------------------------------------------------------------------------
COUNTED = {
    "a reversed range": lambda x, n: sums(x, reversed(range(5, n, 2)), at),
    "a numbered range": lambda x, n: sums(x, enumerate(range(n), 2), lambda x, item: x[item[1]] * item[0]),
    "a range and rows": lambda x, n: sums(x, zip(range(n, 0, -1), x, strict=False), numbered),
    "a length": lambda x, n: x * len(range(1, n, 3)),
}


@pytest.mark.parametrize("name", COUNTED)
def test_a_compiled_function_loops_as_often_as_a_number_says(name):
    program = COUNTED[name]
    compiled = ms.jit(lambda x, n: program(x, int(n)), fullgraph=True)
    for n in (0, 2, 8):
        found, wanted = compiled(floats(9, 3), ms.Tensor(n)), program(floats(9, 3), n)
        np.testing.assert_allclose(found.asnumpy(), wanted.asnumpy(), 1e-5, 1e-6)
