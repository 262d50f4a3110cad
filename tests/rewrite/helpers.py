"""What the tests of `rewrite` share."""

import numpy as np

from ms_compat import Tensor, nn
from ms_compat.rewrite import Node, ScopedValue

NAME = ScopedValue.create_naming_value
VALUE = ScopedValue.create_variable_value


def data(*shape, seed=1):
    return Tensor(np.random.default_rng(seed).normal(size=shape).astype(np.float32))


INPUTS = {
    "Chain": [data(2, 4)],
    "Nested": [data(2, 4), data(2, 4, seed=2)],
    "Branches": [data(2, 4)],
    "Functions": [data(2, 4), data(2, 4, seed=2)],
    "Expressions": [data(2, 4), data(2, 4, seed=2)],
    "Parent": [data(2, 4)],
    "Child": [data(2, 4)],
    "Heir": [data(2, 4)],
    "Odd": [data(2, 4), data(2, 4, seed=2)],
    "closing": [data(2, 4)],
}


def flat(value):
    return [part for item in value for part in flat(item)] if isinstance(value, tuple) else [value.asnumpy()]


def assert_same(found, expected):
    found, expected = flat(found), flat(expected)
    assert len(found) == len(expected)
    for a, b in zip(found, expected, strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)


def assert_close(found, expected):
    """For results that are computed together in one way and one by one in another."""
    for a, b in zip(flat(found), flat(expected), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


def relu(name="new", target="x", argument="x"):
    return Node.create_call_cell(nn.ReLU(), [target], [NAME(argument)], name=name)
