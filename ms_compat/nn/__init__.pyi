# Made by `python -m tests.stubs.generate`; not written by hand.
# mypy: disable-error-code="override,assignment,misc,no-redef,overload-overlap,overload-cannot-match"
# pyright: reportIncompatibleMethodOverride=false, reportInconsistentOverload=false, reportOverlappingOverload=false
# ruff: noqa
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, overload

from ms_compat._core.dtype import Type
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.tensor.sparse import COOTensor, CSRTensor
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.type_aliases import ArrayLike, DTypeLike, Ints, Number, Operand
from ms_compat.ops.primitive import Primitive

from ms_compat.nn.optim.by_rule import ASGD as _ASGD
class ASGD(_ASGD):
    """Averaged stochastic gradient descent."""
    def __init__(
        self,
        params: Iterable[Any],
        learning_rate: Any = 0.1,
        lambd: float = 0.0001,
        alpha: float = 0.75,
        t0: float = 1000000.0,
        weight_decay: float | int | Cell = 0.0,
    ) -> None: ...
from ms_compat.train.metrics.accuracy import Accuracy as Accuracy
from ms_compat.nn.optim.adafactor import AdaFactor as _AdaFactor
class AdaFactor(_AdaFactor):
    """Adafactor: Adam whose second moments of a matrix are means over its rows and columns."""
    def __init__(
        self,
        params: Iterable[Any],
        learning_rate: float | Tensor | None = None,
        eps: Sequence[Any] = ...,
        clip_threshold: float | Tensor = 1.0,
        decay_rate: float | Tensor = 0.8,
        beta1: float = 0.9,
        weight_decay: float = 0.0,
        scale_parameter: bool = True,
        relative_step: bool = True,
        warmup_init: bool = False,
        compression: bool = False,
        loss_scale: float = 1.0,
    ) -> None: ...
    def __call__(self, gradients: Sequence[Tensor]) -> Tensor: ...
from ms_compat.nn.optim.adam import AdaMax as _AdaMax
class AdaMax(_AdaMax):
    """Adam with the largest gradient in place of the second moment."""
    def __init__(
        self,
        params: Iterable[Any],
        learning_rate: Any = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-08,
        weight_decay: float | int | Cell = 0.0,
        loss_scale: float = 1.0,
    ) -> None: ...
from ms_compat.nn.optim.adasum import AdaSumByDeltaWeightWrapCell as AdaSumByDeltaWeightWrapCell
from ms_compat.nn.optim.adasum import AdaSumByGradWrapCell as AdaSumByGradWrapCell
from ms_compat.nn.optim.by_rule import Adadelta as _Adadelta
class Adadelta(_Adadelta):
    """Steps in the units of the Parameters."""
    def __init__(
        self,
        params: Iterable[Any],
        learning_rate: Any = 1.0,
        rho: float = 0.9,
        epsilon: float = 1e-06,
        loss_scale: float = 1.0,
        weight_decay: float | int | Cell = 0.0,
    ) -> None: ...
from ms_compat.nn.optim.by_rule import Adagrad as _Adagrad
class Adagrad(_Adagrad):
    """Adaptive gradients."""
    def __init__(
        self,
        params: Iterable[Any],
        accum: float = 0.1,
        learning_rate: Any = 0.001,
        update_slots: bool = True,
        loss_scale: float = 1.0,
        weight_decay: float | int | Cell = 0.0,
    ) -> None: ...
from ms_compat.nn.optim.adam import Adam as _Adam
class Adam(_Adam):
    """Adaptive moment estimation (Kingma and Ba, 2015)."""
    def __init__(
        self,
        params: Iterable[Any],
        learning_rate: Any = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-08,
        use_locking: bool = False,
        use_nesterov: bool = False,
        weight_decay: float | int | Cell = 0.0,
        loss_scale: float = 1.0,
        use_amsgrad: bool = False,
        **kwargs: Any,
    ) -> None: ...
from ms_compat.nn.optim.adam import AdamOffload as AdamOffload
from ms_compat.nn.optim.adam import AdamWeightDecay as _AdamWeightDecay
class AdamWeightDecay(_AdamWeightDecay):
    """Adam with decoupled weight decay and no bias correction, the optimizer of BERT."""
    def __init__(
        self,
        params: Iterable[Any],
        learning_rate: Any = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-06,
        weight_decay: float | int | Cell = 0.0,
    ) -> None: ...
class AdaptiveAvgPool1d(Cell):
    """Averages over windows so that L becomes `output_size`."""
    def __init__(self, output_size: int) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...
class AdaptiveAvgPool2d(Cell):
    """Averages over windows so that (H, W) become `output_size`."""
    def __init__(self, output_size: int | Sequence[Any]) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...
class AdaptiveAvgPool3d(Cell):
    """Averages so that (D, H, W) become `output_size`."""
    def __init__(self, output_size: int | Sequence[Any]) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...
class AdaptiveMaxPool1d(Cell):
    """Maxima over windows so that L becomes `output_size`."""
    def __init__(self, output_size: int) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class AdaptiveMaxPool2d(Cell):
    """Maxima so that (H, W) become `output_size`."""
    def __init__(self, output_size: int | Sequence[Any], return_indices: bool = False) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...
class AdaptiveMaxPool3d(Cell):
    """Maxima so that (D, H, W) become `output_size`."""
    def __init__(self, output_size: int | Sequence[Any], return_indices: bool = False) -> None: ...
    def __call__(self, input: Tensor) -> tuple[Tensor, Tensor]: ...
from ms_compat.nn.layer.pooling import AvgPool1d as _AvgPool1d
class AvgPool1d(_AvgPool1d):
    """Averages over windows of [N, C, L] or [C, L]."""
    def __init__(
        self,
        kernel_size: int = 1,
        stride: int = 1,
        pad_mode: str = 'valid',
        padding: int | Sequence[int] = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class AvgPool1dExt(Cell):
    """Averages over windows of [N, C, L]."""
    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None: ...
    def __call__(self, input: Any) -> Any: ...
from ms_compat.nn.layer.pooling import AvgPool2d as _AvgPool2d
class AvgPool2d(_AvgPool2d):
    """Averages over windows of [N, C, H, W] or [C, H, W]."""
    def __init__(
        self,
        kernel_size: int | Sequence[int] = 1,
        stride: int | Sequence[int] = 1,
        pad_mode: str = 'valid',
        padding: int | Sequence[int] = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
        data_format: str = 'NCHW',
    ) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class AvgPool2dExt(Cell):
    """Averages over windows of [N, C, H, W]."""
    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: Any = None,
    ) -> None: ...
    def __call__(self, input: Any) -> Any: ...
from ms_compat.nn.layer.pooling import AvgPool3d as _AvgPool3d
class AvgPool3d(_AvgPool3d):
    """Averages over windows of [N, C, D, H, W] or [C, D, H, W]."""
    def __init__(
        self,
        kernel_size: int | Sequence[int] = 1,
        stride: int | Sequence[int] = 1,
        pad_mode: str = 'valid',
        padding: int | Sequence[int] = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class AvgPool3dExt(Cell):
    """Averages over windows of [N, C, D, H, W]."""
    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: Any = None,
    ) -> None: ...
    def __call__(self, input: Any) -> Any: ...
from ms_compat.nn.loss.loss import LossBase as LossBase
class BCELoss(LossBase):
    """-(y log p + (1 - y) log(1 - p)) of probabilities p."""
    def __init__(self, weight: Tensor | None = None, reduction: str = 'mean') -> None: ...
    def __call__(self, logits: Tensor, labels: Tensor) -> Any: ...
from ms_compat.nn.loss.loss import LossBase as LossBase
class BCEWithLogitsLoss(LossBase):
    """Binary cross-entropy of sigmoid(input)."""
    def __init__(
        self,
        reduction: str = 'mean',
        weight: Tensor | None = None,
        pos_weight: Tensor | None = None,
    ) -> None: ...
    def __call__(self, input: Tensor, target: Tensor) -> Any: ...
from ms_compat.nn.layer.normalization import BatchNorm1d as BatchNorm1d
from ms_compat.nn.layer.normalization import BatchNorm2d as BatchNorm2d
from ms_compat.nn.layer.normalization import BatchNorm3d as _BatchNorm3d
class BatchNorm3d(_BatchNorm3d):
    """Batch normalisation of [N, C, D, H, W]: per channel, (x - mean) / sqrt(variance + eps) * gamma + beta."""
    def __init__(
        self,
        num_features: int,
        eps: float = 1e-05,
        momentum: float = 0.9,
        affine: bool = True,
        gamma_init: str | Any = 'ones',
        beta_init: str | Any = 'zeros',
        moving_mean_init: str | Any = 'zeros',
        moving_var_init: str | Any = 'ones',
        use_batch_statistics: bool | None = None,
        dtype: Any = ...,
    ) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
