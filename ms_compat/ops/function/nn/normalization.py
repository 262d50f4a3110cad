"""Normalisations: mean and variance over some axes, written so that XLA makes two reductions and one map of each.

The variance is the mean of squared deviations (two passes: no cancellation), scale and reciprocal root are combined
before they meet the data. Half-precision data is reduced in float32 and rounded once. The gradients are JAX's own.
"""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ms_compat._core.checks import check_rank
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_one_of, value_error
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.elementwise.slopes import magnitude, root
from ms_compat.ops.function.nn.checks import axis_of, channelwise, floating, integer, real, tensor, wide
from ms_compat.ops.function.update.results import replace_as_variable


def moments(x: Any, axes: tuple[int, ...]) -> tuple[Any, Any, Any]:
    """Mean, deviations from it and (biased) variance over `axes`, which are kept with size 1.

    The deviations are returned so that the caller uses this very value: subtracted again, they would cost the gradient
    one more reduction over all the data (a fifth of its time).
    """
    mean = jnp.mean(x, axes, keepdims=True)
    deviations = x - mean
    return mean, deviations, jnp.mean(lax.square(deviations), axes, keepdims=True)


def _standardised(deviations: Any, variance: Any, epsilon: float, gamma: Any = None, beta: Any = None) -> Any:
    factor = lax.rsqrt(variance + epsilon)
    if gamma is not None:
        factor = factor * gamma.astype(deviations.dtype)
    out = deviations * factor
    return out if beta is None else out + beta.astype(deviations.dtype)


# -- over the batch --------------------------------------------------------------------------------------------------
def _batch_checks(api: str, x: Any, vectors: tuple, epsilon: float) -> None:
    floating(api, "input_x", x)
    if not 2 <= x.ndim <= 5:
        raise ValueError(f"For '{api}', the input must have 2 to 5 dimensions, but got shape {x.shape}.")
    if not 0 < real(api, "eps", epsilon) <= 1:
        raise value_error(api, "eps", "in (0, 1]", epsilon)
    for vector in vectors:
        if vector is not None and vector.shape != (x.shape[1],):
            raise ValueError(
                f"For '{api}', parameters must have the shape ({x.shape[1]},) of the channels, but got {vector.shape}."
            )


@op(static=("momentum", "eps"))
def batch_norm_train(x, weight, bias, running_mean, running_var, momentum, eps):
    """Normalises with the batch's own statistics and updates the running ones.

    Args:
        x (Tensor): [N, C, *].
        weight (Tensor): [C] or None.
        bias (Tensor): [C] or None.
        running_mean (Tensor): [C] or None.
        running_var (Tensor): [C] or None.
        momentum (float): the new statistics' share (PyTorch's sense).
        eps (float): added to the variance.

    Returns:
        Tuple of the output, the new running mean and the new running variance (unbiased, so NaN for a single element
        of each channel), or the batch's own without running ones.
    """
    _batch_checks("BatchNorm", x, (weight, bias, running_mean, running_var), eps)
    axes = (0, *range(2, x.ndim))
    data = wide(x)
    mean, deviations, variance = moments(data, axes)
    gamma, beta = (None if v is None else channelwise(v, x.ndim) for v in (weight, bias))
    out = _standardised(deviations, variance, eps, gamma, beta).astype(x.dtype)
    mean, variance = mean.reshape(-1), variance.reshape(-1)
    if running_mean is None:
        return out, mean, variance
    count = x.size // x.shape[1]
    unbiased = variance * (np.nan if count == 1 else count / (count - 1))
    mean, unbiased = lax.stop_gradient(mean), lax.stop_gradient(unbiased)
    return (
        out,
        (running_mean * (1 - momentum) + mean.astype(running_mean.dtype) * momentum),
        (running_var * (1 - momentum) + unbiased.astype(running_var.dtype) * momentum),
    )


@op(static=("eps",))
def batch_norm_infer(x, weight, bias, running_mean, running_var, eps):
    """Normalises [N, C, *] with given statistics."""
    _batch_checks("BatchNorm", x, (weight, bias, running_mean, running_var), eps)
    data = wide(x)
    mean, variance, gamma, beta = (
        None if v is None else channelwise(v.astype(data.dtype), x.ndim)
        for v in (running_mean, running_var, weight, bias)
    )
    return _standardised(data - mean, variance, eps, gamma, beta).astype(x.dtype)


