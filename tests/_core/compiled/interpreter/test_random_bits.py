"""Random bits are XLA's, and keys that are more than steps of one program are left to XLA."""

import jax
import numpy as np

from ms_compat._core.compiled.interpreter import random_bits
from ms_compat._core.compiled.interpreter.numpy_program import prepare
from tests._core.compiled.interpreter.test_rules import check, check_all


def of_a_key(seed, number):
    key = jax.random.fold_in(jax.random.key(seed), number)
    data = jax.random.key_data(key)
    # more numbers than are drawn as one block
    bits = [jax.random.bits(jax.random.wrap_key_data(data), (3, 4001), f"uint{width}") for width in (8, 16, 32, 64)]
    integers = jax.random.bits(key, (7,)) % 1000
    return data, bits, integers, jax.random.bernoulli(key, 0.3, (2, 9))


def test_random_bits():
    seeds = (np.uint32(7), np.int64(-3), np.int64(1 << 40), np.int32(-2))
    check_all([(of_a_key, (seed, np.uint32(5)), True, None) for seed in seeds])
    check(of_a_key, np.uint32(1), np.int32(-1), exact=True)


def test_bits_that_are_drawn_twice_are_computed_once(monkeypatch):
    """As by a dropout's forward pass and its pullback; and no more is kept than a bound says."""
    hashed, hash_ = [], random_bits._hash
    monkeypatch.setattr(random_bits, "_hash", lambda *args: hashed.append(1) or hash_(*args))
    monkeypatch.setattr(random_bits, "_kept", {})
    draw = lambda data: jax.random.bits(jax.random.wrap_key_data(data), (5, 60))  # noqa: E731
    keys = [np.array([1, n], np.uint32) for n in range(4)]
    prepared = prepare(jax.make_jaxpr(draw)(keys[0]))
    first, again, other = (prepared([key])[0].copy() for key in (keys[0], keys[0], keys[1]))
    assert len(hashed) == 2
    assert (first == again).all()
    assert (first != other).any()
    monkeypatch.setattr(random_bits, "_MOST_KEPT", 2 * first.nbytes)
    for key in keys[1:]:
        prepared([key])
    assert sum(bits.nbytes for bits in random_bits._kept.values()) <= 2 * first.nbytes


def test_keys_that_are_left_to_the_compiler():
    key = jax.random.key(1)
    for fn, given in (
        (lambda k: jax.random.bits(k, (3,)), key),
        (lambda s: jax.random.key(s), np.uint32(1)),
        (jax.vmap(lambda s: jax.random.bits(jax.random.key(s), (3,))), np.arange(2, dtype=np.uint32)),
        (lambda s: jax.random.bits(jax.random.split(jax.random.key(s))[1], (3,)), np.uint32(1)),
    ):
        assert prepare(jax.make_jaxpr(fn)(given)) is None


def test_floating_point_draws_are_left_to_the_compiler():
    """One seed gives the same bits in each call, whether NumPy would interpret it or not."""

    def drawn(draw):
        return prepare(jax.make_jaxpr(lambda seed: draw(jax.random.key(seed)))(np.uint32(1)))

    def of_a_loop(key):
        return jax.lax.fori_loop(0, 3, lambda i, x: x + jax.random.bits(key, (3,)).astype(np.float32), np.zeros(3, "f"))

    for draw in (jax.random.uniform, jax.random.normal, jax.random.gumbel, jax.random.laplace, of_a_loop):
        assert drawn(draw) is None
    dropout = drawn(lambda key: np.float32(2) * jax.random.bernoulli(key, 0.5, (4,)) * np.exp(np.ones(4, np.float32)))
    assert dropout is not None