from ms_compat.nn.layer.basic import BiDense as _BiDense
class BiDense(_BiDense):
    """x1 @ weight[o] @ x2 + bias[o] for every output o."""
    def __init__(
        self,
        in1_channels: int,
        in2_channels: int,
        out_channels: int,
        weight_init: Any = None,
        bias_init: Any = None,
        has_bias: bool = True,
        dtype: Any = ...,
    ) -> None: ...
    def __call__(self, input1: Any, input2: Any) -> Any: ...
from ms_compat.train.metrics.bleu_score import BleuScore as BleuScore
from ms_compat.nn._cell.attributes import Buffer as Buffer
class CELU(Cell):
    """max(x, 0) + min(alpha * (exp(x / alpha) - 1), 0)."""
    def __init__(self, alpha: float = 1.0) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
from ms_compat.nn.loss.ctc import CTCLoss as _CTCLoss
class CTCLoss(_CTCLoss):
    """The negative log likelihood of label sequences under all their alignments with a longer sequence."""
    def __init__(self, blank: int = 0, reduction: str = 'mean', zero_infinity: bool = False) -> None: ...
    def __call__(
        self,
        log_probs: Tensor,
        targets: Tensor,
        input_lengths: Sequence[Any] | Tensor,
        target_lengths: Sequence[Any] | Tensor,
    ) -> Tensor: ...
from ms_compat.nn.cell import Cell as Cell
from ms_compat.nn.container import CellDict as _CellDict
class CellDict(_CellDict):
    """A dict of Cells, to be called by the program. Keys are strings and become part of the Parameters' names."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
from ms_compat.nn.container import CellList as _CellList
class CellList(_CellList):
    """A list of Cells, to be called by the program. Their Parameters belong to the Cell that the list is assigned to."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
class CentralCrop(Cell):
    """The centre of [C, H, W] or [N, C, H, W] images."""
    def __init__(self, central_fraction: float) -> None: ...
    def __call__(self, image: Tensor) -> Any: ...
class ChannelShuffle(Cell):
    """Channels of groups interleaved."""
    def __init__(self, groups: int) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
from ms_compat.nn.layer.clip import ClipByNorm as _ClipByNorm
class ClipByNorm(_ClipByNorm):
    """x * clip_norm / max(norm of x, clip_norm); half precision gives Float32."""
    def __init__(self, axis: int | Sequence[int] | None = None) -> None: ...
    def __call__(self, x: Tensor, clip_norm: Tensor) -> Tensor: ...
from ms_compat.train.metrics.confusion_matrix import ConfusionMatrix as ConfusionMatrix
from ms_compat.train.metrics.confusion_matrix import ConfusionMatrixMetric as ConfusionMatrixMetric
class ConstantPad1d(Cell):
    """Pads the last 1 axes with `value`; negative padding cuts."""
    def __init__(self, padding: int | Sequence[Any], value: int | float) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class ConstantPad2d(Cell):
    """Pads the last 2 axes with `value`; negative padding cuts."""
    def __init__(self, padding: int | Sequence[Any], value: int | float) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class ConstantPad3d(Cell):
    """Pads the last 3 axes with `value`; negative padding cuts."""
    def __init__(self, padding: int | Sequence[Any], value: int | float) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
from ms_compat.nn.layer.conv import Conv1d as _Conv1d
class Conv1d(_Conv1d):
    """1-D convolution (cross-correlation) of [N, C, L]; the weight is [out_channels, in_channels / group, 1,"""
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int = 1,
        pad_mode: str = 'same',
        padding: int | Sequence[int] = 0,
        dilation: int | Sequence[int] = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        dtype: Any = ...,
    ) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
from ms_compat.nn.layer.conv import Conv1dTranspose as _Conv1dTranspose
class Conv1dTranspose(_Conv1dTranspose):
    """1-D transposed convolution of [N, C, L], the gradient of `Conv1d` with respect to its input."""
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int = 1,
        pad_mode: str = 'same',
        padding: int = 0,
        dilation: int = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        dtype: Any = ...,
    ) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
from ms_compat.nn.layer.conv import Conv2d as _Conv2d
class Conv2d(_Conv2d):
    """2-D convolution (cross-correlation) of [N, C, H, W]."""
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] = 1,
        pad_mode: str = 'same',
        padding: int | Sequence[int] = 0,
        dilation: int | Sequence[int] = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        data_format: str = 'NCHW',
        dtype: Any = ...,
    ) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
from ms_compat.nn.layer.combined import Conv2dBnAct as _Conv2dBnAct
class Conv2dBnAct(_Conv2dBnAct):
    """`Conv2d`, then `BatchNorm2d`, then an activation; the last two as requested."""
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | Sequence[Any],
        stride: int = 1,
        pad_mode: str = 'same',
        padding: int = 0,
        dilation: int = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: str | Any = 'normal',
        bias_init: str | Any = 'zeros',
        has_bn: bool = False,
        momentum: float = 0.997,
        eps: float = 1e-05,
        activation: str | Cell | Primitive | None = None,
        alpha: float = 0.2,
        after_fake: bool = True,
    ) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
from ms_compat.nn.layer.thor_layer import Conv2dThor as _Conv2dThor
class Conv2dThor(_Conv2dThor):
    """`Conv2d` that records the second moments of its patches and its outputs' gradients for the optimizer `thor`."""
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] = 1,
        pad_mode: str = 'same',
        padding: int | Sequence[int] = 0,
        dilation: int | Sequence[int] = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: str | Any = 'normal',
        bias_init: str | Any = 'zeros',
    ) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
from ms_compat.nn.layer.conv import Conv2dTranspose as _Conv2dTranspose
class Conv2dTranspose(_Conv2dTranspose):
    """2-D transposed convolution of [N, C, H, W], the gradient of `Conv2d` with respect to its input."""
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] = 1,
        pad_mode: str = 'same',
        padding: int | Sequence[int] = 0,
        output_padding: int | Sequence[int] = 0,
        dilation: int | Sequence[int] = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        dtype: Any = ...,
    ) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
from ms_compat.nn.layer.conv import Conv3d as _Conv3d
class Conv3d(_Conv3d):
    """3-D convolution (cross-correlation) of [N, C, D, H, W]."""
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] = 1,
        pad_mode: str = 'same',
        padding: int | Sequence[int] = 0,
        dilation: int | Sequence[int] = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        data_format: str = 'NCDHW',
        dtype: Any = ...,
    ) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
from ms_compat.nn.layer.conv import Conv3dTranspose as _Conv3dTranspose
class Conv3dTranspose(_Conv3dTranspose):
    """3-D transposed convolution of [N, C, D, H, W], the gradient of `Conv3d` with respect to its input."""
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] = 1,
        pad_mode: str = 'same',
        padding: int | Sequence[int] = 0,
        dilation: int | Sequence[int] = 1,
        group: int = 1,
        output_padding: int | Sequence[int] = 0,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        data_format: str = 'NCDHW',
        dtype: Any = ...,
    ) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
from ms_compat.nn.learning_rate_schedule import CosineDecayLR as _CosineDecayLR
class CosineDecayLR(_CosineDecayLR):
    """min_lr + (max_lr - min_lr) / 2 * (1 + cos(pi * step / decay_steps)), constant after decay_steps."""
    def __init__(self, min_lr: float, max_lr: float, decay_steps: int) -> None: ...
    def __call__(self, global_step: Tensor) -> Tensor: ...
from ms_compat.nn.loss.loss import LossBase as LossBase
class CosineEmbeddingLoss(LossBase):
    """1 - cos where the label is 1, max(0, cos - margin) at -1."""
    def __init__(self, margin: float = 0.0, reduction: str = 'mean') -> None: ...
    def __call__(self, logits_x1: Tensor, logits_x2: Tensor, labels: Tensor) -> Any: ...
from ms_compat.train.metrics.cosine_similarity import CosineSimilarity as CosineSimilarity
from ms_compat.nn.loss.loss import LossBase as LossBase
class CrossEntropyLoss(LossBase):
    """-log softmax(logits) at the labels."""
    def __init__(
        self,
        weight: Tensor | None = None,
        ignore_index: int = -100,
        reduction: str = 'mean',
        label_smoothing: float = 0.0,
    ) -> None: ...
    def __call__(self, logits: Tensor, labels: Tensor) -> Tensor: ...
from ms_compat.nn.layer.basic import Dense as _Dense
class Dense(_Dense):
    """A fully connected layer: activation(x @ weight.T + bias)."""
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        weight_init: Any = None,
        bias_init: Any = None,
        has_bias: bool = True,
        activation: str | Cell | Primitive | None = None,
        dtype: Any = ...,
    ) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
