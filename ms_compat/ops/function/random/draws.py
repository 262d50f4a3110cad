"""Random numbers: each function checks its arguments and calls one operation that is declared with `random_op`.

Values follow the distribution, not MindSpore's bits. They come from the process-wide (seed, counter) stream, so two
calls differ and `set_seed` repeats; an operation-level `seed` replaces the seed of the pair and keeps the counter.
Distributions' parameters are dynamic arguments: a schedule of them compiles once. `ops.Dropout`'s family is in
`dropout.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core import tape
from ms_compat._core.checks import check_rank
from ms_compat._core.dispatch import shared_storage
from ms_compat._core.dispatch.op import op
from ms_compat._core.dispatch.random import fixed_pair, has_counter, random_op, seeded_pair
from ms_compat._core.errors import check_type, value_error
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.nn.checks import FLOATS, axis_of, integer, real, wide
from ms_compat.ops.function.random.checks import check_poisson
from ms_compat.ops.function.random.checks import shape_of as shape_of
from ms_compat.ops.function.shape.create import cast

f32 = np.dtype(np.float32)


# -- arguments -------------------------------------------------------------------------------------------------------
def draw(function: Callable, api: str, seed: Any, *args: Any) -> Any:
    """Call a random operation with an operation-level seed, if there is one."""
    if seed is None or seed == 0:
        return function(*args)
    integer(api, "seed", seed, 0)
    return function.op(seeded_pair(seed), *args)  # type: ignore[attr-defined]


def draw_anew(function: Callable, api: str, seed: Any, *args: Any) -> Any:
    """As `draw`, for a function that MindSpore computes with a new primitive each time: a seed gives the same draws."""
    integer(api, "seed", seed)
    if has_counter():
        return draw(function, api, seed, *args)
    return function.op(fixed_pair(seed), *args)  # type: ignore[attr-defined]


def _check_seed(api: str, seed: Any) -> None:
    if seed is not None:
        integer(api, "seed", seed, 0)


def _dtype(api: str, dtype: Any, default: np.dtype, kinds: str) -> np.dtype:
    if dtype is None:
        return default
    found = mstype.to_np_dtype(dtype, api)
    kind = "f" if found in FLOATS else found.kind
    if kind not in kinds:
        raise value_error(api, "dtype", "a float type" if kinds == "f" else "an int type", dtype)
    return found


def _spread(api: str, shape: tuple, *parameters: Any) -> tuple[int, ...]:
    """`shape` joined with the parameters' shapes, as MindSpore does: all draws for one set of parameters first."""
    try:
        return np.broadcast_shapes(shape, *[np.shape(p) for p in parameters])
    except ValueError:
        got = [np.shape(p) for p in parameters]
        raise ValueError(f"For '{api}', the parameters' shapes {got} must broadcast with 'shape' {shape}.") from None


# -- operations ------------------------------------------------------------------------------------------------------
def _float_for(dtype: Any) -> Any:
    return dtype if dtype == np.float64 else f32


@random_op(static=("shape", "dtype"))
def _standard_normal(key, shape, dtype):
    return jax.random.normal(key, shape, _float_for(dtype)).astype(dtype)


@random_op(static=("shape", "dtype"))
def _uniform01(key, shape, dtype):
    return jax.random.uniform(key, shape, _float_for(dtype)).astype(dtype)


@random_op(static=("shape",))
def _normal(key, shape, mean, stddev):
    full = _spread("normal", shape, mean, stddev)
    return jax.random.normal(key, full, f32) * jnp.asarray(stddev, f32) + jnp.asarray(mean, f32)


@random_op(static=("shape", "dtype"))
def _uniform(key, shape, low, high, dtype):
    full = _spread("uniform", shape, low, high)
    low, high = jnp.asarray(low, dtype), jnp.asarray(high, dtype)
    if dtype.kind in "iu":
        return jax.random.randint(key, full, low, high, dtype)
    return jax.random.uniform(key, full, f32).astype(dtype) * (high - low) + low


@random_op(static=("shape", "dtype"))
def _integers(key, shape, low, high, dtype):
    return jax.random.randint(key, shape, low, high, np.int64).astype(dtype)


@random_op(static=("n", "dtype"))
def _permutation(key, n, dtype):
    return jax.random.permutation(key, n).astype(dtype)


@random_op()
def _bernoulli(key, x, p):
    probability = jnp.asarray(p, f32)
    return (jax.random.uniform(key, x.shape, f32) < probability).astype(x.dtype)


