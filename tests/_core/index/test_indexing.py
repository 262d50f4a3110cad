"""Reading and writing by index: compilations, gradients, both modes, views, errors that change nothing.

What MindSpore answers for each index form is replayed in test_tensor_oracle.py.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, UnsupportedError
from ms_compat._core.index.entries import getter, setter
from ms_compat._core.index.getitem import _ROW
from ms_compat._core.index.spec import FULL, INT

X = np.arange(60, dtype=np.float32).reshape(3, 4, 5) / 7
GET = {
    "int": lambda x: x[1],
    "negative int": lambda x: x[-1, 2],
    "slice": lambda x: x[1:3, :2],
    "negative bounds": lambda x: x[-2:, 1:-1],
    "steps": lambda x: x[::2, 3:0:-2],
    "all backwards": lambda x: x[..., ::-1],
    "new dimensions": lambda x: x[None, :, None, 1],
    "ellipsis": lambda x: x[..., 2],
    "empty": lambda x: x[2:1],
    "list": lambda x: x[[2, 0, 2]],
    "two lists": lambda x: x[[0, 2], [1, 3]],
    "lists apart": lambda x: x[[0, 2], :, [1, 3]],
    "list and int and slice": lambda x: x[1, 1:, [0, 0]],
    "list and steps": lambda x: x[::-2, [1, 2]],
    "true": lambda x: x[True, 0],
}
ids = {"argvalues": list(GET.values()), "ids": list(GET)}


@pytest.mark.parametrize("index", **ids)
def test_reads_as_numpy_does(index):
    np.testing.assert_array_equal(index(Tensor(X)).asnumpy(), index(X))


@pytest.mark.parametrize("index", **ids)
def test_a_compiled_function_reads_the_same(index):
    np.testing.assert_array_equal(ms.jit(lambda x: index(x))(Tensor(X)).asnumpy(), index(X))


def _weights(shape):
    return np.cos(np.arange(np.prod(shape, dtype=int), dtype=np.float32)).reshape(shape)


@pytest.mark.parametrize("compiled", [False, True], ids=["pynative", "jit"])
@pytest.mark.parametrize("index", **ids)
def test_the_gradient_of_reading_adds_up_where_the_elements_came_from(index, compiled):
    w = _weights(index(X).shape)

    def loss(x):
        return (index(x) * Tensor(w)).sum()

    want = np.zeros(X.size, np.float32)
    np.add.at(want, index(np.arange(X.size).reshape(X.shape)), w)
    got = ms.grad(ms.jit(loss) if compiled else loss)(Tensor(X))
    np.testing.assert_allclose(got.asnumpy(), want.reshape(X.shape), rtol=1e-6)


def test_the_gradient_is_that_of_jax():
    def loss(x):
        return (x[1, ::2, -1] ** 2).sum() * x[0, 0, 0]

    np.testing.assert_allclose(ms.grad(loss)(Tensor(X)).asnumpy(), jax.grad(loss)(jnp.asarray(X)), rtol=1e-6)


def _weights(shape):
    return np.cos(np.arange(np.prod(shape, dtype=int), dtype=np.float32)).reshape(shape)


def _numeric(fn, x):
    """The gradient by differences, in float64."""
    x = x.astype(np.float64)
    out = np.zeros_like(x)
    for at in np.ndindex(x.shape):
        step = np.zeros_like(x)
        step[at] = 1e-3
        out[at] = (fn(x + step) - fn(x - step)) / 2e-3
    return out


SET = {
    "int": lambda x, v: x.__setitem__(1, v[0]),
    "slice": lambda x, v: x.__setitem__(slice(1, 3), v[:2]),
    "ints and slice": lambda x, v: x.__setitem__((0, slice(1, 3), -1), v[0, 1:3, 0]),
    "steps": lambda x, v: x.__setitem__((slice(None), slice(3, 0, -2)), v[:, :2]),
    "broadcast": lambda x, v: x.__setitem__((Ellipsis, 0), v[0, :, 0]),
    "list": lambda x, v: x.__setitem__([2, 0], v[:2]),
    "list and slice": lambda x, v: x.__setitem__((slice(1, None), [3, 1]), v[1:, :2]),
    "lists apart": lambda x, v: x.__setitem__(([0, 2], slice(None), [1, 3]), v[:2, :, 0]),
}


def _after(put, x, v):
    x = x + 0
    put(x, v)
    return x


@pytest.mark.parametrize("compiled", [False, True], ids=["pynative", "jit"])
@pytest.mark.parametrize("put", list(SET.values()), ids=list(SET))
def test_writes_as_numpy_does_with_gradients_for_both_sides(put, compiled):
    w = _weights(X.shape)
    v = np.sin(X)

    def loss(x, v):
        x = x + 0
        put(x, v)
        return (x * Tensor(w)).sum()

    value = _after(put, Tensor(X), Tensor(v))
    np.testing.assert_array_equal(value.asnumpy(), _after(put, X, v))
    gx, gv = ms.grad(ms.jit(loss) if compiled else loss, (0, 1))(Tensor(X), Tensor(v))
    np.testing.assert_allclose(gx.asnumpy(), _numeric(lambda x: (_after(put, x, v) * w).sum(), X), atol=1e-3)
    np.testing.assert_allclose(gv.asnumpy(), _numeric(lambda v: (_after(put, X, v) * w).sum(), v), atol=1e-3)


@pytest.mark.parametrize("compiled", [False, True], ids=["pynative", "jit"])
def test_a_mask_takes_one_value_and_passes_the_gradient_of_the_rest(compiled):
    def loss(x, v):
        x = x * 1
        x[x > 4] = v
        return (x * x).sum()

    gx, gv = ms.grad(ms.jit(loss) if compiled else loss, (0, 1))(Tensor(X), Tensor(3.0))
    np.testing.assert_allclose(gx.asnumpy(), np.where(X > 4, 0, 2 * X), rtol=1e-6)
    np.testing.assert_allclose(gv.asnumpy(), 6 * (X > 4).sum(), rtol=1e-6)


def test_a_mask_reads_with_a_gradient_outside_of_one_program():
    gradient = ms.grad(lambda x: (x[x > 4] ** 2).sum())(Tensor(X))
    np.testing.assert_allclose(gradient.asnumpy(), np.where(X > 4, 2 * X, 0), rtol=1e-5)
    with pytest.raises(UnsupportedError, match=r"ops\.where"):
        ms.jit(lambda x: x[x > 4], fullgraph=True)(Tensor(X))
    with pytest.raises(UnsupportedError, match=r"ops\.where"):

        def write(x):
            x[x > 4] = Tensor(np.ones(31, np.float32))
            return x

        ms.jit(write, fullgraph=True)(Tensor(X))


@pytest.mark.parametrize("compiled", [False, True], ids=["pynative", "jit"])
def test_a_tensor_of_positions_is_an_argument(compiled):
    traces = {"rows": 0}

    def rows(x, i):
        traces["rows"] += 1
        return x[i], x[0, i], x[i, 1:]

    fn = ms.jit(rows) if compiled else rows
    for positions in ([0, 2], [1, 1], [-1, 0]):
        for got, want in zip(fn(Tensor(X), Tensor(positions)), rows(X, positions), strict=True):
            np.testing.assert_array_equal(got.asnumpy(), want)
    assert not compiled or traces["rows"] == 4  # three of numpy's, one of the compiler's


def test_twenty_indices_are_one_compilation():
    x = Tensor(np.arange(400, dtype=np.int16).reshape(20, 20))
    counters = {
        _ROW: lambda i: x[i],
        getter((INT, INT)): lambda i: x[i, -i - 1],
        getter(((3, 1), FULL)): lambda i: x[i % 17 : i % 17 + 3],
        getter((INT, (2, 1))): lambda i: x[i, i % 18 : i % 18 + 2],
        getter(((2, -3), FULL)): lambda i: x[i + 4 : i : -3],
        setter((INT, FULL)): lambda i: x.__setitem__(i, i),
    }
    for entry, use in counters.items():
        before = entry.jit._cache_size()
        for i in range(14):
            use(i)
        assert entry.jit._cache_size() - before <= 1


def test_a_view_by_index_writes_into_its_source():
    x = Tensor(X)
    row = x[1]
    part = row[1:3]
    part[0, 0] = 9
    assert x[1, 1, 0].item() == row[1, 0].item() == 9
    x[1] = 5
    assert part.asnumpy().tolist() == [[5] * 5] * 2


def test_a_whole_assignment_gives_a_storage_of_its_own():
    x = Tensor([1.0, 2.0])
    y, z = x.view(2, 1), x.view(1, 2)
    x[...] = 7
    y[0] = 9
    assert (x.asnumpy().tolist(), y.asnumpy().tolist(), z.asnumpy().tolist()) == ([7, 7], [[9], [2]], [[9, 2]])


def test_gradients_flow_through_a_write_into_a_view():
    def loss(x):
        x = x * 1
        row = x[1]
        row[0] = x[0, 0] * 3
        return (x * x).sum()

    gradient = ms.grad(loss)(Tensor([[1.0, 2.0], [3.0, 4.0]]))
    np.testing.assert_allclose(gradient.asnumpy(), [[2 + 18, 4], [0, 8]])


def test_the_views_of_a_tensor_do_not_keep_each_other_alive():
    x = Tensor(X)
    for i in range(100):
        x[i % 3]
    assert len(x._views.refs) <= 9


def test_iteration_yields_views_and_records_one_operation():
    x = Tensor(X)
    for row in x:
        row[0] = 1
    assert x.asnumpy()[:, 0].tolist() == [[1] * 5] * 3
    assert [row.shape for row in ms.jit(lambda x: list(x))(x)] == [(4, 5)] * 3

    def loss(x):
        total = 0
        for i, row in enumerate(x):
            total = total + (i + 1) * row.sum()
        return total

    gradient = ms.grad(loss)(Tensor(X)).asnumpy()
    np.testing.assert_array_equal(gradient, np.broadcast_to([[[1]], [[2]], [[3]]], X.shape))
    with pytest.raises(TypeError):
        iter(Tensor(1))


@pytest.mark.parametrize(
    ("index", "value", "error"),
    [
        (3, 1, IndexError),
        ((0, 9), 1, IndexError),
        ([7], 1, IndexError),
        (Tensor([0, 7]), 1, ValueError),
        (slice(0, 2), Tensor([1.0, 2.0]), ValueError),
        (slice(0, 2), Tensor(np.ones((1, 2, 4, 5))), ValueError),
        (0, None, TypeError),
        (0, "a", IndexError),
        (0, 2**70, RuntimeError),
    ],
)
def test_an_error_changes_nothing(index, value, error):
    x = Tensor(X)
    view = x[0]
    with pytest.raises(error):
        x[index] = value
    np.testing.assert_array_equal(x.asnumpy(), X)
    np.testing.assert_array_equal(view.asnumpy(), X[0])


def test_a_parameter_written_in_a_compiled_function_keeps_the_value():
    p = Parameter(Tensor([1.0, 2.0, 3.0]), name="p")

    @ms.jit
    def step(x):
        p[0] = x
        p[1:] += x
        return p[0] * 2

    assert step(Tensor(5.0)).item() == 10
    assert p.asnumpy().tolist() == [5, 7, 8]


def test_an_index_inside_a_trace_of_jax_leaves_no_tracer_behind():
    x = Tensor(X)
    jax.jit(lambda a: a + x[2]._v + x[2, 3, 1:]._v.sum())(1.0)
    np.testing.assert_array_equal(x[2].asnumpy(), X[2])


def test_negative_steps_and_overlaps_write_where_mindspore_cannot():
    x = Tensor([1, 2, 3])
    x[::-1] = Tensor([7, 8, 9])
    assert x.asnumpy().tolist() == [9, 8, 7]
    x[1:] = x[:-1]
    assert x.asnumpy().tolist() == [9, 9, 8]
    y = Tensor([1.0, 2.0], ms.bfloat16)
    y[0] = 1.5
    assert y.float().asnumpy().tolist() == [1.5, 2]