from ms_compat.nn.layer.combined import DenseBnAct as _DenseBnAct
class DenseBnAct(_DenseBnAct):
    """`Dense`, then `BatchNorm1d`, then an activation; the last two as requested."""
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        weight_init: str | Any = 'normal',
        bias_init: str | Any = 'zeros',
        has_bias: bool = True,
        has_bn: bool = False,
        momentum: float = 0.9,
        eps: float = 1e-05,
        activation: str | Cell | Primitive | None = None,
        alpha: float = 0.2,
        after_fake: bool = True,
    ) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
from ms_compat.nn.layer.thor_layer import DenseThor as _DenseThor
class DenseThor(_DenseThor):
    """`Dense` that records the second moments of its inputs and its outputs' gradients for the optimizer `thor`."""
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        weight_init: str | Any = 'normal',
        bias_init: str | Any = 'zeros',
        has_bias: bool = True,
        activation: str | None = None,
    ) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class DiGamma(Cell):
    """The derivative of `LGamma`."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
from ms_compat.train.metrics.dice import Dice as Dice
from ms_compat.nn.loss.loss import DiceLoss as _DiceLoss
class DiceLoss(_DiceLoss):
    """1 - 2 * sum(logits * label) / (sum(logits ** 2) + sum(label ** 2) + smooth). Milletari et al., arXiv:1606.04797."""
    def __init__(self, smooth: float = 1e-05) -> None: ...
    def __call__(self, logits: Tensor, label: Any) -> Tensor: ...
from ms_compat.nn.wrap.micro_batch import DistributedGradReducer as _DistributedGradReducer
class DistributedGradReducer(_DistributedGradReducer):
    """Gradients added up over the processes of a group; in a process alone the gradients themselves."""
    def __init__(
        self,
        parameters: Sequence[Any],
        mean: bool | None = None,
        degree: int | None = None,
        fusion_type: int = 1,
        group: str = 'hccl_world_group',
    ) -> None: ...
    def __call__(self, grads: Any) -> Any: ...
from ms_compat.nn.layer.dropout import Dropout as _Dropout
class Dropout(_Dropout):
    """Sets elements to zero at random in training. Srivastava et al., JMLR 15 (2014)."""
    def __init__(self, keep_prob: float = 0.5, p: float | int | None = None, dtype: Any = ...) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
from ms_compat.nn.layer.dropout import Dropout1d as Dropout1d
from ms_compat.nn.layer.dropout import Dropout2d as Dropout2d
from ms_compat.nn.layer.dropout import Dropout2dExt as _Dropout2dExt
class Dropout2dExt(_Dropout2dExt):
    """`Dropout2d` with PyTorch's arguments."""
    def __init__(self, p: Any = 0.5, inplace: bool = False) -> None: ...
    def __call__(self, input: Any) -> Any: ...
from ms_compat.nn.layer.dropout import Dropout3d as Dropout3d
from ms_compat.nn.layer.dropout import DropoutExt as _DropoutExt
class DropoutExt(_DropoutExt):
    """`Dropout` with PyTorch's arguments."""
    def __init__(self, p: float = 0.5, inplace: bool = False) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...
from ms_compat.nn.wrap.loss_scale import DynamicLossScaleUpdateCell as _DynamicLossScaleUpdateCell
class DynamicLossScaleUpdateCell(_DynamicLossScaleUpdateCell):
    """Halves the loss scale at an overflow and doubles it after some steps without."""
    def __init__(self, loss_scale_value: float, scale_factor: int, scale_window: int) -> None: ...
    def __call__(self, loss_scale: Tensor, overflow: bool) -> bool: ...
class ELU(Cell):
    """x where x > 0, alpha * (exp(x) - 1) elsewhere."""
    def __init__(self, alpha: float = 1.0) -> None: ...
    def __call__(self, x: Any) -> Tensor: ...
from ms_compat.nn.layer.embedding import Embedding as _Embedding
class Embedding(_Embedding):
    """Rows of a trainable table."""
    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        use_one_hot: bool = False,
        embedding_table: str | Any = 'normal',
        dtype: Any = ...,
        padding_idx: int | None = None,
    ) -> None: ...
    def __call__(self, ids: Any) -> Tensor: ...
from ms_compat.nn.layer.embedding import EmbeddingExt as _EmbeddingExt
class EmbeddingExt(_EmbeddingExt):
    """`Embedding` with PyTorch's arguments; see `ops.embedding`."""
    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        _weight: Tensor | None = None,
        _freeze: bool = False,
        dtype: Type | None = None,
    ) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...
from ms_compat.nn.layer.embedding import EmbeddingLookup as _EmbeddingLookup
class EmbeddingLookup(_EmbeddingLookup):
    """Rows of a trainable table; rows of zeros for an index out of range."""
    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        param_init: str | Any = 'normal',
        target: str = 'CPU',
        slice_mode: str = 'batch_slice',
        manual_shapes: Sequence[Any] | None = None,
        max_norm: float | None = None,
        sparse: bool = True,
        dtype: Any = ...,
        *,
        vocab_cache_size: Any = 0,
    ) -> None: ...
    def __call__(self, indices: Any) -> Tensor: ...
from ms_compat.nn.layer.thor_layer import EmbeddingLookupThor as _EmbeddingLookupThor
class EmbeddingLookupThor(_EmbeddingLookupThor):
    """`EmbeddingLookup` in Float16 that records what `EmbeddingThor` does, for either `target`."""
    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        param_init: str | Any = 'normal',
        target: str = 'CPU',
        slice_mode: str = 'batch_slice',
        manual_shapes: Sequence[Any] | None = None,
        max_norm: float | None = None,
        sparse: bool = True,
    ) -> None: ...
    def __call__(self, indices: Any) -> Tensor: ...
from ms_compat.nn.layer.thor_layer import EmbeddingThor as _EmbeddingThor
class EmbeddingThor(_EmbeddingThor):
    """`Embedding` that records how often each row was taken, and the rows' gradients, for the optimizer `thor`."""
    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        use_one_hot: bool = False,
        embedding_table: str | Any = 'normal',
        dtype: Any = ...,
        padding_idx: int | None = None,
    ) -> None: ...
    def __call__(self, ids: Any) -> Tensor: ...
from ms_compat.nn.learning_rate_schedule import ExponentialDecayLR as ExponentialDecayLR
from ms_compat.train.metrics.fbeta import F1 as F1
from ms_compat.nn.optim.by_rule import FTRL as _FTRL
class FTRL(_FTRL):
    """Follow the regularized leader."""
    def __init__(
        self,
        params: Iterable[Any],
        initial_accum: float = 0.1,
        learning_rate: float = 0.001,
        lr_power: float = -0.5,
        l1: float = 0.0,
        l2: float = 0.0,
        use_locking: bool = False,
        loss_scale: float = 1.0,
        weight_decay: float | int | Cell = 0.0,
    ) -> None: ...
class FastGelu(Cell):
    """x * sigmoid(1.702 x)."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
from ms_compat.train.metrics.fbeta import Fbeta as Fbeta
from ms_compat.nn.wrap.loss_scale import FixedLossScaleUpdateCell as _FixedLossScaleUpdateCell
class FixedLossScaleUpdateCell(_FixedLossScaleUpdateCell):
    """Leaves the loss scale as it is."""
    def __init__(self, loss_scale_value: float) -> None: ...
    def __call__(self, _: Any, overflow: bool) -> bool: ...
class Flatten(Cell):
    """The axes from `start_dim` to `end_dim` as one."""
    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None: ...
    def __call__(self, x: Tensor) -> Any: ...
from ms_compat.nn.loss.loss import FocalLoss as _FocalLoss
class FocalLoss(_FocalLoss):
    """-(1 - p) ** gamma * log(p) of the labels' probabilities p = softmax(logits). Lin et al., arXiv:1708.02002."""
    def __init__(self, weight: Tensor | None = None, gamma: float = 2.0, reduction: str = 'mean') -> None: ...
    def __call__(self, logits: Tensor, labels: Tensor) -> Any: ...
from ms_compat.nn.wrap.cell_wrapper import ForwardValueAndGrad as _ForwardValueAndGrad
class ForwardValueAndGrad(_ForwardValueAndGrad):
    """A network's output together with its gradients."""
    def __init__(
        self,
        network: Any,
        weights: Sequence[Any] | None = None,
        get_all: bool = False,
        get_by_list: bool = False,
        sens_param: bool = False,
    ) -> None: ...
from ms_compat.nn.layer.unpool import FractionalMaxPool2d as FractionalMaxPool2d
from ms_compat.nn.layer.unpool import FractionalMaxPool3d as FractionalMaxPool3d
class GELU(Cell):
    """x * P(X <= x) of a normal X, or its tanh approximation."""
    def __init__(self, approximate: bool = True) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class GLU(Cell):
    """a * sigmoid(b) of the two halves a, b of x along `axis`."""
    def __init__(self, axis: int = -1) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
