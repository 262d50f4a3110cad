"""Layers that record statistics of inputs and output gradients for the optimizer THOR.

Each is the layer it is named after. While its attribute `thor` is True, a call writes the second moment of its input
into a Parameter, A, and the backward pass writes the second moment of its output's gradient into another, G. The
normalisations are MindSpore's on a GPU, which enter the numbers through the damping. Moments are taken in Float32, in
mixed precision too.
"""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from ms_compat._autograd import cotangent_stats
from ms_compat._core import dtype as mstype
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_positive_int, value_error
from ms_compat._core.faces import faces
from ms_compat._core.jax_compat import Tracer
from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.trace import scopes, write_barrier
from ms_compat.nn.layer.basic import Dense, _dense
from ms_compat.nn.layer.conv import Conv2d, _conv
from ms_compat.nn.layer.embedding import Embedding, EmbeddingLookup, _by_one_hot
from ms_compat.ops.function.indexing.gather import gather
from ms_compat.ops.function.nn.conv import paddings
from ms_compat.ops.function.nn.embedding import embedding_lookup


def _gram(rows: Any, count: int) -> Any:
    """rows.T @ rows / count in Float32."""
    rows = lax.stop_gradient(rows).astype(jnp.float32)
    return jnp.matmul(rows.T, rows, precision=lax.Precision.HIGHEST) / count


@op
def _dense_inputs(x):
    # MindSpore's GPU kernel divides by the number of features here, not by the number of rows
    return _gram(x.reshape(-1, x.shape[-1]), x.shape[-1])


@op
def _row_gradients(dout):
    rows = dout.reshape(-1, dout.shape[-1])
    return _gram(rows, rows.shape[0])


@op
def _lookup_gradients(dout):
    return _gram(dout.reshape(-1, dout.shape[-1]), dout.shape[0])


@op(static=("kernel", "stride", "dilation"))
def _conv_inputs(x, kernel, stride, dilation):
    # patches are linear in the image, so the mean image's patches are the mean patches
    image = lax.stop_gradient(x).astype(jnp.float32).mean(0, keepdims=True)
    pads = paddings(image.shape[2:], kernel, stride, dilation, "same", ())
    patches = lax.conv_general_dilated_patches(
        image, kernel, stride, pads, rhs_dilation=dilation, precision=lax.Precision.HIGHEST
    )
    places = patches[0].reshape(patches.shape[1], -1)
    return _gram(places.T, places.shape[1])


@op
def _conv_gradients(dout):
    places = dout.astype(jnp.float32).mean(0).reshape(dout.shape[1], -1)
    return _gram(places.T, places.shape[1])


@op(static=("size",))
def _id_counts(ids, size):
    at = jnp.where(ids < 0, size, ids).reshape(-1)
    return jnp.zeros(size, jnp.float32).at[at].add(1.0, mode="drop")


def _remember(parameter: Any, value: Any) -> None:
    """Give a Parameter a value, but not one that belongs to the user's own transformation."""
    if scopes.current_scope() is None and isinstance(value, Tracer):
        return
    write_barrier.assign(parameter, value.astype(parameter._v.dtype))


def _factor(name: str, values: Any) -> Parameter:
    return Parameter(Tensor(values.astype(np.float32)), name=name, requires_grad=False)


@faces("nn nn.layer")
class DenseThor(Dense):
    """`Dense` that records the second moments of its inputs and its outputs' gradients for the optimizer `thor`.

    While the attribute `thor` is True, a call sets `matrix_a` to x^T x / in_channels, and the backward pass sets
    `matrix_g` to g^T g / N, for the N rows of the output's gradient g, without the activation.

    Args:
        in_channels, out_channels, weight_init, bias_init, has_bias, activation: as for `Dense`; weights are "normal",
            the bias "zeros" by default.

    >>> import ms_compat as ms
    >>> net = ms.nn.DenseThor(2, 1, weight_init="ones")
    >>> print(net(ms.Tensor([[1.0, 2.0], [0.0, 2.0]])), net.matrix_a.value())
    [[3.]
     [2.]] [[0.5 1. ]
     [1.  4. ]]
    """

    def __init__(
        self, in_channels, out_channels, weight_init="normal", bias_init="zeros", has_bias=True, activation=None
    ):
        super().__init__(in_channels, out_channels, weight_init, bias_init, has_bias, activation)
        self._add_factors()

    def _add_factors(self) -> None:
        self.thor = True
        self._watch("thor")
        self.matrix_a = _factor("matrix_a", np.eye(self.in_channels))
        self.matrix_g = cotangent_stats.enable(_factor("matrix_g", np.eye(self.out_channels)))

    def construct(self, x):
        out = _dense(x, self.weight, self.bias)
        if self.thor:
            _remember(self._params["matrix_a"], _dense_inputs(wrap(x._v))._v)
            out = cotangent_stats.record(out, self._params["matrix_g"], _row_gradients)
        return out if self.activation is None else self.activation(out)

    def extend_repr(self):
        text = f"input_channels={self.in_channels}, output_channels={self.out_channels}"
        return f"{text}, has_bias={self.has_bias}" if self.has_bias else text