@random_op(static=("count", "replacement", "dtype"))
def _categorical(key, logits, count, replacement, dtype):
    shape = (*logits.shape[:-1], count)
    if replacement:
        drawn = jax.random.categorical(key, logits, -1, (count, *logits.shape[:-1]))
        return jnp.moveaxis(drawn, 0, -1).astype(dtype)
    noise = jax.random.gumbel(key, logits.shape, logits.dtype)
    return jax.lax.top_k(logits + noise, count)[1].astype(dtype).reshape(shape)


@random_op(static=("shape",))
def _gamma(key, shape, alpha, beta):
    full = _spread("gamma", shape, alpha, beta)
    dtype = jnp.asarray(alpha).dtype
    return (jax.random.gamma(key, jnp.broadcast_to(wide(alpha), full)) / jnp.asarray(beta, f32)).astype(dtype)


@random_op(static=("shape", "dtype"))
def _poisson(key, shape, rate, dtype):
    # the sampler needs threefry keys, whatever the default generator is
    seed = jax.random.key(jax.random.bits(key, (), np.uint32), impl="threefry2x32")
    return jax.random.poisson(seed, jnp.broadcast_to(rate, shape)).astype(dtype)


@random_op()
def _shuffled(key, x):
    return jax.random.permutation(key, x) if x.ndim else x


@random_op(static=("shape",))
def _laplace(key, shape, mean, scale):
    full = _spread("laplace", shape, mean, scale)
    return jax.random.laplace(key, full, f32) * jnp.asarray(scale, f32) + jnp.asarray(mean, f32)


@random_op(static=("shape", "dtype"))
def _truncated_normal(key, shape, dtype):
    return jax.random.truncated_normal(key, -2.0, 2.0, shape, _float_for(dtype)).astype(dtype)


@random_op(static=("tau", "hard", "dim"))
def _gumbel_softmax(key, logits, tau, hard, dim):
    noise = jax.random.gumbel(key, logits.shape, wide(logits).dtype)
    soft = jax.nn.softmax((wide(logits) + noise) / tau, dim)
    if hard:
        first = jnp.argmax(soft, dim, keepdims=True)
        one = (jax.lax.broadcasted_iota(first.dtype, soft.shape, dim % soft.ndim) == first).astype(soft.dtype)
        soft = one + soft - jax.lax.stop_gradient(soft)
    return soft.astype(logits.dtype)


@random_op(static=("lower", "upper"))
def _rrelu(key, x, lower, upper):
    slope = jax.random.uniform(key, x.shape, f32, lower, upper)
    return jnp.where(x > 0, wide(x), jnp.where(x < 0, wide(x) * slope, 0)).astype(x.dtype)


# -- functions -------------------------------------------------------------------------------------------------------
@faces("ops")
def standard_normal(shape, seed=None):
    """Float32 numbers of the standard normal distribution.

    Args:
        shape (Union[int, tuple, Tensor]): shape of the result.
        seed (int): operation-level seed, not negative.

    Raises:
        TypeError: `shape` has another type.
        ValueError: a negative size or seed.

    >>> from ms_compat.ops.function.random.draws import standard_normal
    >>> standard_normal((2, 3)).shape
    (2, 3)
    """
    _check_seed("standard_normal", seed)
    return draw(_standard_normal, "standard_normal", seed, shape_of("standard_normal", shape), f32)


@faces("ops")
def normal(shape, mean, stddev, seed=None):
    """Float32 numbers of normal distributions; `shape` broadcasts with `mean` and `stddev`.

    Args:
        shape: a tuple of ints.
        mean: a Tensor or number.
        stddev: a Tensor or number.
        seed: a non-negative int; by default the global seed counts.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.normal((2, 3), Tensor(0.0), Tensor(1.0)).shape)
    (2, 3)
    """
    _check_seed("normal", seed)
    return draw(_normal, "normal", seed, shape_of("normal", shape), mean, stddev)


