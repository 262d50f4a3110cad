# Made by `python -m tests.stubs.generate`; not written by hand.
# mypy: disable-error-code="override,assignment,misc,no-redef,overload-overlap,overload-cannot-match"
# pyright: reportIncompatibleMethodOverride=false, reportInconsistentOverload=false, reportOverlappingOverload=false
# ruff: noqa
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, overload

from ms_compat._core.dtype import Type
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.tensor.sparse import COOTensor, CSRTensor
from ms_compat._core.tensor.type_aliases import ArrayLike, DTypeLike, Ints, Number, Operand
from ms_compat.nn.cell import Cell
from ms_compat.ops.primitive import Primitive

from ms_compat._core.tensor import Tensor as Tensor
from ms_compat.ops.function.elementwise import activation as __act
_act = __act
_another: Any
_avg_pool: Any
from ms_compat.ops.function.nn import conv as __conv
_conv = __conv
_conv_nd: Any
_divisor: Any
_dropout: Any
_dropout2d: Any
from ms_compat._core import faces as __faces
_faces = __faces
_flat: Any
_interpolate: Any
_into: Any
from ms_compat.ops.function.shape import join as __join
_join = __join
from ms_compat.ops.function.loss import losses as __loss
_loss = __loss
from ms_compat.ops.function.nn import normalization as __norm
_norm = __norm
from ms_compat.ops.function.pooling import windows as __pool
_pool = __pool
_unsupported_getattr: Any
def adaptive_avg_pool1d(input: Tensor, output_size: int) -> Tensor:
    """Averages of [N, C, L] over windows that yield a given size (`mint`'s version: the size need not divide L)."""
def adaptive_avg_pool2d(input: Tensor, output_size: int | Sequence[Any]) -> Tensor:
    """Averages of [N, C, H, W] or [C, H, W] to a given size."""
def adaptive_avg_pool3d(input: Tensor, output_size: int | Sequence[Any]) -> Tensor:
    """Averages of [N, C, D, H, W] or [C, D, H, W] to a given size; see `adaptive_avg_pool2d`."""
def adaptive_max_pool1d(input: Tensor, output_size: int, return_indices: bool = False) -> Any:
    """Maxima of [N, C, L] over windows that yield a given size (`mint`'s version: the size need not divide L)."""
def adaptive_max_pool2d(input: Tensor, output_size: int | Sequence[Any], return_indices: bool = False) -> Tensor:
    """Maxima of [N, C, H, W] or [C, H, W] over windows that yield a given size."""
def avg_pool1d(
    input: Tensor,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None = None,
    padding: int | Sequence[int] = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:
    """Averages over windows of [N, C, L]."""
def avg_pool2d(
    input: Tensor,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None = None,
    padding: int | Sequence[int] = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Tensor:
    """Averages over windows of [N, C, H, W]."""
def avg_pool3d(
    input: Tensor,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None = None,
    padding: int | Sequence[int] = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Tensor:
    """Averages over windows of [N, C, D, H, W]."""
def batch_norm(
    input: Tensor,
    running_mean: Tensor,
    running_var: Tensor,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-05,
) -> Tensor:
    """Normalises every channel; see `ops.batch_norm`. Without running statistics the batch's own are used."""
def binary_cross_entropy(input: Tensor, target: Tensor, weight: Tensor | None = None, reduction: str = 'mean') -> Any:
    """Binary cross-entropy of probabilities."""
def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    reduction: str = 'mean',
    pos_weight: Tensor | None = None,
) -> Any:
    """Binary cross-entropy of logits."""
def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: int | Sequence[int] = 1,
    padding: int | Sequence[int] | str = 0,
    dilation: int | Sequence[int] = 1,
    groups: int = 1,
) -> Tensor:
    """1-D convolution; `padding` is zeros on both sides of each axis, or 'valid' or 'same'."""
def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: int | Sequence[int] = 1,
    padding: int | Sequence[int] | str = 0,
    dilation: int | Sequence[int] = 1,
    groups: int = 1,
) -> Tensor:
    """2-D convolution; `padding` is zeros on both sides of each axis, or 'valid' or 'same'."""
