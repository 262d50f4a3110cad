"""Tensor methods in MindSpore's older form and in the one like PyTorch's; strides of views. Values are MindSpore's."""

import copy
import pickle

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


X = np.array([[1.5, -2, 3], [4, 5, -6.5]], np.float32)


def x():
    return Tensor(X)


V = [3.0, 1.0]
PLACES = [[0, 1], [1, 1]]
ADDED = [[1.5, 1.0, 3.0], [4.0, 6.0, -6.5]]
# expression -> what it gives: a list for a Tensor, a tuple of lists for several
CASES = {
    "x().max(1)": ([3, 5], [2, 1]),
    "x().max(0, True)": ([[4, 5, 3]], [[1, 1, 0]]),
    "x().max(dim=0)": ([4, 5, 3], [1, 1, 0]),
    "x().max(axis=0)": [4, 5, 3],
    "x().max(0, keepdims=True)": [[4, 5, 3]],
    "x().max(0, initial=1)": [4, 5, 3],
    "x().min(0, False, initial=9, where=x() > 0, return_indices=False)": [1.5, 5, 3],
    "x().max(1, initial=4., return_indices=True)": ([4, 5], [0, 1]),
    "x().repeat_interleave(2, dim=0)": X.repeat(2, 0).tolist(),
    "x().repeat_interleave([1, 2], dim=0)": X[[0, 1, 1]].tolist(),
    "x().scatter_add(Tensor(PLACES), Tensor(V))": ADDED,
    "x().scatter_add(indices=Tensor(PLACES), updates=Tensor(V))": ADDED,
    "x().split(split_size=(1, 1), dim=0)": ([X[0].tolist()], [X[1].tolist()]),
    "x().argsort(dim=0, descending=True, stable=True)": [[1, 1, 0], [0, 0, 1]],
    "x().sort(0, True, True)": ([[4, 5, 3], [1.5, -2, -6.5]], [[1, 1, 0], [0, 0, 1]]),
    "x().isclose(x2=x() + .1, rtol=.1)": [[True, True, True], [True, True, True]],
    "(x() > 0).logical_and(y=x() < 4)": [[True, False, True], [False, False, False]],
    "(x() > 0).logical_or(y=x() < 4)": [[True] * 3] * 2,
    "x().matmul(tensor2=x().T)": (X @ X.T).tolist(),
    "x().sub(y=x())": [[0] * 3] * 2,
    "x().remainder(divisor=Tensor(2.))": [[1.5, 0, 1], [0, 1, 1.5]],
    "x().take(index=Tensor([0, 2]))": [1.5, 3],
    "x().new_ones(size=(2,))": [1, 1],
    "x().new_ones((1, 2), ms.int32)": [[1, 1]],
    "x().new_zeros(size=2, dtype=ms.int64)": [0, 0],
    "x().new_empty(size=[1, 0])": [[]],
    "x()[0].broadcast_to(2, 3)": [X[0].tolist()] * 2,
    "x()[0].broadcast_to(shape=(2, 3))": [X[0].tolist()] * 2,
    "Tensor([1., -2.]).view(dtype=ms.int32)": [0x3F800000, -0x40000000],
    "Tensor([3, 1, 3]).unique()": [1, 3],
    "Tensor([3, 1, 3]).unique(return_inverse=True, return_counts=True)": ([1, 3], [1, 0, 1], [1, 2]),
    "Tensor([[3, 1], [3, 1]]).unique(dim=0)": [[3, 1]],
    "x().unsqueeze(axis=0)": [X.tolist()],
    "x().where(condition=x() > 0, other=Tensor(0.))": [[1.5, 0, 3], [4, 5, 0]],
    "Tensor([[1., np.nan], [-np.inf, -2.]]).sign()": [[1, 0], [-1, -1]],
    "x()[Tensor([True, False]), Tensor([True, False])]": [1.5],
}