@faces("ops")
def uniform(shape, minval, maxval, seed=None, dtype=mstype.float32):
    """Numbers of the uniform distribution on [minval, maxval), Float32 or (for an int `dtype`) integers.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: a negative size or seed.

    Args:
        shape: a tuple of ints.
        minval: a Tensor or number, the lower bound.
        maxval: a Tensor or number, the upper bound.
        seed: a non-negative int; by default the global seed counts.
        dtype: a mindspore dtype.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.uniform((2, 3), Tensor(0.0), Tensor(1.0)).shape)
    (2, 3)
    """
    _check_seed("uniform", seed)
    if dtype == mstype.float32:
        for name, value in (("minval", minval), ("maxval", maxval)):
            if isinstance(value, Tensor) and value.dtype != mstype.float32:
                raise TypeError(f"For 'uniform', the '{name}' must be Float32 as the result, but got {value.dtype}.")
    return draw(
        _uniform, "uniform", seed, shape_of("uniform", shape), minval, maxval, mstype.to_np_dtype(dtype, "uniform")
    )


def _sizes(api: str, size: tuple) -> tuple[int, ...]:
    if not size:
        return (1,)
    if len(size) == 1 and not isinstance(size[0], int):
        return shape_of(api, size[0], "size")
    return shape_of(api, size, "size")


@faces("ops")
def randn(*size, dtype=None, seed=None):
    """Numbers of the standard normal distribution; `size` as numbers or as one tuple, `dtype` a float type.

    Args:
        size: ints, or one tuple of ints.
        dtype: a mindspore dtype of floats; by default Float32.
        seed: a non-negative int; by default the global seed counts.

    >>> from ms_compat import float16, ops
    >>> print(ops.randn(2, 3).shape, ops.randn((2,), dtype=float16).dtype)
    (2, 3) Float16
    """
    return draw(_standard_normal, "randn", seed, _sizes("randn", size), _dtype("randn", dtype, f32, "f"))


@faces("ops")
def rand(*size, dtype=None, seed=None):
    """Numbers of the uniform distribution on [0, 1); `size` as numbers or as one tuple, `dtype` a float type.

    Args:
        size: ints, or one tuple of ints.
        dtype: a mindspore dtype of floats; by default Float32.
        seed: a non-negative int; by default the global seed counts.

    >>> from ms_compat import float16, ops
    >>> print(ops.rand(2, 3).shape, ops.rand((2,), dtype=float16).dtype)
    (2, 3) Float16
    """
    return draw(_uniform01, "rand", seed, _sizes("rand", size), _dtype("rand", dtype, f32, "f"))


def _like_dtype(api: str, x: Any, dtype: Any, kinds: str) -> np.dtype:
    check_type(api, "input", x, Tensor)
    return _dtype(api, x.dtype if dtype is None and kinds == "iu" else dtype, f32, kinds)


@faces("ops")
def randn_like(input, seed=None, *, dtype=None):
    """As `randn`, with the shape of a Tensor (not its type: Float32 by default).

    Args:
        input (Tensor): has the shape.
        seed: a non-negative int; by default the global seed counts.
        dtype: a mindspore dtype of floats; by default Float32.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.randn_like(Tensor([[1, 2]])).shape)
    (1, 2)
    """
    return draw(_standard_normal, "randn_like", seed, input.shape, _like_dtype("randn_like", input, dtype, "f"))


@faces("ops")
def rand_like(input, seed=None, *, dtype=None):
    """As `rand`, with the shape of a Tensor and, by default, its type.

    Raises:
        ValueError: the type is not floating.

    Args:
        input (Tensor): has the shape.
        seed: a non-negative int; by default the global seed counts.
        dtype: a mindspore dtype of floats; by default the tensor's.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.rand_like(Tensor([[1.0, 2.0]])).shape)
    (1, 2)
    """
    if dtype is None and isinstance(input, Tensor):
        dtype = input.dtype
    return draw(_uniform01, "rand_like", seed, input.shape, _like_dtype("rand_like", input, dtype, "f"))


def _range(api: str, low: Any, high: Any) -> tuple[int, int]:
    low = integer(api, "low", int(low) if isinstance(low, Tensor) else low)
    high = integer(api, "high", int(high) if isinstance(high, Tensor) else high)
    if low >= high:
        raise RuntimeError(f"For '{api}', 'low' must be less than 'high', but got {low} and {high}.")
    return low, high


@faces("ops")
def randint(low, high, size, seed=None, *, dtype=None):
    """Integers from [low, high), Int64 by default.

    Args:
        low (int): lower end.
        high (int): upper end, not included.
        size (tuple): shape of the result.
        seed (int): operation-level seed.
        dtype (mindspore.dtype): an int type.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: `size` is not a tuple, `dtype` is not an int type.
        RuntimeError: `low` is not less than `high`.

    >>> from ms_compat import ops
    >>> print(ops.randint(0, 5, (2, 3)).shape)
    (2, 3)
    """
    if not isinstance(size, (tuple, list)):
        raise value_error("randint", "size", "a tuple", size)
    low, high = _range("randint", low, high)
    out = _dtype("randint", dtype, np.dtype(np.int64), "iu")
    return draw(_integers, "randint", seed, shape_of("randint", size, "size"), low, high, out)


