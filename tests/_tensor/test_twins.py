"""What MindSpore returns as the same tensor: casts to the dtype that a tensor has, `value`, `contiguous`, `x[...]`.

Every write into one of two such objects is seen in the other, assignments that give a view a storage of its own
included. The expected values were recorded with MindSpore.
"""

from __future__ import annotations

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, mint, ops
from ms_compat import numpy as mnp

METHODS = {
    "float": lambda t: t.float(),
    "astype": lambda t: t.astype(t.dtype),
    "to": lambda t: t.to(t.dtype),
    "type": lambda t: t.type(t.dtype),
}
SAME = {
    "type_as": lambda t: t.type_as(t),
    "contiguous": lambda t: t.contiguous(),
    "value": lambda t: t.value(),
    "cast": lambda t: ops.cast(t, t.dtype),
    "Cast": lambda t: ops.Cast()(t, t.dtype),
    "identity": ops.identity,
    "x[...]": lambda t: t[...],
    "positive": ops.positive,
    "x.positive": lambda t: t.positive(),
    "rot90": lambda t: ops.rot90(t, 4, (0, 1)),
    "swapaxes": lambda t: ops.swapaxes(t, 1, -1),
    "x.swapdims": lambda t: t.swapdims(0, 0),
    "numpy.rot90": lambda t: ms.numpy.rot90(t, 0),
    "numpy.swapaxes": lambda t: ms.numpy.swapaxes(t, 0, 0),
    "numpy.rollaxis": lambda t: ms.numpy.rollaxis(t, 0, 0),
}
TWINS = {**METHODS, **SAME, "twice": lambda t: t.float().value()}


def _all(t):
    t[...] = 0


def _slice(t):
    t[:1] = 0


def _mask(t):
    t[t > 1] = 0


def _positions(t):
    t[[0]] = 0


def _item(t):
    t[0] = 5


#: a write, and then: the values of the two objects, and whether a view that was taken before has them as well
WRITES = {
    "all": (_all, [[0, 0], [0, 0]], False),
    "slice": (_slice, [[0, 0], [3, 4]], True),
    "mask": (_mask, [[1, 0], [0, 0]], False),
    "positions": (_positions, [[0, 0], [3, 4]], False),
    "item": (_item, [[5, 5], [3, 4]], True),
}


@pytest.fixture(autouse=True)
def pynative():
    ms.set_context(mode=ms.PYNATIVE_MODE)


def _matrix():
    return Tensor(np.array([[1, 2], [3, 4]], np.float32))


@pytest.mark.parametrize("into_result", [False, True])
@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("twin", TWINS)
def test_a_write_is_seen_in_both(twin, write, into_result):
    tensor = _matrix()
    view = tensor.view(-1)
    result = TWINS[twin](tensor)
    apply, values, seen = WRITES[write]
    apply(result if into_result else tensor)
    assert tensor.asnumpy().tolist() == result.asnumpy().tolist() == values
    assert view.asnumpy().tolist() == (np.ravel(values).tolist() if seen else [1, 2, 3, 4])
    tensor[...] = 7
    result[0] = 8
    assert tensor.asnumpy().tolist() == result.asnumpy().tolist() == [[8, 8], [7, 7]]


VIEWS = {
    "view": lambda t: t.view(-1),
    "row": lambda t: t[0],
    "transposed": lambda t: t.T,
    "slice": lambda t: t[:1],
    "expand_dims": lambda t: t.expand_dims(0),
    "chunk": lambda t: t.chunk(2)[0],
}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", METHODS)
def test_methods_that_cast_copy_views(name, view):
    tensor = _matrix()
    METHODS[name](VIEWS[view](tensor))[:1] = 0
    assert tensor.asnumpy().tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize("view", ["view", "row", "slice"])
@pytest.mark.parametrize("name", ["type_as", "value", "cast", "Cast", "identity"])
def test_other_casts_share_views(name, view):
    tensor = _matrix()
    source = VIEWS[view](tensor)
    SAME[name](source)[:1] = 0
    assert (source.asnumpy() == 0).any() and (tensor.asnumpy() == 0).any()