from ms_compat.nn.layer.rnn import GRU as GRU
from ms_compat.nn.layer.rnn_cells import GRUCell as _GRUCell
class GRUCell(_GRUCell):
    """One step of a `GRU`."""
    def __init__(self, input_size: int, hidden_size: int, has_bias: bool = True, dtype: Any = ...) -> None: ...
    def __call__(self, x: Tensor, hx: Tensor) -> Any: ...
from ms_compat.nn.loss.loss import LossBase as LossBase
class GaussianNLLLoss(LossBase):
    """Negative log likelihood of a normal distribution."""
    def __init__(self, *, full: bool = False, eps: float = 1e-06, reduction: str = 'mean') -> None: ...
    def __call__(self, logits: Tensor, labels: Tensor, var: Any) -> Any: ...
from ms_compat.nn.wrap.micro_batch import GradAccumulationCell as _GradAccumulationCell
class GradAccumulationCell(_GradAccumulationCell):
    """A network called on equal parts of the batch; the sum of the results, so that gradients add up."""
    def __init__(self, network: Cell, micro_size: int) -> None: ...
from ms_compat._formats.mindir.graph_cell import GraphCell as _GraphCell
class GraphCell(_GraphCell):
    """A Cell that runs a graph which `mindspore.load` has read from a `.mindir` file."""
    def __init__(
        self,
        graph: Any,
        params_init: dict[Any, Any] | None = None,
        obf_random_seed: int | None = None,
    ) -> None: ...
from ms_compat.nn.layer.normalization import GroupNorm as _GroupNorm
class GroupNorm(_GroupNorm):
    """Normalisation over each sample's channel groups, for [N, C, *]. Wu and He, arXiv:1803.08494."""
    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-05,
        affine: bool = True,
        gamma_init: str | Any = 'ones',
        beta_init: str | Any = 'zeros',
        dtype: Any = ...,
    ) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class HShrink(Cell):
    """x where |x| > lambd, 0 elsewhere."""
    def __init__(self, lambd: Number = 0.5) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...
class HSigmoid(Cell):
    """min(max(x / 6 + 0.5, 0), 1)."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...
class HSwish(Cell):
    """x * hardsigmoid(x)."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...
class Hardtanh(Cell):
    """min(max(x, min_val), max_val)."""
    def __init__(self, min_val: int | float = -1.0, max_val: int | float = 1.0) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
from ms_compat.train.metrics.hausdorff_distance import HausdorffDistance as HausdorffDistance
from ms_compat.nn.loss.loss import LossBase as LossBase
class HingeEmbeddingLoss(LossBase):
    """logits where the label is 1, max(0, margin - logits) at -1."""
    def __init__(self, margin: float | int = 1.0, reduction: str = 'mean') -> None: ...
    def __call__(self, logits: Tensor, labels: Tensor) -> Any: ...
from ms_compat.nn.loss.loss import LossBase as LossBase
class HuberLoss(LossBase):
    """0.5 d ** 2 where |d| <= delta, delta (|d| - 0.5 delta) elsewhere, for d = logits - labels."""
    def __init__(self, reduction: str = 'mean', delta: int | float = 1.0) -> None: ...
    def __call__(self, logits: Tensor, labels: Tensor) -> Any: ...
from ms_compat.nn.layer.math import IGamma as IGamma
from ms_compat.nn.layer.basic import Identity as _Identity
class Identity(_Identity):
    """Its input. Arguments of the constructor are accepted and not used, as in MindSpore."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class ImageGradients(Cell):
    """Differences to the next pixel, down and right."""
    def __init__(self) -> None: ...
    def __call__(self, images: Tensor) -> tuple[Tensor, Tensor]: ...
from ms_compat.nn.layer.normalization import InstanceNorm1d as InstanceNorm1d
from ms_compat.nn.layer.normalization import InstanceNorm2d as InstanceNorm2d
from ms_compat.nn.layer.normalization import InstanceNorm3d as InstanceNorm3d
from ms_compat.nn.learning_rate_schedule import InverseDecayLR as InverseDecayLR
from ms_compat.nn.wrap.micro_batch import Jvp as _Jvp
class Jvp(_Jvp):
    """A function with the directional derivative at its inputs."""
    def __init__(self, fn: Any) -> None: ...
from ms_compat.nn.loss.loss import LossBase as LossBase
class KLDivLoss(LossBase):
    """labels * (log(labels) - logits), where logits are log probabilities."""
    def __init__(self, reduction: str = 'mean') -> None: ...
    def __call__(self, logits: Tensor, labels: Tensor) -> Any: ...
from ms_compat.nn.loss.loss import LossBase as LossBase
class L1Loss(LossBase):
    """|logits - labels|."""
    def __init__(self, reduction: str = 'mean') -> None: ...
    def __call__(self, logits: Tensor, labels: Tensor) -> Tensor: ...
class L1LossExt(Cell):
    """|logits - labels|."""
    def __init__(self, reduction: str = 'mean') -> None: ...
    def __call__(self, logits: Tensor, labels: Tensor) -> Tensor: ...
class L1Regularizer(Cell):
    """scale * sum(|weights|)."""
    def __init__(self, scale: int | float) -> None: ...
    def __call__(self, weights: Tensor) -> Tensor: ...
from ms_compat.nn.optim.lars import LARS as _LARS
class LARS(_LARS):
    """Scales the gradients of another optimizer layer by layer, and takes over its weight decay."""
    def __init__(
        self,
        optimizer: Any,
        epsilon: float = 1e-05,
        coefficient: float = 0.001,
        use_clip: bool = False,
        lars_filter: Any = ...,
    ) -> None: ...
    def __call__(self, gradients: Sequence[Tensor]) -> Any: ...
class LBeta(Cell):
    """log(gamma(x) * gamma(y) / gamma(x + y))."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, y: Tensor) -> Tensor: ...
class LGamma(Cell):
    """log |gamma(x)|."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class LPPool1d(Cell):
    """(sum of x ** norm_type) ** (1 / norm_type) over windows."""
    def __init__(
        self,
        norm_type: int | float,
        kernel_size: int,
        stride: int | None = None,
        ceil_mode: bool = False,
    ) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class LPPool2d(Cell):
    """(sum of x ** norm_type) ** (1 / norm_type) over windows."""
    def __init__(
        self,
        norm_type: int | float,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] | None = None,
        ceil_mode: bool = False,
    ) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class LRN(Cell):
    """Local response normalisation; see `ops.lrn`."""
    def __init__(
        self,
        depth_radius: Any = 5,
        bias: Any = 1.0,
        alpha: Any = 1.0,
        beta: Any = 0.5,
        norm_region: str | Any = 'ACROSS_CHANNELS',
    ) -> None: ...
    def __call__(self, input_x: Any) -> Any: ...
from ms_compat.nn.layer.rnn import LSTM as LSTM
from ms_compat.nn.layer.rnn_cells import LSTMCell as _LSTMCell
class LSTMCell(_LSTMCell):
    """One step of an `LSTM`."""
    def __init__(self, input_size: int, hidden_size: int, has_bias: bool = True, dtype: Any = ...) -> None: ...
    def __call__(self, x: Tensor, hx: Sequence[Any]) -> Any: ...
from ms_compat.nn.optim.by_rule import Lamb as _Lamb
class Lamb(_Lamb):
    """Adam's direction scaled layer by layer."""
    def __init__(
        self,
        params: Iterable[Any],
        learning_rate: Any,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-06,
        weight_decay: float | int | Cell = 0.0,
    ) -> None: ...
from ms_compat.nn.layer.normalization import LayerNorm as _LayerNorm
class LayerNorm(_LayerNorm):
    """Normalisation over the axes from `begin_norm_axis` on. Ba et al., arXiv:1607.06450."""
    def __init__(
        self,
        normalized_shape: Sequence[int],
        begin_norm_axis: int = -1,
        begin_params_axis: int = -1,
        gamma_init: str | Any = 'ones',
        beta_init: str | Any = 'zeros',
        epsilon: float = 1e-07,
        dtype: Any = ...,
    ) -> None: ...
    def __call__(self, input_x: Any) -> Tensor: ...
from ms_compat.mint.nn._norm import LayerNormExt as _LayerNormExt
class LayerNormExt(_LayerNormExt):
    """Normalisation over the last axes. Ba et al., arXiv:1607.06450."""
    def __init__(
        self,
        normalized_shape: Sequence[int] | int,
        eps: float = 1e-05,
        elementwise_affine: bool = True,
        bias: bool = True,
        dtype: Type | None = None,
    ) -> None: ...
    def __call__(self, input: Any) -> Tensor: ...
from ms_compat.nn.optim.adam import LazyAdam as _LazyAdam
class LazyAdam(_LazyAdam):
    """Adam that, with a RowTensor as gradient, leaves the other rows and their state alone; `Adam` with a dense one."""
    def __init__(
        self,
        params: Iterable[Any],
        learning_rate: Any = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-08,
        use_locking: bool = False,
        use_nesterov: bool = False,
        weight_decay: float | int | Cell = 0.0,
        loss_scale: float = 1.0,
    ) -> None: ...