@faces("ops")
def randint_like(input, low, high, seed=None, *, dtype=None):
    """As `randint`, with the shape (and type, by default) of a Tensor."""
    out = _like_dtype("randint_like", input, dtype, "iu")
    return draw(_integers, "randint_like", seed, input.shape, *_range("randint_like", low, high), out)


@faces("ops")
def randperm(n, seed=0, offset=0, dtype=mstype.int64):
    """A random order of 0 to n - 1: always the same one for a seed and an offset, the default ones, too.

    Raises:
        TypeError: `n` is not an int.
        ValueError: it is negative.

    Args:
        n (int): how many, at least 0.
        seed, offset (int): together they determine the order.
        dtype: a mindspore dtype.

    >>> from ms_compat import ops
    >>> print(sorted(ops.randperm(4).tolist()))
    [0, 1, 2, 3]
    """
    if isinstance(n, Tensor):
        n = int(n)
    integer("randperm", "n", n, 0), integer("randperm", "offset", offset, 0), integer("randperm", "seed", seed)
    return _permutation.op(fixed_pair(seed, offset), n, mstype.to_np_dtype(dtype, "randperm"))


def permutation(api, n, dtype):
    """A new random order of 0 to n - 1.

    Raises:
        TypeError: `n` is not an int.
        ValueError: it is negative.
    """
    if isinstance(n, Tensor):
        n = int(n)
    return _permutation(integer(api, "n", n, 0), mstype.to_np_dtype(dtype, api))


def padded_permutation(n, max_length, pad, dtype):
    """The primitive Randperm: a random order of 0 to n - 1, filled up with `pad` to `max_length`.

    Raises:
        ValueError: `n` is greater than `max_length`.
    """
    n = int(n)
    if n > max_length:
        raise value_error("Randperm", "n", f"at most 'max_length' ({max_length})", n)
    return _padded(permutation("Randperm", n, dtype), max_length, pad)


@op(static=("length", "fill"))
def _padded(x, length, fill):
    return jnp.pad(x, (0, length - x.shape[0]), constant_values=fill)


@faces("ops")
def bernoulli(input, p=0.5, seed=None):
    """1 with probability `p`, else 0, of the shape and type of `input`; with a `seed` the same at every call.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: `p` is outside [0, 1].
    """
    if not isinstance(p, Tensor) and not 0 <= real("bernoulli", "p", p) <= 1:
        raise value_error("bernoulli", "p", "in [0, 1]", p)
    if not seed:
        return _bernoulli(input, p)
    return _bernoulli.op(fixed_pair(integer("bernoulli", "seed", seed, 0)), input, p)


@op(tensors="x")
def _log_weights(x):
    return jnp.log(jnp.maximum(wide(x), 0))


@faces("ops Tensor")
def multinomial(input, num_samples, replacement=True, seed=None):
    """Class numbers drawn with the given weights.

    Args:
        input (Tensor): [C] or [N, C], weights that are not negative.
        num_samples (int): number of draws for each row.
        replacement (bool): whether a class may come twice.
        seed (int): operation-level seed.

    Returns:
        Tensor [num_samples] or [N, num_samples], Int32.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: another rank, or more draws than classes without replacement.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([0.0, 0.0, 1.0])
    >>> print(ops.multinomial(x, 2), x.multinomial(1))
    [2 2] [2]
    """
    api = "multinomial"
    integer(api, "num_samples", num_samples, 0)
    check_rank(api, "input", input, 1, 2)
    if not replacement and num_samples > input.shape[-1]:
        raise value_error(api, "num_samples", f"at most {input.shape[-1]} without replacement", num_samples)
    return draw(_categorical, api, seed, _log_weights(input), num_samples, bool(replacement), np.dtype(np.int32))


