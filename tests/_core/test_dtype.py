"""Texts of dtypes."""

import pickle

import numpy as np

import ms_compat as ms
from ms_compat import Tensor, ops
from ms_compat._names.resolve import resolve


def inner(dotted):
    return resolve(f"mindspore.{dotted}")


def test_texts_of_dtypes_that_a_package_replaces_change_nothing_else(mode, monkeypatch):
    for kind in ("Float", "Int"):
        named = inner(f"common.dtype.{kind}")
        monkeypatch.setattr(named, "__str__", named.__repr__)
    x = Tensor(np.array([[1.0, 2.0], [3.0, 4.0]], np.float32))
    assert str(x.dtype) == "mindspore.float32"
    for tensor in (x, ms.Parameter(x, name="p"), Tensor([1, 2])):
        again = pickle.loads(pickle.dumps(tensor))
        assert again.asnumpy().tolist() == tensor.asnumpy().tolist() and again.dtype is tensor.dtype
    pooled = ops.fractional_max_pool2d(x.reshape(1, 1, 2, 2), 2, output_size=(1, 1), _random_samples=ones(1, 1, 2))
    assert pooled.asnumpy().tolist() == [[[[4.0]]]]
    assert ops.FloatStatus()(x).asnumpy().tolist() == [0.0]


def ones(*shape):
    return Tensor(np.full(shape, 0.5, np.float32))