def conv3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: int | Sequence[int] = 1,
    padding: int | Sequence[int] | str = 0,
    dilation: int | Sequence[int] = 1,
    groups: int = 1,
) -> Tensor:
    """3-D convolution; `padding` is zeros on both sides of each axis, or 'valid' or 'same'."""
def conv_transpose2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: int | Sequence[int] = 1,
    padding: int | Sequence[int] = 0,
    output_padding: int | Sequence[int] = 0,
    groups: int = 1,
    dilation: int | Sequence[int] = 1,
) -> Tensor:
    """2-D transposed convolution."""
def cosine_embedding_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0.0,
    reduction: str = 'mean',
) -> Any:
    """1 - cos(a, b) where the target is 1, max(0, cos(a, b) - margin) where it is -1."""
def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = 'mean',
    label_smoothing: float = 0.0,
) -> Tensor:
    """Cross-entropy of logits with class numbers or class probabilities."""
def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zeroes elements with probability p, which may be 1 here; what stays as it is shares storage."""
def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zeroes whole channels with probability p."""
def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """x where x > 0, alpha * (exp(x) - 1) elsewhere."""
def elu_(input: Tensor, alpha: float = 1.0) -> Tensor:
    """`elu` in place."""
def embedding(
    input: Tensor,
    weight: Parameter | Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
) -> Tensor:
    """Rows of a table."""
def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Any:
    """Dimensions as one."""
def fold(
    input: Tensor,
    output_size: int | Sequence[int],
    kernel_size: int | Sequence[int],
    dilation: int | Sequence[int] = 1,
    padding: int | Sequence[int] = 0,
    stride: int | Sequence[int] = 1,
) -> Tensor:
    """The sum of sliding blocks [N, C * KH * KW, L] into [N, C, H, W], the transpose of `unfold` (`mint`'s version)."""
def gelu(input: Tensor, approximate: str = 'none') -> Tensor:
    """Gaussian error linear unit: x * P(X <= x) for a standard normal X."""
def glu(input: Tensor, dim: int = -1) -> Tensor:
    """a * sigmoid(b) for the two halves a, b along an axis."""
def grid_sample(
    input: Tensor,
    grid: Tensor,
    mode: str = 'bilinear',
    padding_mode: str = 'zeros',
    align_corners: bool | None = None,
) -> Tensor:
    """Values of an image at the places of a grid."""
def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-05,
) -> Tensor:
    """Normalises channel groups in each sample."""
def hardshrink(input: Tensor, lambd: Number = 0.5) -> Tensor:
    """x where |x| > `lambd`, else 0."""
def hardsigmoid(input: Tensor) -> Tensor:
    """min(max(x / 6 + 0.5, 0), 1)."""
def hardswish(input: Tensor) -> Tensor:
    """x * hardsigmoid(x)."""
def hardtanh(
    input: Tensor,
    min_val: bool | int | float = -1.0,
    max_val: bool | int | float = 1.0,
    inplace: bool = False,
) -> Tensor:
    """The input limited to [min_val, max_val]."""
def hardtanh_(input: Tensor, min_val: bool | int | float = -1, max_val: bool | int | float = 1) -> Tensor:
    """`hardtanh` in place."""
def interpolate(
    input: Tensor,
    size: int | Sequence[int] | None = None,
    scale_factor: float | Sequence[float] | None = None,
    mode: str = 'nearest',
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
) -> Tensor:
    """Resizes the spatial axes; `scale_factor` gives floor(size * factor)."""
def kl_div(input: Tensor, target: Tensor, reduction: str = 'mean', log_target: bool = False) -> Any:
    """As `kl_div`; with `log_target` the target holds log-probabilities, too (`mint`'s version)."""
def l1_loss(input: Tensor, target: Tensor, reduction: str = 'mean') -> Any:
    """Absolute difference; arguments and errors as `mse_loss`."""
def layer_norm(
    input: Tensor,
    normalized_shape: int | Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-05,
) -> Tensor:
    """Normalises over the last axes, which `normalized_shape` gives."""
def leaky_relu(input: Tensor, negative_slope: int | float = 0.01) -> Tensor:
    """x where x > 0, negative_slope * x elsewhere."""
def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Any:
    """input @ weight.T + bias."""
def log_softmax(input: Tensor, dim: int | None = None, *, dtype: Type | None = None) -> Tensor:
    """log(softmax(x)) along an axis; `dtype` is a type to cast to first."""