@faces("ops")
def multinomial_with_replacement(x, seed, offset, numsamples, replacement=False):
    """Class numbers drawn with replacement, the same for a seed and an offset that are not 0 both. Int64."""
    integer("multinomial_with_replacement", "seed", seed), integer("multinomial_with_replacement", "offset", offset)
    if not replacement and numsamples > x.shape[-1]:
        raise ValueError(
            f"For 'MultinomialWithReplacement', {numsamples} draws without replacement need as many classes, but got "
            f"{x.shape}."
        )
    given = (_log_weights(x), numsamples, True, np.dtype(np.int64))
    return _categorical.op(fixed_pair(seed, offset), *given) if seed or offset else _categorical(*given)


@faces("ops Tensor")
def random_categorical(logits, num_sample, seed=0, dtype=mstype.int64):
    """Class numbers [N, num_sample] drawn with the softmax of logits [N, C]; with a `seed` the same at every call."""
    integer("random_categorical", "num_sample", num_sample, 1)
    given = (logits, num_sample, True, mstype.to_np_dtype(dtype, "random_categorical"))
    return draw_anew(_categorical, "random_categorical", seed, *given) if seed else _categorical(*given)


@faces("ops")
def gamma(shape, alpha, beta, seed=None):
    """Numbers of gamma distributions with shape `alpha` and rate `beta`; `shape` broadcasts with the parameters."""
    return draw(_gamma, "gamma", seed, shape_of("gamma", shape), alpha, beta)


@faces("ops")
def random_gamma(shape, alpha, seed=None):
    """Numbers from gamma distributions with rate 1: the result has shape `shape` + `alpha.shape`."""
    return draw(_gamma, "random_gamma", seed, shape_of("random_gamma", shape) + tuple(alpha.shape), alpha, 1.0)


@faces("ops")
def poisson(shape, mean, seed=None):
    """Int32 numbers of Poisson distributions; `shape` broadcasts with `mean`."""
    full = _spread("poisson", shape_of("poisson", shape), mean)
    return draw(_poisson, "poisson", seed, full, mean, np.dtype(np.int32))


@faces("ops")
def random_poisson(shape, rate, seed=None, dtype=mstype.float32):
    """Numbers of Poisson distributions: the result has shape `shape` + `rate.shape`.

    Raises:
        TypeError: `shape` is not an Int32 or Int64 Tensor; another type of `rate` or `dtype`.
        ValueError: `shape` does not have one dimension.
    """
    check_poisson(shape, rate, dtype)
    full = shape_of("random_poisson", shape) + tuple(np.shape(rate))
    return draw(_poisson, "random_poisson", seed, full, rate, mstype.to_np_dtype(dtype, "random_poisson"))


@faces("ops")
def shuffle(x, seed=None):
    """The rows of a Tensor in random order.

    Raises:
        TypeError: `x` is not a Tensor.
    """
    check_type("shuffle", "x", x, Tensor)
    return draw(_shuffled, "shuffle", seed, x)


@faces("ops")
def laplace(shape, mean, lambda_param, seed=None):
    """Float32 numbers of Laplace distributions; `shape` broadcasts with the parameters."""
    return draw(_laplace, "laplace", seed, shape_of("laplace", shape), mean, lambda_param)


@faces("ops")
def standard_laplace(shape, seed=None):
    """Float32 numbers from the Laplace distribution with mean 0 and scale 1."""
    return draw(_laplace, "standard_laplace", seed, shape_of("standard_laplace", shape), 0.0, 1.0)


def truncated_normal(shape, seed=None, dtype=mstype.float32):
    """Numbers from the standard normal distribution, truncated to [-2, 2]."""
    out = _dtype("TruncatedNormal", dtype, f32, "f")
    return draw(_truncated_normal, "TruncatedNormal", seed, shape_of("TruncatedNormal", shape), out)


@faces("ops")
def gumbel_softmax(logits, tau=1.0, hard=False, dim=-1):
    """softmax((logits + Gumbel noise) / tau); `hard` gives a one-hot vector with the soft one's gradient.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: `tau` is not positive, `dim` is out of range.

    Args:
        logits (Tensor): floating type.
        tau (float): the temperature, above 0.
        hard (bool): whether the result is one-hot.
        dim (int): the dimension of the classes.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.gumbel_softmax(Tensor([[1.0, 2.0]]), hard=True).shape)
    (1, 2)
    """
    if real("gumbel_softmax", "tau", tau) <= 0:
        raise value_error("gumbel_softmax", "tau", "> 0", tau)
    axis_of("gumbel_softmax", "dim", dim, logits.ndim)
    return _gumbel_softmax(logits, float(tau), bool(hard), dim)