class LeakyReLU(Cell):
    """x where x > 0, alpha * x elsewhere."""
    def __init__(self, alpha: int | float = 0.2) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
from ms_compat.nn.learning_rate_schedule import LearningRateSchedule as LearningRateSchedule
from ms_compat.nn.layer.basic import Linear as _Linear
class Linear(_Linear):
    """`Dense` with PyTorch's argument names."""
    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        weight_init: Any = None,
        bias_init: Any = None,
        dtype: Type | None = None,
    ) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class LogSigmoid(Cell):
    """log(sigmoid(x))."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Any) -> Tensor: ...
class LogSoftmax(Cell):
    """x - log(sum(exp(x))) along `axis`."""
    def __init__(self, axis: int = -1) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class LogSoftmaxExt(Cell):
    """x - log(sum(exp(x))) along `dim`."""
    def __init__(self, dim: int | None = None) -> None: ...
    def __call__(self, x: Any) -> Tensor: ...
from ms_compat.train.metrics.loss import Loss as Loss
from ms_compat.nn.loss.loss import LossBase as LossBase
from ms_compat.train.metrics.error import MAE as MAE
from ms_compat.nn.loss.loss import LossBase as LossBase
class MAELoss(LossBase):
    """|logits - label|."""
    def __init__(self, reduction: str = 'mean') -> None: ...
    def __call__(self, logits: Tensor, label: Any) -> Tensor: ...
from ms_compat.train.metrics.error import MSE as MSE
from ms_compat.nn.loss.loss import LossBase as LossBase
class MSELoss(LossBase):
    """(logits - labels) ** 2."""
    def __init__(self, reduction: str = 'mean') -> None: ...
    def __call__(self, logits: Tensor, labels: Tensor) -> Tensor: ...
class MSSSIM(Cell):
    """Structural similarity over several scales, per sample."""
    def __init__(
        self,
        max_val: int | float = 1.0,
        power_factors: Sequence[Any] = ...,
        filter_size: int = 11,
        filter_sigma: float = 1.5,
        k1: float = 0.01,
        k2: float = 0.03,
    ) -> None: ...
    def __call__(self, img1: Tensor, img2: Tensor) -> Tensor: ...
from ms_compat.nn.loss.loss import LossBase as LossBase
class MarginRankingLoss(LossBase):
    """max(0, -target * (input1 - input2) + margin)."""
    def __init__(self, margin: float = 0.0, reduction: str = 'mean') -> None: ...
    def __call__(self, input1: Tensor, input2: Tensor, target: Tensor) -> Any: ...
class MatDet(Cell):
    """Determinants."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class MatInverse(Cell):
    """Inverse matrices."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class MatMul(Cell):
    """The product of matrices, batches or vectors."""
    def __init__(self, transpose_x1: bool = False, transpose_x2: bool = False) -> None: ...
    def __call__(self, x1: Any, x2: Any) -> Any: ...
class MatrixDiag(Cell):
    """Diagonal matrices of the last axis."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Any) -> Any: ...
class MatrixDiagPart(Cell):
    """Diagonals of the last two axes."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Any) -> Any: ...
class MatrixSetDiag(Cell):
    """`input_x` with other diagonals."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Any, diagonal: Tensor) -> Tensor: ...
from ms_compat.nn.layer.pooling import MaxPool1d as MaxPool1d
from ms_compat.nn.layer.pooling import MaxPool2d as _MaxPool2d
class MaxPool2d(_MaxPool2d):
    """Maxima over windows of [N, C, H, W] or [C, H, W]."""
    def __init__(
        self,
        kernel_size: int | Sequence[int] = 1,
        stride: int | Sequence[int] = 1,
        pad_mode: str = 'valid',
        padding: int | Sequence[int] = 0,
        dilation: int | Sequence[int] = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
        data_format: str = 'NCHW',
    ) -> None: ...
    def __call__(self, x: Tensor) -> Any: ...
