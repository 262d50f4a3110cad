"""The formulas of the distributions, one table a family: quantity -> pure function of jax arrays.

A function takes the value, if the quantity has one, then the parameters; `kl_loss` takes a's parameters and b's,
`sample` a JAX key, the full shape and the parameters. All arrays of a call have one float dtype, and the
parameters one shape. `_base.DERIVED` gives the quantities that a table leaves out.

Sources: Johnson, Kotz and Balakrishnan, Continuous Univariate Distributions; Johnson, Kemp and Kotz, Univariate
Discrete Distributions; the definitions of scipy.stats. Divergences: Gil, Alajaji and Linder, 2013; of two Cauchy
distributions: Chyzak and Nielsen, arXiv:1905.10965.
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
from jax.scipy import special

from ms_compat.ops.function.elementwise.pairs import lower_gamma, upper_gamma
from ms_compat.ops.function.elementwise.slopes import at_least, magnitude

LOG_2PI = math.log(2.0 * math.pi)
EULER = 0.57721566490153286
Table = dict[str, Any]


def _where(inside, value, outside):
    return jnp.where(inside, value, jnp.asarray(outside, value.dtype))


def _threefry(key):
    return jax.random.key(jax.random.bits(key, (), jnp.uint32), impl="threefry2x32")


NORMAL: Table = {
    "log_prob": lambda x, mean, sd: -0.5 * ((x - mean) / sd) ** 2 - jnp.log(sd) - 0.5 * LOG_2PI,
    "cdf": lambda x, mean, sd: special.ndtr((x - mean) / sd),
    "log_cdf": lambda x, mean, sd: special.log_ndtr((x - mean) / sd),
    "survival_function": lambda x, mean, sd: special.ndtr((mean - x) / sd),
    "log_survival": lambda x, mean, sd: special.log_ndtr((mean - x) / sd),
    "mean": lambda mean, sd: mean,
    "mode": lambda mean, sd: mean,
    "sd": lambda mean, sd: sd,
    "entropy": lambda mean, sd: 0.5 * (1.0 + LOG_2PI) + jnp.log(sd),
    "kl_loss": lambda mean, sd, mean_b, sd_b: (
        0.5 * ((mean - mean_b) / sd_b) ** 2 + 0.5 * jnp.expm1(2.0 * jnp.log(sd / sd_b)) - jnp.log(sd / sd_b)
    ),
    "sample": lambda key, shape, mean, sd: mean + sd * jax.random.normal(key, shape, mean.dtype),
}

UNIFORM: Table = {
    "prob": lambda x, low, high: _where((x >= low) & (x <= high), 1.0 / (high - low) + 0.0 * x, 0.0),
    "log_prob": lambda x, low, high: _where((x >= low) & (x <= high), -jnp.log(high - low) + 0.0 * x, -jnp.inf),
    "cdf": lambda x, low, high: _where(x < high, _where(x < low, jnp.zeros_like(x), (x - low) / (high - low)), 1.0),
    "mean": lambda low, high: (low + high) / 2.0,
    "var": lambda low, high: (high - low) ** 2 / 12.0,
    "entropy": lambda low, high: jnp.log(high - low),
    "kl_loss": lambda low, high, low_b, high_b: _where(
        (low_b <= low) & (high <= high_b), jnp.log((high_b - low_b) / (high - low)), jnp.inf
    ),
    "sample": lambda key, shape, low, high: low + (high - low) * jax.random.uniform(key, shape, low.dtype),
}

EXPONENTIAL: Table = {
    "log_prob": lambda x, rate: _where(x >= 0, jnp.log(rate) - rate * x, -jnp.inf),
    "cdf": lambda x, rate: -jnp.expm1(-rate * at_least(x, 0.0)),
    "log_survival": lambda x, rate: -rate * at_least(x, 0.0),
    "mean": lambda rate: 1.0 / rate,
    "sd": lambda rate: 1.0 / rate,
    "mode": lambda rate: jnp.zeros_like(rate),
    "entropy": lambda rate: 1.0 - jnp.log(rate),
    "kl_loss": lambda rate, rate_b: jnp.log(rate / rate_b) + rate_b / rate - 1.0,
    "sample": lambda key, shape, rate: jax.random.exponential(key, shape, rate.dtype) / rate,
}


LOGISTIC: Table = {
    "log_prob": lambda x, loc, scale: (
        jax.nn.log_sigmoid((x - loc) / scale) + jax.nn.log_sigmoid((loc - x) / scale) - jnp.log(scale)
    ),
    "cdf": lambda x, loc, scale: jax.nn.sigmoid((x - loc) / scale),
    "log_cdf": lambda x, loc, scale: jax.nn.log_sigmoid((x - loc) / scale),
    "survival_function": lambda x, loc, scale: jax.nn.sigmoid((loc - x) / scale),
    "log_survival": lambda x, loc, scale: jax.nn.log_sigmoid((loc - x) / scale),
    "mean": lambda loc, scale: loc,
    "mode": lambda loc, scale: loc,
    "sd": lambda loc, scale: scale * (math.pi / math.sqrt(3.0)),
    "entropy": lambda loc, scale: jnp.log(scale) + 2.0,
    "sample": lambda key, shape, loc, scale: loc + scale * jax.random.logistic(key, shape, loc.dtype),
}

CAUCHY: Table = {
    "log_prob": lambda x, loc, scale: -jnp.log(math.pi * scale) - jnp.log1p(((x - loc) / scale) ** 2),
    "cdf": lambda x, loc, scale: 0.5 + jnp.arctan((x - loc) / scale) / math.pi,
    "survival_function": lambda x, loc, scale: 0.5 + jnp.arctan((loc - x) / scale) / math.pi,
    "mode": lambda loc, scale: loc,
    "entropy": lambda loc, scale: jnp.log(4.0 * math.pi * scale),
    "kl_loss": lambda loc, scale, loc_b, scale_b: jnp.log(
        ((scale + scale_b) ** 2 + (loc - loc_b) ** 2) / (4.0 * scale * scale_b)
    ),
    "sample": lambda key, shape, loc, scale: loc + scale * jax.random.cauchy(key, shape, loc.dtype),
}

# KL(a || b) is the mean of the log density difference under a; E[exp(-(x - loc_b) / scale_b)] is the moment
# generating function of a at -1 / scale_b.
GUMBEL: Table = {
    "log_prob": lambda x, loc, scale: -(x - loc) / scale - jnp.exp(-(x - loc) / scale) - jnp.log(scale),
    "cdf": lambda x, loc, scale: jnp.exp(-jnp.exp(-(x - loc) / scale)),
    "log_cdf": lambda x, loc, scale: -jnp.exp(-(x - loc) / scale),
    "survival_function": lambda x, loc, scale: -jnp.expm1(-jnp.exp(-(x - loc) / scale)),
    "mean": lambda loc, scale: loc + EULER * scale,
    "mode": lambda loc, scale: loc,
    "sd": lambda loc, scale: scale * (math.pi / math.sqrt(6.0)),
    "entropy": lambda loc, scale: jnp.log(scale) + (1.0 + EULER),
    "kl_loss": lambda loc, scale, loc_b, scale_b: (
        jnp.log(scale_b / scale)
        + EULER * (scale / scale_b - 1.0)
        + jnp.expm1((loc_b - loc) / scale_b + special.gammaln(scale / scale_b + 1.0))
        + (loc - loc_b) / scale_b
    ),
    "sample": lambda key, shape, loc, scale: loc + scale * jax.random.gumbel(key, shape, loc.dtype),
}

LOG_NORMAL: Table = {
    "log_prob": lambda x, loc, scale: NORMAL["log_prob"](jnp.log(x), loc, scale) - jnp.log(x),
    **{
        name: (lambda x, loc, scale, _name=name: NORMAL[_name](jnp.log(jnp.maximum(x, 0.0)), loc, scale))
        for name in ("cdf", "log_cdf", "survival_function", "log_survival")
    },
    "mean": lambda loc, scale: jnp.exp(loc + 0.5 * scale**2),
    "mode": lambda loc, scale: jnp.exp(loc - scale**2),
    "var": lambda loc, scale: jnp.expm1(scale**2) * jnp.exp(2.0 * loc + scale**2),
    "entropy": lambda loc, scale: loc + 0.5 * (1.0 + LOG_2PI) + jnp.log(scale),
    "kl_loss": NORMAL["kl_loss"],
    "sample": lambda key, shape, loc, scale: jnp.exp(NORMAL["sample"](key, shape, loc, scale)),
}


def _beta_kl(a, b, a_b, b_b):
    total = special.digamma(a + b)
    return (
        special.betaln(a_b, b_b)
        - special.betaln(a, b)
        + (a - a_b) * (special.digamma(a) - total)
        + (b - b_b) * (special.digamma(b) - total)
    )


def _beta_sample(key, shape, a, b):
    """Of two gamma variables, drawn together because the sampler takes seconds to compile."""
    both = jnp.stack(jnp.broadcast_arrays(a, b)).reshape((2,) + (1,) * (len(shape) - a.ndim) + a.shape)
    drawn = jax.random.loggamma(key, jnp.broadcast_to(both, (2, *shape)), dtype=a.dtype)
    return jax.nn.sigmoid(drawn[0] - drawn[1])


BETA: Table = {
    "log_prob": lambda x, a, b: (a - 1.0) * jnp.log(x) + (b - 1.0) * jnp.log1p(-x) - special.betaln(a, b),
    "mean": lambda a, b: a / (a + b),
    "var": lambda a, b: a * b / ((a + b) ** 2 * (a + b + 1.0)),
    "mode": lambda a, b: _where((a > 1) & (b > 1), (a - 1.0) / (a + b - 2.0), jnp.nan),
    "entropy": lambda a, b: (
        special.betaln(a, b)
        - (a - 1.0) * special.digamma(a)
        - (b - 1.0) * special.digamma(b)
        + (a + b - 2.0) * special.digamma(a + b)
    ),
    "kl_loss": _beta_kl,
    "sample": _beta_sample,
}

GAMMA: Table = {
    "log_prob": lambda x, a, rate: a * jnp.log(rate) + (a - 1.0) * jnp.log(x) - rate * x - special.gammaln(a),
    "cdf": lambda x, a, rate: lower_gamma(*jnp.broadcast_arrays(a, rate * x)),
    "mean": lambda a, rate: a / rate,
    "var": lambda a, rate: a / rate**2,
    "sd": lambda a, rate: jnp.sqrt(a) / rate,
    "mode": lambda a, rate: _where(a > 1, (a - 1.0) / rate, jnp.nan),
    "entropy": lambda a, rate: a - jnp.log(rate) + special.gammaln(a) + (1.0 - a) * special.digamma(a),
    "kl_loss": lambda a, rate, a_b, rate_b: (
        (a - a_b) * special.digamma(a)
        + special.gammaln(a_b)
        - special.gammaln(a)
        + a_b * jnp.log(rate / rate_b)
        + a * (rate_b / rate - 1.0)
    ),
    "sample": lambda key, shape, a, rate: jax.random.gamma(key, a, shape, a.dtype) / rate,
}

HALF_NORMAL: Table = {
    "prob": lambda x, mean, sd: _where(
        x >= mean, math.sqrt(2.0 / math.pi) / sd * jnp.exp(-0.5 * ((x - mean) / sd) ** 2), 0.0
    ),
}

LAPLACE: Table = {
    "log_prob": lambda x, mean, sd: -magnitude(x - mean) / sd - jnp.log(2.0 * sd),
}

STUDENT_T: Table = {
    "log_prob": lambda x, df, mean, sd: (
        -0.5 * (df + 1.0) * jnp.log1p(((x - mean) / sd) ** 2 / df)
        - jnp.log(jnp.abs(sd))
        - 0.5 * jnp.log(df * math.pi)
        - special.gammaln(0.5 * df)
        + special.gammaln(0.5 * (df + 1.0))
    ),
}


# -- discrete ----------------------------------------------------------------------------------------------------------
def _bernoulli_kl(p, q):
    return p * jnp.log(p / q) + (1.0 - p) * (jnp.log1p(-p) - jnp.log1p(-q))


def _bernoulli_log_prob(x, p):
    """MindSpore keeps the probability off 0 and 1 by one rounding."""
    least = jnp.finfo(p.dtype).eps
    p = jnp.clip(p, least, 1 - least)
    return x * jnp.log(p) + (1.0 - x) * jnp.log1p(-p)


BERNOULLI: Table = {
    "log_prob": _bernoulli_log_prob,
    "cdf": lambda x, p: _where(x < 0, jnp.zeros_like(x + p), _where(x < 1, 1.0 - p + 0.0 * x, 1.0)),
    "mean": lambda p: p,
    "var": lambda p: p * (1.0 - p),
    "mode": lambda p: (p > 0.5).astype(p.dtype),
    "entropy": lambda p: -p * jnp.log(p) - (1.0 - p) * jnp.log1p(-p),
    "kl_loss": _bernoulli_kl,
    "sample": lambda key, shape, p: (jax.random.uniform(key, shape, p.dtype) < p).astype(p.dtype),
}

GEOMETRIC: Table = {
    "prob": lambda x, p: _where(x >= 0, p * (1.0 - p) ** jnp.floor(x), 0.0),
    "cdf": lambda x, p: _where(x >= 0, -jnp.expm1((jnp.floor(x) + 1.0) * jnp.log1p(-p)), 0.0),
    "mean": lambda p: (1.0 - p) / p,
    "var": lambda p: (1.0 - p) / p**2,
    "mode": lambda p: jnp.zeros_like(p),
    "entropy": lambda p: BERNOULLI["entropy"](p) / p,
    "kl_loss": lambda p, q: _bernoulli_kl(p, q) / p,
    "sample": lambda key, shape, p: jnp.floor(
        jnp.log(jax.random.uniform(key, shape, p.dtype, jnp.finfo(p.dtype).tiny)) / jnp.log1p(-p)
    ),
}

POISSON: Table = {
    "log_prob": lambda x, rate: _where(
        x >= 0, at_least(x, 0.0) * jnp.log(rate) - rate - special.gammaln(at_least(x, 0.0) + 1.0), -jnp.inf
    ),
    "cdf": lambda x, rate: _where(x >= 0, upper_gamma(*jnp.broadcast_arrays(at_least(x, 0.0) + 1.0, rate)), 0.0),
    "mean": lambda rate: rate,
    "var": lambda rate: rate,
    "mode": lambda rate: jnp.floor(rate),
    "sample": lambda key, shape, rate: jax.random.poisson(_threefry(key), rate, shape).astype(rate.dtype),
}


def _at_category(table, x):
    """Entries of `table`'s last axis at the whole part of x, which broadcasts with the axes before."""
    count = table.shape[-1]
    shape = jnp.broadcast_shapes(x.shape, table.shape[:-1])
    index = jnp.broadcast_to(jnp.trunc(x), shape)
    full = jnp.broadcast_to(table, (*shape, count))
    found = jnp.take_along_axis(full, jnp.clip(index, 0, count - 1).astype(jnp.int32)[..., None], -1)[..., 0]
    return found, index, count


