"""Hooks on what is kept for a gradient: of a compiled function, of a block of PYNATIVE code, of a Cell."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops

X, Y = Tensor([1.0, -2.0]), Tensor([3.0, 0.5])


def test_hooks_see_what_is_kept_and_decide_what_comes_back():
    @ms.register_saved_tensors_hooks(lambda kept: kept + 1, lambda kept: kept)
    def product(x, y):
        return x * y

    value, gradients = ms.jit(ms.value_and_grad(product, grad_position=(0, 1)))(X, Y)
    np.testing.assert_array_equal(value.asnumpy(), [3.0, -1.0])
    np.testing.assert_array_equal(gradients[0].asnumpy(), Y.asnumpy() + 1)
    np.testing.assert_array_equal(gradients[1].asnumpy(), X.asnumpy() + 1)
    plain = ms.grad(product)(X, Y)  # MindSpore's decorator acts in compiled functions alone
    np.testing.assert_array_equal(plain.asnumpy(), Y.asnumpy())


def test_hooks_that_give_back_what_they_got_change_no_gradient():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.weight = Parameter(Tensor([0.5, 2.0]), name="weight")

        def construct(self, x):
            return ops.tanh(x * self.weight).sum()

    net, hooked = Net(), Net()
    half = ms.register_saved_tensors_hooks(lambda t: t.astype(ms.float64), lambda t: t)
    hooked.construct = half(Net.construct).__get__(hooked)
    expected, found = (ms.jit(ms.value_and_grad(n, 0, n.trainable_params()))(X) for n in (net, hooked))
    np.testing.assert_array_equal(found[0].asnumpy(), expected[0].asnumpy())
    for mine, other in zip((found[1][0], *found[1][1]), (expected[1][0], *expected[1][1]), strict=True):
        assert mine.dtype == other.dtype
        np.testing.assert_allclose(mine.asnumpy(), other.asnumpy(), rtol=1e-6)


@pytest.mark.parametrize(
    ("pack", "unpack", "error"),
    [
        (3, abs, TypeError),
        (abs, 3, TypeError),
        (lambda t: 3, lambda t: t, TypeError),
        (ops.sum, lambda t: t, ValueError),
    ],
)
def test_refuses_hooks(pack, unpack, error):
    with pytest.raises(error, match="register_saved_tensors_hooks"):
        ms.jit(ms.grad(ms.register_saved_tensors_hooks(pack, unpack)(lambda x, y: (x * y).sum())))(X, Y)


class Record:
    """Hooks that keep a log: "p" or "u" and the values."""

    def __init__(self, pack=lambda kept: kept, unpack=lambda kept: kept):
        self.log = []
        self.hooks = (self._logged("p", pack), self._logged("u", unpack))

    def _logged(self, letter, hook):
        def logged(value):
            self.log.append((letter, value.asnumpy().tolist() if isinstance(value, Tensor) else value))
            return hook(value)

        return logged


def gradients(function, *inputs, hooks):
    def hooked(*given):
        with ms.saved_tensors_hooks(*hooks):
            return function(*given)

    found = ms.grad(hooked, tuple(range(len(inputs))))(*inputs)
    return [g.asnumpy().tolist() for g in (found if isinstance(found, tuple) else (found,))]


@pytest.mark.parametrize(
    ("function", "inputs", "kept"),
    [  # what MindSpore 2.10 keeps
        (lambda a, b: a * b, (X, Y), [X, Y]),
        (lambda a, b: a + b, (X, Y), []),
        (lambda a, b: ops.concat([a, b]) * 2, (X, Y), []),
        (lambda a, b: ops.sin(a) * b, (X, Y), [X, ops.sin(X), Y]),
        (lambda a, b: ops.gather(a * b, Tensor([1, 0]), 0), (X, Y), [X, Y, Tensor([1, 0])]),
        (lambda a, b: ops.split(a * b, 1)[0] * 2.0 + b.argmax(), (X, Y), [X, Y]),
        (lambda a, b: ops.where(a > 0, a, b), (X, Y), [Tensor([True, False])]),
        (lambda a, b: ops.dropout(a + b, 0.0), (X, Y), []),
        (lambda a, b: (a.reshape(1, 2) @ b.reshape(2, 1)).sum(), (X, Y), [X.reshape(1, 2), Y.reshape(2, 1)]),
    ],
)
def test_what_pullbacks_read_is_packed_and_unpacked_once(function, inputs, kept):
    record = Record()
    found = gradients(function, *inputs, hooks=record.hooks)
    assert found == [g.asnumpy().tolist() for g in ms.grad(function, (0, 1))(*inputs)]
    values = [t.asnumpy().tolist() for t in kept]
    assert [value for letter, value in record.log if letter == "p"] == values
    assert sorted(map(str, [value for letter, value in record.log if letter == "u"])) == sorted(map(str, values))
    assert "".join([letter for letter, _ in record.log]) == "p" * len(values) + "u" * len(values)


def test_what_unpacking_gives_is_what_the_backward_pass_works_with():
    found = gradients(lambda a, b: a * b, X, Y, hooks=(lambda kept: kept.asnumpy() + 1, Tensor))
    assert found == [(Y + 1).asnumpy().tolist(), (X + 1).asnumpy().tolist()]
    half = gradients(lambda a: a * a, X, hooks=(lambda kept: kept.astype(ms.float16), lambda kept: kept))
    assert half == [[2.0, -4.0]]


def test_the_inner_block_decides():
    outer, inner = Record(), Record(pack=lambda kept: kept + 10)

    def nested(a, b):
        with ms.saved_tensors_hooks(*inner.hooks):
            c = a * b
        return c * a

    found = gradients(nested, Tensor([1.0, 2.0]), Tensor([3.0, 4.0]), hooks=outer.hooks)
    assert found == [[16.0, 36.0], [11.0, 24.0]]  # as MindSpore gives
    assert [v for k, v in inner.log if k == "p"] == [[1.0, 2.0], [3.0, 4.0]]
    assert [v for k, v in outer.log if k == "p"] == [[3.0, 8.0], [1.0, 2.0]]


def test_second_derivatives_go_through_the_hooks_again():
    record = Record()

    def slope(a):
        def cube(b):
            with ms.saved_tensors_hooks(*record.hooks):
                return b * b * b

        return ms.grad(cube)(a).sum()

    np.testing.assert_array_equal(ms.grad(slope)(X).asnumpy(), 6 * X.asnumpy())
    packed = [value for letter, value in record.log if letter == "p"]
    assert packed == [X.asnumpy().tolist()] * 2 + [(X * X).asnumpy().tolist(), X.asnumpy().tolist()]
    assert len(record.log) > 2 * len(packed)  # unpacked for both orders


def test_nothing_is_packed_without_a_gradient_or_after_the_block():
    record = Record()
    with ms.saved_tensors_hooks(*record.hooks):
        X * Y
    ms.grad(lambda a: a * a)(X)
    assert record.log == []


@pytest.mark.parametrize(
    ("pack", "unpack", "error", "text"),
    [
        (1, abs, TypeError, "pack_hook"),
        (abs, 1, TypeError, "unpack_hook"),
        (lambda kept: kept.asnumpy(), lambda kept: kept, TypeError, "unpack_hook"),
        (lambda kept: kept, lambda kept: kept[:1], ValueError, "shape"),
        (lambda kept: 1 / 0, lambda kept: kept, ZeroDivisionError, "division"),
        (lambda kept: kept, lambda kept: 1 / 0, ZeroDivisionError, "division"),
    ],
)
def test_refuses_hooks_of_a_block(pack, unpack, error, text):
    with pytest.raises(error, match=text):
        gradients(lambda a, b: a * b, X, Y, hooks=(pack, unpack))
    assert ms.grad(lambda a: a * a)(X).asnumpy().tolist() == [2.0, -4.0]  # the block is over


def test_a_block_in_compiled_code_is_refused():
    def hooked(a):
        with ms.saved_tensors_hooks(abs, abs):
            return a * a

    with pytest.raises(TypeError, match="register_saved_tensors_hooks"):
        ms.jit(hooked)(X)


def test_hooks_of_a_cell_act_in_both_modes(mode):
    class Product(nn.Cell):
        def __init__(self):
            super().__init__()
            self.weight = Parameter(Y, name="weight")

        def construct(self, x):
            return x * self.weight

    class Around(nn.Cell):
        def __init__(self):
            super().__init__()
            self.inner = Product()

        def construct(self, x):
            return self.inner(x)

    net = Around()
    try:
        step = ms.value_and_grad(net, 0, net.trainable_params())
        plain = step(X)[1]
        assert net.inner.register_saved_tensors_hooks(lambda kept: kept + 1, lambda kept: kept) is None
        hooked = step(X)[1]
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    np.testing.assert_array_equal(hooked[0].asnumpy(), plain[0].asnumpy() + 1)
    np.testing.assert_array_equal(hooked[1][0].asnumpy(), plain[1][0].asnumpy() + 1)
    with pytest.raises(TypeError, match="pack_hook"):
        net.register_saved_tensors_hooks(1, abs)