@faces("nn nn.layer")
class Conv2dThor(Conv2d):
    """`Conv2d` that records the second moments of its patches and its outputs' gradients for the optimizer `thor`.

    While the attribute `thor` is True, a call sets `matrix_a_cov` to P P^T / L for the mean over the batch of the
    input's patches, P [in_channels * kernel elements, L], cut out with "same" padding whatever `pad_mode` is; and
    `a_normalizer` to L. The backward pass sets `matrix_g_cov` to D D^T / M for the mean over the batch of the output's
    gradient, D [out_channels, M], and `g_normalizer` is M.

    Args:
        in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init,
            bias_init: as for `Conv2d`; weights are "normal", the bias "zeros" by default.

    >>> import ms_compat as ms
    >>> net = ms.nn.Conv2dThor(1, 2, 1)
    >>> _ = net(ms.ops.ones((3, 1, 4, 4)))
    >>> print(net.matrix_a_cov.value(), net.a_normalizer.value())
    [[1.]] [16.]
    """

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0, dilation=1, group=1,
        has_bias=False, weight_init="normal", bias_init="zeros",
    ):  # fmt: skip
        super().__init__(
            in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init,
            bias_init,
        )  # fmt: skip
        self._add_factors()

    def _add_factors(self) -> None:
        self.thor = True
        self._watch("thor")
        size = self.in_channels * math.prod(self.kernel_size)
        self.a_normalizer = _factor("a_normalizer", np.ones(1))
        self.g_normalizer = _factor("g_normalizer", np.ones(1))
        self.matrix_a_cov = _factor("matrix_a", np.zeros((size, size)))
        self.matrix_g_cov = cotangent_stats.enable(
            _factor("matrix_g", np.zeros((self.out_channels, self.out_channels)))
        )

    def construct(self, x):
        out = _conv(x, self.weight, self.bias, *self._settings)
        if self.thor:
            params = self._params
            places = math.prod(-(-n // s) for n, s in zip(x.shape[2:], self.stride, strict=True))
            _remember(params["a_normalizer"], jnp.full(1, places, jnp.float32))
            _remember(params["g_normalizer"], jnp.full(1, math.prod(out.shape[2:]), jnp.float32))
            found = _conv_inputs(wrap(x._v), self.kernel_size, self.stride, self.dilation)
            _remember(params["matrix_a_cov"], found._v)
            out = cotangent_stats.record(out, params["matrix_g_cov"], _conv_gradients)
        return out

    def extend_repr(self):
        return (
            f"input_channels={self.in_channels}, output_channels={self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}, pad_mode={self.pad_mode}, padding={self.padding}, dilation={self.dilation}, "
            f"group={self.group}, has_bias={self.has_bias}, bias_init={self.bias_init}"
        )


class _Table:
    """What the two tables record: how often each row was taken, and the second moment of the rows' gradients."""

    vocab_size: int
    embedding_size: int
    _watch: Any
    _params: Any

    def _add_factors(self) -> None:
        self.thor = True
        self._watch("thor")
        self.matrix_a = _factor("matrix_a", np.zeros(self.vocab_size))
        self.matrix_g = cotangent_stats.enable(
            _factor("matrix_g", np.zeros((self.embedding_size, self.embedding_size)))
        )

    def _recorded(self, ids, out, gradients):
        if not self.thor:
            return out
        _remember(self._params["matrix_a"], _id_counts(wrap(ids._v), self.vocab_size)._v)
        return cotangent_stats.record(out, self._params["matrix_g"], gradients)


@faces("nn nn.layer")
class EmbeddingThor(_Table, Embedding):
    """`Embedding` that records how often each row was taken, and the rows' gradients, for the optimizer `thor`.

    While the attribute `thor` is True, a call sets `matrix_a` to the counts of the ids, and the backward pass sets
    `matrix_g` to g^T g / N for the gradients g of the N rows that were taken.

    Args:
        vocab_size, embedding_size, use_one_hot, embedding_table, dtype, padding_idx: as for `Embedding`.

    >>> import ms_compat as ms
    >>> net = ms.nn.EmbeddingThor(4, 2)
    >>> _ = net(ms.Tensor([[0, 3], [3, 3]], ms.int32))
    >>> print(net.matrix_a.value())
    [1. 0. 0. 3.]
    """

    def __init__(
        self, vocab_size, embedding_size, use_one_hot=False, embedding_table="normal", dtype=mstype.float32,
        padding_idx=None,
    ):  # fmt: skip
        super().__init__(vocab_size, embedding_size, use_one_hot, embedding_table, dtype, padding_idx)
        self._add_factors()

    def construct(self, ids):
        out = _by_one_hot(ids, self.embedding_table) if self.use_one_hot else gather(self.embedding_table, ids, 0)
        return self._recorded(ids, out, _row_gradients)


@faces("nn nn.layer")
class EmbeddingLookupThor(_Table, EmbeddingLookup):
    """`EmbeddingLookup` in Float16 that records what `EmbeddingThor` does, for either `target`.

    Its `matrix_g` is divided by the first size of the ids.

    Args:
        vocab_size, embedding_size, param_init, target, slice_mode, manual_shapes, max_norm, sparse: as for
            `EmbeddingLookup`.
    """

    def __init__(
        self, vocab_size, embedding_size, param_init="normal", target="CPU", slice_mode="batch_slice",
        manual_shapes=None, max_norm=None, sparse=True,
    ):  # fmt: skip
        if target == "CPU" and sparse is False:
            raise value_error("EmbeddingLookupThor", "sparse", "True where 'target' is 'CPU'", sparse)
        check_positive_int("EmbeddingLookupThor", "vocab_size", vocab_size)
        super().__init__(
            vocab_size, embedding_size, param_init, target, slice_mode, manual_shapes, max_norm, sparse,
            mstype.float16,
        )  # fmt: skip
        self._add_factors()

    def construct(self, indices):
        return self._recorded(indices, embedding_lookup(self.embedding_table, indices), _lookup_gradients)