@faces("ops")
def rrelu(input, lower=1.0 / 8, upper=1.0 / 3):
    """x where x >= 0, elsewhere x times a random slope from [lower, upper].

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: `upper` is less than `lower`.
    """
    if real("rrelu", "upper", upper) < real("rrelu", "lower", lower):
        raise value_error("rrelu", "upper", f"at least 'lower' ({lower})", upper)
    return _rrelu(input, float(lower), float(upper))


@random_op(static=("count",))
def _choose(key, mask, count):
    score = jnp.where(mask, jax.random.uniform(key, mask.shape, f32), -1.0).reshape(-1)
    take = min(count, score.size)
    best, at = jax.lax.top_k(score, take)
    found = best >= 0
    index = jnp.stack(jnp.unravel_index(at, mask.shape), -1).astype(np.int32)
    index = jnp.where(found[:, None], index, 0)
    pad = count - take
    return jnp.pad(index, ((0, pad), (0, 0))), jnp.pad(found, (0, pad))


@faces("ops")
def choice_with_mask(input_x, count=256, seed=None):
    """Random positions where a mask is True.

    Args:
        input_x (Tensor): Bool, 1 to 5 dimensions.
        count (int): number of places.
        seed (int): operation-level seed.

    Returns:
        Tuple of places [count, rank] (Int32; zeros where there are fewer) and a Bool vector that says which are real.
    """
    integer("choice_with_mask", "count", count, 1)
    return draw(_choose, "choice_with_mask", seed, input_x, count)


# -- in place --------------------------------------------------------------------------------------------------------
@random_op()
def _exponential(key, x, rate):
    return (jax.random.exponential(key, x.shape, f32) / rate).astype(x.dtype)


def _from(generator: Any, function: Any, *args: Any) -> Any:
    """Draw from a Generator's own stream, or the process-wide one."""
    return function(*args) if generator is None else function.op(generator._stream.pair(), *args)


def _put(api: str, x: Tensor, new: Tensor) -> Tensor:
    tape.check_no_variable(api, x)
    return shared_storage.write(x, cast(new, x.dtype))


@faces("ops Tensor")
def uniform_(input, from_=0, to=1, *, generator=None):
    """Uniform random numbers in [from_, to), in place; returns the tensor.

    Args:
        input (Tensor): is changed.
        from_, to: numbers, the lower and the upper bound.
        generator: a `mindspore.Generator`; by default the global one.

    >>> from ms_compat import Tensor
    >>> print(Tensor([0.0, 0.0]).uniform_().shape)
    (2,)
    """
    return _put("uniform_", input, _from(generator, _uniform, tuple(input.shape), from_, to, f32))


@faces("ops Tensor")
def normal_(input, mean=0, std=1, *, generator=None):
    """Normal random numbers, in place; returns the tensor.

    Args:
        input (Tensor): is changed.
        mean: a number.
        std: a number, not negative.
        generator: a `mindspore.Generator`; by default the global one.

    >>> from ms_compat import Tensor
    >>> print(Tensor([0.0, 0.0]).normal_().shape)
    (2,)
    """
    return _put("normal_", input, _from(generator, _normal, tuple(input.shape), mean, std))


@faces("ops Tensor")
def random_(input, from_=0, to=None, *, generator=None):
    """Random integers in [from_, to), in place; without `to` all that the dtype holds exactly."""
    kind = input.dtype.np_dtype
    if to is None and kind.kind == "b":
        to = 2
    elif to is None:
        to = np.iinfo(kind).max if kind.kind in "iu" else 2 ** (jnp.finfo(kind).nmant + 1)
    return _put("random_", input, _from(generator, _integers, tuple(input.shape), from_, to, np.dtype(np.int64)))


@faces("ops Tensor")
def bernoulli_(input, p=0.5, *, generator=None):
    """1 with probability `p` (a number or a tensor), else 0, in place; returns the tensor."""
    return _put("bernoulli_", input, _from(generator, _bernoulli, input, p))


@faces("ops")
def bernoulli_ext(input, *, generator=None):
    """1 with the probabilities that `input` holds, else 0, in its shape and type."""
    return cast(_from(generator, _bernoulli, input, input), input.dtype)


@faces("ops Tensor")
def exponential_(input, lambd=1, *, generator=None):
    """Numbers from an exponential distribution with rate `lambd`, in place; returns the tensor."""
    return _put("exponential_", input, _from(generator, _exponential, input, lambd))