@faces("ops")
def batch_norm(input_x, running_mean, running_var, weight, bias, training=False, momentum=0.1, eps=1e-5):
    """Normalises every channel over the batch and the spatial axes.

    Args:
        input_x (Tensor): [N, C, *], 2 to 5 dimensions, floating type.
        running_mean (Tensor): [C].
        running_var (Tensor): [C].
        weight (Tensor): [C].
        bias (Tensor): [C].
        training (bool): use the batch's statistics, and write the updated running ones into `running_mean` and
            `running_var`.
        momentum (float): the new statistics' share in the update.
        eps (float): added to the variance, in (0, 1].

    Returns:
        Tensor of the shape and type of `input_x`.

    Raises:
        TypeError: data of another type.
        ValueError: sizes that do not fit, `eps` out of range.
    """
    if not training:
        return batch_norm_infer(input_x, weight, bias, running_mean, running_var, eps)
    out, mean, variance = batch_norm_train(input_x, weight, bias, running_mean, running_var, momentum, eps)
    for target, value in ((running_mean, mean), (running_var, variance)):
        if isinstance(target, Tensor):
            replace_as_variable(target, value)
    return out


# -- over the features -----------------------------------------------------------------------------------------------
@faces(primitive="LayerNorm(begin_norm_axis=1, begin_params_axis=1, epsilon=1e-07)(input_x, gamma, beta)")
@op(static=("begin_norm_axis", "begin_params_axis", "epsilon"))
def layer_norm_stats(x, gamma, beta, begin_norm_axis, begin_params_axis, epsilon):
    """The primitive LayerNorm: normalises over the axes from `begin_norm_axis` on.

    Returns:
        Tuple of the output, the mean and the variance (Float32; the normalised axes have size 1).

    Raises:
        TypeError: data of another type.
        ValueError: an axis is out of range, `gamma` and `beta` do not have the shape of the axes from
            `begin_params_axis` on.
    """
    api = "LayerNorm"
    floating(api, "input_x", x)
    first = axis_of(api, "begin_norm_axis", begin_norm_axis, x.ndim)
    params = axis_of(api, "begin_params_axis", begin_params_axis, x.ndim)
    for vector in (gamma, beta):
        if vector.shape != x.shape[params:]:
            raise ValueError(
                f"For '{api}', 'gamma' and 'beta' must have shape {x.shape[params:]}, but got {vector.shape}."
            )
    data = wide(x)
    mean, deviations, variance = moments(data, tuple(range(first, x.ndim)))
    return _standardised(deviations, variance, epsilon, gamma, beta).astype(x.dtype), *(
        v.astype(np.float32) for v in (mean, variance)
    )


@faces("ops mint.nn.functional")
@op(static=("normalized_shape", "eps"))
def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    """Normalises over the last axes, which `normalized_shape` gives.

    Args:
        input (Tensor): [*, *normalized_shape], floating type.
        normalized_shape (Union[int, tuple]): sizes of the axes to normalise over.
        weight (Tensor): of shape `normalized_shape`, or None for 1.
        bias (Tensor): of shape `normalized_shape`, or None for 0.
        eps (float): added to the variance.

    Returns:
        Tensor of the shape and type of `input`.

    Raises:
        TypeError: data of another type.
        RuntimeError: shapes that do not fit.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.layer_norm(Tensor([[1.0, 1.0]]), (2,)))
    [[0. 0.]]
    """
    api = "LayerNorm"
    floating(api, "input", input)
    shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
    got = [None if v is None else v.shape for v in (weight, bias)]
    if not shape or any(each not in (None, shape) for each in got):
        raise RuntimeError(
            f"For '{api}', the shapes of 'weight' and 'bias' must be 'normalized_shape' {shape}, but got {got[0]} and "
            f"{got[1]}."
        )
    if input.shape[-len(shape) :] != shape:
        raise ValueError(
            f"For '{api}', 'normalized_shape' is {shape}, but the last sizes of the input are "
            f"{input.shape[-len(shape) :]} (shape {input.shape})."
        )
    data = wide(input)
    _, deviations, variance = moments(data, tuple(range(-len(shape), 0)))
    return _standardised(deviations, variance, eps, weight, bias).astype(input.dtype)