@pytest.mark.parametrize("expression", CASES)
def test_answers(expression):
    def plain(value):
        return tuple([plain(v) for v in value]) if isinstance(value, tuple) else np.asarray(value).tolist()

    out = eval(expression, globals())
    wanted = CASES[expression]
    assert isinstance(out, tuple) == isinstance(wanted, tuple)
    for one, other in zip(out if isinstance(out, tuple) else [out], wanted if isinstance(wanted, tuple) else [wanted],
                          strict=True):  # fmt: skip
        assert np.allclose(plain(one), other, rtol=1e-5)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda t: t.div(t, "floor"), TypeError),
        (lambda t: t.divide(t, "floor"), TypeError),
        (lambda t: t.max(1, 1), TypeError),
        (lambda t: t.max(0, True, 1, True, False), TypeError),
        (lambda t: t.max(1, True, initial=[1]), TypeError),
        (lambda t: t.max(1.5), TypeError),
        (lambda t: t.max(None, axis=0), TypeError),
        (lambda t: t.min(0, True, keepdims=True), TypeError),
        (lambda t: t.max(where=3), TypeError),
        (lambda t: t.mean(dim=1, keepdim=1), TypeError),
        (lambda t: t.new_ones(shape=(2, 2)), TypeError),
        (lambda t: t.new_zeros((2, 2), size=(2, 2)), TypeError),
        (lambda t: t.new_zeros(), TypeError),
        (lambda t: t.view(size=(3, 2)), TypeError),
        (lambda t: t.reshape(3, 2, order="C"), TypeError),
        (lambda t: t[0].diag(1), ValueError),
        (lambda t: t.qr(1), TypeError),
        (lambda t: t.repeat_interleave(2, 0, output_size=3), RuntimeError),
        (lambda t: t.__setitem__((Tensor([0, 1]),) * 3, 1.0), IndexError),
        (lambda t: t.__setitem__((Tensor([True, False]),) * 2, Tensor(np.zeros((2, 4)))), ValueError),
    ],
)
def test_refusals(call, error):
    with pytest.raises(error):
        call(x())


@pytest.mark.parametrize("of", ["x().new_ones(size=(2, 2))", "x().new_zeros((2, 2), ms.int32)", "x().new_ones(2)"])
def test_filled_tensors_have_the_dtype_that_is_asked_for(of, mode):
    ms.set_context(mode=mode)
    assert eval(of, globals()).dtype == (ms.int32 if "int32" in of else ms.float32)


def test_qr_takes_some():
    tall = x().T
    assert [tuple(t.shape) for some in (True, False) for t in tall.qr(some)] == [(3, 2), (2, 2), (3, 3), (3, 2)]


def test_forms_by_position_in_compiled_functions():
    @ms.jit
    def largest(t):
        return t.max(1), t.max(dim=1), t.transpose(0, 1)

    alone, both, same = largest(x())
    assert alone.asnumpy().tolist() == [3, 5] and both[1].asnumpy().tolist() == [2, 1] and same.shape == (2, 3)


def test_strides_of_views():
    t, q = x(), Tensor(np.zeros((2, 3, 4), np.float32))
    assert t.stride() == [3, 1] and t.T.stride() == [1, 3] and t.transpose(1, 0).stride(0) == 1
    assert q.permute(2, 0, 1).stride() == [1, 12, 4] and t[:, 1:].stride() == [3, 1]
    assert t[1].storage_offset() == 3 and t.storage_offset() == 0
    contiguous = [t, t.view(3, 2), t[1], t.T.T, t.expand_dims(0), t.T.contiguous()]
    others = [t.T, t[:, 1], t.broadcast_to((2, 2, 3)), ops.transpose(t, (1, 0))]
    assert all(v.is_contiguous() for v in contiguous) and not any(v.is_contiguous() for v in others)


def test_contiguous_shares_only_what_lies_in_order():
    t = x()
    rows, columns = t.view(3, 2).contiguous(), t.T.contiguous()
    t[0, 0] = 9
    assert rows[0, 0] == 9 and columns[0, 0] == 1.5


def test_operations_are_pickled_by_their_place():
    for operation in (ops.relu, ops.add, ops.softmax, ops.matmul):
        assert pickle.loads(pickle.dumps(operation)) is operation and copy.deepcopy(operation) is operation


def test_tuple_to_array_takes_a_range():
    out = ops.TupleToArray()(range(3))
    assert out.asnumpy().tolist() == [0, 1, 2] and out.dtype is ms.int32


def test_mutable_bools_are_bools():
    keep = ms.mutable(True)
    assert x().max(dim=0, keepdim=keep)[0].shape == (1, 3) and x().mean(0, keep).shape == (1, 3)


def test_extremes_of_all_elements_ignore_the_other_arguments(mode):
    """As in MindSpore, whose index is 0."""
    for options in ({"keepdims": True}, {"initial": 99.0}, {"where": x() > 3}, {"axis": None, "keepdims": True}):
        assert x().max(**options).asnumpy() == X.max() and x().max(**options).shape == ()
    value, index = x().min(return_indices=True)
    assert (value.asnumpy(), index.asnumpy(), index.dtype) == (X.min(), 0, ms.int64)