def logsigmoid(x: Any) -> Tensor:
    """log(sigmoid(x)), without overflow."""
def max_pool2d(
    input: Tensor,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None = None,
    padding: int | Sequence[int] = 0,
    dilation: int | Sequence[int] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """Maxima over windows of [N, C, H, W]."""
def max_unpool2d(
    input: Tensor,
    indices: Tensor,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None = None,
    padding: int | Sequence[int] = 0,
    output_size: Sequence[int] | None = None,
) -> Tensor:
    """Puts the values back to the positions that a maximum pool returned; zero elsewhere."""
def mish(x: Any) -> Tensor:
    """x * tanh(softplus(x))."""
def mse_loss(input: Tensor, target: Tensor, reduction: str = 'mean') -> Tensor:
    """Squared difference."""
def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = 'mean',
) -> Tensor:
    """Negative log-likelihood of log-probabilities."""
def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    """x / max(norm of order p, eps) along one axis or several."""
import numpy as np
def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """`mint`'s one_hot: Int64 zeros and ones; `num_classes` = -1 takes the largest class number plus one."""
from ms_compat._core.dispatch.op import op as op
def pad(
    input: Tensor,
    pad: Sequence[int] | Tensor,
    mode: str = 'constant',
    value: int | float | None = None,
) -> Tensor:
    """Elements added around the last axes; negative padding cuts."""
def pixel_shuffle(input: Tensor, upscale_factor: int) -> Tensor:
    """[*, C * r ** 2, H, W] to [*, C, H * r, W * r]."""
def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """max(0, x) + weight * min(0, x), with one weight for all channels (axis 1) or one for each."""
def relu(input: Tensor) -> Tensor:
    """max(x, 0), and 0 of NaN. Gradient 0 at 0."""
def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """min(max(x, 0), 6)."""
from ms_compat.ops.function.elementwise.activation import relu_ as relu_
def selu(input_x: Any) -> Tensor:
    """Scaled ELU: 1.0507 * elu(x, 1.67326)."""
def sigmoid(input: Tensor) -> Tensor:
    """1 / (1 + exp(-x))."""
def sigmoid_(input: Any) -> Any:
    """`sigmoid` in place."""
def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """x * sigmoid(x)."""
def smooth_l1_loss(input: Tensor, target: Tensor, reduction: str = 'mean', beta: Number = 1.0) -> Any:
    """0.5 d ** 2 / beta where |d| < beta, |d| - 0.5 beta elsewhere."""
def soft_margin_loss(input: Tensor, target: Tensor, reduction: str = 'mean') -> Any:
    """log(1 + exp(-target * input))."""
def softmax(input: Tensor, dim: int | None = None, dtype: Type | None = None) -> Tensor:
    """exp(x) / sum(exp(x)) along an axis; `dtype` is a type to cast to first."""
def softplus(input: Tensor, beta: Number = 1, threshold: Number = 20) -> Tensor:
    """log(1 + exp(beta * x)) / beta; x itself where beta * x > `threshold`."""
def softshrink(input: Tensor, lambd: Number = 0.5) -> Tensor:
    """x - `lambd` above `lambd`, x + `lambd` below -`lambd`, else 0."""
def tanh(input: Tensor) -> Tensor:
    """Hyperbolic tangent."""
def threshold(input: Tensor, threshold: int | float, value: int | float, inplace: bool = False) -> Tensor:
    """x where x > threshold, else value."""
def threshold_(input: Tensor, threshold: int | float, value: int | float) -> Tensor:
    """`threshold` in place."""
def unfold(
    input: Tensor,
    kernel_size: int | Sequence[int],
    dilation: int | Sequence[int] = 1,
    padding: int | Sequence[int] = 0,
    stride: int | Sequence[int] = 1,
) -> Tensor:
    """The sliding blocks of [N, C, H, W] as columns: [N, C * KH * KW, L]."""
def upsample(
    input: Any,
    size: Any = None,
    scale_factor: Any = None,
    mode: str | Any = 'nearest',
    align_corners: Any = None,
) -> Any:
    """Same as `interpolate`."""
from ms_compat._core.errors import value_error as value_error
from ms_compat._core.trace import write_barrier as write_barrier