class MaxPool2dExt(Cell):
    """Maxima over windows of [N, C, H, W], and where they stand on demand."""
    def __init__(
        self,
        kernel_size: int | Sequence[int] = 1,
        stride: int | Sequence[int] | None = None,
        padding: int | Sequence[int] = 0,
        dilation: int | Sequence[int] = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None: ...
    def __call__(self, input: Tensor) -> Any: ...
from ms_compat.nn.layer.pooling import MaxPool3d as MaxPool3d
from ms_compat.nn.layer.unpool import MaxUnpool1d as MaxUnpool1d
from ms_compat.nn.layer.unpool import MaxUnpool2d as MaxUnpool2d
from ms_compat.nn.layer.unpool import MaxUnpool3d as MaxUnpool3d
from ms_compat.train.metrics.mean_surface_distance import MeanSurfaceDistance as MeanSurfaceDistance
from ms_compat.train.metrics.metric import Metric as Metric
from ms_compat.nn.wrap.micro_batch import MicroBatchInterleaved as _MicroBatchInterleaved
class MicroBatchInterleaved(_MicroBatchInterleaved):
    """A network called on equal parts of the batch; the sum of the results, as in MindSpore."""
    def __init__(self, network: Cell, interleave_num: int = 2) -> None: ...
class Mish(Cell):
    """x * tanh(softplus(x))."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Any) -> Any: ...
class Moments(Cell):
    """Mean and variance along axes."""
    def __init__(self, axis: Any = None, keep_dims: Any = None) -> None: ...
    def __call__(self, x: Any) -> Any: ...
from ms_compat.nn.optim.gradient_descent import Momentum as _Momentum
class Momentum(_Momentum):
    """Gradient descent with momentum."""
    def __init__(
        self,
        params: Iterable[Any],
        learning_rate: Any,
        momentum: float,
        weight_decay: float | int | Cell = 0.0,
        loss_scale: float = 1.0,
        use_nesterov: bool = False,
    ) -> None: ...
from ms_compat.nn.loss.loss import MultiClassDiceLoss as _MultiClassDiceLoss
class MultiClassDiceLoss(_MultiClassDiceLoss):
    """The mean over classes (axis 1) of `DiceLoss`."""
    def __init__(
        self,
        weights: Tensor | None = None,
        ignore_indiex: int | None = None,
        activation: str | Cell = 'softmax',
    ) -> None: ...
    def __call__(self, logits: Tensor, label: Any) -> Tensor: ...
from ms_compat.nn.layer.embedding import MultiFieldEmbeddingLookup as _MultiFieldEmbeddingLookup
class MultiFieldEmbeddingLookup(_MultiFieldEmbeddingLookup):
    """Rows of a trainable table, weighted and combined by fields, for features of several values."""
    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        field_size: int,
        param_init: str | Any = 'normal',
        target: str = 'CPU',
        slice_mode: str = 'batch_slice',
        feature_num_list: Sequence[Any] | None = None,
        max_norm: float | None = None,
        sparse: bool = True,
        operator: str = 'SUM',
        dtype: Any = ...,
    ) -> None: ...
    def __call__(self, input_indices: Tensor, input_values: Tensor, field_ids: Tensor) -> Tensor: ...
from ms_compat.nn.loss.loss import LossBase as LossBase
class MultiLabelSoftMarginLoss(LossBase):
    """Mean over classes of the binary cross-entropy."""
    def __init__(self, weight: Tensor | int | float | None = None, reduction: str = 'mean') -> None: ...
    def __call__(self, x: Tensor, target: Tensor) -> Tensor: ...
from ms_compat.nn.loss.loss import LossBase as LossBase
class MultiMarginLoss(LossBase):
    """Mean over other classes of max(0, margin - x[target] + x) ** p."""
    def __init__(
        self,
        p: int = 1,
        margin: float = 1.0,
        reduction: str = 'mean',
        weight: Tensor | None = None,
    ) -> None: ...
    def __call__(self, x: Tensor, target: Tensor) -> Any: ...
from ms_compat.nn.layer.transformer import MultiheadAttention as _MultiheadAttention
class MultiheadAttention(_MultiheadAttention):
    """Attention of several heads over projected queries, keys and values."""
    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        has_bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        dtype: Any = ...,
    ) -> None: ...
    def __call__(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
    ) -> tuple[Any, ...]: ...
from ms_compat.nn.loss.loss import LossBase as LossBase
class MultilabelMarginLoss(LossBase):
    """Sum over true and false classes of max(0, 1 - (x[true] - x[false])) / C."""
    def __init__(self, reduction: str = 'mean') -> None: ...
    def __call__(self, x: Tensor, target: Tensor) -> Any: ...
from ms_compat.nn.loss.loss import LossBase as LossBase
class NLLLoss(LossBase):
    """-logits at the labels, where logits are log probabilities."""
    def __init__(self, weight: Tensor | None = None, ignore_index: int = -100, reduction: str = 'mean') -> None: ...
    def __call__(self, logits: Tensor, labels: Tensor) -> Tensor: ...
from ms_compat.nn.learning_rate_schedule import NaturalExpDecayLR as NaturalExpDecayLR
from ms_compat.nn.layer.math import Norm as _Norm
class Norm(_Norm):
    """The Euclidean norm along axes."""
    def __init__(self, axis: Any = ..., keep_dims: bool = False) -> None: ...
    def __call__(self, x: Any) -> Any: ...
from ms_compat.train.metrics.occlusion_sensitivity import OcclusionSensitivity as OcclusionSensitivity
class OneHot(Cell):
    """`on_value` where the index says, `off_value` elsewhere."""
    def __init__(
        self,
        axis: Any = -1,
        depth: Any = 1,
        on_value: Any = 1.0,
        off_value: Any = 0.0,
        dtype: Any = ...,
    ) -> None: ...
    def __call__(self, indices: Any) -> Any: ...
from ms_compat.nn.optim.tft_wrapper import OptTFTWrapper as _OptTFTWrapper
class OptTFTWrapper(_OptTFTWrapper):
    """Raise ValueError, as MindSpore does without an Ascend, whose fault tolerance repairs an optimizer's step."""
    def __init__(self, opt: Any, **kwargs: Any) -> None: ...
from ms_compat.nn.optim.base import Optimizer as Optimizer
from ms_compat.nn.layer.activation import PReLU as _PReLU
class PReLU(_PReLU):
    """x where x > 0, w * x elsewhere, with trainable slopes w."""
    def __init__(self, channel: int = 1, w: float | Sequence[Any] | Tensor = 0.25) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
from ms_compat.mint.nn._trained import PReLUExt as _PReLUExt
class PReLUExt(_PReLUExt):
    """x where x > 0, weight * x elsewhere."""
    def __init__(self, num_parameters: int = 1, init: float = 0.25, dtype: Type | None = None) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...
class PSNR(Cell):
    """Peak signal-to-noise ratio in dB, per sample."""
    def __init__(self, max_val: int | float = 1.0) -> None: ...
    def __call__(self, img1: Tensor, img2: Tensor) -> Tensor: ...
from ms_compat.nn.layer.padding import Pad as _Pad
class Pad(_Pad):
    """Pads all axes."""
    def __init__(self, paddings: Sequence[Any], mode: str = 'CONSTANT') -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
from ms_compat.nn.wrap.micro_batch import ParameterUpdate as _ParameterUpdate
class ParameterUpdate(_ParameterUpdate):
    """Writes a value into a Parameter."""
    def __init__(self, param: Parameter) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
from ms_compat.train.metrics.perplexity import Perplexity as Perplexity
from ms_compat.nn.wrap.micro_batch import PipelineCell as _PipelineCell
class PipelineCell(_PipelineCell):
    """As `GradAccumulationCell`: the parts go through all stages one after another, on all devices."""
    def __init__(
        self,
        network: Cell,
        micro_size: int,
        stage_config: dict[Any, Any] | None = None,
        segment_config: dict[Any, Any] | None = None,
    ) -> None: ...
from ms_compat.nn.wrap.micro_batch import PipelineGradReducer as _PipelineGradReducer
class PipelineGradReducer(_PipelineGradReducer):
    """Gradients divided by the loss scale."""
    def __init__(self, parameters: Sequence[Any], scale_sense: float = 1.0, opt_shard: Any = None) -> None: ...
    def __call__(self, grads: Any) -> Any: ...
class PixelShuffle(Cell):
    """Channels moved into space: [*, C r ** 2, H, W] to [*, C, H r, W r]."""
    def __init__(self, upscale_factor: int) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...
class PixelUnshuffle(Cell):
    """Space moved into channels: [*, C, H r, W r] to [*, C r ** 2, H, W]."""
    def __init__(self, downscale_factor: int) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...
from ms_compat.nn.loss.loss import LossBase as LossBase
class PoissonNLLLoss(LossBase):
    """Negative log likelihood of a Poisson distribution."""
    def __init__(
        self,
        log_input: bool = True,
        full: bool = False,
        eps: float = 1e-08,
        reduction: str = 'mean',
    ) -> None: ...
    def __call__(self, input: Tensor, target: Tensor) -> Any: ...
from ms_compat.nn.learning_rate_schedule import PolynomialDecayLR as _PolynomialDecayLR
class PolynomialDecayLR(_PolynomialDecayLR):
    """(learning_rate - end_learning_rate) * (1 - step / decay_steps) ** power + end_learning_rate."""
    def __init__(
        self,
        learning_rate: float,
        end_learning_rate: float,
        decay_steps: int,
        power: float,
        update_decay_steps: bool = False,
    ) -> None: ...
    def __call__(self, global_step: Tensor) -> Tensor: ...
from ms_compat.train.metrics.precision import Precision as Precision
from ms_compat.nn.optim.by_rule import ProximalAdagrad as _ProximalAdagrad
class ProximalAdagrad(_ProximalAdagrad):
    """Adagrad with l1 and l2."""
    def __init__(
        self,
        params: Iterable[Any],
        accum: float = 0.1,
        learning_rate: Any = 0.001,
        l1: float = 0.0,
        l2: float = 0.0,
        use_locking: bool = False,
        loss_scale: float = 1.0,
        weight_decay: float | int | Cell = 0.0,
    ) -> None: ...
from ms_compat.nn.loss.loss import RMSELoss as _RMSELoss
class RMSELoss(_RMSELoss):
    """The square root of mean((logits - label) ** 2)."""
    def __init__(self) -> None: ...
    def __call__(self, logits: Tensor, label: Any) -> Tensor: ...
from ms_compat.nn.optim.by_rule import RMSProp as _RMSProp
class RMSProp(_RMSProp):
    """Gradients over the root of their mean square."""
    def __init__(
        self,
        params: Iterable[Any],
        learning_rate: Any = 0.1,
        decay: float = 0.9,
        momentum: float = 0.0,
        epsilon: float = 1e-10,
        use_locking: bool = False,
        centered: bool = False,
        loss_scale: float = 1.0,
        weight_decay: float | int | Cell = 0.0,
    ) -> None: ...
from ms_compat.nn.layer.rnn import RNN as _RNN
class RNN(_RNN):
    """h' = act(W_ih x + b_ih + W_hh h + b_hh), with tanh or ReLU."""
    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        *args: Any,
        nonlinearity: str = 'tanh',
        **kwargs: Any,
    ) -> None: ...
    def __call__(
        self,
        x: Tensor,
        hx: Tensor | None = None,
        seq_length: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]: ...
from ms_compat.nn.layer.rnn_cells import RNNCell as _RNNCell
class RNNCell(_RNNCell):
    """h' = act(W_ih x + b_ih + W_hh h + b_hh)."""
    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        has_bias: bool = True,
        nonlinearity: str = 'tanh',
        dtype: Any = ...,
    ) -> None: ...
    def __call__(self, x: Tensor, hx: Tensor) -> Any: ...
from ms_compat.train.metrics.roc import ROC as ROC
from ms_compat.nn.layer.activation import RReLU as _RReLU
class RReLU(_RReLU):
    """x where x > 0, a * x elsewhere, with a drawn from [lower, upper) for each element at every call."""
    def __init__(self, lower: int | float = 0.125, upper: int | float = 0.3333333333333333) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
from ms_compat.nn.layer.math import Range as _Range
class Range(_Range):
    """Numbers from `start` (0 if the only argument is the end) to `limit`, exclusive, in steps of `delta`."""
    def __init__(self, start: Any, limit: Any = None, delta: Any = 1) -> None: ...
class ReLU(Cell):
    """max(x, 0) for each element."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...
class ReLU6(Cell):
    """min(max(x, 0), 6)."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
from ms_compat.train.metrics.recall import Recall as Recall
class ReduceLogSumExp(Cell):
    """log(sum(exp(x))) along axes."""
    def __init__(self, axis: int | Sequence[int], keep_dims: bool = False) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class ReflectionPad1d(Cell):
    """Pads the last 1 axes with mirrored without the edge."""
    def __init__(self, padding: int | Sequence[Any]) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class ReflectionPad2d(Cell):
    """Pads the last 2 axes with mirrored without the edge."""
    def __init__(self, padding: int | Sequence[Any]) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class ReflectionPad3d(Cell):
    """Pads the last 3 axes with mirrored without the edge."""
    def __init__(self, padding: int | Sequence[Any]) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class ReplicationPad1d(Cell):
    """Pads the last 1 axes with repeated edges; negative padding cuts."""
    def __init__(self, padding: int | Sequence[Any]) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class ReplicationPad2d(Cell):
    """Pads the last 2 axes with repeated edges; negative padding cuts."""
    def __init__(self, padding: int | Sequence[Any]) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class ReplicationPad3d(Cell):
    """Pads the last 3 axes with repeated edges; negative padding cuts."""
    def __init__(self, padding: int | Sequence[Any]) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class Roll(Cell):
    """Elements moved along axes, around the end."""
    def __init__(self, shift: Any, axis: Any) -> None: ...
    def __call__(self, input_x: Any) -> Any: ...
