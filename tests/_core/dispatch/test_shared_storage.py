"""Views share their storage with their base, in both directions."""

import numpy as np

import ms_compat as ms
from ms_compat import Parameter, Tensor

X = np.array([[1.5, -2, 3], [4, 5, -6.5]], np.float32)


def test_a_gradient_flows_through_a_write_into_a_view():
    def loss(x):
        y = x * 1
        y.view(-1).add_(Tensor(np.arange(6, dtype=np.float32)))
        return (y * y).sum()

    expected = 2 * (X + np.arange(6, dtype=np.float32).reshape(2, 3))
    np.testing.assert_allclose(ms.grad(loss)(Tensor(X)).asnumpy(), expected, rtol=1e-6)


def test_chains_of_views_share_storage_in_both_directions():
    x = Tensor(X)
    y = x.reshape(3, 2).transpose(1, 0)
    z = x.view(6)
    y.fill_(7)
    assert (x.asnumpy() == 7).all() and (z.asnumpy() == 7).all()
    x.zero_()
    assert (y.asnumpy() == 0).all() and (z.asnumpy() == 0).all()
    z.copy_(Tensor(np.arange(6, dtype=np.float32)))
    np.testing.assert_array_equal(y.asnumpy(), np.arange(6).reshape(3, 2).T)


def test_views_that_nobody_holds_are_forgotten():
    p = Parameter(Tensor(X), name="p")
    for _ in range(1000):
        p.reshape(-1)
    assert len(p._views.refs) < 40


def test_a_part_of_a_tensor_writes_back_its_elements_alone():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x.narrow(1, 1, 1).fill_(9)
    x.split(1)[1].add_(10)
    ms.ops.diagonal(x).zero_()
    np.testing.assert_array_equal(x.asnumpy(), [[0, 9, 2], [13, 0, 15]])


def test_views_of_what_a_compiled_function_changes_follow(mode):
    weight = Parameter(Tensor(X), name="weight")
    view, row = weight.view(-1), weight[1]
    ms.nn.SGD([weight], 0.5)((Tensor(np.ones_like(X)),))
    ms.set_context(mode=ms.PYNATIVE_MODE)
    np.testing.assert_array_equal(view.asnumpy(), (X - 0.5).reshape(-1))
    flat = Tensor(X).view(6)
    whole = flat.view(2, 3)
    ms.jit(lambda: flat.add_(1))()
    np.testing.assert_array_equal(whole.asnumpy(), X + 1)
    assert row.shape == (3,)