def _categorical_log_prob(x, probs):
    found, index, count = _at_category(jnp.log(probs), x)
    return _where((index >= 0) & (index < count), found, jnp.nan)


def _categorical_cdf(x, probs):
    found, index, count = _at_category(jnp.cumsum(probs, -1), x)
    return _where(jnp.broadcast_to(x, index.shape) < 0, jnp.zeros_like(found), _where(index < count - 1, found, 1.0))


def _moment(probs, power):
    return jnp.sum(probs * jnp.arange(probs.shape[-1], dtype=probs.dtype) ** power, -1, keepdims=True)


def _categorical_kl(probs, probs_b):
    """Of the probabilities divided by their sums, so that the gradient keeps the sums."""
    ours, theirs = (jax.nn.log_softmax(jnp.log(p), -1) for p in (probs, probs_b))
    return jnp.sum(jnp.exp(ours) * (ours - theirs), -1)


CATEGORICAL: Table = {
    "log_prob": _categorical_log_prob,
    "cdf": _categorical_cdf,
    "mean": lambda probs: _moment(probs, 1),
    "var": lambda probs: _moment(probs, 2) - _moment(probs, 1) ** 2,
    "mode": lambda probs: jnp.argmax(probs, -1).astype(probs.dtype),
    "entropy": lambda probs: -jnp.sum(probs * jnp.log(probs), -1),
    "kl_loss": _categorical_kl,
    "sample": lambda key, shape, probs: jax.random.categorical(key, jnp.log(probs), -1, shape).astype(probs.dtype),
}