@faces("ops mint.nn.functional")
@op(static=("num_groups", "eps"))
def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5):
    """Normalises channel groups in each sample.

    Args:
        input (Tensor): [N, C, *], floating type.
        num_groups (int): number of groups; divides C.
        weight (Tensor): [C] or None for 1.
        bias (Tensor): [C] or None for 0.
        eps (float): added to the variance.

    Returns:
        Tensor of the shape and type of `input`.

    Raises:
        TypeError: `num_groups` is not an int, data of another type.
        ValueError: `num_groups` does not divide the channels.
    """
    api = "group_norm"
    floating(api, "input", input)
    if integer(api, "num_groups", num_groups) <= 0 or input.ndim < 2 or input.shape[1] % num_groups:
        raise value_error(
            api, "num_groups", f"a divisor of the channels of an input of shape {input.shape}", num_groups
        )
    for vector in (weight, bias):
        if vector is not None and vector.shape != (input.shape[1],):
            raise ValueError(
                f"For '{api}', 'weight' and 'bias' must have shape ({input.shape[1]},), but got {vector.shape}."
            )
    data = wide(input).reshape(input.shape[0], num_groups, -1)
    _, deviations, variance = moments(data, (2,))
    out = (deviations * lax.rsqrt(variance + eps)).reshape(input.shape)
    if weight is not None:
        out = out * channelwise(weight.astype(out.dtype), out.ndim)
    if bias is not None:
        out = out + channelwise(bias.astype(out.dtype), out.ndim)
    return out.astype(input.dtype)


@op(static=("eps",))
def instance_norm(x, weight=None, bias=None, eps=1e-5):
    """Normalises each channel in each sample of [N, C, *] over its spatial axes."""
    floating("instance_norm", "x", x)
    data = wide(x)
    _, deviations, variance = moments(data, tuple(range(2, x.ndim)))
    gamma, beta = (None if v is None else channelwise(v, x.ndim) for v in (weight, bias))
    return _standardised(deviations, variance, eps, gamma, beta).astype(x.dtype)


@faces(primitive="RmsNorm(epsilon=1e-06)(x, gamma)")
@op(static=("epsilon",))
def rms_norm_stats(x, gamma, epsilon=1e-6):
    """The primitive RmsNorm: x / sqrt(mean(x ** 2) + epsilon) * gamma over `gamma`'s axes, the last ones.

    Returns:
        Tuple of the output and the reciprocal root, Float32 for half-precision data.

    Raises:
        TypeError: data of another type.
        ValueError: `gamma` does not have the shape of the last axes.
    """
    floating("rms_norm", "x", x)
    if x.shape[x.ndim - gamma.ndim :] != gamma.shape:
        raise ValueError(f"For 'rms_norm', 'gamma' must have the shape that ends {x.shape}, but got {gamma.shape}.")
    data = wide(x)
    root = lax.rsqrt(jnp.mean(lax.square(data), tuple(range(-gamma.ndim, 0)), keepdims=True) + epsilon)
    return (data * root * gamma.astype(data.dtype)).astype(x.dtype), root


@faces("ops")
def rms_norm(x, gamma, epsilon=1e-6):
    """Root-mean-square normalisation; see `rms_norm_stats`. Returns the output and the reciprocal root.

    Args:
        x (Tensor): any shape, floating type.
        gamma (Tensor): factors, in the shape of the last dimensions.
        epsilon (float): is added to the mean of squares.

    >>> from ms_compat import Tensor, ops
    >>> output, scale = ops.rms_norm(Tensor([[3.0, 3.0]]), Tensor([1.0, 1.0]))
    >>> print(output.shape, scale.shape)
    (1, 2) (1, 1)
    """
    return rms_norm_stats(x, gamma, epsilon)


@faces("ops")
@op(static=("epsilon", "additional_output"))
def add_layer_norm(x1, x2, gamma, beta, epsilon=1e-5, additional_output=False):
    """`LayerNorm` of x1 + x2 over the axes of `gamma`.

    Returns:
        Tuple of the output, the mean, the reciprocal root of the variance, and the sum (if `additional_output`, else
        zeros).
    """
    total = wide(floating("add_layer_norm", "x1", x1)) + wide(x2)
    mean, deviations, variance = moments(total, tuple(range(-gamma.ndim, 0)))
    out = _standardised(deviations, variance, epsilon, gamma, beta).astype(x1.dtype)
    kept = total.astype(x1.dtype)
    return out, mean, lax.rsqrt(variance + epsilon), kept if additional_output else jnp.zeros_like(kept)