from ms_compat.train.metrics.mean_surface_distance import RootMeanSquareDistance as RootMeanSquareDistance
from ms_compat.nn.optim.by_rule import Rprop as _Rprop
class Rprop(_Rprop):
    """Resilient steps."""
    def __init__(
        self,
        params: Iterable[Any],
        learning_rate: Any = 0.1,
        etas: Sequence[float] = ...,
        step_sizes: Sequence[float] = ...,
        weight_decay: float | int | Cell = 0.0,
    ) -> None: ...
from ms_compat.nn.optim.gradient_descent import SGD as _SGD
class SGD(_SGD):
    """Stochastic gradient descent."""
    def __init__(
        self,
        params: Iterable[Any],
        learning_rate: Any = 0.1,
        momentum: float = 0.0,
        dampening: float = 0.0,
        weight_decay: float = 0.0,
        nesterov: bool = False,
        loss_scale: float = 1.0,
    ) -> None: ...
class SSIM(Cell):
    """Structural similarity of two images, per sample."""
    def __init__(
        self,
        max_val: int | float = 1.0,
        filter_size: int = 11,
        filter_sigma: float = 1.5,
        k1: float = 0.01,
        k2: float = 0.03,
    ) -> None: ...
    def __call__(self, img1: Tensor, img2: Tensor) -> Tensor: ...
from ms_compat.nn.loss.sampled import SampledSoftmaxLoss as _SampledSoftmaxLoss
class SampledSoftmaxLoss(_SampledSoftmaxLoss):
    """The softmax cross entropy over the true classes and a sample of the others, for many classes."""
    def __init__(
        self,
        num_sampled: int,
        num_classes: int,
        num_true: int = 1,
        sampled_values: Sequence[Any] | None = None,
        remove_accidental_hits: bool = True,
        seed: int = 0,
        reduction: str = 'none',
    ) -> None: ...
    def __call__(self, weights: Tensor, biases: Any, labels: Tensor, logits: Tensor) -> Any: ...
class SeLU(Cell):
    """1.0507 * elu(x, 1.67326)."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Any) -> Any: ...
from ms_compat.nn.container import SequentialCell as _SequentialCell
class SequentialCell(_SequentialCell):
    """Cells called one after another, each with the result of the one before."""
    def __init__(self, *args: Any) -> None: ...
    def __call__(self, input_data: Any) -> Tensor: ...
class SiLU(Cell):
    """x * sigmoid(x)."""
    def __init__(self) -> None: ...
    def __call__(self, x: Any) -> Tensor: ...
class Sigmoid(Cell):
    """1 / (1 + exp(-x))."""
    def __init__(self) -> None: ...
    def __call__(self, x: Any) -> Tensor: ...
from ms_compat.nn.loss.loss import LossBase as LossBase
class SmoothL1Loss(LossBase):
    """0.5 d ** 2 / beta where |d| < beta, |d| - 0.5 beta elsewhere, for d = logits - labels."""
    def __init__(self, beta: Number = 1.0, reduction: str = 'none') -> None: ...
    def __call__(self, logits: Tensor, labels: Tensor) -> Any: ...
from ms_compat.nn.loss.loss import LossBase as LossBase
class SoftMarginLoss(LossBase):
    """log(1 + exp(-labels * logits))."""
    def __init__(self, reduction: str = 'mean') -> None: ...
    def __call__(self, logits: Tensor, labels: Tensor) -> Any: ...
class SoftShrink(Cell):
    """x moved towards 0 by lambd, 0 where it would cross."""
    def __init__(self, lambd: Number = 0.5) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...
class Softmax(Cell):
    """exp(x) / sum(exp(x)) along `axis`."""
    def __init__(self, axis: int = -1) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...
class Softmax2d(Cell):
    """softmax over the channels of [N, C, H, W] or [C, H, W]."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
from ms_compat.nn.loss.loss import SoftmaxCrossEntropyWithLogits as _SoftmaxCrossEntropyWithLogits
class SoftmaxCrossEntropyWithLogits(_SoftmaxCrossEntropyWithLogits):
    """Cross-entropy of softmax(logits) and labels."""
    def __init__(self, sparse: bool = False, reduction: str = 'none') -> None: ...
    def __call__(self, logits: Tensor, labels: Tensor) -> Tensor: ...
class Softmin(Cell):
    """softmax(-x) along `axis`."""
    def __init__(self, axis: int | Sequence[int] = -1) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class Softsign(Cell):
    """x / (1 + |x|)."""
    def __init__(self) -> None: ...
    def __call__(self, x: Any) -> Any: ...
from ms_compat.nn.layer.sparse import SparseTensorDenseMatmul as _SparseTensorDenseMatmul
class SparseTensorDenseMatmul(_SparseTensorDenseMatmul):
    """The product of a sparse and a dense matrix."""
    def __init__(self, adjoint_st: bool = False, adjoint_dt: bool = False) -> None: ...
    def __call__(self, indices: Tensor, values: Tensor, sparse_shape: Sequence[Any], dense: Tensor) -> Tensor: ...
from ms_compat.nn.layer.sparse import SparseToDense as SparseToDense
from ms_compat.nn.layer.normalization import SyncBatchNorm as _SyncBatchNorm
class SyncBatchNorm(_SyncBatchNorm):
    """Batch normalisation with statistics over the batches of several processes."""
    def __init__(
        self,
        num_features: int,
        eps: float = 1e-05,
        momentum: float = 0.9,
        affine: bool = True,
        gamma_init: str | Any = 'ones',
        beta_init: str | Any = 'zeros',
        moving_mean_init: str | Any = 'zeros',
        moving_var_init: str | Any = 'ones',
        use_batch_statistics: bool | None = None,
        process_groups: Sequence[Any] | None = None,
        dtype: Any = ...,
    ) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class Tanh(Cell):
    """the hyperbolic tangent."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class Tanhshrink(Cell):
    """x - tanh(x)."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class Threshold(Cell):
    """x where x > threshold, `value` elsewhere."""
    def __init__(self, threshold: int | float, value: int | float) -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...
from ms_compat.nn.layer.combined import TimeDistributed as _TimeDistributed
class TimeDistributed(_TimeDistributed):
    """A layer applied to every time step."""
    def __init__(self, layer: Cell | Primitive, time_axis: int, reshape_with_axis: int | None = None) -> None: ...
    def __call__(self, inputs: Any) -> Tensor: ...
from ms_compat.train.metrics.topk import Top1CategoricalAccuracy as Top1CategoricalAccuracy
from ms_compat.train.metrics.topk import Top5CategoricalAccuracy as Top5CategoricalAccuracy
from ms_compat.train.metrics.topk import TopKCategoricalAccuracy as TopKCategoricalAccuracy
from ms_compat.nn.wrap.cell_wrapper import TrainOneStepCell as _TrainOneStepCell
class TrainOneStepCell(_TrainOneStepCell):
    """One training step: the loss, its gradients, and the optimizer's update."""
    def __init__(self, network: Cell, optimizer: Cell, sens: Number | None = None, return_grad: bool = False) -> None: ...
from ms_compat.nn.wrap.loss_scale import TrainOneStepWithLossScaleCell as _TrainOneStepWithLossScaleCell
class TrainOneStepWithLossScaleCell(_TrainOneStepWithLossScaleCell):
    """One training step with a scaled loss; the optimizer runs only if all gradients are finite."""
    def __init__(self, network: Cell, optimizer: Cell, scale_sense: Tensor | Cell) -> None: ...
from ms_compat.nn.layer.transformer import Transformer as _Transformer
class Transformer(_Transformer):
    """An encoder and a decoder."""
    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Callable[..., Any] | Cell = 'relu',
        custom_encoder: Cell | None = None,
        custom_decoder: Cell | None = None,
        layer_norm_eps: float = 1e-05,
        batch_first: bool = False,
        norm_first: bool = False,
        dtype: Any = ...,
    ) -> None: ...
    def __call__(
        self,
        src: Tensor,
        tgt: Tensor,
        src_mask: Tensor | None = None,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
    ) -> Tensor: ...
from ms_compat.nn.layer.transformer import TransformerDecoder as _TransformerDecoder
class TransformerDecoder(_TransformerDecoder):
    """Copies of a decoder layer, one after the other; see `TransformerEncoder`."""
    def __init__(self, decoder_layer: Cell, num_layers: int, norm: Cell | None = None) -> None: ...
    def __call__(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
    ) -> Tensor: ...
