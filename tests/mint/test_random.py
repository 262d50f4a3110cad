"""Random numbers of `mint`."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, mint

X = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))  # in the texts of calls

# call: (dtype, shape, mean, standard deviation) of 40,000 draws
DRAWS = {
    "mint.rand(200, 200)": ("float32", (200, 200), 0.5, 12**-0.5),
    "mint.rand(200, 200, dtype=ms.float16)": ("float16", (200, 200), 0.5, 12**-0.5),
    "mint.rand_like(mint.zeros((200, 200)))": ("float32", (200, 200), 0.5, 12**-0.5),
    "mint.randn(200, 200)": ("float32", (200, 200), 0.0, 1.0),
    "mint.randn_like(mint.zeros((200, 200)), dtype=ms.float16)": ("float16", (200, 200), 0.0, 1.0),
    "mint.randint(3, 8, (200, 200))": ("int64", (200, 200), 5.0, 2**0.5),
    "mint.randint(5, (200, 200), dtype=ms.int32)": ("int32", (200, 200), 2.0, 2**0.5),
    "mint.randint_like(mint.zeros((200, 200)), 3, 8)": ("float32", (200, 200), 5.0, 2**0.5),
    "mint.randperm(40000)": ("int64", (40000,), 19999.5, 40000 / 12**0.5),
    "mint.normal(2.0, 3.0, (200, 200))": ("float32", (200, 200), 2.0, 3.0),
    "mint.normal(mint.full((40000,), 1.0), 0.5)": ("float32", (40000,), 1.0, 0.5),
    "mint.bernoulli(mint.full((200, 200), 0.25))": ("float32", (200, 200), 0.25, 0.1875**0.5),
    "mint.multinomial(Tensor([1.0, 1.0, 2.0]), 40000, True)": ("int64", (40000,), 1.25, 0.6875**0.5),
}


@pytest.mark.parametrize("call", DRAWS)
def test_draws(call, mode):
    dtype, shape, mean, deviation = DRAWS[call]

    def draw():
        return eval(call)

    draw = ms.jit(draw) if mode == ms.GRAPH_MODE else draw
    ms.set_seed(5)
    first, second = draw().asnumpy(), draw().asnumpy()
    ms.set_seed(5)
    np.testing.assert_array_equal(draw().asnumpy(), first)
    assert (first != second).any()
    assert (str(first.dtype), first.shape) == (dtype, shape)
    values = first.astype(np.float64)
    assert abs(values.mean() - mean) < 4 * deviation / 200
    assert abs(values.std() - deviation) < 0.03 * deviation


def test_draws_without_replacement_are_different():
    ms.set_seed(1)
    assert sorted(mint.multinomial(Tensor([0.2, 0.3, 0.5]), 3).asnumpy().tolist()) == [0, 1, 2]
    assert sorted(mint.randperm(9).asnumpy().tolist()) == list(range(9))


@pytest.mark.parametrize(
    "call", ["mint.rand(-1)", "mint.randint(5, 2, (3,))", "mint.multinomial(X, 0)", "mint.randperm(-1)"]
)
def test_refuses_draws(call):
    with pytest.raises((ValueError, TypeError, RuntimeError)):
        eval(call)


GENERATED = ["rand(3)", "randn(2, 2)", "randint(0, 9, (4,))", "randperm(7)", "normal(0.0, 1.0, (3,))"]


GENERATED += ["bernoulli(mint.full((20,), 0.5))", "multinomial(Tensor([1.0] * 9), 5)"]


@pytest.mark.parametrize("call", GENERATED)
def test_a_generator_is_a_stream_of_its_own(call):
    def draw(**stream):
        name, _, arguments = call.partition("(")
        return eval(f"mint.{name}({arguments[:-1]}, **stream)", {**globals(), "stream": stream}).asnumpy()

    ms.set_seed(3)
    expected = draw()
    ms.set_seed(3)
    first = draw(generator=ms.Generator().manual_seed(11))
    np.testing.assert_array_equal(draw(), expected)  # the process's stream did not move
    generator = ms.Generator().manual_seed(11)
    np.testing.assert_array_equal(draw(generator=generator), first)
    kept = generator.get_state()
    after = draw(generator=generator)
    generator.set_state(kept)
    np.testing.assert_array_equal(draw(generator=generator), after)
    with pytest.raises(TypeError):
        draw(generator=11)
    with pytest.raises(ms.UnsupportedError, match="compiled"):
        ms.jit(lambda: mint.rand(3, generator=generator), fullgraph=True)()