def test_views_that_were_made_alike_are_two():
    tensor = _matrix()
    first, second = tensor.view(-1), tensor.view(-1)
    first[...] = 0
    assert second.asnumpy().tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize(
    "call",
    [
        lambda t: t.T,
        lambda t: t.t(),
        ops.t,
        ms.mint.flatten,
        ms.mint.nn.Flatten(0),
        lambda t: ops.swapaxes(t, 0, -1),
    ],
)
def test_a_vector_transposed_or_flattened_is_the_vector(call):
    vector = Tensor([1.0, 2.0])
    result = call(vector)
    result[...] = 0
    assert vector.asnumpy().tolist() == [0, 0]
    vector[...] = 3
    assert result.asnumpy().tolist() == [3, 3]


#: another Tensor of the same storage: it sees writes into it, and an assignment to all elements gives it its own
SHARED = {
    "mint.flatten": (ms.mint.flatten, (2, 2)),
    "mint.t": (ms.mint.t, (4,)),
    "mint.transpose": (lambda t: ms.mint.transpose(t, 0, 0), (2, 2)),
    "ops.flatten": (ops.flatten, (4,)),
    "ops.flatten, 0-d": (ops.flatten, ()),
    "ops.atleast_2d": (ops.atleast_2d, (4,)),
    "ops.atleast_3d": (ops.atleast_3d, (2, 2)),
    "numpy.atleast_1d": (ms.numpy.atleast_1d, (4,)),
    "numpy.atleast_2d": (ms.numpy.atleast_2d, (2, 2)),
    "numpy.atleast_3d": (ms.numpy.atleast_3d, ()),
    "HookBackward": (ops.HookBackward(lambda grads: grads), (2, 2)),
}
COPIES = {
    "ops.flatten": (ops.flatten, (2, 2)),
    "numpy.positive": (ms.numpy.positive, (2, 2)),
    "numpy.broadcast_to": (lambda t: ms.numpy.broadcast_to(t, (2, 2)), (2, 2)),
    "numpy.broadcast_arrays": (lambda t: ms.numpy.broadcast_arrays(t, t)[0], (2, 2)),
    "rot90": (lambda t: ops.rot90(t, 1, (0, 1)), (2, 2)),
}


@pytest.mark.parametrize("kind, name", [("shared", name) for name in SHARED] + [("copy", name) for name in COPIES])
def test_copies_and_other_tensors_of_the_same_storage(kind, name):
    call, shape = (SHARED if kind == "shared" else COPIES)[name]
    tensor = ops.ones(shape, ms.float32) * 1
    result = call(tensor)
    result.copy_(ops.zeros_like(result))
    assert tensor.asnumpy().any() == (kind == "copy")
    tensor = ops.ones(shape, ms.float32) * 1
    result = call(tensor)
    tensor[...] = 5
    assert (result.asnumpy() == 1).all()


def test_a_flattened_tensor_is_a_view():
    tensor = ops.ones((2, 2), ms.float32) * 1
    result = ms.mint.nn.Flatten()(tensor)
    result.copy_(ops.zeros_like(result))
    assert not tensor.asnumpy().any()
    tensor[...] = 5
    assert (result.asnumpy() == 5).all()


@pytest.mark.parametrize("call", [ops.positive, lambda t: ops.rot90(t, 0, (0, 1)), lambda t: t.swapaxes(0, 0)])
@pytest.mark.parametrize("compiled", [False, True])
def test_gradients_pass_through_what_shares_storage(call, compiled):
    def f(x):
        return (call(x * 2) ** 2).sum()

    function = ms.jit(f) if compiled else f
    assert ms.grad(function)(_matrix()).asnumpy().tolist() == [[8, 16], [24, 32]]