from ms_compat.nn.layer.transformer import TransformerDecoderLayer as TransformerDecoderLayer
from ms_compat.nn.layer.transformer import TransformerEncoder as _TransformerEncoder
class TransformerEncoder(_TransformerEncoder):
    """Copies of an encoder layer, one after the other."""
    def __init__(self, encoder_layer: Cell, num_layers: int, norm: Cell | None = None) -> None: ...
    def __call__(
        self,
        src: Tensor,
        src_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
    ) -> Tensor: ...
from ms_compat.nn.layer.transformer import TransformerEncoderLayer as TransformerEncoderLayer
from ms_compat.nn.layer.basic import Tril as Tril
from ms_compat.nn.loss.loss import TripletMarginLoss as _TripletMarginLoss
class TripletMarginLoss(_TripletMarginLoss):
    """max(0, |x - positive| - |x - negative| + margin), with the p-norm."""
    def __init__(
        self,
        p: int = 2,
        swap: bool = False,
        eps: float = 1e-06,
        reduction: str = 'mean',
        margin: Tensor | float = 1.0,
    ) -> None: ...
    def __call__(self, x: Tensor, positive: Tensor, negative: Tensor, margin: Tensor | float | None = None) -> Any: ...
from ms_compat.nn.loss.sampled import TripletMarginWithDistanceLoss as _TripletMarginWithDistanceLoss
class TripletMarginWithDistanceLoss(_TripletMarginWithDistanceLoss):
    """max(0, d(x, positive) - d(x, negative) + margin)."""
    def __init__(
        self,
        distance_function: Callable[..., Any] | None = None,
        swap: bool = False,
        reduction: str = 'mean',
        margin: float = 1.0,
    ) -> None: ...
    def __call__(self, x: Tensor, positive: Tensor, negative: Tensor) -> Any: ...
from ms_compat.nn.layer.basic import Triu as Triu
class Unflatten(Cell):
    """One axis as several."""
    def __init__(self, axis: int, unflattened_size: Sequence[int]) -> None: ...
    def __call__(self, input_x: Any) -> Tensor: ...
class Unfold(Cell):
    """Windows of [N, C, H, W] as channels."""
    def __init__(
        self,
        ksizes: Sequence[int],
        strides: Sequence[int],
        rates: Sequence[int],
        padding: str = 'valid',
    ) -> None: ...
    def __call__(self, input_x: Any) -> Tensor: ...
class Upsample(Cell):
    """Spatial axes resized; see `ops.interpolate`."""
    def __init__(
        self,
        size: Any = None,
        scale_factor: Any = None,
        mode: str | Any = 'nearest',
        align_corners: Any = None,
        recompute_scale_factor: Any = None,
    ) -> None: ...
    def __call__(self, x: Any) -> Any: ...
from ms_compat.nn.wrap.micro_batch import VirtualDatasetCellTriple as _VirtualDatasetCellTriple
class VirtualDatasetCellTriple(_VirtualDatasetCellTriple):
    """A network of three inputs, whose batch MindSpore would distribute; `Cell.shard` does so here."""
    def __init__(self, backbone: Cell) -> None: ...
    def __call__(self, a: Any, b: Any, c: Any) -> Any: ...
from ms_compat.nn.wrap.micro_batch import Vjp as _Vjp
class Vjp(_Vjp):
    """A function with its gradients weighted by a cotangent."""
    def __init__(self, fn: Any) -> None: ...
from ms_compat.nn.learning_rate_schedule import WarmUpLR as _WarmUpLR
class WarmUpLR(_WarmUpLR):
    """learning_rate * min(step, warmup_steps) / warmup_steps."""
    def __init__(self, learning_rate: float, warmup_steps: int) -> None: ...
    def __call__(self, global_step: Tensor) -> Tensor: ...
from ms_compat.nn.wrap.cell_wrapper import WithEvalCell as _WithEvalCell
class WithEvalCell(_WithEvalCell):
    """A network for evaluation: `construct(data, label)` returns `(loss, output, label)`."""
    def __init__(self, network: Cell, loss_fn: Cell, add_cast_fp32: bool = False) -> None: ...
    def __call__(self, data: Tensor, label: Tensor) -> tuple[Any, ...]: ...
from ms_compat.nn.wrap.cell_wrapper import WithGradCell as _WithGradCell
class WithGradCell(_WithGradCell):
    """The gradients of a network with its loss with respect to its trainable Parameters."""
    def __init__(self, network: Cell, loss_fn: Cell | None = None, sens: Any = None) -> None: ...
from ms_compat.nn.wrap.cell_wrapper import WithLossCell as _WithLossCell
class WithLossCell(_WithLossCell):
    """A network with its loss: `construct(data, label)` returns `loss_fn(backbone(data), label)`."""
    def __init__(self, backbone: Cell, loss_fn: Cell) -> None: ...
    def __call__(self, data: Tensor, label: Tensor) -> Tensor: ...
class ZeroPad2d(Cell):
    """Pads the last 2 axes with zeros; negative padding cuts."""
    def __init__(self, padding: int | Sequence[Any]) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
_EXTENDED: Any
_absent: Any
from . import _cell as _cell
_elsewhere: Any
from ms_compat._core import faces as __faces
_faces = __faces
from . import _table as _table
_unsupported_getattr: Any
def auc(x: Any, y: Any, reorder: bool = False) -> float:
    """The area under a curve by the trapezoidal rule."""
from . import cell as cell
from . import container as container
def cosine_decay_lr(
    min_lr: float,
    max_lr: float,
    total_step: int,
    step_per_epoch: int,
    decay_epoch: int,
) -> list[Any]:
    """min_lr + (max_lr - min_lr) / 2 * (1 + cos(pi * epoch / decay_epoch)), constant after decay_epoch."""
from . import dynamic_lr as dynamic_lr
def exponential_decay_lr(
    learning_rate: float,
    decay_rate: float,
    total_step: int,
    step_per_epoch: int,
    decay_epoch: int,
    is_stair: bool = False,
) -> list[Any]:
    """learning_rate * decay_rate ** (epoch / decay_epoch)."""
def get_activation(name: str, prim_name: str | None = None) -> Any:
    """The activation layer of a name."""
def get_metric_fn(name: str, *args: Any, **kwargs: Any) -> Any:
    """Makes a metric by its name."""
def get_metrics(metrics: Any) -> dict[Any, Any]:
    """The metrics of `Model`'s argument as a dict of name and Metric."""
def inverse_decay_lr(
    learning_rate: float,
    decay_rate: float,
    total_step: int,
    step_per_epoch: int,
    decay_epoch: int,
    is_stair: bool = False,
) -> list[Any]:
    """learning_rate / (1 + decay_rate * epoch / decay_epoch)."""
from . import layer as layer
from . import learning_rate_schedule as learning_rate_schedule
from . import loss as loss
def names() -> list[Any]:
    """The names that `get_metric_fn` knows."""
def natural_exp_decay_lr(
    learning_rate: float,
    decay_rate: float,
    total_step: int,
    step_per_epoch: int,
    decay_epoch: int,
    is_stair: bool = False,
) -> list[Any]:
    """learning_rate * exp(-decay_rate * epoch); with `is_stair` the epoch is rounded down to multiples of decay_epoch."""
from ms_compat._core.tensor.no_init import no_init_parameters as no_init_parameters
from . import optim as optim
def piecewise_constant_lr(milestone: Sequence[int], learning_rates: Sequence[float]) -> list[Any]:
    """Constant between milestones."""
def polynomial_decay_lr(
    learning_rate: float,
    end_learning_rate: float,
    total_step: int,
    step_per_epoch: int,
    decay_epoch: int,
    power: float,
    update_decay_epoch: bool = False,
) -> list[Any]:
    """(learning_rate - end_learning_rate) * (1 - epoch / decay_epoch) ** power + end_learning_rate."""
from . import probability as probability
def rearrange_inputs(func: Callable[..., Any]) -> Any:
    """Decorator of `update`: the argument of `set_indexes` chooses and orders its inputs."""
def thor(
    net: Cell,
    learning_rate: Tensor,
    damping: Tensor,
    momentum: float,
    weight_decay: int | float = 0.0,
    loss_scale: float = 1.0,
    batch_size: int = 32,
    use_nesterov: bool = False,
    decay_filter: Any = ...,
    split_indices: Sequence[Any] | None = None,
    enable_clip_grad: bool = False,
    frequency: int = 100,
) -> tuple[Any, ...]:
    """THOR: momentum on gradients that are multiplied by the inverses of a Kronecker-factored Fisher information."""
from . import utils as utils
def warmup_lr(learning_rate: float, total_step: int, step_per_epoch: int, warmup_epoch: int) -> list[Any]:
    """learning_rate * min(epoch, warmup_epoch) / warmup_epoch."""
from . import wrap as wrap