# -- by a norm -------------------------------------------------------------------------------------------------------
@faces(primitive="L2Normalize(axis: int | list | tuple = 0, epsilon=0.0001)(input_x)")
@op(static=("axis", "epsilon"))
def l2_normalize(x, axis=0, epsilon=1e-4):
    """x / sqrt(max(sum(x ** 2), epsilon)) along one axis.

    Raises:
        TypeError: `axis` is neither an int nor a sequence of one.
        ValueError: it is out of range.
    """
    api = "L2Normalize"
    if isinstance(axis, tuple) and len(axis) != 1:
        raise TypeError(f"For '{api}', the 'axis' must be one int, but got {axis}.")
    at = axis_of(api, "axis", axis[0] if isinstance(axis, tuple) else axis, floating(api, "x", x).ndim)
    data = wide(x)
    return _l2_normalized(data, at, epsilon).astype(x.dtype)


@functools.partial(jax.custom_jvp, nondiff_argnums=(1, 2))
def _l2_normalized(data, axis, epsilon):
    return data * lax.rsqrt(jnp.maximum(jnp.sum(lax.square(data), axis, keepdims=True), epsilon))


@_l2_normalized.defjvp
def _(axis, epsilon, primals, tangents):
    """MindSpore divides by max(norm, epsilon) here, and by the root of max(norm ** 2, epsilon) above."""
    (data,), (tangent,) = primals, tangents
    out = _l2_normalized(data, axis, epsilon)
    norm = root(jnp.sum(lax.square(data), axis, keepdims=True))
    along = jnp.sum(out * tangent, axis, keepdims=True)
    return out, (tangent - out * along) / jnp.maximum(norm, epsilon)


@faces("mint.nn.functional")
@op(static=("p", "dim", "eps"))
def normalize(input, p=2.0, dim=1, eps=1e-12):
    """x / max(norm of order p, eps) along one axis or several.

    Args:
        input (Tensor): floating type.
        p (float): the order of the norm.
        dim: an int or a tuple of ints.
        eps (float): the least divisor.

    >>> from ms_compat import Tensor, mint
    >>> print(mint.nn.functional.normalize(Tensor([[3.0, 4.0]])))
    [[0.6 0.8]]
    """
    data = wide(floating("normalize", "input", input))
    axes = dim if isinstance(dim, tuple) else (dim,)
    if p == 2:
        norm = root(jnp.sum(lax.square(data), axes, keepdims=True))
    elif p == np.inf:
        norm = jnp.max(magnitude(data), axes, keepdims=True)
    else:
        norm = jnp.sum(magnitude(data) ** p, axes, keepdims=True) ** (1.0 / p)
    return (data / jnp.maximum(norm, eps)).astype(input.dtype)


@faces("ops", primitive="LRN(depth_radius=5, bias=1.0, alpha=1.0, beta=0.5, norm_region='ACROSS_CHANNELS')(x)")
@op(static=("depth_radius", "bias", "alpha", "beta", "norm_region"))
def lrn(x, depth_radius=5, bias=1.0, alpha=1.0, beta=0.5, norm_region="ACROSS_CHANNELS"):
    """Local response normalisation: x / (bias + alpha * sum of squares over 2 * depth_radius + 1 channels) ** beta.

    Args:
        x (Tensor): [N, C, H, W], floating type.
        depth_radius (int): channels on either side.
        bias (float): added to the sum.
        alpha (float): factor of the sum.
        beta (float): exponent.
        norm_region (str): "ACROSS_CHANNELS".

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: another `norm_region`, or rank.
    """
    tensor("LRN", "x", x), check_one_of("LRN", "norm_region", norm_region, ("ACROSS_CHANNELS",))
    radius = integer("LRN", "depth_radius", depth_radius, 0)
    check_rank("LRN", "input", x, 4)
    data = wide(floating("LRN", "x", x))
    zero = np.zeros((), data.dtype)
    window = (1, 2 * radius + 1, 1, 1)
    squares = lax.reduce_window(
        lax.square(data), zero, lax.add, window, (1,) * 4, ((0, 0), (radius, radius), (0, 0), (0, 0))
    )
    return (data / (bias + alpha * squares) ** beta).astype(x.dtype)