def test_gradients_pass_through_a_write_into_a_twin():
    def f(x):
        y = x * 2
        y.float()[0] = x[1] * 3
        return (y * y).sum()

    # y = (3 x1, 2 x1): the gradient of x1 is 2 * 3 x1 * 3 + 2 * 2 x1 * 2
    assert ops.grad(f)(Tensor([1.0, 2.0])).asnumpy().tolist() == [0.0, 52.0]


#: what gives a vector as it is, and so the same object
AS_IT_IS = {
    "T": lambda t: t.T,
    "contiguous": lambda t: t.contiguous(),
    "ops.pad": lambda t: ops.pad(t, ()),
    "numpy.pad": lambda t: mnp.pad(t, 0),
    "numpy.pad reflect": lambda t: mnp.pad(t, (0, 0), mode="reflect"),
}


@pytest.mark.parametrize("name", AS_IT_IS)
def test_what_changes_nothing_gives_the_tensor_itself(name):
    vector = Tensor([1.0, 2.0])
    assert AS_IT_IS[name](vector) is vector


@pytest.mark.parametrize(
    "copy",
    [mnp.positive, lambda t: mnp.pad(t, 0, mode="edge"), lambda t: ops.pad(t, (0, 0))],
    ids=["positive", "mnp.pad", "ops.pad"],
)
def test_other_copies_are_copies(copy):
    vector = Tensor([1.0, 2.0])
    copy(vector)[0] = 0
    assert vector.asnumpy().tolist() == [1, 2]


#: views of one row or column, whose elements are in order: `view(-1)` shares their storage
IN_ORDER = {
    "T": lambda t: t.T,
    "t": mint.t,
    "transpose": lambda t: mint.transpose(t, 0, 1),
    "moveaxis": lambda t: ops.moveaxis(t, 0, 1),
    "broadcast_to": lambda t: ops.broadcast_to(t, (1, 2)),
}


@pytest.mark.parametrize("name", IN_ORDER)
def test_views_of_one_row_are_viewed_in_place(name):
    row = Tensor([[1.0, 2.0]])
    IN_ORDER[name](row).view(-1)[0] = 7
    assert row.asnumpy().tolist() == [[7, 2]]


def test_a_transposed_matrix_is_copied_for_another_shape():
    matrix = _matrix()
    matrix.T.view(-1)[0] = 7
    assert matrix.asnumpy().tolist() == [[1, 2], [3, 4]]


#: what is made of `x[[0, 1]]`, and whether a write into it goes to `x` as well
OF_COPIES = {
    "itself": (lambda t: t, True),
    "row": (lambda t: t[0], True),
    "slice": (lambda t: t[:1], True),
    "x[...]": (lambda t: t[...], True),
    "positions": (lambda t: t[[0, 1]], True),
    "T": (lambda t: t.T, False),
    "view": (lambda t: t.view(-1), False),
    "float": (lambda t: t.float(), False),
    "value": (lambda t: t.value(), True),
    "x[None]": (lambda t: t[None], False),
    "row of T": (lambda t: t.T[0], False),
}


@pytest.mark.parametrize("name", OF_COPIES)
def test_only_what_was_read_by_index_is_written_back(name):
    made, goes_back = OF_COPIES[name]
    tensor = _matrix()
    copy = tensor[[0, 1]]
    part = made(copy)
    part[0] = 9
    assert part.asnumpy().ravel()[0] == copy.asnumpy()[0, 0] == 9
    assert bool(tensor.asnumpy()[0, 0] == 9) is goes_back


def test_a_copy_stays_written_back_after_a_twin_was_assigned():
    tensor = _matrix()
    copy = tensor[[0, 1]]
    copy[...][...] = 5
    assert tensor.asnumpy().tolist() == [[5, 5], [5, 5]]
    copy[0] = 6
    assert tensor.asnumpy().tolist() == [[6, 6], [5, 5]]


def test_a_cast_of_a_row_gives_the_row_a_storage_of_its_own():
    tensor = _matrix()
    row = tensor[0]
    mint.flatten(row)[...] = 9
    assert (tensor.asnumpy().tolist(), row.asnumpy().tolist()) == ([[1, 2], [3, 4]], [9, 9])
