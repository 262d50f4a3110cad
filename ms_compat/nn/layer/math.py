"""Layers that are one mathematical function: reductions, special functions, products of matrices, diagonals."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.scipy import special

from ms_compat._core.checks import BOOL, INT_OR_SEQUENCE, Choice, OfType, check_shape
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_bool, check_number, check_type
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat.nn._table import REQUIRED, table_cell
from ms_compat.nn.cell import Cell
from ms_compat.ops.function.elementwise import math as functions
from ms_compat.ops.function.elementwise.pairs import igamma
from ms_compat.ops.function.linalg import basic
from ms_compat.ops.function.nn import normalization
from ms_compat.ops.function.nn.checks import wide
from ms_compat.ops.function.reduction.reduce import logsumexp


@op(static=("axis", "keep_dims"), name="Norm")
def _norm(x, axis, keep_dims):
    return jnp.sqrt(jnp.sum(lax.square(x), axis=axis if axis != () else None, keepdims=keep_dims))


@faces("nn nn.layer")
class Norm(Cell):
    """The Euclidean norm along axes.

    Args:
        axis (Union[tuple, int]): the axes; () for all.
        keep_dims (bool): whether they stay, with size 1.

    >>> import ms_compat as ms
    >>> ms.nn.Norm()(ms.Tensor([3.0, 4.0])).item()
    5.0
    """

    def __init__(self, axis=(), keep_dims=False):
        super().__init__()
        check_type("Norm", "axis", axis, (int, tuple, list))
        self.axis = axis if isinstance(axis, int) else tuple(axis)
        self.keep_dims = check_bool("Norm", "keep_dims", keep_dims)

    def construct(self, x):
        return _norm(x, self.axis, self.keep_dims)

    def extend_repr(self):
        return f"axis={self.axis}, keep_dims={self.keep_dims}"


@op(static=("axis", "keep_dims"), name="Moments")
def _moments(x, axis, keep_dims):
    data = wide(x)
    mean = jnp.mean(data, axis=axis, keepdims=True)
    variance = jnp.mean(lax.square(data - mean), axis=axis, keepdims=True)
    if not keep_dims:
        mean, variance = (jnp.squeeze(v, axis=axis) for v in (mean, variance))
    return mean.astype(x.dtype), variance.astype(x.dtype)


def _check_moments(axis, keep_dims):
    check_type("Moments", "axis", axis, (int, tuple, type(None)))
    if keep_dims is not None:
        check_bool("Moments", "keep_dims", keep_dims)
    return axis if axis != () else None, bool(keep_dims)


def _log_sum(x, axis, keep_dims):
    return logsumexp(x, tuple(range(x.ndim)) if axis in ((), []) else axis, keep_dims)


@op(name="LBeta")
def _lbeta(x, y):
    return special.betaln(wide(x), wide(y)).astype(x.dtype)


def _matmul(x1, x2, transpose_x1, transpose_x2):
    x1 = x1.swapaxes(-1, -2) if transpose_x1 and x1.ndim > 1 else x1
    x2 = x2.swapaxes(-1, -2) if transpose_x2 and x2.ndim > 1 else x2
    if x1.ndim and x2.ndim and x1.shape[-1] != x2.shape[-2 if x2.ndim > 1 else -1]:
        raise ValueError(
            "For 'MatMul', the columns of 'x1' must be as many as the rows of 'x2', but got 'x1_col' "
            f"{x1.shape[-1]} and 'x2_row' {x2.shape[-2 if x2.ndim > 1 else -1]}."
        )
    return basic.matmul(x1, x2)


@op(name="MatrixDiag")
def _diag(x):
    return x[..., None] * jnp.eye(x.shape[-1], dtype=x.dtype)


@op(name="MatrixDiagPart")
def _diag_part(x):
    return jnp.diagonal(x, axis1=-2, axis2=-1)


@op(name="MatrixSetDiag")
def _set_diag(x, diagonal):
    size = min(x.shape[-2:])
    check_shape("MatrixSetDiag", "diagonal", diagonal, (*x.shape[:-2], size))
    at = jnp.arange(size)
    return x.at[..., at, at].set(diagonal)


@op(static=("kernel", "stride", "rate", "padding"), name="Unfold")
def _patches(x, kernel, stride, rate, padding):
    found = lax.conv_general_dilated_patches(
        x, kernel, stride, padding.upper(), rhs_dilation=rate, precision=lax.Precision.HIGHEST
    )
    # JAX puts the channel first, MindSpore the place within the window
    count = x.shape[1]
    found = found.reshape(x.shape[0], count, kernel[0] * kernel[1], *found.shape[2:])
    return found.swapaxes(1, 2).reshape(x.shape[0], -1, *found.shape[3:])


def _check_unfold(ksizes, strides, rates, padding):
    inner = []
    for name, value in (("ksizes", ksizes), ("strides", strides), ("rates", rates)):
        check_type("Unfold", name, value, (tuple, list))
        if len(value) != 4 or value[0] != 1 or value[3] != 1 or min(value) < 1:
            raise ValueError(f"For 'Unfold', the '{name}' must be [1, row, column, 1], but got {value}.")
        inner.append((value[1], value[2]))
    if not isinstance(padding, str) or padding.lower() not in ("same", "valid"):
        raise ValueError(f"For 'Unfold', the 'padding' must be 'same' or 'valid', but got {padding!r}.")
    return *inner, padding.lower()


_LRN = {"depth_radius": 5, "bias": 1.0, "alpha": 1.0, "beta": 0.5, "norm_region": "ACROSS_CHANNELS"}


_AXES: dict[str, Any] = {"axis": None, "keep_dims": None}
_LOG_SUM = {"axis": REQUIRED, "keep_dims": False}
_TRANSPOSE = {"transpose_x1": False, "transpose_x2": False}
_WINDOW = {"ksizes": REQUIRED, "strides": REQUIRED, "rates": REQUIRED, "padding": "valid"}
# name: (operation, inputs, settings, checks, text)
_TABLE: dict[str, tuple] = {
    "Moments": (_moments, ("x",), _AXES, _check_moments, "Mean and variance along axes"),
    "ReduceLogSumExp": (_log_sum, ("x",), _LOG_SUM, {"axis": INT_OR_SEQUENCE, "keep_dims": BOOL},
                        "log(sum(exp(x))) along axes"),
    "DiGamma": (functions.digamma, ("x",), {}, None, "The derivative of `LGamma`"),
    "LGamma": (functions.lgamma, ("x",), {}, None, "log |gamma(x)|"),
    "LBeta": (_lbeta, ("x", "y"), {}, None, "log(gamma(x) * gamma(y) / gamma(x + y))"),
    "MatMul": (_matmul, ("x1", "x2"), _TRANSPOSE, dict.fromkeys(_TRANSPOSE, BOOL),
               "The product of matrices, batches or vectors"),
    "MatDet": (basic.det, ("x",), {}, None, "Determinants"),
    "MatInverse": (basic.inverse, ("x",), {}, None, "Inverse matrices"),
    "LRN": (normalization.lrn, ("input_x",), _LRN, {
        "depth_radius": OfType(int), "bias": OfType(float), "alpha": OfType(float), "beta": OfType(float),
        "norm_region": Choice("ACROSS_CHANNELS"),
    },
            "Local response normalisation; see `ops.lrn`"),
    "MatrixDiag": (_diag, ("input_x",), {}, None, "Diagonal matrices of the last axis"),
    "MatrixDiagPart": (_diag_part, ("input_x",), {}, None, "Diagonals of the last two axes"),
    "MatrixSetDiag": (_set_diag, ("input_x", "diagonal"), {}, None, "`input_x` with other diagonals"),
    "Unfold": (_patches, ("input_x",), _WINDOW, _check_unfold, "Windows of [N, C, H, W] as channels"),
}  # fmt: skip
_SCALE = "(float): see the formula"
# name: (what the docstring says of settings and inputs, the rest of the docstring)
_HELP: dict[str, tuple[dict[str, str], str]] = {
    "Moments": (
        {
            "axis": "(Union[int, tuple]): the axes; None and () for all",
            "keep_dims": "(bool): whether they stay, with size 1",
            "x": "any shape",
        },
        """
        Outputs:
            The mean and the variance (divided by the number of elements), in the input's dtype.

        Raises:
            TypeError: an argument has another type.

        >>> from ms_compat import Tensor, nn
        >>> mean, variance = nn.Moments()(Tensor([1.0, 3.0]))
        >>> print(mean, variance)
        2.0 1.0
        """,
    ),
    "ReduceLogSumExp": (
        {
            "axis": "(Union[int, tuple, list]): the axes; () and [] for all",
            "keep_dims": "(bool): whether they stay, with size 1",
            "x": "any shape, floating type",
        },
        """
        Raises:
            TypeError: an argument has another type.

        >>> from ms_compat import Tensor, nn
        >>> round(nn.ReduceLogSumExp(0)(Tensor([0.0, 0.0])).item(), 4)
        0.6931
        """,
    ),
    "DiGamma": (
        {"x": "any shape, floating type"},
        """
        >>> from ms_compat import Tensor, nn
        >>> round(nn.DiGamma()(Tensor([1.0])).item(), 4)
        -0.5772
        """,
    ),
    "LGamma": (
        {"x": "any shape, floating type"},
        """
        >>> from ms_compat import Tensor, nn
        >>> round(nn.LGamma()(Tensor([5.0])).item(), 4)
        3.1781
        """,
    ),
    "LBeta": (
        {"x": "any shape, floating type", "y": "a shape that broadcasts with `x`"},
        """
        >>> from ms_compat import Tensor, nn
        >>> round(nn.LBeta()(Tensor([2.0]), Tensor([3.0])).item(), 4)
        -2.4849
        """,
    ),
    "MatMul": (
        {
            "transpose_x1": "(bool): swap the last two axes of `x1` first",
            "transpose_x2": "(bool): swap the last two axes of `x2` first",
            "x1": "[*, N, D], or [D]",
            "x2": "[*, D, M], or [D]",
        },
        """
        Outputs:
            Tensor [*, N, M]; leading axes broadcast. A vector's axis is left out.

        Raises:
            TypeError: an argument is not a bool.
            ValueError: the sizes that are summed over differ.

        >>> from ms_compat import Tensor, nn
        >>> print(nn.MatMul()(Tensor([[1.0, 2.0]]), Tensor([[3.0], [4.0]])))
        [[11.]]
        """,
    ),
    "MatDet": (
        {"x": "[*, N, N], floating type"},
        """
        >>> from ms_compat import Tensor, nn
        >>> round(nn.MatDet()(Tensor([[2.0, 0.0], [0.0, 3.0]])).item(), 4)
        6.0
        """,
    ),
    "MatInverse": (
        {"x": "[*, N, N], floating type"},
        """
        >>> from ms_compat import Tensor, nn
        >>> print(nn.MatInverse()(Tensor([[2.0, 0.0], [0.0, 4.0]])))
        [[0.5  0.  ]
         [0.   0.25]]
        """,
    ),
    "LRN": (
        {
            "depth_radius": "(int): how many channels on both sides count",
            "bias": _SCALE,
            "alpha": _SCALE,
            "beta": _SCALE,
            "norm_region": '(str): "ACROSS_CHANNELS"',
            "input_x": "[N, C, H, W]",
        },
        """
        x / (bias + alpha * sum(x ** 2)) ** beta, where the sum goes over the neighbouring channels.

        Raises:
            TypeError: an argument has another type.
            ValueError: another `norm_region`.

        Source: Krizhevsky et al., ImageNet classification with deep convolutional neural networks (2012).

        >>> from ms_compat import Tensor, nn
        >>> print(nn.LRN()(Tensor([[[[1.0]], [[0.0]], [[0.0]]]])).asnumpy().round(3).ravel())
        [0.707 0.    0.   ]
        """,
    ),
    "MatrixDiag": (
        {"input_x": "[*, N]"},
        """
        >>> from ms_compat import Tensor, nn
        >>> print(nn.MatrixDiag()(Tensor([1.0, 2.0])))
        [[1. 0.]
         [0. 2.]]
        """,
    ),
    "MatrixDiagPart": (
        {"input_x": "[*, N, M]"},
        """
        >>> from ms_compat import Tensor, nn
        >>> print(nn.MatrixDiagPart()(Tensor([[1.0, 2.0], [3.0, 4.0]])))
        [1. 4.]
        """,
    ),
    "MatrixSetDiag": (
        {"input_x": "[*, N, M]", "diagonal": "[*, min(N, M)]"},
        """
        Raises:
            ValueError: `diagonal` has another shape.

        >>> from ms_compat import Tensor, nn
        >>> print(nn.MatrixSetDiag()(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([8.0, 9.0])))
        [[8. 2.]
         [3. 9.]]
        """,
    ),
    "Unfold": (
        {
            "ksizes": "(Union[tuple, list]): the window, [1, row, column, 1]",
            "strides": "(Union[tuple, list]): its step, [1, row, column, 1]",
            "rates": "(Union[tuple, list]): the distance of its elements, [1, row, column, 1]",
            "padding": '(str): "same" or "valid"',
            "input_x": "[N, C, H, W]",
        },
        """
        Outputs:
            Tensor [N, row * column * C, H', W'].

        Raises:
            TypeError: an argument has another type.
            ValueError: a wrong value.

        >>> from ms_compat import Tensor, nn
        >>> net = nn.Unfold(ksizes=[1, 2, 2, 1], strides=[1, 1, 1, 1], rates=[1, 1, 1, 1])
        >>> print(net(Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])).flatten())
        [1. 2. 3. 4.]
        """,
    ),
}
for _name, (_operation, _inputs, _settings, _check, _text) in _TABLE.items():
    _about, _more = _HELP[_name]
    globals()[_name] = table_cell(
        _name, __name__, _operation, _inputs, _settings, _text, _check, about=_about, more=_more
    )


@faces("nn nn.layer")
class IGamma(Cell):
    """The regularised lower incomplete gamma function.

    Inputs:
        a, x (Tensor): floating type, shapes that broadcast.

    >>> from ms_compat import Tensor, nn
    >>> round(nn.IGamma()(Tensor([1.0]), Tensor([1.0])).item(), 4)
    0.6321
    """

    def construct(self, a, x):
        return igamma(a, x)


@faces("nn nn.layer")
class Range(Cell):
    """Numbers from `start` (0 if the only argument is the end) to `limit`, exclusive, in steps of `delta`.

    Args:
        start (Union[int, float]): the first number, or the end if `limit` is None.
        limit (Union[int, float]): the end.
        delta (Union[int, float]): the step.

    Raises:
        ValueError: the step is 0.

    >>> import ms_compat as ms
    >>> print(ms.nn.Range(1, 8, 2)())
    [1 3 5 7]
    """

    def __init__(self, start, limit=None, delta=1):
        super().__init__()
        if delta == 0:
            raise ValueError("For 'Range', the 'delta' must not be 0.")
        given = (0, start, delta) if limit is None else (start, limit, delta)
        for name, value in zip(("start", "limit", "delta"), given, strict=True):
            check_number("Range", name, value)
        kind = np.float32 if any(isinstance(v, float) for v in given) else np.int32
        self.result_tensor = Tensor(np.arange(*given).astype(kind))

    def construct(self):
        return self.result_tensor
