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
from ms_compat.nn.cell import Cell

class ACos(Primitive):
    """Arccosine of each element. Integers and bool give Float32."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class Abs(Primitive):
    """Absolute value; a complex tensor keeps its dtype, as in MindSpore."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class AccumulateNV2(Primitive):
    """The sum of tensors with one shape."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class Acosh(Primitive):
    """Inverse hyperbolic cosine of each element. Integers and bool give Float32."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class Adam(Primitive):
    """Steps over the root of the second moment."""
    use_locking: bool
    use_nesterov: bool
    def __init__(self, use_locking: bool = False, use_nesterov: bool = False) -> None: ...
    def __call__(
        self,
        var: Parameter | Tensor,
        m: Parameter | Tensor,
        v: Parameter | Tensor,
        beta1_power: float,
        beta2_power: float,
        lr: float,
        beta1: float,
        beta2: float,
        epsilon: float,
        gradient: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]: ...
class AdamNoUpdateParam(Primitive):
    """Adam; the change of the Parameter stands last instead of a new Parameter."""
    use_locking: bool
    use_nesterov: bool
    def __init__(self, use_locking: bool = False, use_nesterov: bool = False) -> None: ...
    def __call__(
        self,
        m: Tensor,
        v: Tensor,
        beta1_power: Tensor,
        beta2_power: Tensor,
        lr: Tensor,
        beta1: Tensor,
        beta2: Tensor,
        epsilon: Tensor,
        gradient: Tensor,
    ) -> Tensor: ...
class AdamWeightDecay(Primitive):
    """Adam without the correction of the moments' bias, and with decay."""
    use_locking: bool
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(
        self,
        var: Parameter | Tensor,
        m: Parameter | Tensor,
        v: Parameter | Tensor,
        lr: float,
        beta1: float,
        beta2: float,
        epsilon: float,
        decay: float,
        gradient: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]: ...
class AdaptiveAvgPool2D(Primitive):
    """Averages of [N, C, H, W] or [C, H, W] to a given size."""
    output_size: int | Sequence[Any]
    def __init__(self, output_size: int | Sequence[Any]) -> None: ...
    def __call__(self, x: Any) -> Tensor: ...
class AdaptiveAvgPool3D(Primitive):
    """Averages of [N, C, D, H, W] or [C, D, H, W] to a given size; see `adaptive_avg_pool2d`."""
    output_size: int | Sequence[Any]
    def __init__(self, output_size: int | Sequence[Any]) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class AdaptiveMaxPool1D(Primitive):
    """Maxima of [N, C, L] over `output_size` windows, which must divide L."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class AdaptiveMaxPool2D(Primitive):
    """Maxima of [N, C, H, W] or [C, H, W] over windows that yield a given size."""
    output_size: Any
    def __init__(self, output_size: Any) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...
class AdaptiveMaxPool3D(Primitive):
    """Maxima of [N, C, D, H, W] or [C, D, H, W] over windows that yield a given size; see `adaptive_max_pool2d`."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, output_size: Any) -> tuple[Tensor, Tensor]: ...
class Add(Primitive):
    """The sum; of two bool tensors their disjunction."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Any: ...
class AddN(Primitive):
    """The sum of tensors with one dtype and shape; in PYNATIVE_MODE, one alone is returned itself."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Tensor: ...
class Addcdiv(Primitive):
    """input + value * tensor1 / tensor2."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, tensor1: Any, tensor2: Any, value: Tensor | int = 1) -> Tensor: ...
class Addcmul(Primitive):
    """input + value * tensor1 * tensor2."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, tensor1: Any, tensor2: Any, value: Tensor | int = 1) -> Tensor: ...
class AdjustHue(Primitive):
    """Images [..., 3] of RGB with their hue turned by `delta` (1 is a full turn)."""
    def __init__(self) -> None: ...
    def __call__(self, images: Any, delta: Tensor) -> Any: ...
class AdjustSaturation(Primitive):
    """Images [..., 3] of RGB with their saturation multiplied by `scale`; arguments as for `adjust_hue`."""
    def __init__(self) -> None: ...
    def __call__(self, images: Any, scale: Tensor) -> Any: ...
class AffineGrid(Primitive):
    """The grid for `grid_sample` of an affine map."""
    align_corners: bool
    def __init__(self, align_corners: bool = False) -> None: ...
    def __call__(self, theta: Tensor, output_size: Sequence[int]) -> Tensor: ...
from ms_compat.ops._kernel_info import AiCPURegOp as AiCPURegOp
from ms_compat.ops._kernel_info import AkgAscendRegOp as AkgAscendRegOp
from ms_compat.ops._kernel_info import AkgGpuRegOp as AkgGpuRegOp
class AllGather(Primitive):
    """The tensors of all processes, as a list."""
    group: str
    def __init__(self, group: str = 'hccl_world_group') -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...
class AllGatherV(Primitive):
    """Join the processes' 1-d tensors of different lengths."""
    group: str
    def __init__(self, group: str = 'hccl_world_group') -> None: ...
    def __call__(self, input_x: Tensor, output_split_sizes: Sequence[int] | Tensor) -> Tensor: ...
class AllReduce(Primitive):
    """Combines the tensors of all processes, in each process."""
    op: str
    group: str
    def __init__(self, op: str = 'sum', group: str = 'hccl_world_group') -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...
class AlltoAll(Primitive):
    """Cut along one dimension, exchange the parts, and join them along another."""
    split_count: int
    split_dim: int
    concat_dim: int
    group: str
    def __init__(self, split_count: int, split_dim: int, concat_dim: int, group: str = 'hccl_world_group') -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...
class AlltoAllV(Primitive):
    """Send parts of a 1-d tensor, in different sizes, to each process."""
    group: str
    block_size: int
    def __init__(self, group: str = 'hccl_world_group', block_size: int = 1) -> None: ...
    def __call__(
        self,
        input_x: Tensor,
        send_numel_list: Sequence[int] | Tensor,
        recv_numel_list: Sequence[int] | Tensor,
    ) -> Tensor: ...
class AlltoAllVC(Primitive):
    """As `AlltoAllV`, with the sizes of all processes given as one matrix."""
    group: str
    block_size: int
    transpose: bool
    def __init__(self, group: str = 'hccl_world_group', block_size: int = 1, transpose: bool = False) -> None: ...
    def __call__(self, input_x: Tensor, send_count_matrix: Sequence[int] | Tensor) -> Tensor: ...
class Angle(Primitive):
    """The argument of a complex number; 0 or pi for a real one."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class ApplyAdaMax(Primitive):
    """m and the infinity norm v."""
    use_locking: bool
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(
        self,
        var: Parameter | Tensor,
        m: Parameter | Tensor,
        v: Parameter | Tensor,
        beta1_power: Number | Tensor,
        lr: Number | Tensor,
        beta1: Number | Tensor,
        beta2: Number | Tensor,
        epsilon: Number | Tensor,
        grad: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]: ...
class ApplyAdadelta(Primitive):
    """Steps in the units of the Parameter."""
    use_locking: bool
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(
        self,
        var: Parameter | Tensor,
        accum: Parameter | Tensor,
        accum_update: Parameter | Tensor,
        lr: Number | Tensor,
        rho: Number | Tensor,
        epsilon: Number | Tensor,
        grad: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]: ...
class ApplyAdagrad(Primitive):
    """Steps over the root of summed squares."""
    update_slots: bool
    def __init__(self, update_slots: bool = True) -> None: ...
    def __call__(
        self,
        var: Parameter | Tensor,
        accum: Parameter | Tensor,
        lr: Number | Tensor,
        grad: Tensor,
    ) -> tuple[Tensor, Tensor]: ...
class ApplyAdagradDA(Primitive):
    """Dual averaging: the Parameter follows from the summed gradients and their summed squares."""
    use_locking: bool
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(
        self,
        var: Parameter | Tensor,
        total: Any,
        squares: Any,
        grad: Tensor,
        lr: Number | Tensor,
        l1: Number | Tensor,
        l2: Number | Tensor,
        global_step: Number | Tensor,
    ) -> Any: ...
class ApplyAdagradV2(Primitive):
    """Adagrad with `epsilon` in the denominator."""
    epsilon: float
    update_slots: bool
    def __init__(self, epsilon: float, update_slots: bool = True) -> None: ...
    def __call__(
        self,
        var: Parameter | Tensor,
        accum: Parameter | Tensor,
        lr: Number | Tensor,
        grad: Tensor,
    ) -> tuple[Tensor, Tensor]: ...
class ApplyAdamWithAmsgrad(Primitive):
    """AMSGrad with its coefficients given at construction."""
    beta1: float
    beta2: float
    epsilon: float
    use_locking: bool
    def __init__(
        self,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-08,
        use_locking: bool = False,
    ) -> None: ...
    def __call__(
        self,
        var: Parameter | Tensor,
        m: Parameter | Tensor,
        v: Parameter | Tensor,
        vhat: Parameter | Tensor,
        beta1_power: float | Tensor,
        beta2_power: float | Tensor,
        lr: float | Tensor,
        grad: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]: ...
class ApplyAdamWithAmsgradV2(Primitive):
    """Adam over the root of the largest second moment so far."""
    use_locking: bool
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(
        self,
        var: Parameter | Tensor,
        m: Parameter | Tensor,
        v: Parameter | Tensor,
        vhat: Parameter | Tensor,
        beta1_power: float | Tensor,
        beta2_power: float | Tensor,
        lr: float | Tensor,
        beta1: float | Tensor,
        beta2: float | Tensor,
        epsilon: float | Tensor,
        grad: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]: ...
class ApplyAddSign(Primitive):
    """Steps that grow where the gradient and its mean agree."""
    use_locking: bool
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(
        self,
        var: Parameter | Tensor,
        m: Parameter | Tensor,
        lr: Number | Tensor,
        alpha: Number | Tensor,
        sign_decay: Number | Tensor,
        beta: Number | Tensor,
        grad: Tensor,
    ) -> tuple[Tensor, Tensor]: ...
class ApplyCenteredRMSProp(Primitive):
    """RMSProp with the variance in place of the second moment."""
    use_locking: bool
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(
        self,
        var: Parameter,
        mean_gradient: Tensor,
        mean_square: Tensor,
        moment: Tensor,
        grad: Tensor,
        lr: Any,
        decay: float,
        momentum: float,
        epsilon: float,
    ) -> Tensor: ...
class ApplyFtrl(Primitive):
    """Follow the regularized leader."""
    use_locking: bool
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(
        self,
        var: Parameter | Tensor,
        accum: Parameter | Tensor,
        linear: Parameter | Tensor,
        grad: Tensor,
        lr: Number | Tensor,
        l1: Number | Tensor,
        l2: Number | Tensor,
        lr_power: Number | Tensor,
    ) -> Any: ...
class ApplyGradientDescent(Primitive):
    """var - alpha * delta."""
    use_locking: bool
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, var: Parameter | Tensor, alpha: Number | Tensor, delta: Tensor) -> Tensor: ...
class ApplyKerasMomentum(Primitive):
    """Momentum with the learning rate inside the accumulation."""
    use_locking: bool
    use_nesterov: bool
    def __init__(self, use_locking: bool = False, use_nesterov: bool = False) -> None: ...
    def __call__(
        self,
        var: Parameter | Tensor,
        accum: Parameter | Tensor,
        lr: Number | Tensor,
        grad: Tensor,
        momentum: Number | Tensor,
    ) -> tuple[Tensor, Tensor]: ...
class ApplyMomentum(Primitive):
    """Steps along a velocity, which the gradient joins."""
    use_nesterov: bool
    use_locking: bool
    gradient_scale: float
    def __init__(self, use_nesterov: bool = False, use_locking: bool = False, gradient_scale: float = 1.0) -> None: ...
    def __call__(
        self,
        variable: Parameter | Tensor,
        accumulation: Parameter | Tensor,
        learning_rate: Number | Tensor,
        gradient: Tensor,
        momentum: Number | Tensor,
    ) -> Tensor: ...
class ApplyPowerSign(Primitive):
    """Steps that grow exponentially where the gradient and its mean agree."""
    use_locking: bool
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(
        self,
        var: Parameter | Tensor,
        m: Parameter | Tensor,
        lr: Number | Tensor,
        logbase: Number | Tensor,
        sign_decay: Number | Tensor,
        beta: Number | Tensor,
        grad: Tensor,
    ) -> tuple[Tensor, Tensor]: ...
class ApplyProximalAdagrad(Primitive):
    """Adagrad with a proximal step of the same, adapted rate."""
    use_locking: bool
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(
        self,
        var: Parameter | Tensor,
        accum: Parameter | Tensor,
        lr: Number | Tensor,
        l1: Number | Tensor,
        l2: Number | Tensor,
        grad: Tensor,
    ) -> tuple[Tensor, Tensor]: ...
class ApplyProximalGradientDescent(Primitive):
    """Gradient descent with a proximal step."""
    use_locking: bool
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(
        self,
        var: Parameter | Tensor,
        alpha: Number | Tensor,
        l1: Number | Tensor,
        l2: Number | Tensor,
        delta: Tensor,
    ) -> Tensor: ...
class ApplyRMSProp(Primitive):
    """Steps over the root of the mean square."""
    use_locking: bool
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(
        self,
        var: Parameter,
        mean_square: Tensor,
        moment: Tensor,
        lr: Any,
        grad: Tensor,
        decay: float,
        momentum: float,
        epsilon: float,
    ) -> Tensor: ...
class ApplyRotaryPosEmb(Primitive):
    """Queries and keys [..., heads * D] turned by angles [tokens, D]; pairs are the halves of a head."""
    cos_format: Any
    def __init__(self, cos_format: Any = 0) -> None: ...
    def __call__(self, query: Any, key: Any, cos: Any, sin: Any, position_ids: Any) -> Any: ...
class ApproximateEqual(Primitive):
    """Where |x - y| < tolerance."""
    tolerance: float
    def __init__(self, tolerance: float = 1e-05) -> None: ...
    def __call__(self, x: Tensor, y: Tensor) -> Tensor: ...
class ArgMaxWithValue(Primitive):
    """The Int64 position of the maximum along an axis, and the maximum."""
    axis: int
    keep_dims: bool
    def __init__(self, axis: int = 0, keep_dims: bool = False) -> None: ...
    def __call__(self, x: Any) -> tuple[Tensor, Tensor]: ...
class ArgMinWithValue(Primitive):
    """The Int64 position of the minimum along an axis, and the minimum."""
    axis: int
    keep_dims: bool
    def __init__(self, axis: int = 0, keep_dims: bool = False) -> None: ...
    def __call__(self, x: Any) -> tuple[Tensor, Tensor]: ...
class Argmax(Primitive):
    """The Int64 position of the first maximum along a dimension; of the flat tensor for None."""
    axis: int
    output_type: Any
    def __init__(self, axis: int = -1, output_type: Any = ...) -> None: ...
    def __call__(self, x: Any) -> Tensor: ...
class Argmin(Primitive):
    """The Int32 position of the first minimum along an axis; of the flat tensor for None. Int64 for a 0-d tensor."""
    axis: int
    output_type: Any
    def __init__(self, axis: int = -1, output_type: Any = ...) -> None: ...
    def __call__(self, x: Any) -> Tensor: ...
class Asin(Primitive):
    """Arcsine of each element. Integers and bool give Float32."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class Asinh(Primitive):
    """Inverse hyperbolic sine of each element. Integers and bool give Float32."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
from ms_compat.ops._debug import Assert as _Assert
class Assert(_Assert):
    """Fail if a condition is false, after printing tensors; call it with (condition, input_data)."""
    def __init__(self, summarize: int = 3) -> None: ...
    def __call__(self, condition_: Any, input_data: Sequence[Tensor]) -> Any: ...
class Assign(Primitive):
    """Replace a Parameter's value in place."""
    def __init__(self) -> None: ...
    def __call__(self, variable: Any, value: Any) -> Any: ...
class AssignAdd(Primitive):
    """Add to a Parameter in place; arguments as for `assign`. The sum that is returned has a gradient."""
    def __init__(self) -> None: ...
    def __call__(self, variable: Any, value: Any) -> Any: ...
class AssignSub(Primitive):
    """Subtract from a Parameter in place; arguments as for `assign`. The difference that is returned has a gradient."""
    def __init__(self) -> None: ...
    def __call__(self, variable: Any, value: Any) -> Any: ...
class Atan(Primitive):
    """Arctangent of each element. Integers and bool give Float32."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class Atan2(Primitive):
    """The angle of the point (other, input), in radians."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Any: ...
class Atanh(Primitive):
    """Inverse hyperbolic tangent of each element. Integers and bool give Float32."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
from ms_compat.ops.primitives.nn import AvgPool as _AvgPool
class AvgPool(_AvgPool):
    """Averages over windows of [N, C, H, W]; arguments as `MaxPool`."""
    def __init__(
        self,
        kernel_size: Any = 1,
        strides: Any = 1,
        pad_mode: Any = 'VALID',
        data_format: str = 'NCHW',
    ) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
from ms_compat.ops.primitives.nn import AvgPool3D as _AvgPool3D
class AvgPool3D(_AvgPool3D):
    """Averages over windows of [N, C, D, H, W]."""
    def __init__(
        self,
        kernel_size: int | Sequence[int] = 1,
        strides: int | Sequence[int] = 1,
        pad_mode: str = 'valid',
        pad: int | Sequence[int] = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int = 0,
        data_format: str = 'NCDHW',
    ) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class BCEWithLogitsLoss(Primitive):
    """Binary cross-entropy of sigmoid(input), without overflow."""
    reduction: str
    def __init__(self, reduction: str = 'mean') -> None: ...
    def __call__(self, input: Tensor, target: Tensor, weight: Tensor | None = None, posWeight: Any = None) -> Any: ...
class Barrier(Primitive):
    """Returns when all processes of a group have come here."""
    group: str
    def __init__(self, group: str = 'hccl_world_group') -> None: ...
    def __call__(self) -> Any: ...
class BartlettWindow(Primitive):
    """A triangle: 1 - |2 i / (n - 1) - 1|."""
    periodic: bool
    dtype: Any
    def __init__(self, periodic: bool = True, dtype: Any = ...) -> None: ...
    def __call__(self, window_length: Tensor) -> Any: ...
class BasicLSTMCell(Primitive):
    """One step of a long short-term memory cell."""
    keep_prob: Any
    forget_bias: Any
    state_is_tuple: bool
    activation: str | Any
    def __init__(
        self,
        keep_prob: Any = 1.0,
        forget_bias: Any = 1.0,
        state_is_tuple: bool = True,
        activation: str | Any = 'tanh',
    ) -> None: ...
    def __call__(self, x: Any, h: Any, c: Any, w: Any, b: Any) -> Any: ...
class BatchISendIRecv(Primitive):
    """Send and receive several tensors at once; see the table."""
    op_types: Sequence[str]
    remote_ranks: Sequence[int]
    receive_shapes: Sequence[int]
    receive_dtypes: Any
    group: str
    def __init__(
        self,
        op_types: Sequence[str],
        remote_ranks: Sequence[int],
        receive_shapes: Sequence[int] = ...,
        receive_dtypes: Any = ...,
        group: str = 'hccl_world_group',
    ) -> None: ...
    def __call__(self, input_x: Sequence[Tensor] | Sequence[None]) -> tuple[Any, ...]: ...
class BatchMatMul(Primitive):
    """The products of two matrix batches, each transposed on demand."""
    transpose_a: bool
    transpose_b: bool
    def __init__(self, transpose_a: bool = False, transpose_b: bool = False) -> None: ...
    def __call__(self, input: Any, mat2: Any) -> Tensor: ...
class BatchNorm(Primitive):
    """Batch normalization of [N, C, *]; returns the output, and the statistics of the batch."""
    is_training: bool
    epsilon: float
    momentum: float
    data_format: str
    def __init__(
        self,
        is_training: bool = False,
        epsilon: float = 1e-05,
        momentum: float = 0.1,
        data_format: str = 'NCHW',
    ) -> None: ...
    def __call__(
        self,
        input_x: Tensor,
        scale: Parameter | Tensor,
        bias: Parameter | Tensor,
        mean: Parameter | Tensor,
        variance: Parameter | Tensor,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]: ...
class BatchToSpace(Primitive):
    """Blocks of the batch dimension moved into the two spatial dimensions, then cropped."""
    block_size: int
    crops: Sequence[int]
    def __init__(self, block_size: int, crops: Sequence[int]) -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...
class BatchToSpaceND(Primitive):
    """Samples of the batch as blocks of the last axes, which are cropped then."""
    block_shape: Any
    crops: Any
    def __init__(self, block_shape: Any, crops: Any) -> None: ...
    def __call__(self, input_x: Any) -> Any: ...
class BatchToSpaceNDV2(Primitive):
    """Samples of the batch as blocks of the last axes, which are cropped then."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, block_shape: Tensor, crops: Sequence[int]) -> Tensor: ...
class Bernoulli(Primitive):
    """1 with probability `p`, else 0, of the shape and type of `input`; with a `seed` the same at every call."""
    seed: int
    offset: int
    def __init__(self, seed: int = -1, offset: int = 0) -> None: ...
    def __call__(self, x: Tensor, p: Tensor | float) -> Tensor: ...
class BesselI0(Primitive):
    """Modified Bessel function of order 0."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Tensor: ...
class BesselI0e(Primitive):
    """exp(-|x|) times the modified Bessel function of order 0."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Tensor: ...
class BesselI1(Primitive):
    """Modified Bessel function of order 1."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Tensor: ...
class BesselI1e(Primitive):
    """exp(-|x|) times the modified Bessel function of order 1."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Tensor: ...
class BesselJ0(Primitive):
    """J0, the Bessel function of the first kind of order 0."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class BesselJ1(Primitive):
    """J1, the Bessel function of the first kind of order 1."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class BesselK0(Primitive):
    """K0, the modified Bessel function; infinite up to 0."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class BesselK0e(Primitive):
    """exp(x) K0(x); infinite up to 0."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class BesselK1(Primitive):
    """K1, the modified Bessel function; infinite up to 0."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class BesselK1e(Primitive):
    """exp(x) K1(x); infinite up to 0."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class BesselY0(Primitive):
    """Y0, the Bessel function of the second kind of order 0; -inf up to 0."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class BesselY1(Primitive):
    """Y1, the Bessel function of the second kind of order 1; -inf below 0, NaN at 0."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class Betainc(Primitive):
    """The regularized incomplete beta function."""
    def __init__(self) -> None: ...
    def __call__(self, a: Tensor, b: Tensor, x: Tensor) -> Tensor: ...
class BiasAdd(Primitive):
    """Adds a vector along the channels: axis 1, or the last for "NHWC"."""
    data_format: str
    def __init__(self, data_format: str = 'NCHW') -> None: ...
    def __call__(self, input_x: Tensor, bias: Tensor) -> Tensor: ...
class BinaryCrossEntropy(Primitive):
    """-(y log p + (1 - y) log(1 - p)) of probabilities p, with p and 1 - p not below 1e-12."""
    reduction: str
    def __init__(self, reduction: str = 'mean') -> None: ...
    def __call__(self, input: Any, target: Any, weight: Tensor | None = None) -> Any: ...
class Bincount(Primitive):
    """How often each number from 0 on occurs in a 1-d tensor of integers (Float32), or the sums of their weights."""
    def __init__(self) -> None: ...
    def __call__(self, array: Tensor, size: Tensor, weights: Tensor) -> Tensor: ...
class BitwiseAnd(Primitive):
    """The and of the bits."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Tensor: ...
class BitwiseOr(Primitive):
    """The or of the bits."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Tensor: ...
class BitwiseXor(Primitive):
    """The exclusive or of the bits."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Tensor: ...
class BlackmanWindow(Primitive):
    """0.42 - 0.5 cos(2 pi i / (n - 1)) + 0.08 cos(4 pi i / (n - 1)); arguments as for `bartlett_window`."""
    periodic: bool
    dtype: Any
    def __init__(self, periodic: bool = True, dtype: Any = ...) -> None: ...
    def __call__(self, window_length: Tensor) -> Any: ...
class BoundingBoxDecode(Primitive):
    """The boxes of codes, inside an image of `max_shape` (height, width); the inverse of `bounding_box_encode`."""
    max_shape: Sequence[Any]
    means: Sequence[Any]
    stds: Sequence[Any]
    wh_ratio_clip: float
    def __init__(
        self,
        max_shape: Sequence[Any],
        means: Sequence[Any] = ...,
        stds: Sequence[Any] = ...,
        wh_ratio_clip: float = 0.016,
    ) -> None: ...
    def __call__(self, anchor_box: Tensor, deltas: Tensor) -> Tensor: ...
class BoundingBoxEncode(Primitive):
    """Offsets of centres relative to the anchors' sizes, and logarithms of size ratios; standardised."""
    means: Sequence[Any]
    stds: Sequence[Any]
    def __init__(self, means: Sequence[Any] = ..., stds: Sequence[Any] = ...) -> None: ...
    def __call__(self, anchor_box: Tensor, groundtruth_box: Tensor) -> Tensor: ...
class Broadcast(Primitive):
    """Copies one process's tensor to each process."""
    root_rank: int
    group: str
    def __init__(self, root_rank: int, group: str = 'hccl_world_group') -> None: ...
    def __call__(self, input_x: Tensor) -> tuple[Any, ...]: ...
class BroadcastTo(Primitive):
    """The elements repeated along new and size-1 dimensions; a view in PYNATIVE_MODE."""
    shape: Any
    def __init__(self, shape: Any) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class Bucketize(Primitive):
    """Each element's bucket number (Int32)."""
    boundaries: Sequence[float]
    def __init__(self, boundaries: Sequence[float]) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...
class CTCGreedyDecoder(Primitive):
    """The best label at each time, without blanks (the last class) and, on request, without repetitions."""
    merge_repeated: bool
    def __init__(self, merge_repeated: bool = True) -> None: ...
    def __call__(self, inputs: Tensor, sequence_length: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]: ...
class CTCLoss(Primitive):
    """The negative log likelihood of label sequences under all alignments with a longer sequence, and its gradient."""
    preprocess_collapse_repeated: bool
    ctc_merge_repeated: bool
    ignore_longer_outputs_than_inputs: bool
    def __init__(
        self,
        preprocess_collapse_repeated: bool = False,
        ctc_merge_repeated: bool = True,
        ignore_longer_outputs_than_inputs: bool = False,
    ) -> None: ...
    def __call__(
        self,
        x: Tensor,
        labels_indices: Tensor,
        labels_values: Tensor,
        sequence_length: Tensor,
    ) -> tuple[Tensor, Tensor]: ...
class CTCLossV2(Primitive):
    """Minus the log-probability of label sequences under all alignments with a longer sequence."""
    blank: int
    reduction: str
    zero_infinity: bool
    def __init__(self, blank: int = 0, reduction: str = 'none', zero_infinity: bool = False) -> None: ...
    def __call__(
        self,
        log_probs: Tensor,
        targets: Tensor,
        input_lengths: Sequence[Any] | Tensor,
        target_lengths: Sequence[Any] | Tensor,
    ) -> tuple[Tensor, Tensor]: ...
class Cast(Primitive):
    """The elements in another dtype; in PYNATIVE_MODE, a Tensor that has the dtype is returned itself."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Any, dtype: Type) -> Tensor: ...
class Cauchy(Primitive):
    """Float32 numbers of a Cauchy distribution."""
    size: Sequence[int]
    median: float
    sigma: float
    def __init__(self, size: Sequence[int], median: float = 0.0, sigma: float = 1.0) -> None: ...
    def __call__(self) -> Tensor: ...
class Cdist(Primitive):
    """The p-norm distances from each row in one tensor to each row in another."""
    p: Any
    def __init__(self, p: Any = 2.0) -> None: ...
    def __call__(self, x1: Any, x2: Any) -> Any: ...
class CeLU(Primitive):
    """max(0, x) + min(0, alpha * (exp(x / alpha) - 1))."""
    alpha: Any
    def __init__(self, alpha: Any = 1.0) -> None: ...
    def __call__(self, x: Any) -> Any: ...
class Ceil(Primitive):
    """The smallest integer not below each element. Integers are returned as they are."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class ChannelShuffle(Primitive):
    """[N, groups * C, *] with the channels of the groups interleaved."""
    group: int
    def __init__(self, group: int) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class CheckNumerics(Primitive):
    """A copy of the tensor, if it holds neither NaN nor infinity."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class CheckValid(Primitive):
    """Whether boxes are inside an image: Bool [N]."""
    def __init__(self) -> None: ...
    def __call__(self, bboxes: Tensor, img_metas: Tensor) -> Tensor: ...
class Cholesky(Primitive):
    """The Cholesky factors of positive definite matrices."""
    upper: bool
    def __init__(self, upper: bool = False) -> None: ...
    def __call__(self, x: Any) -> Tensor: ...
class CholeskyInverse(Primitive):
    """The inverse of the matrix with Cholesky factor `input_x`, of which MindSpore reads both triangles."""
    upper: bool
    def __init__(self, upper: bool = False) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class CholeskySolve(Primitive):
    """Solutions of A x = input, where `input2` is the Cholesky factor of A."""
    upper: bool
    def __init__(self, upper: bool = False) -> None: ...
    def __call__(self, x1: Tensor, x2: Tensor) -> Tensor: ...
class Coalesce(Primitive):
    """The coordinates of a sparse tensor in order, each once, with the sum of its values."""
    def __init__(self) -> None: ...
    def __call__(self, x_indices: Tensor, x_values: Tensor, x_shape: Tensor) -> tuple[Tensor, Tensor, Tensor]: ...
class Col2Im(Primitive):
    """Sliding blocks added into an image: the reverse of unfolding."""
    kernel_size: int | Sequence[int]
    dilation: int | Sequence[int]
    padding: int | Sequence[int]
    stride: int | Sequence[int]
    def __init__(
        self,
        kernel_size: int | Sequence[int],
        dilation: int | Sequence[int] = 1,
        padding: int | Sequence[int] = 0,
        stride: int | Sequence[int] = 1,
    ) -> None: ...
    def __call__(self, x: Tensor, output_size: Tensor) -> Tensor: ...
class CollectiveGather(Primitive):
    """Gather the processes' tensors, joined, in one process; the others get a tensor of shape (1,)."""
    dest_rank: int
    group: str
    def __init__(self, dest_rank: int, group: str = 'hccl_world_group') -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...
class CollectiveScatter(Primitive):
    """Cut the tensor of one process into parts, one for each process."""
    src_rank: int
    group: str
    def __init__(self, src_rank: int = 0, group: str = 'hccl_world_group') -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...
class CombinedNonMaxSuppression(Primitive):
    """Suppression in every class of every image, then the best of all classes."""
    pad_per_class: bool
    clip_boxes: bool
    def __init__(self, pad_per_class: bool = False, clip_boxes: bool = True) -> None: ...
    def __call__(
        self,
        boxes: Tensor,
        scores: Tensor,
        max_output_size_per_class: Tensor,
        max_total_size: Tensor,
        iou_threshold: Tensor,
        score_threshold: Tensor,
    ) -> Any: ...
class CompareAndBitpack(Primitive):
    """`x > threshold`, eight results of the last dimension in one UInt8, the first in the highest bit."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, threshold: Tensor) -> Tensor: ...
class Complex(Primitive):
    """A complex tensor of its parts: Float32 gives Complex64, Float64 Complex128."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Tensor: ...
class ComplexAbs(Primitive):
    """The absolute value of complex numbers."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Tensor: ...
class ComputeAccidentalHits(Primitive):
    """Where sampled classes are targets."""
    num_true: int
    def __init__(self, num_true: int = 1) -> None: ...
    def __call__(self, true_classes: Tensor, sampled_candidates: Tensor) -> tuple[Tensor, Tensor, Tensor]: ...
class Concat(Primitive):
    """Tensors joined along an existing axis; in compiled code MindSpore combines several dtypes."""
    axis: Any
    def __init__(self, axis: Any = 0) -> None: ...
    def __call__(self, tensors: Any) -> Any: ...
class ConfusionMatrix(Primitive):
    """How often each label (row) was predicted as each class (column)."""
    num_classes: int
    dtype: str
    def __init__(self, num_classes: int, dtype: str = 'int32') -> None: ...
    def __call__(self, labels: Tensor, predictions: Tensor, weights: Tensor | None = None) -> Tensor: ...
class Conj(Primitive):
    """The complex conjugate."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class ConjugateTranspose(Primitive):
    """The complex conjugate with its dimensions permuted."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, perm: Sequence[int]) -> Tensor: ...
from ms_compat.ops.primitives.nn import Conv2D as _Conv2D
class Conv2D(_Conv2D):
    """2-D convolution; `ops.conv2d` as a primitive."""
    def __init__(
        self,
        out_channel: int,
        kernel_size: int | Sequence[int],
        mode: int = 1,
        pad_mode: str = 'valid',
        pad: Any = 0,
        stride: int | Sequence[int] = 1,
        dilation: int | Sequence[int] = 1,
        group: int = 1,
        data_format: str = 'NCHW',
    ) -> None: ...
    def __call__(self, x: Tensor, weight: Tensor) -> Tensor: ...
from ms_compat.ops.primitives.nn import Conv2DBackpropInput as Conv2DBackpropInput
from ms_compat.ops.primitives.nn import Conv2DTranspose as _Conv2DTranspose
class Conv2DTranspose(_Conv2DTranspose):
    """The gradient of `Conv2D` with respect to its input, whose shape is the call's third argument."""
    def __init__(
        self,
        out_channel: int,
        kernel_size: int | Sequence[int],
        pad_mode: str = 'valid',
        pad: int | Sequence[int] = 0,
        pad_list: str | None = None,
        mode: int = 1,
        stride: int | Sequence[int] = 1,
        dilation: int | Sequence[int] = 1,
        group: int = 1,
        data_format: str = 'NCHW',
    ) -> None: ...
    def __call__(self, out_backprop: Any, filter: Any, input_sizes: Any) -> Tensor: ...
from ms_compat.ops.primitives.nn import Conv3D as _Conv3D
class Conv3D(_Conv3D):
    """3-D convolution; arguments as `Conv2D`, with `pad` as head, tail, top, bottom, left, right."""
    def __init__(
        self,
        out_channel: int,
        kernel_size: int | Sequence[int],
        mode: int = 1,
        pad_mode: str = 'valid',
        pad: Any = 0,
        stride: int | Sequence[int] = 1,
        dilation: int | Sequence[int] = 1,
        group: int = 1,
        data_format: str = 'NCDHW',
    ) -> None: ...
    def __call__(self, x: Tensor, weight: Tensor) -> Tensor: ...
from ms_compat.ops.primitives.nn import Conv3DTranspose as _Conv3DTranspose
class Conv3DTranspose(_Conv3DTranspose):
    """3-D transposed convolution; computes the size of its result."""
    def __init__(
        self,
        in_channel: int,
        out_channel: int,
        kernel_size: int | Sequence[int],
        mode: int = 1,
        pad_mode: str = 'valid',
        pad: int | Sequence[int] = 0,
        stride: int | Sequence[int] = 1,
        dilation: int | Sequence[int] = 1,
        group: int = 1,
        output_padding: int | Sequence[int] = 0,
        data_format: str = 'NCDHW',
    ) -> None: ...
    def __call__(self, dout: Tensor, weight: Tensor) -> Tensor: ...
class CopyWithSlice(Primitive):
    """The values of `y` written into `x`, which may be a view; returns `x` (the primitive CopyWithSlice)."""
    def __init__(self) -> None: ...
    def __call__(self, x: Any, y: Any) -> Any: ...
class Cos(Primitive):
    """Cosine of each element, in radians. Integers and bool give Float32."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class Cosh(Primitive):
    """Hyperbolic cosine of each element. Integers and bool give Float32."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class CountNonZero(Primitive):
    """How many elements over dimensions are not 0, as Int32 or in `dtype`."""
    dims: int | Sequence[int] | None
    def __init__(self, dims: int | Sequence[int] | None = None) -> None: ...
    def __call__(self, x: Tensor) -> Any: ...
from ms_compat.ops._kernel_info import CpuRegOp as CpuRegOp
class CropAndResize(Primitive):
    """Boxes cut out of images and resized: Float32 [boxes, height, width, channels]."""
    method: str
    extrapolation_value: float
    def __init__(self, method: str = 'bilinear', extrapolation_value: float = 0.0) -> None: ...
    def __call__(self, x: Tensor, boxes: Tensor, box_index: Tensor, crop_size: Sequence[int]) -> Any: ...
class Cross(Primitive):
    """The vector product along a dimension of size 3 (the first such one for None)."""
    dim: int
    def __init__(self, dim: int = -65530) -> None: ...
    def __call__(self, x1: Any, x2: Any) -> Tensor: ...
class CumProd(Primitive):
    """Running product; `exclusive` leaves out the element itself, `reverse` runs from the end."""
    exclusive: bool
    reverse: bool
    def __init__(self, exclusive: bool = False, reverse: bool = False) -> None: ...
    def __call__(self, x: Tensor, axis: int) -> Tensor: ...
class CumSum(Primitive):
    """Running sum; `exclusive` leaves out the element itself, `reverse` runs from the end."""
    exclusive: bool
    reverse: bool
    def __init__(self, exclusive: Any = False, reverse: bool = False) -> None: ...
    def __call__(self, x: Any, axis: Any) -> Tensor: ...
class Cummax(Primitive):
    """Running maximum along an axis and its last position (Int64)."""
    axis: Any
    def __init__(self, axis: Any) -> None: ...
    def __call__(self, x: Any) -> Any: ...
class Cummin(Primitive):
    """Running minimum along an axis and its last position (Int32)."""
    axis: int
    def __init__(self, axis: int) -> None: ...
    def __call__(self, x: Any) -> tuple[Any, ...]: ...
class CumulativeLogsumexp(Primitive):
    """Cumulative log-sum-exp along an axis."""
    exclusive: bool
    reverse: bool
    def __init__(self, exclusive: bool = False, reverse: bool = False) -> None: ...
    def __call__(self, x: Tensor, axis: Tensor) -> Tensor: ...
from ms_compat.ops._custom import Custom as _Custom
class Custom(_Custom):
    """An operator that runs a Python function on numpy arrays, or a function of a shared library on the CPU."""
    def __init__(
        self,
        func: Callable[..., Any] | str,
        out_shape: Callable[..., Any] | Sequence[Any] | None = None,
        out_dtype: Callable[..., Any] | Type | Sequence[Type] | None = None,
        func_type: str = 'pyfunc',
        bprop: Callable[..., Any] | None = None,
        reg_info: str | dict[Any, Any] | Sequence[Any] | None = None,
    ) -> None: ...
from ms_compat.ops._extension.builder import CustomOpBuilder as CustomOpBuilder
from ms_compat.ops._kernel_info import CustomRegOp as CustomRegOp
class DType(Primitive):
    """The mindspore dtype of a tensor, a COOTensor or a CSRTensor."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor) -> Any: ...
class DataFormatDimMap(Primitive):
    """For each number of a dimension in the target format, its number in the source; negative ones count from the end."""
    src_format: str
    dst_format: str
    def __init__(self, src_format: str = 'NHWC', dst_format: str = 'NCHW') -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...
class DataFormatVecPermute(Primitive):
    """A vector of 4, or a [4, 2], of one data format in the order of another."""
    src_format: str
    dst_format: str
    def __init__(self, src_format: str = 'NHWC', dst_format: str = 'NCHW') -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...
DataType: type[Any]
class DeformableOffsets(Primitive):
    """Features of an image at positions shifted by offsets, for a deformable convolution."""
    strides: Any
    pads: Any
    ksize: Any
    dilations: Any
    data_format: str | Any
    deformable_groups: Any
    modulated: bool
    def __init__(
        self,
        strides: Any,
        pads: Any,
        ksize: Any,
        dilations: Any = ...,
        data_format: str | Any = 'NCHW',
        deformable_groups: Any = 1,
        modulated: bool = True,
    ) -> None: ...
    def __call__(self, x: Any, offsets: Any) -> Any: ...
class Dense(Primitive):
    """input @ weight.T + bias."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, weight: Any, bias: Any = None) -> Any: ...
class Depend(Primitive):
    """The value; `expr` has been computed before, since JAX keeps what has an effect in order."""
    def __init__(self) -> None: ...
    def __call__(self, value: Any, expr: Any) -> Tensor: ...
class DepthToSpace(Primitive):
    """[N, C * b * b, H, W] to [N, C, H * b, W * b]."""
    block_size: int
    def __init__(self, block_size: int) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class DepthwiseConv2dNative(Primitive):
    """Convolve each channel with its own kernel; the weight is [1, C, KH, KW]."""
    channel_multiplier: Any
    kernel_size: Any
    mode: Any
    pad_mode: str | Any
    pad: Any
    stride: Any
    dilation: Any
    group: Any
    def __init__(
        self,
        channel_multiplier: Any,
        kernel_size: Any,
        mode: Any = 3,
        pad_mode: str | Any = 'valid',
        pad: Any = 0,
        stride: Any = 1,
        dilation: Any = 1,
        group: Any = 1,
    ) -> None: ...
    def __call__(self, x: Any, weight: Any) -> Any: ...
class Diag(Primitive):
    """A tensor with the input on its diagonal: shape (n,) gives (n, n), shape s gives s + s."""
    def __init__(self) -> None: ...
    def __call__(self, x: Any) -> Any: ...
class DiagPart(Primitive):
    """The diagonal of a tensor with an even number of dimensions, such as a matrix."""
    def __init__(self) -> None: ...
    def __call__(self, x: Any) -> Tensor: ...
class Digamma(Primitive):
    """Derivative of the log-gamma function. Integers and bool give Float32."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Tensor: ...
class Dilation2D(Primitive):
    """Grayscale dilation: the maximum of image plus filter over windows."""
    stride: int | Sequence[int]
    dilation: int | Sequence[int]
    pad_mode: str
    data_format: str
    def __init__(
        self,
        stride: int | Sequence[int],
        dilation: int | Sequence[int],
        pad_mode: str = 'SAME',
        data_format: str = 'NCHW',
    ) -> None: ...
    def __call__(self, x: Tensor, filter: Tensor) -> Tensor: ...
class Div(Primitive):
    """The quotient; of integers in Float32, unless it is rounded."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Tensor: ...
class DivNoNan(Primitive):
    """0 where other is 0."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Tensor: ...
class Dropout(Primitive):
    """Zeros at random places, the rest scaled by 1 / `keep_prob`; returns the output and the mask."""
    keep_prob: float
    Seed0: int
    Seed1: int
    def __init__(self, keep_prob: float = 0.5, Seed0: int = 0, Seed1: int = 0) -> None: ...
    def __call__(self, x: Tensor) -> tuple[Tensor, Tensor]: ...
class Dropout2D(Primitive):
    """Zeros for whole channels of [N, C, H, W] at random; returns the output and the mask."""
    keep_prob: float
    def __init__(self, keep_prob: float = 0.5) -> None: ...
    def __call__(self, x: Tensor) -> tuple[Tensor, Tensor]: ...
class Dropout3D(Primitive):
    """Zeros for whole channels of [N, C, D, H, W] at random; returns the output and the mask."""
    keep_prob: float
    def __init__(self, keep_prob: float = 0.5) -> None: ...
    def __call__(self, x: Tensor) -> tuple[Tensor, Tensor]: ...
class DropoutDoMask(Primitive):
    """Apply a mask of `DropoutGenMask`: what is kept is divided by `keep_prob`, the rest is 0."""
    def __init__(self) -> None: ...
    def __call__(self, x: Any, mask: Any, keep_prob: Any) -> Any: ...
class DropoutGenMask(Primitive):
    """The mask of a dropout: one bit an element, 1 for those that are kept, filled up to a multiple of 128."""
    Seed0: Any
    Seed1: Any
    def __init__(self, Seed0: Any = 0, Seed1: Any = 0) -> None: ...
    def __call__(self, shape: Any, keep_prob: Any) -> Any: ...
from ms_compat.ops._scalars import DtypeToEnum as DtypeToEnum
from ms_compat.ops._inspect_values import DumpGradient as _DumpGradient
class DumpGradient(_DumpGradient):
    """Write a gradient to a file on its way; call it with (path, x, input_output), see `tensordump`."""
    def __init__(self) -> None: ...
    def __call__(self, path: str, x: Tensor, input_output: str) -> Any: ...
class DynamicGRUV2(Primitive):
    """A gated recurrent unit over a sequence."""
    direction: str
    cell_depth: int
    keep_prob: float
    cell_clip: float
    num_proj: int
    time_major: bool
    activation: str
    gate_order: str
    reset_after: bool
    is_training: bool
    def __init__(
        self,
        direction: str = 'UNIDIRECTIONAL',
        cell_depth: int = 1,
        keep_prob: float = 1.0,
        cell_clip: float = -1.0,
        num_proj: int = 0,
        time_major: bool = True,
        activation: str = 'tanh',
        gate_order: str = 'rzh',
        reset_after: bool = True,
        is_training: bool = True,
    ) -> None: ...
    def __call__(
        self,
        x: Tensor,
        weight_input: Tensor,
        weight_hidden: Tensor,
        bias_input: Tensor,
        bias_hidden: Tensor,
        seq_length: Tensor,
        init_h: Tensor,
    ) -> Tensor: ...
class DynamicRNN(Primitive):
    """A long short-term memory layer over a sequence."""
    cell_type: str
    direction: str
    cell_depth: int
    use_peephole: bool
    keep_prob: float
    cell_clip: float
    num_proj: int
    time_major: bool
    activation: str
    forget_bias: float
    is_training: bool
    def __init__(
        self,
        cell_type: str = 'LSTM',
        direction: str = 'UNIDIRECTIONAL',
        cell_depth: int = 1,
        use_peephole: bool = False,
        keep_prob: float = 1.0,
        cell_clip: float = -1.0,
        num_proj: int = 0,
        time_major: bool = True,
        activation: str = 'tanh',
        forget_bias: float = 0.0,
        is_training: bool = True,
    ) -> None: ...
    def __call__(
        self,
        x: Tensor,
        w: Tensor,
        b: Tensor,
        seq_length: Tensor,
        init_h: Tensor,
        init_c: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]: ...
class DynamicShape(Primitive):
    """The shape as a Tensor."""
    dtype: Any
    def __init__(self, dtype: Any = 9) -> None: ...
    def __call__(self, input_x: Any) -> Any: ...
class EditDistance(Primitive):
    """Levenshtein's distance between the sequences of two sparse tensors: insertions, deletions and substitutions."""
    normalize: bool
    def __init__(self, normalize: bool = True) -> None: ...
    def __call__(
        self,
        hypothesis_indices: Tensor,
        hypothesis_values: Tensor,
        hypothesis_shape: Tensor,
        truth_indices: Tensor,
        truth_values: Tensor,
        truth_shape: Tensor,
    ) -> Tensor: ...
class Eig(Primitive):
    """Eigenvalues and eigenvectors (as columns) of square matrices, always complex."""
    compute_v: bool
    def __init__(self, compute_v: bool = False) -> None: ...
    def __call__(self, x: Any) -> Any: ...
class Einsum(Primitive):
    """Sums of products by Einstein's convention."""
    equation: str
    def __init__(self, equation: str) -> None: ...
    def __call__(self, operands: Any) -> Tensor: ...
class Elu(Primitive):
    """x where x > 0, `alpha` * (exp(x) - 1) elsewhere. As in MindSpore only `alpha` = 1.0 is taken."""
    alpha: Any
    def __init__(self, alpha: Any = 1.0) -> None: ...
    def __call__(self, input_x: Any) -> Any: ...
class EmbeddingLookup(Primitive):
    """Rows `indices - offset` of a table (the primitive EmbeddingLookup); rows of zeros where there is none."""
    def __init__(self) -> None: ...
    def __call__(self, input_params: Tensor, input_indices: Tensor, offset: int) -> Tensor: ...
class Eps(Primitive):
    """The distance from 1 to the next number of a tensor's dtype, in the tensor's shape."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class Equal(Primitive):
    """Where the operands are equal."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Any: ...
class EqualCount(Primitive):
    """The number of equal elements in two tensors with one shape, in their dtype, shape (1,)."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, y: Tensor) -> Tensor: ...
class Erf(Primitive):
    """Gauss error function. Integers and bool give Float32."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class Erfc(Primitive):
    """Complement of the Gauss error function, 1 - erf(x). Integers and bool give Float32."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class Erfinv(Primitive):
    """Inverse of the Gauss error function on (-1, 1). Integers and bool give Float32."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class EuclideanNorm(Primitive):
    """The square root of the squares' sum over dimensions."""
    keep_dims: bool
    def __init__(self, keep_dims: bool = False) -> None: ...
    def __call__(self, x: Tensor, axis: Any = ...) -> Tensor: ...
class Exp(Primitive):
    """e to the power of each element. Integers and bool give Float32."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class Expand(Primitive):
    """A copy with the elements repeated along new and size-1 dimensions."""
    def __init__(self) -> None: ...
    def __call__(self, x: Any, shape: Any) -> Any: ...
class ExpandDims(Primitive):
    """A new dimension of size 1 at `axis`; a view in PYNATIVE_MODE."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Any, axis: Any) -> Any: ...
class Expm1(Primitive):
    """exp(x) - 1 without loss of precision near zero. Integers and bool give Float32."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class ExtractGlimpse(Primitive):
    """Windows of images at given offsets."""
    centered: bool
    normalized: bool
    uniform_noise: bool
    noise: str
    def __init__(
        self,
        centered: bool = True,
        normalized: bool = True,
        uniform_noise: bool = True,
        noise: str = 'uniform',
    ) -> None: ...
    def __call__(self, x: Tensor, size: Tensor, offsets: Tensor) -> Any: ...
class ExtractImagePatches(Primitive):
    """Windows of an image, laid out along the channels."""
    ksizes: Any
    strides: Any
    rates: Any
    padding: str | Any
    def __init__(self, ksizes: Any, strides: Any, rates: Any, padding: str | Any = 'VALID') -> None: ...
    def __call__(self, input_x: Any) -> Any: ...
class ExtractVolumePatches(Primitive):
    """Windows of a volume, laid out along the channels."""
    kernel_size: Any
    strides: Any
    padding: Any
    def __init__(self, kernel_size: Any, strides: Any, padding: Any) -> None: ...
    def __call__(self, input_x: Any) -> Any: ...
class Eye(Primitive):
    """Ones on the diagonal, zeros elsewhere."""
    def __init__(self) -> None: ...
    def __call__(self, n: int, m: int, t: Type) -> Tensor: ...
class FFTWithSize(Primitive):
    """Fourier transforms of the last one to three dimensions, of complex or real signals."""
    signal_ndim: int
    inverse: bool
    real: bool
    norm: str
    onesided: bool
    signal_sizes: Sequence[Any]
    def __init__(
        self,
        signal_ndim: int,
        inverse: bool,
        real: bool,
        norm: str = 'backward',
        onesided: bool = True,
        signal_sizes: Sequence[Any] = ...,
    ) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class FastGeLU(Primitive):
    """x * sigmoid(1.702 x)."""
    def __init__(self) -> None: ...
    def __call__(self, x: Any) -> Any: ...
class FastGelu(Primitive):
    """x * sigmoid(1.702 x)."""
    def __init__(self) -> None: ...
    def __call__(self, x: Any) -> Any: ...
class Fill(Primitive):
    """A tensor of one value."""
    def __init__(self) -> None: ...
    def __call__(self, type: Any, shape: Any, value: Any) -> Any: ...
class FillDiagonal(Primitive):
    """A copy with one value on the main diagonal."""
    fill_value: float
    wrap: bool
    def __init__(self, fill_value: float, wrap: bool = False) -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...
class FillV2(Primitive):
    """A tensor of one value. Without a dtype it is Int64, whatever the value, as in MindSpore."""
    def __init__(self) -> None: ...
    def __call__(self, shape: Sequence[int] | Tensor, value: Tensor) -> Tensor: ...
class Fills(Primitive):
    """One value in the shape and dtype of a tensor."""
    def __init__(self) -> None: ...
    def __call__(self, x: Any, value: Any) -> Any: ...
from ms_compat.ops.function.attention.flash import FlashAttentionScore as _FlashAttentionScore
class FlashAttentionScore(_FlashAttentionScore):
    """`ops.flash_attention_score` as a primitive, with the softmax's maxima and sums."""
    def __init__(
        self,
        head_num: Any,
        keep_prob: Any = 1.0,
        scale_value: Any = 1.0,
        pre_tokens: Any = 2147483647,
        next_tokens: Any = 2147483647,
        inner_precise: Any = 0,
        input_layout: str | Any = 'BSH',
        sparse_mode: Any = 0,
    ) -> None: ...
    def __call__(
        self,
        query: Any,
        key: Any,
        value: Any,
        real_shift: Any = None,
        drop_mask: Any = None,
        padding_mask: Any = None,
        attn_mask: Any = None,
        prefix: Any = None,
        actual_seq_qlen: Any = None,
        actual_seq_kvlen: Any = None,
    ) -> Any: ...
class Flatten(Primitive):
    """The dimensions after the first as one, the primitive `Flatten`; a 0-d tensor becomes 1-d."""
    def __init__(self) -> None: ...
    def __call__(self, x: Any) -> Tensor: ...
class FloatStatus(Primitive):
    """1 if any element is infinite or not a number, else 0, as a Float32 of shape (1,)."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class Floor(Primitive):
    """The largest integer not above each element. Integers are returned as they are."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class FloorDiv(Primitive):
    """The quotient rounded down. An integer divided by zero gives its dtype's largest or smallest number."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Any: ...
class FloorMod(Primitive):
    """The remainder of `floor_div`, with the divisor's sign."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Any: ...
class Fmax(Primitive):
    """The larger element of each pair, ignoring NaN."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Any: ...
class Fmin(Primitive):
    """The smaller element of each pair, ignoring NaN."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Any: ...
from ms_compat.ops._loops import ForiLoop as _ForiLoop
class ForiLoop(_ForiLoop):
    """`for i in range(lower, upper): value = loop_func(i, value)`."""
    def __init__(self) -> None: ...
    def __call__(
        self,
        lower: int | Tensor,
        upper: int | Tensor,
        loop_func: Callable[..., Any],
        init_val: Tensor | Number | str | bool | Sequence[Any] | dict[Any, Any],
        unroll: bool = True,
    ) -> Any: ...
class FractionalAvgPool(Primitive):
    """Average pooling over windows of random sizes; returns it and the borders (Int64)."""
    pooling_ratio: Sequence[float]
    pseudo_random: bool
    overlapping: bool
    deterministic: bool
    seed: int
    seed2: int
    def __init__(
        self,
        pooling_ratio: Sequence[float],
        pseudo_random: bool = False,
        overlapping: bool = False,
        deterministic: bool = False,
        seed: int = 0,
        seed2: int = 0,
    ) -> None: ...
    def __call__(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]: ...
class FractionalMaxPool(Primitive):
    """Maximum pooling over windows of random sizes; returns it and the borders (Int64)."""
    pooling_ratio: Sequence[float]
    pseudo_random: bool
    overlapping: bool
    deterministic: bool
    seed: int
    seed2: int
    def __init__(
        self,
        pooling_ratio: Sequence[float],
        pseudo_random: bool = False,
        overlapping: bool = False,
        deterministic: bool = False,
        seed: int = 0,
        seed2: int = 0,
    ) -> None: ...
    def __call__(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]: ...
class FractionalMaxPool3DWithFixedKsize(Primitive):
    """Maximum pooling of volumes over equally large windows at given places."""
    ksize: float | Sequence[Any]
    output_shape: int | Sequence[Any]
    data_format: str
    def __init__(
        self,
        ksize: float | Sequence[Any],
        output_shape: int | Sequence[Any],
        data_format: str = 'NCDHW',
    ) -> None: ...
    def __call__(self, x: Tensor, random_samples: Tensor) -> tuple[Tensor, Tensor]: ...
class FractionalMaxPoolWithFixedKsize(Primitive):
    """Maximum pooling of images over equally large windows at given places."""
    ksize: int | Sequence[int]
    output_shape: int | Sequence[int]
    data_format: str
    def __init__(
        self,
        ksize: int | Sequence[int],
        output_shape: int | Sequence[int],
        data_format: str = 'NCHW',
    ) -> None: ...
    def __call__(self, input_x: Tensor, random_samples: Tensor) -> tuple[Tensor, Tensor]: ...
class FusedAdaFactor(Primitive):
    """A step of the Adafactor optimizer, which writes the Parameters."""
    enable_scale_parameter: bool
    enable_first_moment: bool
    enable_weight_decay: bool
    def __init__(
        self,
        enable_scale_parameter: bool = False,
        enable_first_moment: bool = False,
        enable_weight_decay: bool = False,
    ) -> None: ...
    def __call__(
        self,
        epsilon: Tensor,
        clip_threshold: float,
        beta1: float,
        beta2: float,
        weight_decay: float,
        learning_rate: float,
        gradient: Tensor,
        param: Tensor,
        exp_avg: Tensor,
        exp_avg_sq_row: Tensor,
        exp_avg_sq_col: Tensor,
        exp_avg_sq: Tensor,
    ) -> Tensor: ...
class FusedAdaFactorWithGlobalNorm(Primitive):
    """A step of the Adafactor optimizer with the gradients' global norm."""
    enable_scale_parameter: bool
    enable_first_moment: bool
    enable_weight_decay: bool
    def __init__(
        self,
        enable_scale_parameter: bool = False,
        enable_first_moment: bool = False,
        enable_weight_decay: bool = False,
    ) -> None: ...
    def __call__(
        self,
        epsilon: Any,
        clip_threshold: Any,
        beta1: Any,
        beta2: Any,
        weight_decay: Any,
        learning_rate: Any,
        gradient: Any,
        param: Any,
        exp_avg: Any,
        exp_avg_sq_row: Any,
        exp_avg_sq_col: Any,
        exp_avg_sq: Any,
        global_norm: Any,
    ) -> Any: ...
class FusedCastAdamWeightDecay(Primitive):
    """As `adam_weight_decay`, of a gradient that is divided by the norm of all gradients."""
    use_locking: bool
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(
        self,
        var: Tensor,
        m: Tensor,
        v: Tensor,
        lr: float,
        beta1: float,
        beta2: float,
        epsilon: float,
        decay: float,
        gradient: Tensor,
        global_norm: Any,
    ) -> tuple[Tensor, Tensor, Tensor]: ...
class FusedSparseAdam(Primitive):
    """Steps over the root of the second moment."""
    use_locking: bool
    use_nesterov: bool
    def __init__(self, use_locking: bool = False, use_nesterov: bool = False) -> None: ...
    def __call__(
        self,
        var: Parameter | Tensor,
        m: Parameter | Tensor,
        v: Parameter | Tensor,
        beta1_power: Tensor,
        beta2_power: Tensor,
        lr: Tensor,
        beta1: Tensor,
        beta2: Tensor,
        epsilon: Tensor,
        gradient: Tensor,
        indices: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]: ...
class FusedSparseFtrl(Primitive):
    """Follow the regularized leader."""
    lr: float
    l1: float
    l2: float
    lr_power: float
    use_locking: bool
    def __init__(self, lr: float, l1: float, l2: float, lr_power: float, use_locking: bool = False) -> None: ...
    def __call__(
        self,
        var: Parameter | Tensor,
        accum: Parameter | Tensor,
        linear: Parameter | Tensor,
        grad: Tensor,
        indices: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]: ...
class FusedSparseLazyAdam(Primitive):
    """Steps over the root of the second moment."""
    use_locking: bool
    use_nesterov: bool
    def __init__(self, use_locking: bool = False, use_nesterov: bool = False) -> None: ...
    def __call__(
        self,
        var: Parameter | Tensor,
        m: Parameter | Tensor,
        v: Parameter | Tensor,
        beta1_power: Tensor,
        beta2_power: Tensor,
        lr: Tensor,
        beta1: Tensor,
        beta2: Tensor,
        epsilon: Tensor,
        gradient: Tensor,
        indices: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]: ...
class FusedSparseProximalAdagrad(Primitive):
    """Adagrad with a proximal step of the same, adapted rate."""
    use_locking: bool
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(
        self,
        var: Parameter | Tensor,
        accum: Parameter | Tensor,
        lr: Tensor,
        l1: Tensor,
        l2: Tensor,
        grad: Tensor,
        indices: Tensor,
    ) -> tuple[Tensor, Tensor]: ...
class FusedWeightScaleApplyMomentum(Primitive):
    """Momentum on a gradient that is scaled and decayed first."""
    use_locking: bool
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(
        self,
        weight_decay: Tensor,
        loss_scale: Tensor,
        variable: Parameter | Tensor,
        accumulation: Parameter | Tensor,
        learning_rate: Number | Tensor,
        gradient: Tensor,
        momentum: Number | Tensor,
    ) -> Tensor: ...
class GLU(Primitive):
    """a * sigmoid(b) for the two halves a, b of the input along an axis."""
    axis: int
    def __init__(self, axis: int = -1) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class Gamma(Primitive):
    """Numbers of gamma distributions with shape `alpha` and rate `beta`; `shape` broadcasts with the parameters."""
    seed: int
    seed2: int
    def __init__(self, seed: int = 0, seed2: int = 0) -> None: ...
    def __call__(self, shape: Sequence[Any], alpha: Tensor, beta: Tensor) -> Tensor: ...
class Gather(Primitive):
    """The slices of a tensor at indices along an axis."""
    batch_dims: Any
    def __init__(self, batch_dims: Any = 0) -> None: ...
    def __call__(self, input_params: Any, input_indices: Any, axis: Any) -> Any: ...
class GatherD(Primitive):
    """The elements at indices along a dimension, every other coordinate kept."""
    def __init__(self) -> None: ...
    def __call__(self, x: Any, dim: Any, index: Any) -> Any: ...
class GatherNd(Primitive):
    """The slices at coordinates, which stand in the last dimension of `indices`."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Any, indices: Any) -> Any: ...
class GatherV2(Primitive):
    """The slices of a tensor at indices along an axis."""
    batch_dims: Any
    def __init__(self, batch_dims: Any = 0) -> None: ...
    def __call__(self, input_params: Any, input_indices: Any, axis: Any) -> Any: ...
class Gcd(Primitive):
    """The greatest common divisor."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Any: ...
class GeLU(Primitive):
    """Gaussian error linear unit: x * P(X <= x) for a standard normal X."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Tensor: ...
class Gelu(Primitive):
    """Gaussian error linear unit: x * P(X <= x) for a standard normal X."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class Geqrf(Primitive):
    """Householder's factors of matrices: R on and above the diagonal, the vectors below it; and their scales tau."""
    def __init__(self) -> None: ...
    def __call__(self, x: Any) -> Any: ...
class Ger(Primitive):
    """The outer product of two vectors."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Tensor: ...
from ms_compat._autograd.grad import GradOperation as GradOperation
class Greater(Primitive):
    """Where input > other."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Any: ...
class GreaterEqual(Primitive):
    """Where input >= other."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Any: ...
class GridSampler2D(Primitive):
    """Values of an image at the places of a grid."""
    interpolation_mode: str
    padding_mode: str
    align_corners: bool
    def __init__(
        self,
        interpolation_mode: str = 'bilinear',
        padding_mode: str = 'zeros',
        align_corners: bool = False,
    ) -> None: ...
    def __call__(self, input_x: Tensor, grid: Tensor) -> Any: ...
class GridSampler3D(Primitive):
    """Values of an image at the places of a grid."""
    interpolation_mode: str
    padding_mode: str
    align_corners: bool
    def __init__(
        self,
        interpolation_mode: str = 'bilinear',
        padding_mode: str = 'zeros',
        align_corners: bool = False,
    ) -> None: ...
    def __call__(self, input_x: Tensor, grid: Tensor) -> Any: ...
class GroupTopk(Primitive):
    """Write 0 into the experts' scores outside of the best groups."""
    def __init__(self) -> None: ...
    def __call__(self, token: Any, idx_arr: Any, group_num: Any, k: Any, k_inner: Any) -> Any: ...
class HSVToRGB(Primitive):
    """Hue, saturation and value in [0, 1] as red, green and blue; images [..., 3]."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Any: ...
class HShrink(Primitive):
    """x where |x| > `lambd`, else 0."""
    lambd: Any
    def __init__(self, lambd: Any = 0.5) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class HSigmoid(Primitive):
    """min(max(x / 6 + 0.5, 0), 1)."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class HSwish(Primitive):
    """x * hardsigmoid(x)."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class HammingWindow(Primitive):
    """alpha - beta cos(2 pi i / (n - 1)), in Float32 by default."""
    periodic: bool
    alpha: float
    beta: float
    dtype: Any
    def __init__(self, periodic: bool = True, alpha: float = 0.54, beta: float = 0.46, dtype: Any = ...) -> None: ...
    def __call__(self, length: Tensor) -> Tensor: ...
class Heaviside(Primitive):
    """0, `other` or 1 where the input is below, at or above zero."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Tensor: ...
class Histogram(Primitive):
    """How many elements fall into each of `bins` ranges of equal width."""
    bins: int
    min: float
    max: float
    def __init__(self, bins: int = 100, min: float = 0.0, max: float = 0.0) -> None: ...
    def __call__(self, x: Tensor) -> Any: ...
class HistogramFixedWidth(Primitive):
    """How many elements fall into each of equally wide bins."""
    nbins: int
    dtype: str
    def __init__(self, nbins: int, dtype: str = 'int32') -> None: ...
    def __call__(self, x: Tensor, range: Tensor) -> Any: ...
from ms_compat.ops._debug import HistogramSummary as HistogramSummary
from ms_compat.ops._debug import HookBackward as _HookBackward
class HookBackward(_HookBackward):
    """Pass values on, and their gradients through a function: `hook_fn(grads) -> new grads or None`."""
    def __init__(self, hook_fn: Callable[..., Any], cell_id: str = '') -> None: ...
from ms_compat.ops.composite import HyperMap as HyperMap
class Hypot(Primitive):
    """sqrt(input**2 + other**2) without overflow."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Tensor: ...
class IOU(Primitive):
    """Overlaps of each ground-truth box (row) with each anchor (column)."""
    mode: str
    def __init__(self, mode: str = 'iou') -> None: ...
    def __call__(self, anchor_boxes: Tensor, gt_boxes: Tensor) -> Tensor: ...
class Identity(Primitive):
    """The value, in a tensor of its own (the primitive `Identity`)."""
    def __init__(self) -> None: ...
    def __call__(self, x: Any) -> Any: ...
class IdentityN(Primitive):
    """The tensors of a tuple or list as they are."""
    def __init__(self) -> None: ...
    def __call__(self, x: Sequence[Tensor]) -> Tensor: ...
class Igamma(Primitive):
    """Regularised lower incomplete gamma function."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Tensor: ...
class Igammac(Primitive):
    """Regularised upper incomplete gamma function."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Tensor: ...
class Im2Col(Primitive):
    """Sliding blocks of an image as columns."""
    ksizes: int | Sequence[int]
    strides: int | Sequence[int]
    dilations: int | Sequence[int]
    pads: int | Sequence[int]
    def __init__(
        self,
        ksizes: int | Sequence[int],
        strides: int | Sequence[int] = 1,
        dilations: int | Sequence[int] = 1,
        pads: int | Sequence[int] = 0,
    ) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class Imag(Primitive):
    """The imaginary part; zeros for a real tensor."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...
from ms_compat.ops._debug import ImageSummary as ImageSummary
class InTopK(Primitive):
    """Whether the target of each row is among its `k` greatest elements."""
    k: int
    def __init__(self, k: int) -> None: ...
    def __call__(self, x1: Tensor, x2: Tensor) -> Tensor: ...
class IndexAdd(Primitive):
    """Add slices to a Parameter or a Tensor at indices along an axis, in place."""
    axis: int
    use_lock: bool
    check_index_bound: bool
    def __init__(self, axis: int, use_lock: bool = True, check_index_bound: bool = True) -> None: ...
    def __call__(self, x: Parameter | Tensor, indices: Tensor, y: Tensor) -> Tensor: ...
class IndexFill(Primitive):
    """A copy with the slices at indices along an axis filled with a value."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, dim: int | Tensor, index: Tensor, value: bool | int | float | Tensor) -> Tensor: ...
class IndexPut(Primitive):
    """`x1` with the elements at `indices` (1-d places for each leading dimension) set to `x2`, or increased."""
    accumulate: int
    def __init__(self, accumulate: int = 0) -> None: ...
    def __call__(self, x1: Tensor, x2: Tensor, indices: Sequence[Tensor]) -> Tensor: ...
class InplaceAdd(Primitive):
    """A copy with `v` added to the rows at `indices` (an int or a tuple)."""
    indices: int | Sequence[Any]
    def __init__(self, indices: int | Sequence[Any]) -> None: ...
    def __call__(self, x: Tensor, v: Any) -> Tensor: ...
class InplaceIndexAdd(Primitive):
    """Adds slices to a Parameter at indices along an axis, in place."""
    axis: int
    def __init__(self, axis: int) -> None: ...
    def __call__(self, var: Parameter | Tensor, indices: Tensor, updates: Tensor) -> Tensor: ...
class InplaceSub(Primitive):
    """A copy with `v` subtracted from the rows at `indices` (an int or a tuple)."""
    indices: int | Sequence[Any]
    def __init__(self, indices: int | Sequence[Any]) -> None: ...
    def __call__(self, x: Tensor, v: Any) -> Tensor: ...
class InplaceUpdate(Primitive):
    """A copy with the rows at `indices` (an int, a tuple, or a Tensor of one dimension) replaced by `v`."""
    indices: Any
    def __init__(self, indices: Any) -> None: ...
    def __call__(self, x: Any, v: Any) -> Any: ...
class InplaceUpdateV2(Primitive):
    """A copy whose rows at indices are replaced."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, indices: int | Sequence[Any], v: Tensor) -> Tensor: ...
from ms_compat.ops._debug import InsertGradientOf as _InsertGradientOf
class InsertGradientOf(_InsertGradientOf):
    """Pass a value on, and its gradient through a function that may be compiled: `f(grad) -> new grad`."""
    def __init__(self, f: Callable[..., Any]) -> None: ...
    def __call__(self, input_x: Any) -> Tensor: ...
class Inv(Primitive):
    """The reciprocal; of integers their integer quotient, and the dtype's least number for 0."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Tensor: ...
class Invert(Primitive):
    """All bits flipped."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class InvertPermutation(Primitive):
    """The inverse of a permutation, as a tuple of ints."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Sequence[int]) -> tuple[Any, ...]: ...
class IsClose(Primitive):
    """Where |input - other| <= atol + rtol * |other|."""
    rtol: float
    atol: float
    equal_nan: bool
    def __init__(self, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> None: ...
    def __call__(self, input: Tensor, other: Tensor) -> Tensor: ...
class IsFinite(Primitive):
    """Where the elements are neither infinite nor NaN."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class IsInf(Primitive):
    """Where the elements are infinite."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class IsNan(Primitive):
    """Where the elements are NaN."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Tensor: ...
class KLDivLoss(Primitive):
    """labels * (log(labels) - logits), 0 where `labels` is not positive. As in MindSpore, `labels` get no gradient."""
    reduction: str
    def __init__(self, reduction: str = 'mean') -> None: ...
    def __call__(self, logits: Tensor, labels: Tensor) -> Any: ...
class L2Loss(Primitive):
    """Half the sum of squares, the primitive `L2Loss`."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Tensor: ...
class L2Normalize(Primitive):
    """x / sqrt(max(sum(x ** 2), epsilon)) along one axis."""
    axis: Sequence[int] | int
    epsilon: float
    def __init__(self, axis: Sequence[int] | int = 0, epsilon: float = 0.0001) -> None: ...
    def __call__(self, input_x: Any) -> Tensor: ...
class LARSUpdate(Primitive):
    """The gradient scaled by the ratio of the norms, which are given as sums of squares."""
    epsilon: float
    hyperpara: float
    use_clip: bool
    def __init__(self, epsilon: float = 1e-05, hyperpara: float = 0.001, use_clip: bool = False) -> None: ...
    def __call__(
        self,
        weight: Tensor,
        gradient: Tensor,
        norm_weight: Tensor,
        norm_gradient: Tensor,
        weight_decay: Number | Tensor,
        learning_rate: Number | Tensor,
    ) -> Tensor: ...
class LRN(Primitive):
    """Local response normalisation: x / (bias + alpha * sum of squares over 2 * depth_radius + 1 channels) ** beta."""
    depth_radius: int
    bias: float
    alpha: float
    beta: float
    norm_region: str
    def __init__(
        self,
        depth_radius: int = 5,
        bias: float = 1.0,
        alpha: float = 1.0,
        beta: float = 0.5,
        norm_region: str = 'ACROSS_CHANNELS',
    ) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class LSTM(Primitive):
    """An LSTM network with all weights in one vector."""
    input_size: int
    hidden_size: int
    num_layers: int
    has_bias: bool
    bidirectional: bool
    dropout: float
    proj_size: int
    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int,
        has_bias: bool,
        bidirectional: bool,
        dropout: float,
        proj_size: int = 0,
    ) -> None: ...
    def __call__(
        self,
        input: Tensor,
        h: Tensor,
        c: Tensor,
        w: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]: ...
class LayerNorm(Primitive):
    """The primitive LayerNorm: normalises over the axes from `begin_norm_axis` on."""
    begin_norm_axis: int
    begin_params_axis: int
    epsilon: float
    def __init__(self, begin_norm_axis: int = 1, begin_params_axis: int = 1, epsilon: float = 1e-07) -> None: ...
    def __call__(self, input_x: Tensor, gamma: Tensor, beta: Tensor) -> tuple[Tensor, Tensor, Tensor]: ...
class Lcm(Primitive):
    """The least common multiple."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Tensor: ...
class LeftShift(Primitive):
    """The bits shifted to the left."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Tensor: ...
class Lerp(Primitive):
    """input + weight * (end - input)."""
    def __init__(self) -> None: ...
    def __call__(self, start: Any, end: Any, weight: Any) -> Any: ...
class LerpScalar(Primitive):
    """input + weight * (end - input)."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, end: Any, weight: Any) -> Any: ...
class Less(Primitive):
    """Where input < other."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Any: ...
class LessEqual(Primitive):
    """Where input <= other."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Any: ...
class Lgamma(Primitive):
    """Logarithm of the gamma function's absolute value. Integers and bool give Float32."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Tensor: ...
class LinSpace(Primitive):
    """`steps` numbers evenly spread from `start` to `end`, both included."""
    def __init__(self) -> None: ...
    def __call__(self, start: Tensor, stop: Tensor, num: int | Tensor) -> Tensor: ...
class ListDiff(Primitive):
    """The elements of `x` that are not in `y`, and their places."""
    out_idx: Any
    def __init__(self, out_idx: Any = ...) -> None: ...
    def __call__(self, x: Any, y: Any) -> Any: ...
class Log(Primitive):
    """Natural logarithm of each element. Integers and bool give Float32."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class Log1p(Primitive):
    """log(1 + x) without loss of precision near zero. Integers and bool give Float32."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class LogMatrixDeterminant(Primitive):
    """Signs and logarithms of the absolute determinants, both in the matrices' dtype."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Tensor: ...
class LogNormalReverse(Primitive):
    """Numbers whose logarithms are normally distributed, in the shape and type of `input`."""
    mean: float
    std: float
    def __init__(self, mean: float = 1.0, std: float = 2.0) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...
class LogSigmoid(Primitive):
    """log(sigmoid(x)), without overflow."""
    def __init__(self) -> None: ...
    def __call__(self, x: Any) -> Any: ...
class LogSoftmax(Primitive):
    """log(softmax(x)) along one axis, without overflow."""
    axis: Any
    def __init__(self, axis: Any = -1) -> None: ...
    def __call__(self, logits: Any) -> Any: ...
class LogSoftmaxExt(Primitive):
    """The logarithm of the softmax along an axis."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, dim: Any = None, dtype: Any = None) -> Any: ...
class LogSpace(Primitive):
    """`steps` numbers from base ** start to base ** end, evenly spaced in their logarithm."""
    steps: int
    base: int
    dtype: Any
    def __init__(self, steps: int = 10, base: int = 10, dtype: Any = ...) -> None: ...
    def __call__(self, start: Tensor, end: Tensor) -> Tensor: ...
class LogUniformCandidateSampler(Primitive):
    """Classes drawn from [0, range_max), lower ones oftener, and how often each class is expected among them."""
    num_true: int
    num_sampled: int
    unique: bool
    range_max: int
    seed: int
    def __init__(
        self,
        num_true: int = 1,
        num_sampled: int = 5,
        unique: bool = True,
        range_max: int = 5,
        seed: int = 0,
    ) -> None: ...
    def __call__(self, true_classes: Tensor) -> tuple[Tensor, Tensor, Tensor]: ...
class LogicalAnd(Primitive):
    """Elementwise and. Numbers are true where they are not 0."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Tensor: ...
class LogicalNot(Primitive):
    """Elementwise negation. Numbers are true where they are not 0."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Tensor: ...
class LogicalOr(Primitive):
    """Elementwise or. Numbers are true where they are not 0."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Tensor: ...
class LogicalXor(Primitive):
    """Elementwise exclusive or. Numbers are true where they are not 0."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Tensor: ...
class Logit(Primitive):
    """log(x / (1 - x)); outside (0, 1) NaN or infinite, unless `eps` clamps to [eps, 1 - eps]."""
    eps: float
    def __init__(self, eps: float = -1.0) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class LowerBound(Primitive):
    """For each row, the first position of its sorted sequence whose element is not below the value."""
    out_type: Any
    def __init__(self, out_type: Any = ...) -> None: ...
    def __call__(self, sorted_x: Tensor, values: Tensor) -> Tensor: ...
class LpNorm(Primitive):
    """The p-norm over dimensions, at least `epsilon`; of order 0 the number of elements that are not 0."""
    axis: int | Sequence[Any]
    p: int
    keep_dims: bool
    epsilon: float
    def __init__(
        self,
        axis: int | Sequence[Any],
        p: int = 2,
        keep_dims: bool = False,
        epsilon: float = 1e-12,
    ) -> None: ...
    def __call__(self, x: Any) -> Tensor: ...
class Lstsq(Primitive):
    """The X for which input @ X is nearest to A; the shortest such X if there are several."""
    fast: bool
    l2_regularizer: float
    def __init__(self, fast: bool = True, l2_regularizer: float = 0.0) -> None: ...
    def __call__(self, x: Tensor, a: Tensor) -> Tensor: ...
class LuSolve(Primitive):
    """The solutions of A y = b for the LU factors of A, with pivots counted from 1."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, lu_data: Tensor, lu_pivots: Tensor) -> Tensor: ...
class LuUnpack(Primitive):
    """The permutation P, the lower and the upper factor of `LU_data`; None for each one not requested."""
    unpack_data: bool
    unpack_pivots: bool
    def __init__(self, unpack_data: bool = True, unpack_pivots: bool = True) -> None: ...
    def __call__(self, LU_data: Tensor, LU_pivots: Tensor) -> tuple[Tensor, Tensor, Tensor]: ...
from ms_compat.ops.composite import Map as Map
class MapCacheIdx(Primitive):
    """The cached rows of a table's rows; rows that are not in the cache take the place of those that are not in use."""
    def __init__(self) -> None: ...
    def __call__(self, hashmap: Any, indices: Any, step: Any, emb_max_num: Any, cache_max_num: Any) -> Any: ...
class MapUniform(Primitive):
    """Numbers of a range spread evenly over groups."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, per_group_size: Any, group_num: Any) -> Tensor: ...
class MaskedFill(Primitive):
    """The elements where the mask is true replaced by `value`; shapes broadcast."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Any, mask: Any, value: Any) -> Any: ...
class MaskedScatter(Primitive):
    """A copy in which elements of `source`, in order, replace those where a mask is true."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, mask: Any, source: Any) -> Any: ...
class MaskedSelect(Primitive):
    """The elements where a mask is true, as a 1-d tensor; shapes broadcast."""
    def __init__(self) -> None: ...
    def __call__(self, x: Any, mask: Any) -> Any: ...
class MatMul(Primitive):
    """The product of two matrices, each transposed on demand."""
    transpose_a: bool
    transpose_b: bool
    def __init__(self, transpose_a: bool = False, transpose_b: bool = False) -> None: ...
    def __call__(self, input: Any, mat2: Any) -> Tensor: ...
class MatrixBandPart(Primitive):
    """The diagonals from `lower` below to `upper` above the main one, zeros elsewhere; -1 keeps all."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, lower: int | Tensor, upper: int | Tensor) -> Tensor: ...
class MatrixDeterminant(Primitive):
    """The determinants of square matrices."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Tensor: ...
class MatrixDiagPartV3(Primitive):
    """The diagonals of matrices as rows, from the top one on; arguments as for `matrix_diag`."""
    align: str
    def __init__(self, align: str = 'RIGHT_LEFT') -> None: ...
    def __call__(self, x: Tensor, k: Tensor, padding_value: Tensor) -> Any: ...
class MatrixDiagV3(Primitive):
    """Matrices with given diagonals."""
    align: str
    def __init__(self, align: str = 'RIGHT_LEFT') -> None: ...
    def __call__(
        self,
        x: Tensor,
        k: int | Tensor,
        num_rows: int | Tensor,
        num_cols: int | Tensor,
        padding_value: int | float | Tensor,
    ) -> Tensor: ...
class MatrixExp(Primitive):
    """The exponentials of square matrices."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class MatrixInverse(Primitive):
    """The inverse of square matrices, or of their conjugate transposes."""
    adjoint: bool
    def __init__(self, adjoint: bool = False) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class MatrixLogarithm(Primitive):
    """The principal logarithm of square matrices."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class MatrixPower(Primitive):
    """Square matrices to an integer power; integers stay integers."""
    n: int
    def __init__(self, n: int) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class MatrixSetDiagV3(Primitive):
    """Copies of matrices with their diagonals replaced; arguments as for `matrix_diag`."""
    align: str
    def __init__(self, align: str = 'RIGHT_LEFT') -> None: ...
    def __call__(self, x: Tensor, diagonal: Tensor, k: Tensor) -> Tensor: ...
class MatrixSolve(Primitive):
    """Solutions of linear equations: matrix @ x = rhs, or conjugate(matrix).T @ x = rhs with `adjoint`."""
    adjoint: bool
    def __init__(self, adjoint: bool = False) -> None: ...
    def __call__(self, matrix: Tensor, rhs: Tensor) -> Tensor: ...
class MatrixSolveLs(Primitive):
    """The least-squares solution of matrix @ x = rhs."""
    fast: bool
    def __init__(self, fast: bool = True) -> None: ...
    def __call__(self, matrix: Tensor, rhs: Tensor, l2_regularizer: Tensor) -> Tensor: ...
class MatrixTriangularSolve(Primitive):
    """The solution of linear equations with triangular matrices."""
    lower: bool
    adjoint: bool
    def __init__(self, lower: bool = True, adjoint: bool = False) -> None: ...
    def __call__(self, matrix: Tensor, rhs: Tensor) -> Tensor: ...
from ms_compat.ops.primitives.nn import MaxPool as _MaxPool
class MaxPool(_MaxPool):
    """Maxima over windows of [N, C, H, W]."""
    def __init__(
        self,
        kernel_size: Any = 1,
        strides: Any = 1,
        pad_mode: str = 'valid',
        data_format: str = 'NCHW',
    ) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
from ms_compat.ops.primitives.nn import MaxPool3D as _MaxPool3D
class MaxPool3D(_MaxPool3D):
    """Maxima over windows of [N, C, D, H, W]; `pad_list` is for the mode "pad": an int, 3 ints or 6 (before, after)."""
    def __init__(
        self,
        kernel_size: int | Sequence[int] = 1,
        strides: int | Sequence[int] = 1,
        pad_mode: str = 'VALID',
        pad_list: int | Sequence[int] = 0,
        ceil_mode: bool | None = None,
        data_format: str = 'NCDHW',
    ) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class MaxPool3DWithArgmax(Primitive):
    """Maximum pooling of [N, C, D, H, W]; returns the maxima and their positions."""
    ksize: int | Sequence[int]
    strides: int | Sequence[int]
    pads: int | Sequence[int]
    dilation: int | Sequence[int]
    ceil_mode: bool
    data_format: str
    argmax_type: Any
    def __init__(
        self,
        ksize: int | Sequence[int],
        strides: int | Sequence[int],
        pads: int | Sequence[int],
        dilation: int | Sequence[int] = ...,
        ceil_mode: bool = False,
        data_format: str = 'NCDHW',
        argmax_type: Any = ...,
    ) -> None: ...
    def __call__(self, x: Tensor) -> tuple[Tensor, Tensor]: ...
from ms_compat.ops.primitives.nn import MaxPoolWithArgmax as _MaxPoolWithArgmax
class MaxPoolWithArgmax(_MaxPoolWithArgmax):
    """Maxima over windows and their flat positions (Int32); arguments as `MaxPool`."""
    def __init__(
        self,
        kernel_size: Any = 1,
        strides: Any = 1,
        pad_mode: str | Any = 'valid',
        data_format: str | Any = 'NCHW',
    ) -> None: ...
    def __call__(self, x: Any) -> Any: ...
from ms_compat.ops.primitives.nn import MaxPoolWithArgmaxV2 as _MaxPoolWithArgmaxV2
class MaxPoolWithArgmaxV2(_MaxPoolWithArgmaxV2):
    """Maxima over windows and their flat positions, with padding and dilation."""
    def __init__(
        self,
        kernel_size: int | Sequence[int],
        strides: int | Sequence[int] | None = None,
        pads: int | Sequence[int] = 0,
        dilation: int | Sequence[int] = ...,
        ceil_mode: bool = False,
        argmax_type: Any = ...,
    ) -> None: ...
    def __call__(self, x: Tensor) -> tuple[Tensor, Tensor]: ...
class MaxUnpool2D(Primitive):
    """Puts the values back to the positions that a maximum pool returned; zero elsewhere."""
    ksize: int | Sequence[int]
    strides: int | Sequence[int]
    pads: int | Sequence[int]
    output_shape: Sequence[int]
    data_format: str
    def __init__(
        self,
        ksize: int | Sequence[int],
        strides: int | Sequence[int] = 0,
        pads: int | Sequence[int] = 0,
        output_shape: Sequence[int] = ...,
        data_format: str = 'NCHW',
    ) -> None: ...
    def __call__(self, x: Tensor, argmax: Tensor) -> Tensor: ...
class MaxUnpool3D(Primitive):
    """Puts the values back to the positions that a maximum pool returned; zero elsewhere."""
    ksize: int | Sequence[int]
    strides: int | Sequence[int]
    pads: int | Sequence[int]
    output_shape: Sequence[int]
    data_format: str
    def __init__(
        self,
        ksize: int | Sequence[int],
        strides: int | Sequence[int] = 0,
        pads: int | Sequence[int] = 0,
        output_shape: Sequence[int] = ...,
        data_format: str = 'NCDHW',
    ) -> None: ...
    def __call__(self, x: Tensor, argmax: Tensor) -> Tensor: ...
class Maximum(Primitive):
    """The larger element of each pair; NaN if one is NaN."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Any: ...
class Median(Primitive):
    """The lower median along an axis, or of all elements, and its position (0 for all elements)."""
    global_median: bool
    axis: int
    keep_dims: bool
    ignore_nan: bool
    def __init__(
        self,
        global_median: bool = False,
        axis: int = 0,
        keep_dims: bool = False,
        ignore_nan: bool = False,
    ) -> None: ...
    def __call__(self, x: Tensor) -> tuple[Tensor, Tensor]: ...
class Meshgrid(Primitive):
    """Coordinate matrices of coordinate vectors; views of them in PYNATIVE_MODE."""
    indexing: str
    def __init__(self, indexing: str = 'xy') -> None: ...
    def __call__(self, inputs: Sequence[Tensor]) -> Tensor: ...
class Minimum(Primitive):
    """The smaller element of each pair; NaN if one is NaN."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Any: ...
class MirrorPad(Primitive):
    """Mirrored elements added around the tensor, in mode "REFLECT" (without the edge) or "SYMMETRIC"."""
    mode: str
    def __init__(self, mode: str = 'REFLECT') -> None: ...
    def __call__(self, input_x: Tensor, paddings: Tensor) -> Tensor: ...
class Mish(Primitive):
    """x * tanh(softplus(x))."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class Mod(Primitive):
    """As `truncate_mod`, with the least number of Int32 or Int64 for a divisor of 0 (the primitive Mod)."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Tensor: ...
from ms_compat.ops._debug import Morph as _Morph
class Morph(_Morph):
    """A function with its own gradient, as a primitive."""
    def __init__(
        self,
        fn: Callable[..., Any],
        infer_shape: Callable[..., Any],
        infer_dtype: Callable[..., Any],
        bprop_fn: Callable[..., Any] | None = None,
    ) -> None: ...
class MoveTo(Primitive):
    """A copy of a tensor, or of ints, on a kind of device; JAX chooses the device."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, to: str | Any = 'CPU', blocking: bool = True) -> Any: ...
class Mul(Primitive):
    """The product. A 0-d tensor gives way to one with dimensions like a Python number."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Any: ...
class MulNoNan(Primitive):
    """0 where other is 0."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Tensor: ...
class MultiMarginLoss(Primitive):
    """Mean over the other classes of max(0, margin - x[target] + x[class]) ** p."""
    p: int
    margin: int | float
    reduction: str
    def __init__(self, p: int = 1, margin: int | float = 1.0, reduction: str = 'mean') -> None: ...
    def __call__(self, inputs: Tensor, target: Tensor, weight: Tensor | None = None) -> Any: ...
class MultilabelMarginLoss(Primitive):
    """Sum over true and false classes of max(0, 1 - (x[true] - x[false])) / C; a row of `target` ends at -1."""
    reduction: str
    def __init__(self, reduction: str = 'mean') -> None: ...
    def __call__(self, x: Tensor, target: Tensor) -> Any: ...
class Multinomial(Primitive):
    """Class numbers drawn with the given weights."""
    seed: int
    seed2: int
    dtype: Any
    def __init__(self, seed: int = 0, seed2: int = 0, dtype: Any = ...) -> None: ...
    def __call__(self, x: Tensor, num_samples: int) -> Tensor: ...
class MultinomialWithReplacement(Primitive):
    """Class numbers drawn with replacement, the same for a seed and an offset that are not 0 both. Int64."""
    numsamples: int
    replacement: bool
    def __init__(self, numsamples: int, replacement: bool = False) -> None: ...
    def __call__(self, x: Tensor, seed: Tensor, offset: Tensor) -> Tensor: ...
from ms_compat.ops.composite import MultitypeFuncGraph as MultitypeFuncGraph
class Mvlgamma(Primitive):
    """Logarithm of the multivariate gamma function of dimension `p`."""
    p: int
    def __init__(self, p: int) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class NLLLoss(Primitive):
    """Negative log-likelihood of class numbers; as `cross_entropy`, for inputs that are log-probabilities already."""
    reduction: str
    ignore_index: int
    def __init__(self, reduction: str = 'mean', ignore_index: int = -100) -> None: ...
    def __call__(self, logits: Tensor, labels: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]: ...
class NMSWithMask(Primitive):
    """Boxes by falling score, and which of them stay when each takes away the lower ones that overlap it."""
    iou_threshold: float
    def __init__(self, iou_threshold: float = 0.5) -> None: ...
    def __call__(self, bboxes: Tensor) -> tuple[Tensor, Tensor, Tensor]: ...
from ms_compat.ops._float_status import NPUAllocFloatStatus as _NPUAllocFloatStatus
class NPUAllocFloatStatus(_NPUAllocFloatStatus):
    """A cleared status register: a Float32 Tensor of shape (8,)."""
    def __init__(self) -> None: ...
from ms_compat.ops._float_status import NPUClearFloatStatus as _NPUClearFloatStatus
class NPUClearFloatStatus(_NPUClearFloatStatus):
    """Clear a status register; arguments and result as for NPUGetFloatStatus."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
from ms_compat.ops._float_status import NPUGetFloatStatus as _NPUGetFloatStatus
class NPUGetFloatStatus(_NPUGetFloatStatus):
    """Read a status register into itself: ones if what it depends on has an element that is not finite."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class NanToNum(Primitive):
    """Replace NaN and the infinities."""
    nan: Any
    posinf: Any
    neginf: Any
    def __init__(self, nan: Any = None, posinf: Any = None, neginf: Any = None) -> None: ...
    def __call__(self, x: Any) -> Any: ...
class Neg(Primitive):
    """The negative of each element; unsigned integers wrap around."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class NeighborExchange(Primitive):
    """Send one tensor to each of some processes and receive one from each of others."""
    send_rank_ids: Sequence[int]
    recv_rank_ids: Sequence[int]
    recv_shapes: Sequence[Sequence[int]]
    send_shapes: Sequence[Sequence[int]]
    recv_type: Any
    group: str
    def __init__(
        self,
        send_rank_ids: Sequence[int],
        recv_rank_ids: Sequence[int],
        recv_shapes: Sequence[Sequence[int]],
        send_shapes: Sequence[Sequence[int]],
        recv_type: Any,
        group: str = 'hccl_world_group',
    ) -> None: ...
    def __call__(self, input_x: Sequence[Tensor]) -> tuple[Any, ...]: ...
class NeighborExchangeV2(Primitive):
    """Exchange edges of images (N, C, H, W) with the processes around."""
    send_rank_ids: Sequence[int]
    send_lens: Sequence[int]
    recv_rank_ids: Sequence[int]
    recv_lens: Sequence[int]
    data_format: str
    group: str
    def __init__(
        self,
        send_rank_ids: Sequence[int],
        send_lens: Sequence[int],
        recv_rank_ids: Sequence[int],
        recv_lens: Sequence[int],
        data_format: str,
        group: str = 'hccl_world_group',
    ) -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...
class NextAfter(Primitive):
    """The next number from the first operand towards the second."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Any: ...
class NoRepeatNGram(Primitive):
    """Log-probabilities in which words that would repeat an n-gram of their sequence are the lowest number."""
    ngram_size: int
    def __init__(self, ngram_size: int = 1) -> None: ...
    def __call__(self, state_seq: Tensor, log_probs: Tensor) -> Tensor: ...
class NonDeterministicInts(Primitive):
    """Integers drawn from all that a type holds."""
    dtype: Any
    def __init__(self, dtype: Any = ...) -> None: ...
    def __call__(self, shape: Tensor) -> Tensor: ...
class NonMaxSuppressionV3(Primitive):
    """Places of boxes by falling score, without those that overlap a higher one too much: Int32 [M]."""
    def __init__(self) -> None: ...
    def __call__(
        self,
        boxes: Tensor,
        scores: Tensor,
        max_output_size: Any,
        iou_threshold: Any,
        score_threshold: Any,
    ) -> Any: ...
class NonMaxSuppressionWithOverlaps(Primitive):
    """Places of boxes by falling score, without those that a higher one overlaps too much: Int32 [M]."""
    def __init__(self) -> None: ...
    def __call__(
        self,
        overlaps: Tensor,
        scores: Tensor,
        max_output_size: Any,
        overlap_threshold: Any,
        score_threshold: Any,
    ) -> Any: ...
class NonZero(Primitive):
    """The coordinates of the elements that are not 0, one a row (Int64)."""
    def __init__(self) -> None: ...
    def __call__(self, x: Any) -> Tensor: ...
class NotEqual(Primitive):
    """Where the operands differ."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Any: ...
class NthElement(Primitive):
    """As `nth_element`, with `n` an int or a 0-d Int32 Tensor."""
    reverse: bool
    def __init__(self, reverse: bool = False) -> None: ...
    def __call__(self, input: Tensor, n: int | Tensor) -> Tensor: ...
class NuclearNorm(Primitive):
    """The sum of a matrix's singular values."""
    dim: Sequence[int] | None
    keepdim: bool
    def __init__(self, dim: Sequence[int] | None = None, keepdim: bool = False) -> None: ...
    def __call__(self, x: Tensor) -> Any: ...
class OneHot(Primitive):
    """`on_value` where an index names a place along a new axis, `off_value` elsewhere and for indices out of range."""
    axis: int
    def __init__(self, axis: int = -1) -> None: ...
    def __call__(self, indices: Tensor, depth: int | Tensor, on_value: Tensor, off_value: Tensor) -> Tensor: ...
class Ones(Primitive):
    """A tensor of ones."""
    def __init__(self) -> None: ...
    def __call__(self, shape: Any, type: Any) -> Any: ...
class OnesLike(Primitive):
    """Ones in the shape of a tensor, in its dtype or another."""
    def __init__(self) -> None: ...
    def __call__(self, x: Any) -> Tensor: ...
class Orgqr(Primitive):
    """The first columns of the Householder reflections' product, as `geqrf` returns them."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, tau: Tensor) -> Tensor: ...
class Ormqr(Primitive):
    """The product of a matrix with the full Q of `geqrf`."""
    left: bool
    transpose: bool
    def __init__(self, left: bool = True, transpose: bool = False) -> None: ...
    def __call__(self, x: Tensor, tau: Tensor, other: Tensor) -> Tensor: ...
P: Any
from ms_compat.communication.objects import P2POp as P2POp
class PReLU(Primitive):
    """max(0, x) + weight * min(0, x), with one weight for all channels (axis 1) or one for each."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, weight: Any) -> Any: ...
class Pack(Primitive):
    """Tensors of one dtype and shape joined along a new axis."""
    axis: Any
    def __init__(self, axis: Any = 0) -> None: ...
    def __call__(self, tensors: Any) -> Any: ...
class Pad(Primitive):
    """Zeros added around the tensor: `paddings` has one pair (before, after) a dimension."""
    paddings: Sequence[Any]
    def __init__(self, paddings: Sequence[Any]) -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...
class PadV3(Primitive):
    """A tensor padded in one of several modes; the paddings are an input."""
    mode: str
    paddings_contiguous: bool
    def __init__(self, mode: str = 'constant', paddings_contiguous: bool = True) -> None: ...
    def __call__(self, x: Tensor, paddings: Any, constant_value: Any = None) -> Tensor: ...
class Padding(Primitive):
    """The last axis, of size 1, filled up with zeros."""
    pad_dim_size: int
    def __init__(self, pad_dim_size: int = 8) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class PagedAttention(Primitive):
    """Attention of one new token for each sequence over a cache of keys and values in pages."""
    head_num: Any
    scale_value: Any
    kv_head_num: Any
    kv_cache_quant_mode: str
    mask_mode: str
    mla_v_dim: Any
    def __init__(
        self,
        head_num: Any,
        scale_value: Any,
        kv_head_num: Any,
        kv_cache_quant_mode: str = 'DEFAULT',
        mask_mode: str = 'MASK_DEFAULT',
        mla_v_dim: Any = 0,
    ) -> None: ...
    def __call__(
        self,
        query: Any,
        key_cache: Any,
        value_cache: Any,
        block_tables: Any,
        context_lens: Any,
        antiquant_scale: Any = None,
        antiquant_offset: Any = None,
        attn_mask: Any = None,
        q_seq_lens: Any = None,
        alibi_mask: Any = None,
    ) -> Any: ...
class PagedAttentionMask(Primitive):
    """As `PagedAttention`, with a mask added to the scores."""
    head_num: Any
    scale_value: Any
    kv_head_num: Any
    kv_cache_quant_mode: str | Any
    def __init__(
        self,
        head_num: Any,
        scale_value: Any,
        kv_head_num: Any,
        kv_cache_quant_mode: str | Any = 'DEFAULT',
    ) -> None: ...
    def __call__(
        self,
        query: Any,
        key_cache: Any,
        value_cache: Any,
        block_tables: Any,
        context_lens: Any,
        antiquant_scale: Any = None,
        antiquant_offset: Any = None,
        alibi_mask: Any = None,
        attn_mask: Any = None,
    ) -> Any: ...
class ParallelConcat(Primitive):
    """Tensors joined along the first dimension, which must be 1 in each."""
    def __init__(self) -> None: ...
    def __call__(self, values: Sequence[Any]) -> Tensor: ...
class ParameterizedTruncatedNormal(Primitive):
    """Normal random numbers within bounds."""
    seed: int
    seed2: int
    def __init__(self, seed: int = 0, seed2: int = 0) -> None: ...
    def __call__(self, shape: Tensor, mean: Tensor, stdevs: Tensor, min: Tensor, max: Tensor) -> Tensor: ...
from ms_compat.ops.composite import Partial as _Partial
class Partial(_Partial):
    """Bind the first arguments of a function: `Partial()(fn, *args)`, in compiled code also some by name."""
    def __init__(self) -> None: ...
class Pdist(Primitive):
    """The p-norm distances between all row pairs, in the order of `itertools.combinations`."""
    p: float
    def __init__(self, p: float = 2.0) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class Poisson(Primitive):
    """Int32 numbers of Poisson distributions; `shape` broadcasts with `mean`."""
    seed: int
    seed2: int
    def __init__(self, seed: int = 0, seed2: int = 0) -> None: ...
    def __call__(self, shape: Sequence[Any], mean: Tensor) -> Tensor: ...
class Polar(Primitive):
    """A complex tensor of absolute value and angle."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Tensor: ...
class Polygamma(Primitive):
    """The n-th derivative of the digamma function."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Tensor: ...
class PopulationCount(Primitive):
    """The number of ones among the bits of each element, as UInt8."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Tensor: ...
class Pow(Primitive):
    """The power; integers stay integers, and to a negative power are 0, but for the bases 1 and -1."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Any: ...
from ms_compat.ops.primitive import Primitive as Primitive
from ms_compat.ops.primitive import PrimitiveWithCheck as PrimitiveWithCheck
from ms_compat.ops.primitive import PrimitiveWithInfer as PrimitiveWithInfer
from ms_compat.ops._debug import Print as _Print
class Print(_Print):
    """The primitive of `print_`."""
    def __init__(self) -> None: ...
from ms_compat.ops._parameter_server import Pull as _Pull
class Pull(_Pull):
    """Would read a weight from a parameter server."""
    def __init__(self) -> None: ...
from ms_compat.ops._parameter_server import Push as _Push
class Push(_Push):
    """Would send an optimizer's inputs to a parameter server."""
    def __init__(self, optim_type: str = 'ApplyMomentum', only_shape_indices: Sequence[Any] | None = None) -> None: ...
from ms_compat.ops._compiled_calls import PyExecute as PyExecute
from ms_compat.ops._inspect_values import PyFunc as _PyFunc
class PyFunc(_PyFunc):
    """A Python function of numpy arrays as an operation that compiled code may contain; it has no gradient."""
    def __init__(
        self,
        fn: Callable[..., Any],
        in_types: Sequence[Type],
        in_shapes: Sequence[Sequence[int]],
        out_types: Sequence[Type],
        out_shapes: Sequence[Sequence[int]],
        stateful: bool = True,
    ) -> None: ...
class Qr(Primitive):
    """QR decomposition: (Q, R)."""
    full_matrices: bool
    def __init__(self, full_matrices: bool = False) -> None: ...
    def __call__(self, x: Tensor) -> tuple[Tensor, Tensor]: ...
class Quantile(Primitive):
    """Quantiles along an axis (None: of all elements); arguments as for `ops.quantile`."""
    dim: int | None
    keep_dims: bool
    ignore_nan: bool
    def __init__(self, dim: int | None = None, keep_dims: bool = False, ignore_nan: bool = False) -> None: ...
    def __call__(self, input: Tensor, q: float | Tensor) -> Tensor: ...
class RGBToHSV(Primitive):
    """Red, green and blue in [0, 1] as hue, saturation and value; arguments as for `hsv_to_rgb`."""
    def __init__(self) -> None: ...
    def __call__(self, images: Tensor) -> Tensor: ...
class RNNTLoss(Primitive):
    """Minus the log-probability of label sequences under a transducer, and its gradient."""
    blank_label: int
    def __init__(self, blank_label: int = 0) -> None: ...
    def __call__(
        self,
        acts: Tensor,
        labels: Tensor,
        input_lengths: Tensor,
        label_lengths: Tensor,
    ) -> tuple[Tensor, Tensor]: ...
class ROIAlign(Primitive):
    """Means of bilinear samples in the bins of regions: [R, C, pooled_height, pooled_width]."""
    pooled_height: int
    pooled_width: int
    spatial_scale: float
    sample_num: int
    roi_end_mode: int
    def __init__(
        self,
        pooled_height: int,
        pooled_width: int,
        spatial_scale: float,
        sample_num: int = 2,
        roi_end_mode: int = 1,
    ) -> None: ...
    def __call__(self, features: Tensor, rois: Tensor) -> Tensor: ...
class RaggedRange(Primitive):
    """Sequences of numbers, one after the other, and where each begins and ends."""
    Tsplits: Type
    def __init__(self, Tsplits: Type) -> None: ...
    def __call__(self, starts: Tensor, limits: Tensor, deltas: Tensor) -> Tensor: ...
class RandomCategorical(Primitive):
    """Class numbers [N, num_sample] drawn with the softmax of logits [N, C]; with a `seed` the same at every call."""
    dtype: Any
    def __init__(self, dtype: Any = ...) -> None: ...
    def __call__(self, logits: Tensor, num_sample: int, seed: int = 0) -> Tensor: ...
class RandomChoiceWithMask(Primitive):
    """Positions of random true elements, and which of them are valid."""
    count: int
    seed: int
    seed2: int
    def __init__(self, count: int = 256, seed: int = 0, seed2: int = 0) -> None: ...
    def __call__(self, input_x: Tensor) -> tuple[Tensor, Tensor]: ...
class RandomGamma(Primitive):
    """Numbers from gamma distributions with rate 1: the result has shape `shape` + `alpha.shape`."""
    seed: int
    seed2: int
    def __init__(self, seed: int = 0, seed2: int = 0) -> None: ...
    def __call__(self, shape: Tensor, alpha: Tensor) -> Tensor: ...
class RandomPoisson(Primitive):
    """Numbers of Poisson distributions: the result has shape `shape` + `rate.shape`."""
    seed: int
    seed2: int
    dtype: Any
    def __init__(self, seed: int = 0, seed2: int = 0, dtype: Any = ...) -> None: ...
    def __call__(self, shape: Tensor, rate: Tensor) -> Tensor: ...
class RandomShuffle(Primitive):
    """The rows in a random order."""
    seed: int
    seed2: int
    def __init__(self, seed: int = 0, seed2: int = 0) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class Randperm(Primitive):
    """A random permutation of the first `n` integers, padded to a length."""
    max_length: int
    pad: int
    dtype: Any
    def __init__(self, max_length: int = 1, pad: int = -1, dtype: Any = ...) -> None: ...
    def __call__(self, n: Tensor) -> Tensor: ...
class RandpermV2(Primitive):
    """A random permutation of the first `n` integers."""
    seed: Any
    offset: Any
    dtype: Any
    def __init__(self, seed: Any = 0, offset: Any = 0, dtype: Any = ...) -> None: ...
    def __call__(self, n: Any) -> Any: ...
class Range(Primitive):
    """As `arange`, of three numbers or 0-d Tensors of one kind; integers give Int64."""
    maxlen: Any
    def __init__(self, maxlen: Any = 1000000) -> None: ...
    def __call__(self, start: Any, limit: Any, delta: Any) -> Any: ...
class Rank(Primitive):
    """The number of a tensor's dimensions."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Any) -> Any: ...
class ReLU(Primitive):
    """max(x, 0), and 0 of NaN. Gradient 0 at 0."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class ReLU6(Primitive):
    """min(max(x, 0), 6), and 0 of NaN."""
    def __init__(self) -> None: ...
    def __call__(self, x: Any) -> Any: ...
class Real(Primitive):
    """The real part."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class RealDiv(Primitive):
    """The quotient in the operands' own dtype: of integers it is truncated."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Tensor: ...
class Receive(Primitive):
    """Receive a tensor from another process; an input only sets the order of execution."""
    sr_tag: int
    src_rank: int
    shape: Sequence[int]
    dtype: Any
    group: str
    group_back: str
    def __init__(
        self,
        sr_tag: int,
        src_rank: int,
        shape: Sequence[int],
        dtype: Any,
        group: str = 'hccl_world_group',
        group_back: str = 'hccl_world_group',
    ) -> None: ...
    def __call__(self, input_x: Any = None) -> Tensor: ...
class Reciprocal(Primitive):
    """Reciprocal of each element. Integers and bool give Float32."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Tensor: ...
class Reduce(Primitive):
    """Combines the tensors of all processes in one process; the others keep theirs."""
    dest_rank: int
    op: str
    group: str
    def __init__(self, dest_rank: int, op: str = 'sum', group: str = 'hccl_world_group') -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...
class ReduceAll(Primitive):
    """Whether all elements over dimensions are true."""
    keep_dims: bool
    def __init__(self, keep_dims: bool = False) -> None: ...
    def __call__(self, x: Any, axis: Any = ...) -> Any: ...
class ReduceAny(Primitive):
    """Whether any element over dimensions is true; arguments as for `all`."""
    keep_dims: bool
    def __init__(self, keep_dims: bool = False) -> None: ...
    def __call__(self, x: Tensor, axis: int | Sequence[int] | Tensor = ...) -> Tensor: ...
class ReduceMax(Primitive):
    """The maximum over dimensions. Its gradient is shared evenly among equal elements."""
    keep_dims: bool
    def __init__(self, keep_dims: bool = False) -> None: ...
    def __call__(self, x: Tensor, axis: int | Sequence[int] | Tensor = ...) -> Any: ...
class ReduceMean(Primitive):
    """The mean over dimensions, in the tensor's own dtype: of integers truncated."""
    keep_dims: bool
    def __init__(self, keep_dims: bool = False) -> None: ...
    def __call__(self, x: Tensor, axis: int | Sequence[int] | Tensor = ...) -> Any: ...
class ReduceMin(Primitive):
    """The minimum over dimensions; arguments as for `amax`."""
    keep_dims: bool
    def __init__(self, keep_dims: bool = False) -> None: ...
    def __call__(self, x: Tensor, axis: int | Sequence[int] | Tensor = ...) -> Tensor: ...
from ms_compat.ops.primitives.comm_ops import ReduceOp as ReduceOp
class ReduceProd(Primitive):
    """The product over dimensions in the tensor's own dtype."""
    keep_dims: bool
    def __init__(self, keep_dims: bool = False) -> None: ...
    def __call__(self, x: Tensor, axis: int | Sequence[int] | Tensor = ...) -> Tensor: ...
class ReduceScatter(Primitive):
    """Combines lists of tensors item by item and gives each process the item of its number."""
    op: str
    group: str
    def __init__(self, op: str = 'sum', group: str = 'hccl_world_group') -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...
class ReduceScatterV(Primitive):
    """Combine the processes' 1-d tensors and give each process a part with its own size."""
    op: str
    group: str
    def __init__(self, op: str = 'sum', group: str = 'hccl_world_group') -> None: ...
    def __call__(self, input_x: Tensor, input_split_sizes: Sequence[int] | Tensor) -> Tensor: ...
class ReduceStd(Primitive):
    """The standard deviation and the mean over dimensions."""
    axis: int | Sequence[int] | Tensor
    unbiased: bool
    keep_dims: bool
    def __init__(
        self,
        axis: int | Sequence[int] | Tensor = ...,
        unbiased: bool = True,
        keep_dims: bool = False,
    ) -> None: ...
    def __call__(self, x: Any) -> tuple[Any, ...]: ...
class ReduceSum(Primitive):
    """The sum over dimensions; all of them for an empty `axis`."""
    keep_dims: bool
    skip_mode: bool
    def __init__(self, keep_dims: bool = False, skip_mode: bool = False) -> None: ...
    def __call__(self, x: Tensor, axis: int | Sequence[int] | Tensor = ...) -> Any: ...
class Renorm(Primitive):
    """The slices along an axis scaled down to a p-norm of at most `maxnorm`."""
    p: int
    dim: int
    maxnorm: float
    def __init__(self, p: int, dim: int, maxnorm: float) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class Reshape(Primitive):
    """The elements in another shape; a view in PYNATIVE_MODE."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, shape: Any) -> Any: ...
class ReshapeAndCache(Primitive):
    """Write keys and values into the slots of a cache in pages."""
    def __init__(self) -> None: ...
    def __call__(self, key: Any, value: Any, key_cache: Any, value_cache: Any, slot_mapping: Any) -> Any: ...
from ms_compat._inner.ops import Reshard as _Reshard
class Reshard(_Reshard):
    """`Reshard(in_layout, out_layout, in_strategy)(x)`: a Tensor in another layout, as `mindspore.reshard` gives it."""
    def __init__(self, in_layout: Any, out_layout: Any, in_strategy: Any) -> None: ...
    def __call__(self, tensor: Tensor) -> Tensor: ...
class ResizeArea(Primitive):
    """Means over the area of each new pixel: [N, H, W, C] to [N, *size, C], Float32."""
    align_corners: bool
    def __init__(self, align_corners: bool = False) -> None: ...
    def __call__(self, images: Tensor, size: Tensor) -> Any: ...
class ResizeBicubic(Primitive):
    """Images resized with bicubic interpolation."""
    align_corners: bool
    half_pixel_centers: bool
    def __init__(self, align_corners: bool = False, half_pixel_centers: bool = False) -> None: ...
    def __call__(self, image: Any, size: Sequence[int] | Tensor) -> Any: ...
class ResizeBilinearV2(Primitive):
    """Images resized with bilinear interpolation."""
    align_corners: bool
    half_pixel_centers: bool
    def __init__(self, align_corners: bool = False, half_pixel_centers: bool = False) -> None: ...
    def __call__(self, image: Any, size: Sequence[int] | Tensor) -> Tensor: ...
class ResizeLinear1D(Primitive):
    """[N, C, W] to [N, C, *size] by linear interpolation."""
    coordinate_transformation_mode: str
    def __init__(self, coordinate_transformation_mode: str = 'align_corners') -> None: ...
    def __call__(self, x: Tensor, size: Sequence[int] | Tensor) -> Any: ...
class ResizeNearestNeighbor(Primitive):
    """Images resized with the nearest pixels."""
    size: Sequence[Any]
    align_corners: bool
    half_pixel_centers: bool
    def __init__(self, size: Sequence[Any], align_corners: bool = False, half_pixel_centers: bool = False) -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...
class ResizeNearestNeighborV2(Primitive):
    """Images resized with the nearest pixels."""
    align_corners: bool
    half_pixel_centers: bool
    def __init__(self, align_corners: bool = False, half_pixel_centers: bool = False) -> None: ...
    def __call__(self, image: Any, size: Any) -> Tensor: ...
class Reusing(Primitive):
    """The argument itself."""
    def __init__(self) -> None: ...
    def __call__(self, x: Any) -> Any: ...
class ReverseSequence(Primitive):
    """The first elements of each sequence reversed."""
    seq_dim: int
    batch_dim: int
    def __init__(self, seq_dim: int, batch_dim: int = 0) -> None: ...
    def __call__(self, x: Tensor, seq_lengths: Tensor) -> Tensor: ...
class ReverseV2(Primitive):
    """The order of elements reversed along dimensions."""
    axis: Any
    def __init__(self, axis: Any) -> None: ...
    def __call__(self, x: Any) -> Any: ...
class RightShift(Primitive):
    """The bits shifted to the right."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Tensor: ...
class Rint(Primitive):
    """The nearest integer, halves to even. Integers are returned as they are."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Tensor: ...
class RmsNorm(Primitive):
    """The primitive RmsNorm: x / sqrt(mean(x ** 2) + epsilon) * gamma over `gamma`'s axes, the last ones."""
    epsilon: Any
    def __init__(self, epsilon: Any = 1e-06) -> None: ...
    def __call__(self, x: Any, gamma: Any) -> Any: ...
class Roll(Primitive):
    """The elements shifted along dimensions, those pushed out come back at the other end."""
    shifts: Any
    dims: Any
    def __init__(self, shifts: Any, dims: Any = None) -> None: ...
    def __call__(self, x: Any) -> Any: ...
class Round(Primitive):
    """The nearest number with `decimals` digits after the point, halves to even."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...
class Rsqrt(Primitive):
    """Reciprocal square root of each element. Integers and bool give Float32."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class SGD(Primitive):
    """SGD; where `stat` is positive, the accumulation starts from this gradient."""
    dampening: float
    weight_decay: float
    nesterov: bool
    def __init__(self, dampening: float = 0.0, weight_decay: float = 0.0, nesterov: bool = False) -> None: ...
    def __call__(
        self,
        parameters: Tensor,
        gradient: Tensor,
        learning_rate: Tensor,
        accum: Tensor,
        momentum: Tensor,
        stat: Tensor,
    ) -> Tensor: ...
class STFT(Primitive):
    """The spectra of windowed frames from signals [L] or [B, L]."""
    n_fft: int
    hop_length: int
    win_length: int
    normalized: bool
    onesided: bool
    return_complex: bool
    def __init__(
        self,
        n_fft: int,
        hop_length: int,
        win_length: int,
        normalized: bool,
        onesided: bool,
        return_complex: bool,
    ) -> None: ...
    def __call__(self, x: Tensor, window: Tensor) -> Tensor: ...
class SampleDistortedBoundingBoxV2(Primitive):
    """A random part of an image that covers its boxes well enough."""
    seed: int
    seed2: int
    aspect_ratio_range: Sequence[float]
    area_range: Sequence[float]
    max_attempts: int
    use_image_if_no_bounding_boxes: bool
    def __init__(
        self,
        seed: int = 0,
        seed2: int = 0,
        aspect_ratio_range: Sequence[float] = ...,
        area_range: Sequence[float] = ...,
        max_attempts: int = 100,
        use_image_if_no_bounding_boxes: bool = False,
    ) -> None: ...
    def __call__(
        self,
        image_size: Tensor,
        bounding_boxes: Tensor,
        min_object_covered: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]: ...
class ScalarCast(Primitive):
    """A Python number converted to the Python type of a mindspore dtype."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Any, input_y: Any) -> Any: ...
from ms_compat.ops._debug import ScalarSummary as ScalarSummary
class ScalarToArray(Primitive):
    """A number as a 0-d tensor."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Any) -> Any: ...
class ScalarToTensor(Primitive):
    """A number as a 0-d tensor."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: int | float, dtype: Any = ...) -> Tensor: ...
class ScaleAndTranslate(Primitive):
    """Images [N, H, W, C] scaled, moved and sampled with a kernel: [N, *size, C], Float32. Zeros outside."""
    kernel_type: str
    antialias: bool
    def __init__(self, kernel_type: str = 'lanczos3', antialias: bool = True) -> None: ...
    def __call__(self, images: Tensor, size: Any, scale: Tensor, translation: Tensor) -> Any: ...
from ms_compat.ops._loops import Scan as _Scan
class Scan(_Scan):
    """`carry, y = loop_func(carry, x)` over a list, collecting the results."""
    def __init__(self) -> None: ...
    def __call__(
        self,
        loop_func: Callable[..., Any],
        init: Tensor | Number | str | bool | Sequence[Any] | dict[Any, Any],
        xs: Sequence[Any] | None,
        length: int | None = None,
        unroll: bool = True,
    ) -> Any: ...
class ScatterAdd(Primitive):
    """Change a Parameter in place by `add` at indices of the first axis."""
    use_locking: bool
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, input_x: Parameter | Tensor, indices: Tensor, updates: Tensor) -> Tensor: ...
class ScatterAddWithAxis(Primitive):
    """`input_x` with `updates` added at the places `indices` along an axis."""
    axis: Any
    def __init__(self, axis: Any = 0) -> None: ...
    def __call__(self, input_x: Any, indices: Any, updates: Any) -> Any: ...
class ScatterDiv(Primitive):
    """Change a Parameter in place by `div` at indices of the first axis."""
    use_locking: bool
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, input_x: Parameter | Tensor, indices: Tensor, updates: Tensor) -> Tensor: ...
class ScatterMax(Primitive):
    """Change a Parameter in place by `max` at indices of the first axis."""
    use_locking: bool
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, input_x: Parameter | Tensor, indices: Tensor, updates: Tensor) -> Tensor: ...
class ScatterMin(Primitive):
    """Change a Parameter in place by `min` at indices of the first axis."""
    use_locking: bool
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, input_x: Parameter | Tensor, indices: Tensor, updates: Tensor) -> Tensor: ...
class ScatterMul(Primitive):
    """Change a Parameter in place by `mul` at indices of the first axis."""
    use_locking: bool
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, input_x: Parameter | Tensor, indices: Tensor, updates: Tensor) -> Tensor: ...
class ScatterNd(Primitive):
    """Zeros of a shape with updates added at coordinates."""
    def __init__(self) -> None: ...
    def __call__(self, indices: Any, updates: Any, shape: Any) -> Any: ...
class ScatterNdAdd(Primitive):
    """Change a Parameter in place by `add` at coordinates in the last dimension of `indices`."""
    use_locking: bool
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, input_x: Parameter | Tensor, indices: Tensor, updates: Tensor) -> Tensor: ...
class ScatterNdDiv(Primitive):
    """Change a Parameter in place by `div` at coordinates in the last dimension of `indices`."""
    use_locking: bool
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, input_x: Parameter | Tensor, indices: Tensor, updates: Tensor) -> Tensor: ...
class ScatterNdMax(Primitive):
    """Change a Parameter in place by `max` at coordinates in the last dimension of `indices`."""
    use_locking: bool
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, input_x: Parameter | Tensor, indices: Tensor, updates: Tensor) -> Tensor: ...
class ScatterNdMin(Primitive):
    """Change a Parameter in place by `min` at coordinates in the last dimension of `indices`."""
    use_locking: bool
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, input_x: Parameter | Tensor, indices: Tensor, updates: Tensor) -> Tensor: ...
class ScatterNdMul(Primitive):
    """Change a Parameter in place by `mul` at coordinates in the last dimension of `indices`."""
    use_locking: bool
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, input_x: Parameter | Tensor, indices: Tensor, updates: Tensor) -> Tensor: ...
class ScatterNdSub(Primitive):
    """Change a Parameter in place by `sub` at coordinates in the last dimension of `indices`."""
    use_locking: bool
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, input_x: Parameter | Tensor, indices: Tensor, updates: Tensor) -> Tensor: ...
class ScatterNdUpdate(Primitive):
    """Change a Parameter in place by `update` at coordinates in the last dimension of `indices`."""
    use_locking: bool
    def __init__(self, use_locking: bool = True) -> None: ...
    def __call__(self, input_x: Parameter | Tensor, indices: Tensor, updates: Tensor) -> Tensor: ...
class ScatterNonAliasingAdd(Primitive):
    """Change a Parameter in place by `add` at coordinates in the last dimension of `indices`."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Any, indices: Any, updates: Any) -> Any: ...
class ScatterSub(Primitive):
    """Subtract updates from rows of a Parameter, in place."""
    use_locking: bool
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, input_x: Parameter | Tensor, indices: Tensor, updates: Tensor) -> Tensor: ...
class ScatterUpdate(Primitive):
    """Change a Parameter in place by `update` at indices of the first axis."""
    use_locking: bool
    def __init__(self, use_locking: bool = True) -> None: ...
    def __call__(self, input_x: Parameter | Tensor, indices: Tensor, updates: Tensor) -> Tensor: ...
class SeLU(Primitive):
    """Scaled ELU: 1.0507 * elu(x, 1.67326)."""
    def __init__(self) -> None: ...
    def __call__(self, x: Any) -> Tensor: ...
class SearchSorted(Primitive):
    """The insertion points of values in a sorted tensor."""
    dtype: Any
    right: bool
    def __init__(self, dtype: Any = ..., right: bool = False) -> None: ...
    def __call__(self, sorted_sequence: Tensor, values: Tensor) -> Tensor: ...
class SegmentMax(Primitive):
    """The max of the rows of each segment; 0 for a segment without rows."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, segment_ids: Tensor) -> Tensor: ...
class SegmentMean(Primitive):
    """The mean of the rows of each segment; 0 for a segment without rows."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, segment_ids: Tensor) -> Tensor: ...
class SegmentMin(Primitive):
    """The min of the rows of each segment; 0 for a segment without rows."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, segment_ids: Tensor) -> Tensor: ...
class SegmentProd(Primitive):
    """The prod of the rows of each segment; 1 for a segment without rows."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, segment_ids: Tensor) -> Tensor: ...
class SegmentSum(Primitive):
    """The sum of the rows of each segment; 0 for a segment without rows."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, segment_ids: Tensor) -> Tensor: ...
class Select(Primitive):
    """`input` where the condition is true, `other` elsewhere; shapes broadcast."""
    def __init__(self) -> None: ...
    def __call__(self, condition: Any, x: Any, y: Any) -> Any: ...
class SelectView(Primitive):
    """The slice at one index along an axis."""
    def __init__(self) -> None: ...
    def __call__(self, input_tensor: Any, index: Any, axis: Any) -> Any: ...
class Send(Primitive):
    """Sends a tensor; returns 0. Arguments as of `isend`."""
    sr_tag: int
    dest_rank: int
    group: str
    group_back: str
    def __init__(
        self,
        sr_tag: int,
        dest_rank: int,
        group: str = 'hccl_world_group',
        group_back: str = 'hccl_world_group',
    ) -> None: ...
    def __call__(self, input_x: Tensor) -> Any: ...
class Shape(Primitive):
    """The shape of a tensor, a COOTensor or a CSRTensor, as a tuple of ints."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor) -> tuple[Any, ...]: ...
class SiLU(Primitive):
    """x * sigmoid(x), also called swish."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class Sigmoid(Primitive):
    """1 / (1 + exp(-x))."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class SigmoidCrossEntropyWithLogits(Primitive):
    """The primitive SigmoidCrossEntropyWithLogits: elementwise loss."""
    def __init__(self) -> None: ...
    def __call__(self, logits: Tensor, label: Tensor) -> Tensor: ...
class Sign(Primitive):
    """-1, 0 or 1 by the sign of each element; 0 for NaN."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class Sin(Primitive):
    """Sine of each element, in radians. Integers and bool give Float32."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class Sinc(Primitive):
    """sin(pi x) / (pi x), 1 at zero. Integers and bool give Float32."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class Sinh(Primitive):
    """Hyperbolic sine of each element. Integers and bool give Float32."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class Size(Primitive):
    """The number of a tensor's elements."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor) -> int: ...
class Slice(Primitive):
    """A block of the tensor; a view in PYNATIVE_MODE."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, begin: Sequence[Any], size: Sequence[Any]) -> Tensor: ...
SliceGetItem: Any
class SmoothL1Loss(Primitive):
    """0.5 d ** 2 / beta where |d| < beta, |d| - 0.5 beta elsewhere, for d = input - target."""
    beta: Any
    reduction: str | Any
    def __init__(self, beta: Any = 1.0, reduction: str | Any = 'none') -> None: ...
    def __call__(self, prediction: Any, target: Any) -> Any: ...
class SoftMarginLoss(Primitive):
    """log(1 + exp(-target * input))."""
    reduction: str | Any
    def __init__(self, reduction: str | Any = 'mean') -> None: ...
    def __call__(self, input: Any, target: Any) -> Any: ...
class SoftShrink(Primitive):
    """x - `lambd` above `lambd`, x + `lambd` below -`lambd`, else 0."""
    lambd: Any
    def __init__(self, lambd: Any = 0.5) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class Softmax(Primitive):
    """The elements' exponentials divided by their sum along an axis."""
    axis: int | Sequence[Any]
    def __init__(self, axis: int | Sequence[Any] = -1) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...
class SoftmaxCrossEntropyWithLogits(Primitive):
    """Primitive SoftmaxCrossEntropyWithLogits: loss [N] of logits [N, C] with probabilities [N, C], and its gradient."""
    def __init__(self) -> None: ...
    def __call__(self, logits: Tensor, labels: Tensor) -> tuple[Any, ...]: ...
class Softplus(Primitive):
    """log(1 + exp(beta * x)) / beta; x itself where beta * x > `threshold`."""
    def __init__(self) -> None: ...
    def __call__(self, x: Any) -> Tensor: ...
class Softsign(Primitive):
    """x / (1 + |x|)."""
    def __init__(self) -> None: ...
    def __call__(self, x: Any) -> Tensor: ...
class Sort(Primitive):
    """The elements in order along an axis, and their former positions (Int32)."""
    axis: int
    descending: bool
    def __init__(self, axis: int = -1, descending: bool = False) -> None: ...
    def __call__(self, x: Tensor) -> tuple[Tensor, Tensor]: ...
class SpaceToBatch(Primitive):
    """The two spatial dimensions padded, and cut into blocks along the batch dimension."""
    block_size: int
    paddings: Sequence[Any]
    def __init__(self, block_size: int, paddings: Sequence[Any]) -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...
class SpaceToBatchND(Primitive):
    """Blocks of the last axes, padded with zeros, as samples of the batch; the inverse of `batch_to_space_nd`."""
    block_shape: Sequence[int] | int
    paddings: Sequence[Any]
    def __init__(self, block_shape: Sequence[int] | int, paddings: Sequence[Any]) -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...
class SpaceToDepth(Primitive):
    """[N, C, H * b, W * b] to [N, C * b * b, H, W]."""
    block_size: int
    def __init__(self, block_size: int) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class SparseApplyAdadelta(Primitive):
    """Steps in the units of the Parameter."""
    epsilon: float
    use_locking: bool
    def __init__(self, epsilon: float, use_locking: bool = False) -> None: ...
    def __call__(
        self,
        var: Parameter | Tensor,
        accum: Parameter | Tensor,
        accum_update: Parameter | Tensor,
        lr: float | Tensor,
        rho: float | Tensor,
        grad: Tensor,
        indices: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]: ...
class SparseApplyAdagrad(Primitive):
    """Steps over the root of summed squares."""
    lr: Any
    update_slots: bool
    use_locking: bool
    def __init__(self, lr: Any, update_slots: bool = True, use_locking: bool = False) -> None: ...
    def __call__(self, var: Any, accum: Any, grad: Any, indices: Any) -> Any: ...
class SparseApplyAdagradV2(Primitive):
    """Adagrad with `epsilon` in the denominator."""
    lr: float
    epsilon: float
    use_locking: bool
    update_slots: bool
    def __init__(self, lr: float, epsilon: float, use_locking: bool = False, update_slots: bool = True) -> None: ...
    def __call__(
        self,
        var: Parameter | Tensor,
        accum: Parameter | Tensor,
        grad: Tensor,
        indices: Tensor,
    ) -> tuple[Tensor, Tensor]: ...
class SparseApplyFtrl(Primitive):
    """Follow the regularized leader."""
    lr: float
    l1: float
    l2: float
    lr_power: float
    use_locking: bool
    def __init__(self, lr: float, l1: float, l2: float, lr_power: float, use_locking: bool = False) -> None: ...
    def __call__(
        self,
        var: Parameter | Tensor,
        accum: Parameter | Tensor,
        linear: Parameter | Tensor,
        grad: Tensor,
        indices: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]: ...
class SparseApplyFtrlV2(Primitive):
    """FTRL whose linear part sees the gradient with an L2 penalty."""
    lr: Any
    l1: Any
    l2: Any
    l2_shrinkage: Any
    lr_power: Any
    use_locking: bool
    def __init__(
        self,
        lr: Any,
        l1: Any,
        l2: Any,
        l2_shrinkage: Any,
        lr_power: Any,
        use_locking: bool = False,
    ) -> None: ...
    def __call__(self, var: Any, accum: Any, linear: Any, grad: Any, indices: Any) -> Any: ...
class SparseApplyProximalAdagrad(Primitive):
    """Adagrad with a proximal step of the same, adapted rate."""
    use_locking: bool
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(
        self,
        var: Parameter | Tensor,
        accum: Any,
        lr: Number | Tensor,
        l1: Number | Tensor,
        l2: Number | Tensor,
        grad: Tensor,
        indices: Tensor,
    ) -> tuple[Tensor, Tensor]: ...
class SparseApplyRMSProp(Primitive):
    """RMSProp whose mean square stays as it is where the gradient is 0."""
    decay: Any
    momentum: float
    epsilon: float
    use_locking: bool
    def __init__(self, decay: Any, momentum: float, epsilon: float, use_locking: bool = False) -> None: ...
    def __call__(
        self,
        var: Parameter | Tensor,
        mean_square: Any,
        moment: Any,
        lr: Number | Tensor,
        grad: Tensor,
        indices: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]: ...
class SparseGatherV2(Primitive):
    """The slices of a tensor at indices along an axis."""
    def __init__(self) -> None: ...
    def __call__(self, input_params: Tensor, input_indices: Tensor, axis: int | Tensor) -> Tensor: ...
class SparseSlice(Primitive):
    """The part of a sparse tensor in a box."""
    def __init__(self) -> None: ...
    def __call__(self, indices: Tensor, values: Tensor, shape: Tensor, start: Tensor, size: Tensor) -> Any: ...
class SparseSoftmaxCrossEntropyWithLogits(Primitive):
    """Cross entropy with integer labels: the mean loss, or its gradient."""
    is_grad: bool
    def __init__(self, is_grad: bool = False) -> None: ...
    def __call__(self, logits: Tensor, labels: Tensor) -> Tensor: ...
class SparseTensorDenseAdd(Primitive):
    """A dense tensor plus a sparse one."""
    def __init__(self) -> None: ...
    def __call__(self, x1_indices: Tensor, x1_values: Tensor, x1_shape: Any, x2: Tensor) -> Tensor: ...
class SparseTensorDenseMatmul(Primitive):
    """The product of a sparse and a dense matrix."""
    adjoint_st: bool
    adjoint_dt: bool
    def __init__(self, adjoint_st: bool = False, adjoint_dt: bool = False) -> None: ...
    def __call__(self, indices: Tensor, values: Tensor, sparse_shape: Any, dense: Tensor) -> Tensor: ...
class SparseToDense(Primitive):
    """A dense tensor with values at coordinates and 0 elsewhere; of values at one place the last counts."""
    def __init__(self) -> None: ...
    def __call__(self, indices: Tensor, values: Tensor, sparse_shape: Any) -> Tensor: ...
class Split(Primitive):
    """`output_num` equal pieces along an axis, the primitive `Split`."""
    axis: int
    output_num: int
    def __init__(self, axis: int = 0, output_num: int = 1) -> None: ...
    def __call__(self, x: Any) -> tuple[Any, ...]: ...
class SplitV(Primitive):
    """Pieces along an axis; views in PYNATIVE_MODE."""
    size_splits: Sequence[Any]
    split_dim: int
    num_split: int
    def __init__(self, size_splits: Sequence[Any], split_dim: int, num_split: int) -> None: ...
    def __call__(self, x: Any) -> Tensor: ...
class Sqrt(Primitive):
    """Square root of each element; NaN for negative ones. Integers and bool give Float32."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class Square(Primitive):
    """Each element times itself, in its own dtype."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class SquareSumAll(Primitive):
    """The sums of two tensors' squares."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]: ...
class SquaredDifference(Primitive):
    """(input - other) squared."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Tensor: ...
class Squeeze(Primitive):
    """Dimensions of size 1 taken away; named ones of another size stay. A view in PYNATIVE_MODE."""
    axis: int | Sequence[int]
    def __init__(self, axis: int | Sequence[int] = ...) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...
class Stack(Primitive):
    """Tensors of one dtype and shape joined along a new axis."""
    axis: int
    def __init__(self, axis: int = 0) -> None: ...
    def __call__(self, tensors: Any) -> Tensor: ...
class StandardLaplace(Primitive):
    """Float32 numbers from the Laplace distribution with mean 0 and scale 1."""
    seed: int
    seed2: int
    def __init__(self, seed: int = 0, seed2: int = 0) -> None: ...
    def __call__(self, shape: Sequence[int] | Tensor) -> Tensor: ...
class StandardNormal(Primitive):
    """Float32 numbers of the standard normal distribution."""
    seed: int
    seed2: int
    def __init__(self, seed: int = 0, seed2: int = 0) -> None: ...
    def __call__(self, shape: Sequence[Any]) -> Tensor: ...
class StopGradient(Primitive):
    """The value, as a constant for differentiation."""
    def __init__(self) -> None: ...
    def __call__(self, x: Any) -> Any: ...
class StridedSlice(Primitive):
    """`input_x[begin:end:strides]` with bit masks that change the meaning of single positions."""
    begin_mask: Any
    end_mask: Any
    ellipsis_mask: Any
    new_axis_mask: Any
    shrink_axis_mask: Any
    def __init__(
        self,
        begin_mask: Any = 0,
        end_mask: Any = 0,
        ellipsis_mask: Any = 0,
        new_axis_mask: Any = 0,
        shrink_axis_mask: Any = 0,
    ) -> None: ...
    def __call__(self, input_x: Any, begin: Any, end: Any, strides: Any) -> Any: ...
class Sub(Primitive):
    """The difference; of two bool tensors their exclusive or."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Tensor: ...
class SubAndFilter(Primitive):
    """The elements of `input_x - offset` in [0, max_num), and their places."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, max_num: int, offset: int) -> tuple[Tensor, Tensor]: ...
class Svd(Primitive):
    """Singular value decomposition."""
    full_matrices: bool
    compute_uv: bool
    def __init__(self, full_matrices: bool = False, compute_uv: bool = True) -> None: ...
    def __call__(self, x: Any) -> Any: ...
from ms_compat.ops._kernel_info import TBERegOp as TBERegOp
from ms_compat.communication.store import TCPStore as TCPStore
class Tan(Primitive):
    """Tangent of each element, in radians. Integers and bool give Float32."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...
class Tanh(Primitive):
    """Hyperbolic tangent."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class TensorAdd(Primitive):
    """The sum; of two bool tensors their disjunction."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Any: ...
from ms_compat.ops._inspect_values import TensorDump as _TensorDump
class TensorDump(_TensorDump):
    """Write tensors to files; call it with (file, input_x), see `tensordump`."""
    def __init__(self, input_output: str = 'out') -> None: ...
    def __call__(self, file: str, input_x: Tensor) -> Any: ...
class TensorScatterAdd(Primitive):
    """A copy with the slices at coordinates changed by `add`."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Any, indices: Any, updates: Any) -> Any: ...
class TensorScatterDiv(Primitive):
    """A copy with the slices at coordinates changed by `div`."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor: ...
class TensorScatterElements(Primitive):
    """A copy with the elements at indices along an axis replaced, or added to with reduction "add"."""
    axis: int
    reduction: str
    def __init__(self, axis: int = 0, reduction: str = 'none') -> None: ...
    def __call__(self, data: Tensor, indices: Tensor, updates: Tensor) -> Tensor: ...
class TensorScatterMax(Primitive):
    """A copy with the slices at coordinates changed by `max`."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor: ...
class TensorScatterMin(Primitive):
    """A copy with the slices at coordinates changed by `min`."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor: ...
class TensorScatterMul(Primitive):
    """A copy with the slices at coordinates changed by `mul`."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor: ...
class TensorScatterSub(Primitive):
    """A copy with the slices at coordinates changed by `sub`."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor: ...
class TensorScatterUpdate(Primitive):
    """A copy with the slices at coordinates changed by `update`."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Any) -> Tensor: ...
class TensorShape(Primitive):
    """The sizes of a tensor's dimensions, as a 1-d Int64 Tensor."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Any) -> Any: ...
from ms_compat.ops._debug import TensorSummary as TensorSummary
class TensorToTuple(Primitive):
    """The elements of a 1-d tensor as a tuple of Python numbers."""
    def __init__(self) -> None: ...
    def __call__(self, input_tensor: Any) -> tuple[Any, ...]: ...
class Tile(Primitive):
    """The tensor repeated along each dimension."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, dims: Sequence[int]) -> Tensor: ...
class TopK(Primitive):
    """The `k` largest elements along the last dimension and where they stood (Int32)."""
    sorted: bool
    def __init__(self, sorted: bool = True) -> None: ...
    def __call__(self, input_x: Tensor, k: Tensor | int) -> tuple[Tensor, Tensor]: ...
class Trace(Primitive):
    """The sum of a matrix's main diagonal, in its own dtype."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class Transpose(Primitive):
    """The dimensions in another order; a view in PYNATIVE_MODE."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, dims: Any) -> Any: ...
class TransposeExtView(Primitive):
    """Two dimensions exchanged; a view in PYNATIVE_MODE."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, dim0: Any, dim1: Any) -> Any: ...
class TransposeView(Primitive):
    """The dimensions in another order; a view in PYNATIVE_MODE."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, input_perm: Any) -> Any: ...
class TridiagonalMatMul(Primitive):
    """The product of tridiagonal matrices and matrices."""
    def __init__(self) -> None: ...
    def __call__(self, superdiag: Tensor, maindiag: Tensor, subdiag: Tensor, rhs: Tensor) -> Tensor: ...
class Tril(Primitive):
    """The lower triangle of the last two dimensions, zeros elsewhere."""
    diagonal: int
    def __init__(self, diagonal: int = 0) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...
class TrilIndices(Primitive):
    """The row and column numbers of a lower triangle, as a tensor of two rows."""
    row: int
    col: int
    offset: int
    dtype: Any
    def __init__(self, row: int, col: int, offset: int = 0, dtype: Any = ...) -> None: ...
    def __call__(self) -> Tensor: ...
class TripletMarginLoss(Primitive):
    """max(0, d(anchor, positive) - d(anchor, negative) + margin) with the p-norm distance along the second axis."""
    p: int
    swap: bool
    eps: float
    reduction: str
    def __init__(self, p: int = 2, swap: bool = False, eps: float = 1e-06, reduction: str = 'mean') -> None: ...
    def __call__(self, x: Tensor, positive: Tensor, negative: Tensor, margin: Tensor) -> Any: ...
class Triu(Primitive):
    """The upper triangle of the last two dimensions, zeros elsewhere; arguments as for `tril`."""
    diagonal: Any
    def __init__(self, diagonal: Any = 0) -> None: ...
    def __call__(self, x: Any) -> Any: ...
class TriuIndices(Primitive):
    """The row and column numbers of an upper triangle, as a tensor of two rows."""
    row: int
    col: int
    offset: int
    dtype: Any
    def __init__(self, row: int, col: int, offset: int = 0, dtype: Any = ...) -> None: ...
    def __call__(self) -> Tensor: ...
class Trunc(Primitive):
    """Each element without its fraction. Integers are returned as they are."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any) -> Any: ...
class TruncateDiv(Primitive):
    """The quotient rounded towards zero."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Tensor: ...
class TruncateMod(Primitive):
    """The remainder with the dividend's sign, and 0 of an integer divided by 0."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Tensor: ...
class TruncatedNormal(Primitive):
    """Standard normal random numbers between -2 and 2."""
    dtype: Any
    seed: int
    seed2: int
    def __init__(self, dtype: Any = ..., seed: int = 0, seed2: int = 0) -> None: ...
    def __call__(self, shape: Tensor) -> Tensor: ...
class TupleToArray(Primitive):
    """A tuple of numbers with one type as a 1-d tensor: ints give Int32, floats Float32."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Sequence[Any]) -> Tensor: ...
class UniformCandidateSampler(Primitive):
    """Classes drawn evenly from [0, range_max), and how often each class is expected among them."""
    num_true: int
    num_sampled: int
    unique: bool
    range_max: int
    seed: int
    remove_accidental_hits: bool
    def __init__(
        self,
        num_true: int,
        num_sampled: int,
        unique: bool,
        range_max: int,
        seed: int = 0,
        remove_accidental_hits: bool = False,
    ) -> None: ...
    def __call__(self, true_classes: Tensor) -> tuple[Tensor, Tensor, Tensor]: ...
class UniformInt(Primitive):
    """Int32 random numbers from `minval` up to, but without, `maxval`."""
    seed: int
    seed2: int
    def __init__(self, seed: int = 0, seed2: int = 0) -> None: ...
    def __call__(self, shape: Sequence[Any] | Tensor, minval: Tensor, maxval: Tensor) -> Tensor: ...
class UniformReal(Primitive):
    """Float32 random numbers from 0 up to, but without, 1."""
    seed: int
    seed2: int
    def __init__(self, seed: int = 0, seed2: int = 0) -> None: ...
    def __call__(self, shape: Sequence[Any] | Tensor) -> Tensor: ...
class Unique(Primitive):
    """The different elements in order of first occurrence, and for each element which of them it is."""
    def __init__(self) -> None: ...
    def __call__(self, x: Any) -> tuple[Any, ...]: ...
class UniqueConsecutive(Primitive):
    """The elements without those equal to their predecessor."""
    return_inverse: bool
    return_counts: bool
    dim: int | None
    def __init__(self, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None) -> None: ...
    def __call__(self, x: Tensor) -> Any: ...
class UniqueWithPad(Primitive):
    """As `unique` of a 1-d tensor, filled up to its length with `pad_num`; ValueError for other shapes."""
    def __init__(self) -> None: ...
    def __call__(self, x: Any, pad_num: Any) -> Any: ...
class Unpack(Primitive):
    """The slices along an axis, without it; views in PYNATIVE_MODE."""
    axis: Any
    def __init__(self, axis: Any = 0) -> None: ...
    def __call__(self, x: Any) -> Any: ...
class UnravelIndex(Primitive):
    """The coordinates of flat indices in an array of a shape."""
    def __init__(self) -> None: ...
    def __call__(self, indices: Tensor, dims: Tensor) -> Tensor: ...
class UnsortedSegmentMax(Primitive):
    """The maxima of the slices with one segment number; the dtype's smallest number for an empty one."""
    def __init__(self) -> None: ...
    def __call__(self, x: Any, segment_ids: Tensor, num_segments: int | Tensor) -> Tensor: ...
class UnsortedSegmentMin(Primitive):
    """The minima of the slices with one segment number; the dtype's largest number for an empty one."""
    def __init__(self) -> None: ...
    def __call__(self, x: Any, segment_ids: Tensor, num_segments: int | Tensor) -> Tensor: ...
class UnsortedSegmentProd(Primitive):
    """The products of the slices with one segment number; 1 for an empty one."""
    def __init__(self) -> None: ...
    def __call__(self, x: Any, segment_ids: Tensor, num_segments: int | Tensor) -> Tensor: ...
class UnsortedSegmentSum(Primitive):
    """The sums of the slices with one segment number; negative numbers are left out."""
    def __init__(self) -> None: ...
    def __call__(self, input_x: Any, segment_ids: Any, num_segments: Any) -> Any: ...
class Unstack(Primitive):
    """The slices along an axis, without it; views in PYNATIVE_MODE."""
    axis: int
    num: int | None
    def __init__(self, axis: int = 0, num: int | None = None) -> None: ...
    def __call__(self, x: Any) -> tuple[Any, ...]: ...
class UpdateState(Primitive):
    """The first of the values; it orders effects in MindSpore's graphs."""
    def __init__(self) -> None: ...
    def __call__(self, *inputs: Any) -> Any: ...
class UpperBound(Primitive):
    """For each row, the first position of its sorted sequence whose element is above the value."""
    out_type: Any
    def __init__(self, out_type: Any = ...) -> None: ...
    def __call__(self, sorted_x: Tensor, values: Tensor) -> Tensor: ...
class UpsampleNearest3D(Primitive):
    """[N, C, D, H, W] to a new size by the nearest element."""
    def __init__(self) -> None: ...
    def __call__(
        self,
        x: Tensor,
        output_size: Sequence[int] | None = None,
        scales: Sequence[float] | None = None,
    ) -> Tensor: ...
class UpsampleTrilinear3D(Primitive):
    """[N, C, D, H, W] to a new size by linear interpolation; arguments as for `upsample_nearest_3d`."""
    align_corners: bool
    def __init__(self, align_corners: bool = False) -> None: ...
    def __call__(
        self,
        x: Tensor,
        output_size: Sequence[int] | None = None,
        scales: Sequence[float] | None = None,
    ) -> Tensor: ...
from ms_compat.ops._loops import WhileLoop as _WhileLoop
class WhileLoop(_WhileLoop):
    """`while cond_func(value): value = loop_func(value)`; call it with (cond_func, loop_func, init_val)."""
    def __init__(self) -> None: ...
    def __call__(
        self,
        cond_func: Callable[..., Any],
        loop_func: Callable[..., Any],
        init_val: Tensor | Number | str | bool | Sequence[Any] | dict[Any, Any],
    ) -> Any: ...
class Xdivy(Primitive):
    """input / other; 0 where input is."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Tensor: ...
class Xlogy(Primitive):
    """input * log(other), and 0 where the input is 0. A number is taken in Float32."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, other: Tensor) -> Tensor: ...
class Zeros(Primitive):
    """A tensor of zeros."""
    def __init__(self) -> None: ...
    def __call__(self, shape: Any, type: Any) -> Any: ...
class ZerosLike(Primitive):
    """Zeros in the shape of a tensor, in its dtype or another."""
    def __init__(self) -> None: ...
    def __call__(self, x: Any) -> Tensor: ...
class Zeta(Primitive):
    """The Hurwitz zeta function."""
    def __init__(self) -> None: ...
    def __call__(self, input: Any, other: Any) -> Tensor: ...
from ms_compat._autograd.inner_grad import _Grad as _Grad
from ms_compat._inner.ops import _Vmap as _Vmap
_add_attr: Any
from . import _aot as _aot
from . import _compiled_calls as _compiled_calls
from . import _custom as _custom
from . import _custom_registration as _custom_registration
from . import _debug as _debug
from . import _documentation as _documentation
from . import _environ as _environ
from . import _extension as _extension
from ms_compat._core import faces as __faces
_faces = __faces
from . import _float_status as _float_status
from . import _inspect_values as _inspect_values
from . import _kernel_info as _kernel_info
from . import _language as _language
from . import _loops as _loops
_make: Any
_ones_like_for_grad: Any
from . import _parameter_server as _parameter_server
_primexpr: Any
from . import _primitive_cache as _primitive_cache
from . import _primitive_metadata as _primitive_metadata
from . import _primitive_rules as _primitive_rules
from . import _scalars as _scalars
_select_view: Any
from . import _strategies as _strategies
_unsupported_getattr: Any
def abs(input: Tensor) -> Tensor:
    """Absolute value; a complex tensor keeps its dtype, as in MindSpore."""
def absolute(input: Any) -> Any:
    """Absolute value; a complex tensor keeps its dtype, as in MindSpore."""
def accumulate_n(x: Sequence[Tensor]) -> Tensor:
    """The sum of tensors with one dtype and shape; in PYNATIVE_MODE, one alone is returned itself."""
def acos(input: Tensor) -> Tensor:
    """Arccosine of each element. Integers and bool give Float32."""
def acosh(input: Tensor) -> Tensor:
    """Inverse hyperbolic cosine of each element. Integers and bool give Float32."""
def adaptive_avg_pool1d(input: Tensor, output_size: int) -> Tensor:
    """Averages of [N, C, L] to `output_size` positions, which must divide L; see `adaptive_avg_pool2d`."""
def adaptive_avg_pool2d(input: Tensor, output_size: int | Sequence[Any]) -> Tensor:
    """Averages of [N, C, H, W] or [C, H, W] to a given size."""
def adaptive_avg_pool2d_ext(input: Tensor, output_size: int | Sequence[Any]) -> Tensor:
    """Averages of [N, C, H, W] or [C, H, W] to a given size."""
def adaptive_avg_pool3d(input: Tensor, output_size: int | Sequence[Any]) -> Tensor:
    """Averages of [N, C, D, H, W] or [C, D, H, W] to a given size; see `adaptive_avg_pool2d`."""
def adaptive_max_pool1d(input: Tensor, output_size: int) -> Tensor:
    """Maxima of [N, C, L] over `output_size` windows, which must divide L."""
def adaptive_max_pool2d(input: Tensor, output_size: int | Sequence[Any], return_indices: bool = False) -> Tensor:
    """Maxima of [N, C, H, W] or [C, H, W] over windows that yield a given size."""
def adaptive_max_pool3d(input: Tensor, output_size: int | Sequence[Any], return_indices: bool = False) -> Any:
    """Maxima of [N, C, D, H, W] or [C, D, H, W] over windows that yield a given size; see `adaptive_max_pool2d`."""
def add(input: Tensor | Number | bool, other: Tensor | Number | bool) -> Tensor:
    """The sum; of two bool tensors their disjunction."""
def add_flags(fn: Callable[..., Any] | None = None, **flags: Any) -> Any:
    """Keep flags on a function, a class or a Cell; they concern MindSpore's compiler."""
def add_layer_norm(
    x1: Tensor,
    x2: Tensor,
    gamma: Tensor,
    beta: Tensor,
    epsilon: float = 1e-05,
    additional_output: bool = False,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """`LayerNorm` of x1 + x2 over the axes of `gamma`."""
def add_rms_norm(x1: Tensor, x2: Tensor, gamma: Tensor, epsilon: float = 1e-06) -> Tensor:
    """`rms_norm` of x1 + x2 over the last axes, which are `gamma`'s."""
def addbmm(input: Tensor, batch1: Tensor, batch2: Tensor, beta: int | float = 1, alpha: int | float = 1) -> Tensor:
    """beta * input + alpha * the sum of batched matrix products; arguments as for `addmm`."""
def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, value: Tensor | Number = 1) -> Tensor:
    """input + value * tensor1 / tensor2."""
def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, value: Tensor | Number = 1) -> Tensor:
    """input + value * tensor1 * tensor2."""
def addmm(input: Tensor, mat1: Tensor, mat2: Tensor, beta: int | float = 1, alpha: int | float = 1) -> Tensor:
    """beta * input + alpha * (mat1 @ mat2)."""
def addmv(
    input: Tensor,
    mat: Tensor,
    vec: Tensor,
    beta: int | float | bool = 1,
    alpha: int | float | bool = 1,
) -> Tensor:
    """beta * input + alpha * (mat @ vec); arguments as for `addmm`."""
def addn(x: Sequence[Tensor]) -> Tensor:
    """The sum of tensors with one dtype and shape; in PYNATIVE_MODE, one alone is returned itself."""
def addr(
    x: Tensor,
    vec1: Tensor,
    vec2: Tensor,
    beta: int | float | bool = 1,
    alpha: int | float | bool = 1,
) -> Tensor:
    """beta * x + alpha * outer(vec1, vec2); arguments as for `addmm`."""
def adjoint(x: Tensor) -> Tensor:
    """The last two dimensions exchanged, and complex conjugates; a view in PYNATIVE_MODE of a real tensor."""
def affine_grid(theta: Tensor, size: Sequence[int], align_corners: bool = False) -> Tensor:
    """The grid for `grid_sample` of an affine map."""
def all(input: Tensor, axis: int | Sequence[int] | Tensor | None = None, keep_dims: bool = False) -> Tensor:
    """Whether all elements over dimensions are true."""
def all_gather(
    tensor_list: Sequence[Tensor],
    tensor: Tensor,
    group: str | None = None,
    async_op: bool = False,
) -> Any:
    """The tensors of all processes, as a list."""
def all_gather_into_tensor(
    output_tensor: Tensor,
    input_tensor: Tensor,
    group: str | None = None,
    async_op: bool = False,
) -> Any:
    """Joins the tensors of all processes along the first dimension; arguments as of `all_reduce`."""
def all_gather_into_tensor_uneven(
    output: Tensor,
    input: Tensor,
    output_split_sizes: Sequence[int] | None = None,
    group: str | None = None,
    async_op: bool = False,
) -> Any:
    """Joins tensors of different lengths along the first dimension."""
def all_gather_matmul(
    input: Tensor,
    x2: Tensor,
    group: str,
    world_size: int,
    *,
    bias: Tensor | None = None,
    gather_index: int = 0,
    gather_output: bool = True,
    comm_turn: int = 0,
    trans_input: bool = False,
    trans_x2: bool = False,
) -> tuple[Tensor, Tensor]:
    """The rows of all processes times a matrix. MindSpore's takes half precision and 256 columns at least."""
def all_gather_object(object_list: Sequence[Any], obj: Any, group: str | None = None) -> Any:
    """Gathers the objects of all processes in each process."""
def all_reduce(tensor: Tensor, op: str = 'sum', group: str | None = None, async_op: bool = False) -> Any:
    """Combines the tensors of all processes, in each process."""
def all_to_all(
    output_tensor_list: Sequence[Tensor] | Sequence[Sequence[int]],
    input_tensor_list: Sequence[Tensor],
    group: str | None = None,
    async_op: bool = False,
) -> Any:
    """Sends tensor i to process i; shapes may differ."""
def all_to_all_single(
    output: Tensor | Sequence[int],
    input: Tensor,
    output_split_sizes: Sequence[int] | None = None,
    input_split_sizes: Sequence[int] | None = None,
    group: str | None = None,
    async_op: bool = False,
) -> Any:
    """Cuts a tensor along the first dimension, sends part i to process i, and joins the received parts."""
def all_to_all_v_c(
    output: Tensor,
    input: Tensor,
    send_count_matrix: Sequence[int],
    group: str | None = None,
    async_op: bool = False,
) -> Any:
    """As `all_to_all_single`, with the lengths of all processes' parts given as one matrix."""
def amax(
    input: Tensor,
    axis: int | Sequence[int] | Tensor | None = None,
    keepdims: bool = False,
    initial: Number | None = None,
    where: Tensor | None = None,
) -> Tensor:
    """The maximum over dimensions. Its gradient is shared evenly among equal elements."""
def amin(
    input: Tensor,
    axis: int | Sequence[int] | Tensor | None = None,
    keepdims: bool = False,
    initial: Number | None = None,
    where: Tensor | None = None,
) -> Tensor:
    """The minimum over dimensions; arguments as for `amax`."""
def aminmax(input: Tensor, axis: Any = 0, keepdims: bool = False) -> tuple[Any, ...]:
    """The minimum and the maximum along an axis (None: of all elements)."""
def angle(input: Tensor) -> Tensor:
    """The argument of a complex number; 0 or pi for a real one."""
def any(input: Tensor, axis: int | Sequence[int] | Tensor | None = None, keep_dims: bool = False) -> Tensor:
    """Whether any element over dimensions is true; arguments as for `all`."""
def approximate_equal(x: Tensor, y: Tensor, tolerance: float = 1e-05) -> Tensor:
    """Where |x - y| < tolerance."""
def arange(
    start: float | int | Tensor = 0,
    end: float | int | Tensor | None = None,
    step: float | int | Tensor = 1,
    *,
    dtype: Type | None = None,
) -> Tensor:
    """Numbers from `start` up to (without) `end` in steps; Int64 if all are ints, else Float32."""
def arccos(input: Any) -> Any:
    """Arccosine of each element. Integers and bool give Float32."""
def arccosh(input: Any) -> Any:
    """Inverse hyperbolic cosine of each element. Integers and bool give Float32."""
def arcsin(input: Any) -> Any:
    """Arcsine of each element. Integers and bool give Float32."""
def arcsinh(input: Any) -> Any:
    """Inverse hyperbolic sine of each element. Integers and bool give Float32."""
def arctan(input: Any) -> Any:
    """Arctangent of each element. Integers and bool give Float32."""
def arctan2(input: Any, other: Any) -> Any:
    """The angle of the point (other, input), in radians."""
def arctanh(input: Any) -> Any:
    """Inverse hyperbolic tangent of each element. Integers and bool give Float32."""
arg_dtype_cast: Any
arg_handler: Any
def argmax(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """The Int64 position of the first maximum along a dimension; of the flat tensor for None."""
def argmin(input: Tensor, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """The Int32 position of the first minimum along an axis; of the flat tensor for None. Int64 for a 0-d tensor."""
def argsort(input: Tensor, axis: int = -1, descending: bool = False) -> Tensor:
    """The positions of the elements in order along an axis (Int32); arguments as for `sort`."""
def argwhere(input: Tensor) -> Any:
    """As `nonzero`."""
array_ops: Any
array_reduce: Any
array_to_scalar: Any
def asin(input: Tensor) -> Tensor:
    """Arcsine of each element. Integers and bool give Float32."""
def asinh(input: Tensor) -> Tensor:
    """Inverse hyperbolic sine of each element. Integers and bool give Float32."""
def assign(variable: Parameter | Tensor, value: Any) -> Tensor:
    """Replace a Parameter's value in place."""
def assign_add(variable: Parameter | Tensor, value: Tensor | Number) -> Tensor:
    """Add to a Parameter in place; arguments as for `assign`. The sum that is returned has a gradient."""
def assign_sub(variable: Parameter | Tensor, value: Tensor) -> Tensor:
    """Subtract from a Parameter in place; arguments as for `assign`. The difference that is returned has a gradient."""
def atan(input: Tensor) -> Tensor:
    """Arctangent of each element. Integers and bool give Float32."""
def atan2(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """The angle of the point (other, input), in radians."""
def atanh(input: Tensor) -> Tensor:
    """Inverse hyperbolic tangent of each element. Integers and bool give Float32."""
def atleast_1d(inputs: Tensor | Sequence[Tensor]) -> Any:
    """The tensor or tensors with at least one dimension."""
def atleast_2d(inputs: Tensor | Sequence[Tensor]) -> Any:
    """The tensor or tensors with at least two dimensions."""
def atleast_3d(inputs: Tensor | Sequence[Tensor]) -> Any:
    """The tensor or tensors with at least three dimensions."""
augassign_add: Any
augassign_div: Any
augassign_floordiv: Any
augassign_mod: Any
augassign_mul: Any
augassign_sub: Any
auto_generate: Any
def avg_pool1d(
    input_x: Tensor,
    kernel_size: int = 1,
    stride: int | Sequence[int] = 1,
    padding: int | Sequence[int] = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:
    """Averages over windows of [N, C, L]; see `avg_pool2d`."""
def avg_pool2d(
    input_x: Tensor,
    kernel_size: int | Sequence[int] = 1,
    stride: int | Sequence[int] = 1,
    padding: int | Sequence[int] = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int = 0,
) -> Tensor:
    """Averages over windows of [N, C, H, W]."""
def avg_pool3d(
    input_x: Tensor,
    kernel_size: int | Sequence[int] = 1,
    stride: int | Sequence[int] = 1,
    padding: int | Sequence[int] = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int = 0,
) -> Tensor:
    """Averages over windows of [N, C, D, H, W]; see `avg_pool2d`."""
def baddbmm(input: Tensor, batch1: Tensor, batch2: Tensor, beta: float | int = 1, alpha: float | int = 1) -> Tensor:
    """beta * input + alpha * (batch1 @ batch2), matrix by matrix; arguments as for `addmm`."""
def baddbmm_ext(
    input: Tensor,
    batch1: Tensor,
    batch2: Tensor,
    beta: float | int = 1,
    alpha: float | int = 1,
) -> Tensor:
    """beta * input + alpha * (batch1 @ batch2), matrix by matrix; arguments as for `addmm`."""
def barrier(group: str | None = None, async_op: bool = False, device_ids: Sequence[int] | None = None) -> Any:
    """Returns when all processes of a group have come here."""
def bartlett_window(window_length: Tensor, periodic: bool = True, *, dtype: Type | None = None) -> Any:
    """A triangle: 1 - |2 i / (n - 1) - 1|."""
def batch_dot(x1: Tensor, x2: Tensor, axes: int | Sequence[int] | None = None) -> Tensor:
    """Products of two batches' samples, summed over one axis of each."""
def batch_isend_irecv(p2p_op_list: Sequence[Any]) -> list[Any]:
    """Sends and receives several tensors: the received ones, or a handle; see `set_comm_ops_inplace`."""
def batch_norm(
    input_x: Tensor,
    running_mean: Tensor | Parameter,
    running_var: Tensor | Parameter,
    weight: Tensor | Parameter,
    bias: Tensor | Parameter,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-05,
) -> Any:
    """Normalises every channel over the batch and the spatial axes."""
def batch_to_space_nd(input_x: Tensor, block_shape: Sequence[int] | int, crops: Any) -> Tensor:
    """Samples of the batch as blocks of the last axes, which are cropped then."""
def bernoulli(input: Tensor, p: Tensor | float = 0.5, seed: int | None = None) -> Tensor:
    """1 with probability `p`, else 0, of the shape and type of `input`; with a `seed` the same at every call."""
def bernoulli_(input: Any, p: Any = 0.5, *, generator: Any = None) -> Any:
    """1 with probability `p` (a number or a tensor), else 0, in place; returns the tensor."""
def bernoulli_ext(input: Tensor, *, generator: Any = None) -> Any:
    """1 with the probabilities that `input` holds, else 0, in its shape and type."""
def bessel_i0(input: Any) -> Tensor:
    """Modified Bessel function of order 0."""
def bessel_i0e(input: Any) -> Tensor:
    """exp(-|x|) times the modified Bessel function of order 0."""
def bessel_i1(input: Any) -> Tensor:
    """Modified Bessel function of order 1."""
def bessel_i1e(input: Any) -> Tensor:
    """exp(-|x|) times the modified Bessel function of order 1."""
def bessel_j0(x: Tensor) -> Tensor:
    """J0, the Bessel function of the first kind of order 0."""
def bessel_j1(x: Tensor) -> Tensor:
    """J1, the Bessel function of the first kind of order 1."""
def bessel_k0(x: Tensor) -> Tensor:
    """K0, the modified Bessel function; infinite up to 0."""
def bessel_k0e(x: Tensor) -> Tensor:
    """exp(x) K0(x); infinite up to 0."""
def bessel_k1(x: Tensor) -> Tensor:
    """K1, the modified Bessel function; infinite up to 0."""
def bessel_k1e(x: Tensor) -> Tensor:
    """exp(x) K1(x); infinite up to 0."""
def bessel_y0(x: Tensor) -> Tensor:
    """Y0, the Bessel function of the second kind of order 0; -inf up to 0."""
def bessel_y1(x: Tensor) -> Tensor:
    """Y1, the Bessel function of the second kind of order 1; -inf below 0, NaN at 0."""
def bias_add(input_x: Tensor, bias: Tensor, data_format: str | Any = 'NCHW') -> Tensor:
    """Adds a vector along the channels: axis 1, or the last for "NHWC"."""
def bidense(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """x1 @ weight[o] @ x2 for every output o, plus bias."""
def binary_cross_entropy(
    logits: Tensor,
    labels: Tensor,
    weight: Tensor | None = None,
    reduction: str = 'mean',
) -> Any:
    """-(y log p + (1 - y) log(1 - p)) of probabilities p, with p and 1 - p not below 1e-12."""
def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    pos_weight: Tensor | None = None,
    reduction: str = 'mean',
) -> Any:
    """Binary cross-entropy of sigmoid(input), without overflow."""
def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """How often each number from 0 on occurs in a 1-d tensor of integers (Float32), or the sums of their weights."""
def bitwise_and(input: Tensor, other: Any) -> Tensor:
    """The and of the bits."""
def bitwise_left_shift(input: Tensor | int | bool, other: Tensor | int | bool) -> Tensor:
    """The bits shifted to the left."""
def bitwise_or(input: Tensor, other: Any) -> Tensor:
    """The or of the bits."""
def bitwise_right_shift(input: Tensor | int | bool, other: Tensor | int | bool) -> Tensor:
    """The bits shifted to the right."""
def bitwise_xor(input: Tensor, other: Any) -> Tensor:
    """The exclusive or of the bits."""
def blackman_window(window_length: Tensor, periodic: bool = True, *, dtype: Type | None = None) -> Any:
    """0.42 - 0.5 cos(2 pi i / (n - 1)) + 0.08 cos(4 pi i / (n - 1)); arguments as for `bartlett_window`."""
def block_diag(*inputs: Any) -> Any:
    """A matrix with the inputs as blocks on its diagonal."""
def bmm(input_x: Tensor, mat2: Tensor) -> Tensor:
    """The products of two matrix batches."""
bool_and: Any
bool_eq: Any
bool_not: Any
bool_or: Any
def bounding_box_decode(
    anchor_box: Tensor,
    deltas: Tensor,
    max_shape: Sequence[Any],
    means: Sequence[Any] = ...,
    stds: Sequence[Any] = ...,
    wh_ratio_clip: float = 0.016,
) -> Tensor:
    """The boxes of codes, inside an image of `max_shape` (height, width); the inverse of `bounding_box_encode`."""
def bounding_box_encode(
    anchor_box: Tensor,
    groundtruth_box: Tensor,
    means: Sequence[Any] = ...,
    stds: Sequence[Any] = ...,
) -> Tensor:
    """Offsets of centres relative to the anchors' sizes, and logarithms of size ratios; standardised."""
def broadcast(tensor: Tensor, src: int, group: str | None = None, async_op: bool = False) -> Any:
    """Copies one process's tensor to each process."""
broadcast_gradient_args: Any
def broadcast_object_list(
    object_list: Sequence[Any],
    src: int = 0,
    group: str | None = None,
    device: str | None = None,
) -> Any:
    """Copies one process's objects to each process."""
broadcast_to: Any
broadcast_to_view: Any
def bucketize(input: Tensor, boundaries: Sequence[Any], *, right: bool = False) -> Tensor:
    """Each element's bucket number (Int32)."""
def cartesian_prod(*inputs: Any) -> Tensor:
    """The Cartesian product of the 1-d inputs, one combination a row."""
def cast(input: Tensor | Number, dtype: Type) -> Tensor:
    """The elements in another dtype; in PYNATIVE_MODE, a Tensor that has the dtype is returned itself."""
def cat(tensors: Sequence[Tensor], axis: int = 0) -> Tensor:
    """Tensors joined along an existing axis; in compiled code MindSpore combines several dtypes."""
def cdist(x1: Tensor, x2: Tensor, p: float = 2.0) -> Tensor:
    """The p-norm distances from each row in one tensor to each row in another."""
def ceil(input: Tensor) -> Tensor:
    """The smallest integer not below each element. Integers are returned as they are."""
def celu(x: Tensor, alpha: float = 1.0) -> Tensor:
    """max(0, x) + min(0, alpha * (exp(x / alpha) - 1))."""
def channel_shuffle(x: Tensor, groups: int) -> Tensor:
    """[N, groups * C, *] with the channels of the groups interleaved."""
def check_valid(bboxes: Tensor, img_metas: Tensor) -> Tensor:
    """Whether boxes are inside an image: Bool [N]."""
def choice_with_mask(input_x: Tensor, count: int = 256, seed: int | None = None) -> tuple[Tensor, Tensor]:
    """Random positions where a mask is True."""
def cholesky(input_x: Tensor, upper: bool = False) -> Tensor:
    """The Cholesky factors of positive definite matrices."""
def cholesky_inverse(input_x: Tensor, upper: bool = False) -> Tensor:
    """The inverse of the matrix with Cholesky factor `input_x`, of which MindSpore reads both triangles."""
def cholesky_solve(input: Tensor, input2: Tensor, upper: bool = False) -> Tensor:
    """Solutions of A x = input, where `input2` is the Cholesky factor of A."""
def chunk(input: Tensor, chunks: int, axis: int = 0) -> tuple[Any, ...]:
    """At most `chunks` pieces of equal size along an axis (the last may be smaller); views in PYNATIVE_MODE."""
def chunk_view(input: Any, chunks: Any, axis: Any = 0) -> Any:
    """At most `chunks` pieces of equal size along an axis (the last may be smaller); views in PYNATIVE_MODE."""
def clamp(input: Tensor, min: Tensor | float | int | None = None, max: Tensor | float | int | None = None) -> Tensor:
    """The elements limited to [min, max]; `max` where min > max. A float limit makes integers Float32."""
def clamp_(input: Any, min: Any = None, max: Any = None) -> Any:
    """The elements limited to [min, max], in place; returns the tensor."""
def clip(input: Any, min: Any = None, max: Any = None) -> Any:
    """The elements limited to [min, max]; `max` where min > max. A float limit makes integers Float32."""
def clip_by_global_norm(x: Any, clip_norm: float | int = 1.0, use_norm: None = None) -> Any:
    """Scales Tensors together, so that the norm of all elements does not exceed a number."""
def clip_by_norm(
    x: Tensor | Sequence[Tensor],
    max_norm: float | int,
    norm_type: float | int = 2.0,
    error_if_nonfinite: bool = False,
) -> Any:
    """Scales a Tensor, or a list or tuple together, down to a norm."""
def clip_by_value(x: Any, clip_value_min: Any = None, clip_value_max: Any = None) -> Any:
    """The elements limited to a range, in the tensor's own dtype; the upper limit wins where the limits cross."""
from ms_compat.ops.function.sparse.host import coalesce as coalesce
def col2im(
    input_x: Tensor,
    output_size: Tensor,
    kernel_size: int | Sequence[int],
    dilation: int | Sequence[int],
    padding_value: int | Sequence[int],
    stride: int | Sequence[int],
) -> Any:
    """The sum of sliding blocks [N, C, KH * KW, L] into [N, C, H, W]."""
def column_stack(tensors: Sequence[Tensor]) -> Tensor:
    """Joined along the second axis; 1-d tensors become columns."""
def combinations(input: Tensor, r: int = 2, with_replacement: bool = False) -> Tensor:
    """All combinations of `r` elements of a 1-d tensor, one a row."""
from . import communication as communication
from . import composite as composite
def concat(tensors: Any, axis: Any = 0) -> Any:
    """Tensors joined along an existing axis; in compiled code MindSpore combines several dtypes."""
def cond(A: Tensor, p: int | float | str | None = None) -> Tensor:
    """The condition number of matrices: norm(A) * norm(A's inverse)."""
def conj(input: Tensor) -> Tensor:
    """The complex conjugate."""
def constexpr(
    fn: Callable[..., Any] | None = None,
    get_instance: bool = True,
    name: str | None = None,
    reuse_result: bool = True,
    check: bool = True,
) -> Any:
    """Mark a function as computed on the host while compiling; here every function of constants is."""
def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: int | Sequence[int] = 1,
    pad_mode: str = 'valid',
    padding: int | Sequence[int] = 0,
    dilation: int | Sequence[int] = 1,
    groups: int = 1,
) -> Tensor:
    """1-D convolution (cross-correlation) of [N, C, L] with [O, C / groups, K]; see `conv2d`."""
def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: int | Sequence[int] = 1,
    pad_mode: str = 'valid',
    padding: int | Sequence[int] = 0,
    dilation: int | Sequence[int] = 1,
    groups: int = 1,
) -> Tensor:
    """2-D convolution (cross-correlation)."""
def conv3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: int | Sequence[int] = 1,
    pad_mode: str = 'valid',
    padding: int | Sequence[int] = 0,
    dilation: int | Sequence[int] = 1,
    groups: int = 1,
) -> Tensor:
    """3-D convolution (cross-correlation) of [N, C, D, H, W] with [O, C / groups, KD, KH, KW]; see `conv2d`."""
def conv3d_transpose(
    inputs: Tensor,
    weight: Tensor,
    pad_mode: str = 'valid',
    padding: int | Sequence[int] = 0,
    stride: int | Sequence[int] = 1,
    dilation: int | Sequence[int] = 1,
    group: int = 1,
    output_padding: int | Sequence[int] = 0,
) -> Tensor:
    """3-D transposed convolution: the gradient of a convolution with respect to its input."""
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
def coo2csr(row_indices: Tensor, height: int) -> Tensor:
    """Where each row starts, and the end, of row numbers in order."""
def coo_abs(x: COOTensor) -> COOTensor:
    """`ops.abs` of a COOTensor's values, at the same places."""
def coo_acos(x: COOTensor) -> COOTensor:
    """`ops.acos` of a COOTensor's values, at the same places."""
def coo_acosh(x: COOTensor) -> COOTensor:
    """`ops.acosh` of a COOTensor's values, at the same places."""
from ms_compat.ops.function.sparse.host import coo_add as coo_add
def coo_asin(x: COOTensor) -> COOTensor:
    """`ops.asin` of a COOTensor's values, at the same places."""
def coo_asinh(x: COOTensor) -> COOTensor:
    """`ops.asinh` of a COOTensor's values, at the same places."""
def coo_atan(x: COOTensor) -> COOTensor:
    """`ops.atan` of a COOTensor's values, at the same places."""
def coo_atanh(x: COOTensor) -> COOTensor:
    """`ops.atanh` of a COOTensor's values, at the same places."""
def coo_ceil(x: COOTensor) -> COOTensor:
    """`ops.ceil` of a COOTensor's values, at the same places."""
from ms_compat.ops.function.sparse.host import coo_concat as coo_concat
def coo_cos(x: COOTensor) -> COOTensor:
    """`ops.cos` of a COOTensor's values, at the same places."""
def coo_cosh(x: COOTensor) -> COOTensor:
    """`ops.cosh` of a COOTensor's values, at the same places."""
def coo_exp(x: COOTensor) -> COOTensor:
    """`ops.exp` of a COOTensor's values, at the same places."""
def coo_expm1(x: COOTensor) -> COOTensor:
    """`ops.expm1` of a COOTensor's values, at the same places."""
def coo_floor(x: COOTensor) -> COOTensor:
    """`ops.floor` of a COOTensor's values, at the same places."""
def coo_inv(x: COOTensor) -> COOTensor:
    """`ops.inv` of a COOTensor's values, at the same places."""
def coo_isfinite(x: COOTensor) -> COOTensor:
    """`ops.isfinite` of a COOTensor's values, at the same places."""
def coo_isinf(x: COOTensor) -> COOTensor:
    """`ops.isinf` of a COOTensor's values, at the same places."""
def coo_isnan(x: COOTensor) -> COOTensor:
    """`ops.isnan` of a COOTensor's values, at the same places."""
def coo_log(x: COOTensor) -> COOTensor:
    """`ops.log` of a COOTensor's values, at the same places."""
def coo_log1p(x: COOTensor) -> COOTensor:
    """`ops.log1p` of a COOTensor's values, at the same places."""
def coo_neg(x: COOTensor) -> COOTensor:
    """`ops.neg` of a COOTensor's values, at the same places."""
def coo_relu(x: COOTensor) -> COOTensor:
    """`ops.relu` of a COOTensor's values, at the same places."""
def coo_relu6(x: COOTensor) -> COOTensor:
    """`ops.relu6` of a COOTensor's values, at the same places."""
def coo_round(x: COOTensor) -> COOTensor:
    """`ops.round` of a COOTensor's values, at the same places."""
def coo_sigmoid(x: COOTensor) -> COOTensor:
    """`ops.sigmoid` of a COOTensor's values, at the same places."""
def coo_sin(x: COOTensor) -> COOTensor:
    """`ops.sin` of a COOTensor's values, at the same places."""
def coo_sinh(x: COOTensor) -> COOTensor:
    """`ops.sinh` of a COOTensor's values, at the same places."""
def coo_softsign(x: COOTensor) -> COOTensor:
    """`ops.softsign` of a COOTensor's values, at the same places."""
def coo_sqrt(x: COOTensor) -> COOTensor:
    """`ops.sqrt` of a COOTensor's values, at the same places."""
def coo_square(x: COOTensor) -> COOTensor:
    """`ops.square` of a COOTensor's values, at the same places."""
def coo_tan(x: COOTensor) -> COOTensor:
    """`ops.tan` of a COOTensor's values, at the same places."""
def coo_tanh(x: COOTensor) -> COOTensor:
    """`ops.tanh` of a COOTensor's values, at the same places."""
def coo_tensor_get_dense_shape(x: Any) -> Any:
    """The `shape` of a COOTensor."""
def coo_tensor_get_indices(x: Any) -> Any:
    """The `indices` of a COOTensor."""
def coo_tensor_get_values(x: Any) -> Any:
    """The `values` of a COOTensor."""
def copysign(input: Any, other: int | float | Tensor) -> Tensor:
    """The first operand's size with the second one's sign, as a float."""
def cos(input: Tensor) -> Tensor:
    """Cosine of each element, in radians. Integers and bool give Float32."""
def cosh(input: Tensor) -> Tensor:
    """Hyperbolic cosine of each element. Integers and bool give Float32."""
def cosine_embedding_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0.0,
    reduction: str = 'mean',
) -> Any:
    """1 - cos(a, b) where the target is 1, max(0, cos(a, b) - margin) where it is -1."""
def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-08) -> Tensor:
    """x1 . x2 / max(|x1| |x2|, eps) along one axis."""
def count_nonzero(x: Tensor, axis: int | Sequence[int] = ..., keep_dims: bool = False, dtype: Any = None) -> Tensor:
    """How many elements over dimensions are not 0, as Int32 or in `dtype`."""
def cov(
    input: Tensor,
    *,
    correction: int = 1,
    fweights: Tensor | None = None,
    aweights: Tensor | None = None,
) -> Tensor:
    """Covariances of the rows, whose columns are the observations."""
cpp_create_prim_instance_helper: Any
def crop_and_resize(
    image: Tensor,
    boxes: Tensor,
    box_indices: Tensor,
    crop_size: Sequence[int],
    method: str = 'bilinear',
    extrapolation_value: float = 0.0,
) -> Any:
    """Boxes cut out of images and resized: Float32 [boxes, height, width, channels]."""
def cross(input: Tensor, other: Tensor, dim: int | None = None) -> Tensor:
    """The vector product along a dimension of size 3 (the first such one for None)."""
def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = 'mean',
    label_smoothing: float = 0.0,
) -> Tensor:
    """Cross-entropy of logits with class numbers or class probabilities."""
def csr2coo(indptr: Tensor, nnz: int) -> Tensor:
    """The row of each element, from where the rows start."""
def csr_abs(x: CSRTensor) -> CSRTensor:
    """`ops.abs` of a CSRTensor's values, at the same places."""
def csr_acos(x: CSRTensor) -> CSRTensor:
    """`ops.acos` of a CSRTensor's values, at the same places."""
def csr_acosh(x: CSRTensor) -> CSRTensor:
    """`ops.acosh` of a CSRTensor's values, at the same places."""
from ms_compat.ops.function.sparse.host import csr_add as csr_add
def csr_asin(x: CSRTensor) -> CSRTensor:
    """`ops.asin` of a CSRTensor's values, at the same places."""
def csr_asinh(x: CSRTensor) -> CSRTensor:
    """`ops.asinh` of a CSRTensor's values, at the same places."""
def csr_atan(x: CSRTensor) -> CSRTensor:
    """`ops.atan` of a CSRTensor's values, at the same places."""
def csr_atanh(x: CSRTensor) -> CSRTensor:
    """`ops.atanh` of a CSRTensor's values, at the same places."""
def csr_ceil(x: CSRTensor) -> CSRTensor:
    """`ops.ceil` of a CSRTensor's values, at the same places."""
def csr_cos(x: CSRTensor) -> CSRTensor:
    """`ops.cos` of a CSRTensor's values, at the same places."""
def csr_cosh(x: CSRTensor) -> CSRTensor:
    """`ops.cosh` of a CSRTensor's values, at the same places."""
from ms_compat.ops.function.sparse.operations import csr_div as csr_div
def csr_exp(x: CSRTensor) -> CSRTensor:
    """`ops.exp` of a CSRTensor's values, at the same places."""
def csr_expm1(x: CSRTensor) -> CSRTensor:
    """`ops.expm1` of a CSRTensor's values, at the same places."""
def csr_floor(x: CSRTensor) -> CSRTensor:
    """`ops.floor` of a CSRTensor's values, at the same places."""
def csr_gather(indptr: Tensor, indices: Tensor, dense: Tensor, sparse_shape: Sequence[Any]) -> Tensor:
    """The elements of a dense tensor at the places of a CSR matrix."""
def csr_inv(x: CSRTensor) -> CSRTensor:
    """`ops.inv` of a CSRTensor's values, at the same places."""
def csr_isfinite(x: CSRTensor) -> CSRTensor:
    """`ops.isfinite` of a CSRTensor's values, at the same places."""
def csr_isinf(x: CSRTensor) -> CSRTensor:
    """`ops.isinf` of a CSRTensor's values, at the same places."""
def csr_isnan(x: CSRTensor) -> CSRTensor:
    """`ops.isnan` of a CSRTensor's values, at the same places."""
def csr_log(x: CSRTensor) -> CSRTensor:
    """`ops.log` of a CSRTensor's values, at the same places."""
def csr_log1p(x: CSRTensor) -> CSRTensor:
    """`ops.log1p` of a CSRTensor's values, at the same places."""
from ms_compat.ops.function.sparse.host import csr_mm as csr_mm
from ms_compat.ops.function.sparse.operations import csr_mul as csr_mul
from ms_compat.ops.function.sparse.operations import csr_mv as csr_mv
def csr_neg(x: CSRTensor) -> CSRTensor:
    """`ops.neg` of a CSRTensor's values, at the same places."""
from ms_compat.ops.function.sparse.operations import csr_reduce_sum as csr_reduce_sum
def csr_relu(x: CSRTensor) -> CSRTensor:
    """`ops.relu` of a CSRTensor's values, at the same places."""
def csr_relu6(x: CSRTensor) -> CSRTensor:
    """`ops.relu6` of a CSRTensor's values, at the same places."""
def csr_round(x: CSRTensor) -> CSRTensor:
    """`ops.round` of a CSRTensor's values, at the same places."""
def csr_sigmoid(x: CSRTensor) -> CSRTensor:
    """`ops.sigmoid` of a CSRTensor's values, at the same places."""
def csr_sin(x: CSRTensor) -> CSRTensor:
    """`ops.sin` of a CSRTensor's values, at the same places."""
def csr_sinh(x: CSRTensor) -> CSRTensor:
    """`ops.sinh` of a CSRTensor's values, at the same places."""
from ms_compat.ops.function.sparse.operations import csr_softmax as csr_softmax
def csr_softsign(x: CSRTensor) -> CSRTensor:
    """`ops.softsign` of a CSRTensor's values, at the same places."""
def csr_sqrt(x: CSRTensor) -> CSRTensor:
    """`ops.sqrt` of a CSRTensor's values, at the same places."""
def csr_square(x: CSRTensor) -> CSRTensor:
    """`ops.square` of a CSRTensor's values, at the same places."""
def csr_tan(x: CSRTensor) -> CSRTensor:
    """`ops.tan` of a CSRTensor's values, at the same places."""
def csr_tanh(x: CSRTensor) -> CSRTensor:
    """`ops.tanh` of a CSRTensor's values, at the same places."""
def csr_tensor_get_dense_shape(x: Any) -> Any:
    """The `shape` of a CSRTensor."""
def csr_tensor_get_indices(x: Any) -> Any:
    """The `indices` of a CSRTensor."""
def csr_tensor_get_indptr(x: Any) -> Any:
    """The `indptr` of a CSRTensor."""
def csr_tensor_get_values(x: Any) -> Any:
    """The `values` of a CSRTensor."""
from ms_compat.ops.function.sparse.operations import csr_to_coo as csr_to_coo
from ms_compat.ops.function.sparse.operations import csr_to_dense as csr_to_dense
def ctc_greedy_decoder(inputs: Tensor, sequence_length: Tensor, merge_repeated: bool = True) -> Any:
    """The best label at each time, without blanks (the last class) and, on request, without repetitions."""
def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Sequence[Any] | Tensor,
    target_lengths: Sequence[Any] | Tensor,
    blank: int = 0,
    reduction: str = 'mean',
    zero_infinity: bool = False,
    api: str | Any = 'ctc_loss',
) -> Any:
    """Minus the log-probability of label sequences under all alignments with a longer sequence."""
def cummax(input: Tensor, axis: int) -> tuple[Any, ...]:
    """Running maximum along an axis and its last position (Int64)."""
def cummin(input: Tensor, axis: int) -> tuple[Any, ...]:
    """Running minimum along an axis and its last position (Int32)."""
def cumprod(input: Tensor, dim: int, dtype: Type | None = None) -> Tensor:
    """Running product along a dimension; of integers in Int64."""
def cumsum(x: Tensor, axis: int, dtype: Type | None = None) -> Tensor:
    """Running sum along an axis, in the tensor's own dtype."""
from ms_compat.ops._kernel_info import custom_info_register as custom_info_register
def deepcopy(input_x: Tensor) -> Tensor:
    """A copy that shares nothing with the tensor."""
def deformable_conv2d(
    x: Tensor,
    weight: Tensor,
    offsets: Tensor,
    kernel_size: Sequence[int],
    strides: Sequence[int],
    padding: Sequence[int],
    bias: Tensor | None = None,
    dilations: Sequence[int] = ...,
    groups: int = 1,
    deformable_groups: int = 1,
    modulated: bool = True,
) -> Tensor:
    """2-D convolution whose elements read at offsets, times a mask."""
def deg2rad(input: Any) -> Tensor:
    """Degrees to radians. Integers and bool give Float32."""
def dense(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Any:
    """input @ weight.T + bias."""
from ms_compat.ops.function.sparse.host import dense_to_sparse_coo as dense_to_sparse_coo
from ms_compat.ops.function.sparse.host import dense_to_sparse_csr as dense_to_sparse_csr
def depend(value: Tensor, expr: Any) -> Tensor:
    """The value; `expr` has been computed before, since JAX keeps what has an effect in order."""
def derivative(fn: Cell | Callable[..., Any], primals: Tensor | Sequence[Tensor], order: int) -> Any:
    """The derivative of a given order along the direction of ones."""
def destroy_process_group(group: str | None = None) -> Any:
    """Removes a group; without a name leaves the job."""
def det(input: Tensor) -> Tensor:
    """The determinants of square matrices."""
def diag(input: Tensor) -> Tensor:
    """A tensor with the input on its diagonal: shape (n,) gives (n, n), shape s gives s + s."""
def diag_embed(input: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """The last dimension as a diagonal of two new dimensions."""
def diagflat(input: Tensor, offset: int = 0) -> Tensor:
    """A matrix with the flat input on a diagonal."""
diagonal: Any
def diagonal_scatter(input: Tensor, src: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """A copy with a diagonal replaced; ValueError unless `src` has the diagonal's shape."""
dict_getitem: Any
dict_setitem: Any
def diff(
    x: Tensor,
    n: int = 1,
    axis: int = -1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
) -> Tensor:
    """Differences of neighbours along an axis, `n` times."""
def diff_ext(
    input: Tensor,
    n: int = 1,
    dim: int = -1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
) -> Tensor:
    """Differences of neighbours along a dimension; not even once, `input` itself."""
def digamma(input: Tensor) -> Tensor:
    """Derivative of the log-gamma function. Integers and bool give Float32."""
def dist(input: Tensor, other: Tensor, p: int = 2) -> Tensor:
    """The p-norm of the difference."""
distribute: Any
def div(input: Tensor | Number | bool, other: Tensor | Number | bool, rounding_mode: str | None = None) -> Tensor:
    """The quotient; of integers in Float32, unless it is rounded."""
def divide(input: Any, other: Any, rounding_mode: Any = None) -> Any:
    """The quotient; of integers in Float32, unless it is rounded."""
def dot(input: Tensor, other: Tensor) -> Tensor:
    """The product over the last dimension of the first and the last but one of the second, each of 2 or more."""
def dropout(input: Tensor, p: float = 0.5, training: bool = True, seed: int | None = None) -> Tensor:
    """Zeroes elements with probability `p` and scales the others by 1 / (1 - p)."""
def dropout1d(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    """Zeroes whole channels of [N, C, *] (1 spatial axes) with probability `p`."""
def dropout2d(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    """Zeroes whole channels of [N, C, *] (2 spatial axes) with probability `p`."""
def dropout3d(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    """Zeroes whole channels of [N, C, *] (3 spatial axes) with probability `p`."""
def dsplit(input: Tensor, indices_or_sections: int | Sequence[int]) -> tuple[Any, ...]:
    """`tensor_split` along the third dimension."""
def dstack(tensors: Sequence[Tensor]) -> Tensor:
    """Joined along the third axis."""
def dtype(x: Any) -> Any:
    """The mindspore dtype of a tensor, a COOTensor or a CSRTensor."""
def dyn_shape(input_x: Tensor) -> Tensor:
    """The sizes of a tensor's dimensions, as a 1-d Int64 Tensor."""
def eig(A: Tensor) -> Any:
    """Eigenvalues and eigenvectors (as columns) of square matrices, always complex."""
def eigvals(A: Tensor) -> Tensor:
    """Eigenvalues of square matrices, always complex."""
def einsum(equation: str, *operands: Any) -> Tensor:
    """Sums of products by Einstein's convention."""
def einsum_ext(equation: str, *operands: Any) -> Tensor:
    """Sums of products by Einstein's convention."""
def elu(input_x: Tensor, alpha: float = 1.0) -> Tensor:
    """x where x > 0, `alpha` * (exp(x) - 1) elsewhere. As in MindSpore only `alpha` = 1.0 is taken."""
embed: Any
def embedding(
    input: Tensor,
    weight: Parameter | Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
) -> Tensor:
    """Rows of a table."""
from ms_compat.ops._environ import env_get as env_get
environ_add: Any
environ_create: Any
environ_get: Any
environ_set: Any
def eps(x: Tensor) -> Tensor:
    """The distance from 1 to the next number of a tensor's dtype, in the tensor's shape."""
def eq(input: Tensor, other: Tensor | Number) -> Tensor:
    """Where the operands are equal."""
def equal(input: Tensor, other: Tensor | Number) -> Tensor:
    """Where the operands are equal."""
def erf(input: Tensor) -> Tensor:
    """Gauss error function. Integers and bool give Float32."""
def erfc(input: Tensor) -> Tensor:
    """Complement of the Gauss error function, 1 - erf(x). Integers and bool give Float32."""
def erfinv(input: Tensor) -> Tensor:
    """Inverse of the Gauss error function on (-1, 1). Integers and bool give Float32."""
def erfinv_(input: Tensor) -> Tensor:
    """The inverse error function, in place; returns the tensor."""
def exp(input: Tensor) -> Tensor:
    """e to the power of each element. Integers and bool give Float32."""
def exp2(input: Tensor) -> Tensor:
    """2 to the power of each element. BFloat16 gives Float32. Integers and bool give Float32."""
def expand(input_x: Any, size: Any) -> Any:
    """A copy with the elements repeated along new and size-1 dimensions."""
def expand_as(input: Tensor, other: Tensor) -> Tensor:
    """`input` broadcast to the shape of `other`; a view in PYNATIVE_MODE."""
expand_dims: Any
def expm1(input: Any) -> Any:
    """exp(x) - 1 without loss of precision near zero. Integers and bool give Float32."""
def exponential_(input: Any, lambd: Any = 1, *, generator: Any = None) -> Any:
    """Numbers from an exponential distribution with rate `lambd`, in place; returns the tensor."""
def eye(n: int, m: int | None = None, dtype: Type | None = None) -> Tensor:
    """Ones on the diagonal, zeros elsewhere."""
def fast_gelu(x: Tensor) -> Tensor:
    """x * sigmoid(1.702 x)."""
def fft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """Discrete Fourier transform along a dimension."""
def fft2(input: Tensor, s: Sequence[int] | None = None, dim: Sequence[int] = ..., norm: str | None = None) -> Tensor:
    """Discrete Fourier transform along several dimensions."""
def fftfreq(n: int, d: float = 1.0, dtype: Type | None = None) -> Tensor:
    """The frequencies of `fft`'s elements: Float32 [n]."""
def fftn(
    input: Tensor,
    s: Sequence[int] | None = None,
    dim: Sequence[int] | None = None,
    norm: str | None = None,
) -> Tensor:
    """Discrete Fourier transform along several dimensions."""
def fftshift(input: Tensor, dim: int | Sequence[int] | None = None) -> Any:
    """The zero frequency moved to the middle, along dimensions (None: all)."""
def fill(type: Type, shape: Tensor | Sequence[int], value: Tensor | Number | bool) -> Tensor:
    """A tensor of one value."""
def fills(x: Any, value: Any) -> Any:
    """One value in the shape and dtype of a tensor."""
def flash_attention_score(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    head_num: int,
    real_shift: Tensor | None = None,
    drop_mask: Tensor | None = None,
    padding_mask: Tensor | None = None,
    attn_mask: Tensor | None = None,
    prefix: Tensor | Sequence[int] | None = None,
    actual_seq_qlen: Tensor | Sequence[int] | None = None,
    actual_seq_kvlen: Tensor | Sequence[int] | None = None,
    keep_prob: float = 1.0,
    scalar_value: float = 1.0,
    pre_tokens: int = 2147483647,
    next_tokens: int = 2147483647,
    inner_precise: int = 0,
    input_layout: str = 'BSH',
    sparse_mode: int = 0,
) -> Any:
    """Attention: Dropout(Softmax(Mask(scalar_value * (Q K^T + real_shift)))) V."""
def flatten(input: Tensor, order: str = 'C', start_dim: int = 1, end_dim: int = -1) -> Any:
    """The dimensions from `start_dim` to `end_dim` as one."""
def flip(input: Tensor, dims: Sequence[int]) -> Tensor:
    """The order of elements reversed along dimensions."""
def fliplr(input: Tensor) -> Tensor:
    """The second dimension reversed."""
def flipud(input: Tensor) -> Tensor:
    """The first dimension reversed."""
def float_power(input: Tensor | Number, exponent: Tensor | Number) -> Tensor:
    """The power, computed in Float64."""
def float_power_ext(input: Tensor | Number, exponent: Tensor | Number) -> Tensor:
    """The power, computed in Float64."""
def floor(input: Tensor) -> Tensor:
    """The largest integer not above each element. Integers are returned as they are."""
def floor_div(x: Any, y: Any) -> Any:
    """The quotient rounded down. An integer divided by zero gives its dtype's largest or smallest number."""
def floor_divide(input: Tensor | Number | bool, other: Tensor | Number | bool) -> Tensor:
    """The quotient rounded down, as `floor_div`."""
def floor_mod(x: Tensor | Number | bool, y: Tensor | Number | bool) -> Tensor:
    """The remainder of `floor_div`, with the divisor's sign."""
def floordiv(x: Any, y: Any) -> Any:
    """The quotient rounded down. An integer divided by zero gives its dtype's largest or smallest number."""
def floormod(x: Any, y: Any) -> Any:
    """The remainder of `floor_div`, with the divisor's sign."""
def fmax(input: Tensor, other: Tensor) -> Tensor:
    """The larger element of each pair, ignoring NaN."""
def fmin(input: Tensor, other: Tensor) -> Tensor:
    """The smaller element of each pair, ignoring NaN."""
def fmod(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """The remainder with the dividend's sign."""
def fold(
    input: Tensor,
    output_size: Tensor,
    kernel_size: int | Sequence[int],
    dilation: int | Sequence[int] = 1,
    padding: int | Sequence[int] = 0,
    stride: int | Sequence[int] = 1,
) -> Tensor:
    """The sum of sliding blocks [N, C * KH * KW, L] into [N, C, H, W]."""
def frac(input: Any) -> Tensor:
    """The fraction of each element, with its sign; 0 for integers, and Int64 for Bool."""
def fractional_max_pool2d(
    input: Tensor,
    kernel_size: int | Sequence[int],
    output_size: int | Sequence[int] | None = None,
    output_ratio: float | Sequence[float] | None = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> Any:
    """Maxima over windows at random places of [N, C, *] (2 spatial axes)."""
def fractional_max_pool3d(
    input: Tensor,
    kernel_size: int | Sequence[int],
    output_size: int | Sequence[int] | None = None,
    output_ratio: float | Sequence[float] | None = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> Any:
    """Maxima over windows at random places of [N, C, *] (3 spatial axes)."""
def full(size: Sequence[int], fill_value: Number, *, dtype: Type | None = None) -> Tensor:
    """A tensor of one value. Without a dtype it is Int64, whatever the value, as in MindSpore."""
def full_like(input: Tensor, fill_value: Number, *, dtype: Type | None = None) -> Tensor:
    """One value in the shape of a tensor, in its dtype or another."""
function: Any
functional: Any
from . import functional_overload as functional_overload
def fused_infer_attention_score(
    query: Tensor,
    key: Tensor | Sequence[Tensor],
    value: Tensor | Sequence[Tensor],
    *,
    pse_shift: Tensor | None = None,
    atten_mask: Tensor | None = None,
    actual_seq_lengths: Sequence[int] | Tensor | None = None,
    actual_seq_lengths_kv: Sequence[int] | Tensor | None = None,
    dequant_scale1: Tensor | None = None,
    quant_scale1: Tensor | None = None,
    dequant_scale2: Tensor | None = None,
    quant_scale2: Tensor | None = None,
    quant_offset2: Tensor | None = None,
    antiquant_scale: Tensor | None = None,
    antiquant_offset: Tensor | None = None,
    key_antiquant_scale: Tensor | None = None,
    key_antiquant_offset: Tensor | None = None,
    value_antiquant_scale: Tensor | None = None,
    value_antiquant_offset: Tensor | None = None,
    block_table: Tensor | None = None,
    query_padding_size: Tensor | None = None,
    kv_padding_size: Tensor | None = None,
    key_shared_prefix: Tensor | None = None,
    value_shared_prefix: Tensor | None = None,
    actual_shared_prefix_len: Sequence[int] | Tensor | None = None,
    num_heads: int = 1,
    scale: float = 1.0,
    pre_tokens: int = 2147483647,
    next_tokens: int = 2147483647,
    input_layout: str = 'BSH',
    num_key_value_heads: int = 0,
    sparse_mode: int = 0,
    inner_precise: int = 1,
    block_size: int = 0,
    antiquant_mode: int = 0,
    key_antiquant_mode: int = 0,
    value_antiquant_mode: int = 0,
    softmax_lse_flag: bool = False,
) -> Any:
    """Attention for inference, of a prompt or, if `query` has one place, of a new token."""
def gamma(shape: Sequence[Any], alpha: Tensor, beta: Tensor, seed: int | None = None) -> Tensor:
    """Numbers of gamma distributions with shape `alpha` and rate `beta`; `shape` broadcasts with the parameters."""
def gather(input_params: Tensor, input_indices: Tensor, axis: int | Tensor, batch_dims: int = 0) -> Tensor:
    """The slices of a tensor at indices along an axis."""
def gather_d(x: Any, dim: Any, index: Any) -> Any:
    """The elements at indices along a dimension, every other coordinate kept."""
def gather_elements(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """The elements at indices along a dimension, as `gather_d`."""
def gather_into_tensor(
    output_tensor: Tensor,
    input_tensor: Tensor,
    dst: int = 0,
    group: str | None = None,
    async_op: bool = False,
) -> Any:
    """Joins the tensors of all processes along the first dimension, in one process; see `gather`."""
def gather_nd(input_x: Tensor, indices: Tensor) -> Tensor:
    """The slices at coordinates, which stand in the last dimension of `indices`."""
def gather_object(
    obj: Any,
    object_gather_list: Sequence[Any] | None = None,
    dst: int = 0,
    group: str | None = None,
) -> Any:
    """Gathers the objects of all processes in one process."""
def gaussian_nll_loss(
    x: Tensor,
    target: Tensor,
    var: Tensor,
    full: bool = False,
    eps: float = 1e-06,
    reduction: str = 'mean',
) -> Any:
    """0.5 (log(v) + (x - target) ** 2 / v) with v = max(var, eps); `full` adds 0.5 log(2 pi)."""
def gcd(input: Tensor, other: Tensor) -> Tensor:
    """The greatest common divisor."""
def ge(input: Tensor | Number | bool, other: Tensor | Number | bool) -> Tensor:
    """Where input >= other."""
def gelu(input: Tensor, approximate: str = 'none') -> Tensor:
    """Gaussian error linear unit: x * P(X <= x) for a standard normal X."""
gen_extend_func: Any
gen_ops_def: Any
gen_ops_prim: Any
def geqrf(input: Tensor) -> tuple[Tensor, Tensor]:
    """Householder's factors of matrices: R on and above the diagonal, the vectors below it; and their scales tau."""
def ger(input: Tensor, vec2: Tensor) -> Tensor:
    """The outer product of two vectors."""
def get_backend(group: str | None = None) -> str:
    """The name of the library, as the script requested it."""
def get_global_rank(group: str, group_rank: int) -> Any:
    """The number that a group's process has among all processes."""
def get_grad(gradients: Sequence[int | Tensor] | Sequence[Sequence[Any]], identifier: int | Parameter) -> Tensor:
    """One gradient out of what `grad(..., return_ids=True)` returned."""
def get_group_rank(group: str, global_rank: int) -> int:
    """The number that a process has in a group."""
def get_process_group_ranks(group: str | None = None) -> list[Any]:
    """The numbers of a group's processes among all, after `init_process_group`."""
def get_rank(group: str | None = None) -> int:
    """This process's number in a group; -1 if it is not in it."""
from ms_compat._inner.registry import get_vm_impl_fn as get_vm_impl_fn
def get_world_size(group: str | None = None) -> int:
    """A group's size; -1 if this process is not in it."""
def glu(x: Tensor, axis: int = -1) -> Tensor:
    """a * sigmoid(b) for the two halves a, b of the input along an axis."""
def grad(
    fn: Cell | Callable[..., Any],
    grad_position: int | Sequence[int] | None = 0,
    weights: Iterable[Any] = None,
    has_aux: bool = False,
    return_ids: bool = False,
    sens_param: bool = False,
) -> Any:
    """The gradient function of `fn`."""
def greater(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Where input > other."""
def greater_equal(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Where input >= other."""
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
def gt(input: Tensor | Number | bool, other: Tensor | Number | bool) -> Tensor:
    """Where input > other."""
def gumbel_softmax(logits: Tensor, tau: float = 1.0, hard: bool = False, dim: int = -1) -> Tensor:
    """softmax((logits + Gumbel noise) / tau); `hard` gives a one-hot vector with the soft one's gradient."""
def hamming_window(
    window_length: int,
    periodic: bool = True,
    alpha: float = 0.54,
    beta: float = 0.46,
    *,
    dtype: Type | None = None,
) -> Any:
    """alpha - beta cos(2 pi i / (n - 1)), in Float32 by default."""
def hann_window(window_length: int, periodic: bool = True, *, dtype: Type | None = None) -> Any:
    """0.5 - 0.5 cos(2 pi i / (n - 1)), in Float64 by default; arguments as for `hamming_window`."""
def hardshrink(input: Tensor, lambd: Number = 0.5) -> Tensor:
    """x where |x| > `lambd`, else 0."""
def hardsigmoid(input: Tensor) -> Tensor:
    """min(max(x / 6 + 0.5, 0), 1)."""
def hardswish(input: Tensor) -> Tensor:
    """x * hardsigmoid(x)."""
def hardtanh(input: Tensor, min_val: int | float = -1.0, max_val: int | float = 1.0) -> Tensor:
    """The input limited to [`min_val`, `max_val`], NaN to `min_val`; the gradient is 0 on and outside the limits."""
hastype: Any
def heaviside(input: Tensor, other: Any) -> Tensor:
    """0, `other` or 1 where the input is below, at or above zero."""
def hfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """Fourier transform of input with Hermitian symmetry, which is real along a dimension."""
def hfft2(input: Tensor, s: Sequence[int] | None = None, dim: Sequence[int] = ..., norm: str | None = None) -> Tensor:
    """Fourier transform of input with Hermitian symmetry, which is real along several dimensions."""
def hfftn(
    input: Tensor,
    s: Sequence[int] | None = None,
    dim: Sequence[int] | None = None,
    norm: str | None = None,
) -> Tensor:
    """Fourier transform of input with Hermitian symmetry, which is real along several dimensions."""
def hinge_embedding_loss(inputs: Tensor, targets: Tensor, margin: float | int = 1.0, reduction: str = 'mean') -> Any:
    """x where the target is positive, max(0, margin - x) where it is negative."""
def histc(input: Tensor, bins: int = 100, min: int | float = 0.0, max: int | float = 0.0) -> Tensor:
    """How many elements fall into each of `bins` equal parts of [min, max] (of the data's range if both are 0)."""
def hsplit(input: Tensor, indices_or_sections: int | Sequence[int]) -> tuple[Any, ...]:
    """`tensor_split` along the second dimension."""
def hstack(tensors: Sequence[Tensor]) -> Tensor:
    """Joined along the second axis; 1-d tensors along the first."""
def huber_loss(input: Tensor, target: Tensor, reduction: str = 'mean', delta: int | float = 1.0) -> Any:
    """0.5 d ** 2 where |d| <= delta, delta (|d| - 0.5 delta) elsewhere, for d = input - target."""
hyper_add: Any
def hypot(input: Tensor, other: Tensor) -> Tensor:
    """sqrt(input**2 + other**2) without overflow."""
def i0(input: Any) -> Any:
    """Modified Bessel function of order 0."""
def identity(x: Any) -> Any:
    """The argument itself."""
def ifft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """Inverse discrete Fourier transform along a dimension."""
def ifft2(input: Tensor, s: Sequence[int] | None = None, dim: Sequence[int] = ..., norm: str | None = None) -> Tensor:
    """Inverse discrete Fourier transform along several dimensions."""
def ifftn(
    input: Tensor,
    s: Sequence[int] | None = None,
    dim: Sequence[int] | None = None,
    norm: str | None = None,
) -> Tensor:
    """Inverse discrete Fourier transform along several dimensions."""
def ifftshift(input: Tensor, dim: int | Sequence[int] | None = None) -> Any:
    """The inverse of `fftshift`."""
def igamma(input: Tensor, other: Tensor) -> Tensor:
    """Regularised lower incomplete gamma function."""
def igammac(input: Tensor, other: Tensor) -> Tensor:
    """Regularised upper incomplete gamma function."""
def ihfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """Inverse of `hfft` along a dimension."""
def ihfft2(
    input: Tensor,
    s: Sequence[int] | None = None,
    dim: Sequence[int] = ...,
    norm: str | None = None,
) -> Tensor:
    """Inverse of `hfft` along several dimensions."""
def ihfftn(
    input: Tensor,
    s: Sequence[int] | None = None,
    dim: Sequence[int] | None = None,
    norm: str | None = None,
) -> Tensor:
    """Inverse of `hfft` along several dimensions."""
def imag(input: Tensor) -> Tensor:
    """The imaginary part; zeros for a real tensor."""
in_dict: Any
def incre_flash_attention(
    query: Tensor,
    key: Sequence[Any],
    value: Sequence[Any],
    attn_mask: Tensor | None = None,
    actual_seq_lengths: Tensor | Sequence[int] | None = None,
    pse_shift: Tensor | None = None,
    dequant_scale1: Tensor | None = None,
    quant_scale1: Tensor | None = None,
    dequant_scale2: Tensor | None = None,
    quant_scale2: Tensor | None = None,
    quant_offset2: Tensor | None = None,
    antiquant_scale: Tensor | None = None,
    antiquant_offset: Tensor | None = None,
    block_table: Tensor | None = None,
    num_heads: int = 1,
    input_layout: str = 'BSH',
    scale_value: float = 1.0,
    num_key_value_heads: int = 0,
    block_size: int = 0,
    inner_precise: int = 1,
    kv_padding_size: Tensor | None = None,
) -> Any:
    """Attention of one new token: Softmax(Mask(scale_value * Q K^T + pse_shift)) V."""
def index_add(
    x: Parameter | Tensor,
    indices: Tensor,
    y: Tensor,
    axis: int,
    use_lock: bool = True,
    check_index_bound: bool = True,
) -> Tensor:
    """Add slices to a Parameter or a Tensor at indices along an axis, in place."""
def index_fill(x: Tensor, axis: int | Tensor, index: Tensor, value: bool | int | float | Tensor) -> Tensor:
    """A copy with the slices at indices along an axis filled with a value."""
def index_select(input: Tensor, axis: int, index: Tensor) -> Tensor:
    """The slices at a 1-d tensor of indices along an axis."""
def init_process_group(
    backend: str = 'hccl',
    init_method: str | None = None,
    timeout: Any = None,
    world_size: int = -1,
    rank: int = -1,
    store: Any = None,
    group_name: str = '',
    pg_options: Any = None,
    device_id: Any = None,
) -> Any:
    """Joins the job, as `mindspore.communication.init` does."""
def inner(input: Tensor, other: Tensor) -> Tensor:
    """The sums of products over the last dimensions of both."""
def inplace_add(x: Tensor, v: Tensor, indices: int | Sequence[Any]) -> Tensor:
    """A copy with `v` added to the rows at `indices` (an int or a tuple)."""
def inplace_index_add(var: Parameter | Tensor, indices: Tensor, updates: Tensor, axis: int) -> Tensor:
    """Adds slices to a Parameter at indices along an axis, in place."""
def inplace_sigmoid(input: Any) -> Any:
    """1 / (1 + exp(-x)), in place; returns the tensor."""
def inplace_sub(x: Tensor, v: Tensor, indices: int | Sequence[Any]) -> Tensor:
    """A copy with `v` subtracted from the rows at `indices` (an int or a tuple)."""
def inplace_update(x: Tensor, v: Tensor, indices: int | Sequence[int] | Tensor) -> Tensor:
    """A copy with the rows at `indices` (an int, a tuple, or a Tensor of one dimension) replaced by `v`."""
def interpolate(
    input: Tensor,
    size: int | Sequence[int] | None = None,
    scale_factor: float | Sequence[float] | None = None,
    mode: str = 'nearest',
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
) -> Tensor:
    """Resizes the spatial axes of [N, C, *]."""
def intopk(x1: Tensor, x2: Tensor, k: int) -> Any:
    """Whether the target of each row is among its `k` greatest elements."""
def inv(x: Tensor) -> Tensor:
    """The reciprocal; of integers their integer quotient, and the dtype's least number for 0."""
def inverse(input: Tensor) -> Tensor:
    """The inverses of square matrices."""
def invert(x: Tensor) -> Tensor:
    """All bits flipped."""
def iou(anchor_boxes: Tensor, gt_boxes: Tensor, mode: str = 'iou') -> Tensor:
    """Overlaps of each ground-truth box (row) with each anchor (column)."""
def irecv(tensor: Tensor, src: int = 0, group: str | None = None, tag: int = 0) -> Any:
    """Receives a tensor like `tensor`: (tensor, handle), or into it and a handle; see `set_comm_ops_inplace`."""
def irfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """Inverse of `rfft` along a dimension."""
def irfft2(
    input: Tensor,
    s: Sequence[int] | None = None,
    dim: Sequence[int] = ...,
    norm: str | None = None,
) -> Tensor:
    """Inverse of `rfft` along several dimensions."""
def irfftn(
    input: Tensor,
    s: Sequence[int] | None = None,
    dim: Sequence[int] | None = None,
    norm: str | None = None,
) -> Tensor:
    """Inverse of `rfft` along several dimensions."""
is_: Any
from ms_compat.communication.process_group import is_available as is_available
def is_complex(input: Tensor) -> bool:
    """Whether the tensor's dtype is complex."""
is_dynamic_sequence_element_unknown: Any
def is_floating_point(input: Tensor) -> bool:
    """Whether the tensor's dtype is floating point."""
from ms_compat.communication.process_group import is_initialized as is_initialized
def is_nonzero(input: Tensor) -> bool:
    """Whether a tensor of one element is not 0."""
is_not: Any
is_sequence_shape_unknown: Any
is_sequence_value_unknown: Any
def is_tensor(obj: Any) -> bool:
    """Whether an object is a Tensor."""
is_tensor_bool_cond: Any
def isclose(
    input: Tensor,
    other: Tensor,
    rtol: float | int | bool = 1e-05,
    atol: float | int | bool = 1e-08,
    equal_nan: bool = False,
) -> Tensor:
    """Where |input - other| <= atol + rtol * |other|."""
isconstant: Any
def isend(tensor: Tensor, dst: int = 0, group: str | None = None, tag: int = 0) -> Any:
    """Sends a tensor and does not wait."""
def isfinite(input: Tensor) -> Tensor:
    """Where the elements are neither infinite nor NaN."""
def isinf(input: Tensor) -> Tensor:
    """Where the elements are infinite."""
def isnan(input: Tensor) -> Tensor:
    """Where the elements are NaN."""
def isnan_ext(input: Tensor) -> Tensor:
    """Where the elements are NaN."""
def isneginf(input: Tensor) -> Tensor:
    """Where the elements are minus infinity."""
def isposinf(input: Tensor) -> Any:
    """Where the elements are plus infinity."""
def isreal(input: Tensor) -> Any:
    """Where the elements have no imaginary part."""
from ms_compat.ops.iteration import iter_converter as iter_converter
from . import iteration as iteration
def jacfwd(fn: Cell | Callable[..., Any], grad_position: int | Sequence[int] = 0, has_aux: bool = False) -> Any:
    """The Jacobian of a function by forward mode: cheap where there are few inputs."""
def jacrev(fn: Cell | Callable[..., Any], grad_position: int | Sequence[int] = 0, has_aux: bool = False) -> Any:
    """The Jacobian of a function by reverse mode: cheap where there are few outputs. Arguments as for `jacfwd`."""
def jet(fn: Cell | Callable[..., Any], primals: Tensor | Sequence[Tensor], series: Tensor | Sequence[Tensor]) -> Any:
    """The first to n-th derivatives of a function's output along a curve through `primals`."""
def jvp(
    fn: Callable[..., Any] | Cell,
    inputs: Tensor | Sequence[Tensor],
    v: Tensor | Sequence[Tensor],
    has_aux: bool = False,
) -> Any:
    """Run a function and return its outputs and their directional derivative along `v`."""
def kaiser_window(window_length: int, periodic: bool = True, beta: float = 12.0, *, dtype: Type | None = None) -> Any:
    """I0(beta sqrt(1 - (2 i / (n - 1) - 1) ** 2)) / I0(beta), in Float64 by default."""
from ms_compat.ops._kernel_info import kernel as kernel
def kl_div(logits: Tensor, labels: Tensor, reduction: str = 'mean') -> Any:
    """labels * (log(labels) - logits), 0 where `labels` is not positive. As in MindSpore, `labels` get no gradient."""
def kron(input: Tensor, other: Tensor) -> Tensor:
    """The Kronecker product."""
def l1_loss(input: Tensor, target: Tensor, reduction: str = 'mean') -> Any:
    """Absolute difference; arguments and errors as `mse_loss`."""
def laplace(shape: Sequence[Any], mean: Tensor, lambda_param: Tensor, seed: int | None = None) -> Tensor:
    """Float32 numbers of Laplace distributions; `shape` broadcasts with the parameters."""
def layer_norm(
    input: Tensor,
    normalized_shape: int | Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-05,
) -> Tensor:
    """Normalises over the last axes, which `normalized_shape` gives."""
def lcm(input: Tensor, other: Tensor) -> Tensor:
    """The least common multiple."""
def ldexp(x: Tensor, other: Tensor) -> Tensor:
    """x * 2**other."""
def le(input: Tensor | Number | bool, other: Tensor | Number | bool) -> Tensor:
    """Where input <= other."""
def leaky_relu(input: Tensor, alpha: int | float = 0.2) -> Tensor:
    """x where x > 0, `alpha` * x elsewhere."""
def lerp(input: Tensor, end: Tensor, weight: float | Tensor) -> Tensor:
    """input + weight * (end - input)."""
def less(input: Tensor, other: Tensor | Number | bool) -> Tensor:
    """Where input < other."""
def less_equal(input: Tensor | Number | bool, other: Tensor | Number | bool) -> Tensor:
    """Where input <= other."""
def lgamma(input: Tensor) -> Tensor:
    """Logarithm of the gamma function's absolute value. Integers and bool give Float32."""
def lightning_indexer(
    query: Tensor,
    key: Tensor,
    weights: Tensor,
    *,
    actual_seq_lengths_query: Tensor | None = None,
    actual_seq_lengths_key: Tensor | None = None,
    block_table: Tensor | None = None,
    layout_query: str = 'BSND',
    layout_key: str = 'BSND',
    sparse_count: int = 2048,
    sparse_mode: int = 3,
    pre_tokens: int = 9223372036854775807,
    next_tokens: int = 9223372036854775807,
    return_value: bool = False,
) -> tuple[Any, ...]:
    """For each query, the keys with the largest sum over heads of `weights * relu(query . key)`."""
linalg_ops: Any
def linearize(fn: Callable[..., Any] | Cell, inputs: Any) -> Any:
    """Run a function and return its outputs and its Jacobian-vector product, for many tangents at one point."""
def linspace(
    start: Tensor | int | float,
    end: Tensor | int | float,
    steps: Tensor | int,
    *,
    dtype: Any = None,
) -> Tensor:
    """`steps` numbers evenly spread from `start` to `end`, both included."""
list_equal: Any
list_getitem: Any
list_len: Any
list_setitem: Any
def log(input: Tensor) -> Tensor:
    """Natural logarithm of each element. Integers and bool give Float32."""
def log10(input: Tensor) -> Tensor:
    """Base-10 logarithm of each element. Integers and bool give Float32."""
def log1p(input: Tensor) -> Tensor:
    """log(1 + x) without loss of precision near zero. Integers and bool give Float32."""
def log2(input: Tensor) -> Tensor:
    """Base-2 logarithm of each element. Integers and bool give Float32."""
def log_matrix_determinant(input: Any) -> Any:
    """Signs and logarithms of the absolute determinants, both in the matrices' dtype."""
def log_softmax(logits: Tensor, axis: int = -1) -> Tensor:
    """log(softmax(x)) along one axis, without overflow."""
def log_uniform_candidate_sampler(
    true_classes: Tensor,
    num_true: int = 1,
    num_sampled: int = 5,
    unique: bool = True,
    range_max: int = 5,
    seed: int = 0,
) -> tuple[Tensor, Tensor, Tensor]:
    """Classes drawn from [0, range_max), lower ones oftener, and how often each class is expected among them."""
def logaddexp(input: Tensor, other: Tensor) -> Tensor:
    """log(exp(input) + exp(other)) without overflow."""
def logaddexp2(input: Tensor, other: Tensor) -> Tensor:
    """log2(2**input + 2**other) without overflow."""
def logcumsumexp(input: Tensor, axis: int) -> Tensor:
    """Cumulative log-sum-exp along an axis."""
def logdet(input: Tensor) -> Tensor:
    """The determinants' logarithms; NaN where a real one is negative."""
def logical_and(input: Tensor | bool, other: Tensor | bool) -> Tensor:
    """Elementwise and. Numbers are true where they are not 0."""
def logical_not(input: Tensor) -> Tensor:
    """Elementwise negation. Numbers are true where they are not 0."""
def logical_or(input: Tensor | bool, other: Tensor | bool) -> Tensor:
    """Elementwise or. Numbers are true where they are not 0."""
def logical_xor(input: Tensor, other: Tensor) -> Tensor:
    """Elementwise exclusive or. Numbers are true where they are not 0."""
def logit(input: Tensor, eps: float | None = None) -> Tensor:
    """log(x / (1 - x)); outside (0, 1) NaN or infinite, unless `eps` clamps to [eps, 1 - eps]."""
def logsigmoid(x: Tensor) -> Tensor:
    """log(sigmoid(x)), without overflow."""
def logspace(start: float | Tensor, end: float | Tensor, steps: int, base: int = 10, *, dtype: Any = ...) -> Tensor:
    """`base` to the power of `steps` numbers evenly spread from `start` to `end`."""
def logsumexp(input: Tensor, dim: int | Sequence[int], keepdim: bool = False) -> Tensor:
    """log(sum(exp(x))) over dimensions without overflow."""
def lp_pool1d(
    x: Tensor,
    norm_type: int | float,
    kernel_size: int,
    stride: int | None = None,
    ceil_mode: bool = False,
) -> Tensor:
    """(sum of x ** norm_type) ** (1 / norm_type) over windows of [N, C, L] or [C, L]."""
def lp_pool2d(
    x: Tensor,
    norm_type: int | float,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None = None,
    ceil_mode: bool = False,
) -> Tensor:
    """(sum of x ** norm_type) ** (1 / norm_type) over windows of [N, C, H, W]."""
def lrn(
    x: Tensor,
    depth_radius: int = 5,
    bias: float = 1.0,
    alpha: float = 1.0,
    beta: float = 0.5,
    norm_region: str = 'ACROSS_CHANNELS',
) -> Tensor:
    """Local response normalisation: x / (bias + alpha * sum of squares over 2 * depth_radius + 1 channels) ** beta."""
def lstsq(input: Tensor, A: Tensor) -> Tensor:
    """The X for which input @ X is nearest to A; the shortest such X if there are several."""
def lt(input: Any, other: Any) -> Any:
    """Where input < other."""
def lu_solve(b: Tensor, LU_data: Tensor, LU_pivots: Tensor) -> Tensor:
    """The solutions of A y = b for the LU factors of A, with pivots counted from 1."""
def lu_unpack(
    LU_data: Tensor,
    LU_pivots: Tensor,
    unpack_data: bool = True,
    unpack_pivots: bool = True,
) -> tuple[Any, ...]:
    """The permutation P, the lower and the upper factor of `LU_data`; None for each one not requested."""
def make_coo_tensor(indices: Any, values: Any, dense_shape: Any) -> Any:
    """`COOTensor(indices, values, dense_shape)`."""
def make_csr_tensor(indptr: Any, indices: Any, values: Any, dense_shape: Any) -> Any:
    """`CSRTensor(indptr, indices, values, dense_shape)`."""
make_dict: Any
make_list: Any
make_range: Any
def make_row_tensor(indices: Any, values: Any, dense_shape: Any) -> Any:
    """The name of `RowTensor(indices, values, dense_shape)` as a function, deprecated in MindSpore."""
def make_row_tensor_inner(indices: Any, values: Any, dense_shape: Any) -> Any:
    """`RowTensor(indices, values, dense_shape)`."""
make_slice: Any
def make_sparse_tensor(indices: Any, values: Any, dense_shape: Any) -> Any:
    """The name of `make_coo_tensor` before MindSpore 1.7."""
make_tuple: Any
def margin_ranking_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0.0,
    reduction: str = 'mean',
) -> Any:
    """max(0, -target * (input1 - input2) + margin)."""
def masked_fill(input_x: Tensor, mask: Tensor, value: Number | Tensor) -> Tensor:
    """The elements where the mask is true replaced by `value`; shapes broadcast."""
def masked_select(input: Tensor, mask: Tensor) -> Tensor:
    """The elements where a mask is true, as a 1-d tensor; shapes broadcast."""
def matmul(input: Tensor, other: Tensor) -> Any:
    """The matrix product; leading dimensions broadcast, a 1-d operand is a row (left) or a column (right)."""
def matmul_reduce_scatter(
    input: Tensor,
    x2: Tensor,
    group: str,
    world_size: int,
    *,
    reduce_op: str | Any = 'sum',
    bias: Tensor | None = None,
    comm_turn: int = 0,
    trans_input: bool = False,
    trans_x2: bool = False,
) -> Any:
    """The product added up over the processes, of which each gets a part of the rows."""
def matrix_band_part(x: Tensor, lower: int | Tensor, upper: int | Tensor) -> Tensor:
    """The diagonals from `lower` below to `upper` above the main one, zeros elsewhere; -1 keeps all."""
def matrix_determinant(input: Any) -> Any:
    """The determinants of square matrices."""
def matrix_diag(
    x: Tensor,
    k: int | Tensor = 0,
    num_rows: int | Tensor = -1,
    num_cols: int | Tensor = -1,
    padding_value: int | float | Tensor = 0,
    align: str = 'RIGHT_LEFT',
) -> Tensor:
    """Matrices with given diagonals."""
def matrix_diag_part(x: Tensor, k: int | Tensor, padding_value: Tensor, align: str = 'RIGHT_LEFT') -> Tensor:
    """The diagonals of matrices as rows, from the top one on; arguments as for `matrix_diag`."""
def matrix_exp(input: Tensor) -> Tensor:
    """The exponentials of square matrices."""
def matrix_norm(
    A: Tensor,
    ord: int | float | str = 'fro',
    axis: Sequence[int] = ...,
    keepdims: bool = False,
    dtype: Type | None = None,
) -> Tensor:
    """A norm of matrices: "fro", "nuc", 1, -1, 2, -2 or the infinities."""
def matrix_power(input: Tensor, n: int) -> Any:
    """Square matrices to an integer power; integers stay integers."""
def matrix_set_diag(x: Tensor, diagonal: Tensor, k: Any = 0, align: str = 'RIGHT_LEFT') -> Tensor:
    """Copies of matrices with their diagonals replaced; arguments as for `matrix_diag`."""
def matrix_solve(matrix: Tensor, rhs: Tensor, adjoint: bool = False) -> Tensor:
    """Solutions of linear equations: matrix @ x = rhs, or conjugate(matrix).T @ x = rhs with `adjoint`."""
def max(
    input: Tensor,
    axis: int | None = None,
    keepdims: bool = False,
    initial: Number | None = None,
    where: Tensor | None = None,
) -> tuple[Any, ...]:
    """The maximum along an axis and its position; without an axis the maximum of all elements, and 0."""
def max_pool2d(
    x: Tensor,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None = None,
    padding: int | Sequence[int] = 0,
    dilation: int | Sequence[int] = 1,
    return_indices: bool = False,
    ceil_mode: bool = False,
) -> Any:
    """Maxima over windows of [N, C, H, W]."""
def max_pool3d(
    x: Tensor,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None = None,
    padding: int | Sequence[int] = 0,
    dilation: int | Sequence[int] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """Maxima over windows of [N, C, D, H, W]; see `max_pool2d`."""
def max_unpool1d(
    x: Tensor,
    indices: Tensor,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None = None,
    padding: int | Sequence[int] = 0,
    output_size: Sequence[int] | None = None,
) -> Tensor:
    """Puts the values back to the positions that a maximum pool returned; zero elsewhere."""
def max_unpool2d(
    x: Tensor,
    indices: Tensor,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None = None,
    padding: int | Sequence[int] = 0,
    output_size: Sequence[int] | None = None,
) -> Tensor:
    """Puts the values back to the positions that a maximum pool returned; zero elsewhere."""
def max_unpool3d(
    x: Tensor,
    indices: Tensor,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None = None,
    padding: int | Sequence[int] = 0,
    output_size: Sequence[int] | None = None,
) -> Tensor:
    """Puts the values back to the positions that a maximum pool returned; zero elsewhere."""
def maximum(input: Tensor | Number | bool, other: Tensor | Number | bool) -> Tensor:
    """The larger element of each pair; NaN if one is NaN."""
def mean(x: Tensor, axis: int | Sequence[int] | Tensor | None = None, keep_dims: bool = False) -> Tensor:
    """The mean over dimensions, in the tensor's own dtype: of integers truncated."""
def median(input: Tensor, axis: int = -1, keepdims: bool = False) -> tuple[Any, ...]:
    """The median along an axis (the lower one of two) and its position."""
def meshgrid(*inputs: Any, indexing: str = 'xy') -> tuple[Any, ...]:
    """Coordinate matrices of coordinate vectors; views of them in PYNATIVE_MODE."""
def min(
    input: Tensor,
    axis: int | None = None,
    keepdims: bool = False,
    initial: Number | None = None,
    where: Tensor | None = None,
) -> tuple[Any, ...]:
    """The minimum along an axis and its position; arguments and result as for `max`."""
def minimum(input: Tensor | Number | bool, other: Tensor | Number | bool) -> Tensor:
    """The smaller element of each pair; NaN if one is NaN."""
def mirror_pad(input_x: Tensor, paddings: Tensor, mode: str) -> Tensor:
    """Mirrored elements added around the tensor, in mode "REFLECT" (without the edge) or "SYMMETRIC"."""
def mish(x: Tensor) -> Tensor:
    """x * tanh(softplus(x))."""
def mixed_precision_cast(dst_dtype: Any, x: Any) -> Any:
    """Floating Tensors in another type; whatever else there is, stays. Tuples and lists become tuples."""
def mm(input: Tensor, mat2: Tensor) -> Any:
    """The product of two matrices."""
def moe_distribute_combine(
    expand_x: Tensor,
    expert_ids: Tensor,
    expand_idx: Any,
    ep_send_counts: Tensor,
    expert_scales: Tensor,
    ep_world_size: int,
    ep_rank_id: int,
    moe_expert_num: int,
    tp_send_counts: Tensor | None = None,
    x_active_mask: Tensor | None = None,
    activate_scale: Tensor | None = None,
    weight_scale: Tensor | None = None,
    group_list: Tensor | None = None,
    expand_scales: Tensor | None = None,
    group_ep: str | None = None,
    group_tp: str | None = None,
    tp_world_size: int = 0,
    tp_rank_id: int = 0,
    expert_shard_type: int = 0,
    shared_expert_num: int = 0,
    shared_export_rank_num: Any = 0,
    global_bs: int = 0,
    out_dtype: int = 0,
    common_quant_mode: int = 0,
    group_list_type: int = 0,
) -> Tensor:
    """Send the experts' results back to the processes of the tokens, and add them up with weights."""
def moe_distribute_dispatch(
    x: Tensor,
    expert_ids: Tensor,
    ep_world_size: int,
    ep_rank_id: int,
    moe_expert_num: int,
    expert_scales: Tensor | None = None,
    scales: Tensor | None = None,
    x_active_mask: Tensor | None = None,
    group_ep: str | None = None,
    group_tp: str | None = None,
    tp_world_size: int = 0,
    tp_rank_id: int = 0,
    expert_shard_type: int = 0,
    shared_expert_num: int = 0,
    shared_expert_rank_num: int = 0,
    quant_mode: int = 0,
    global_bs: int = 0,
    expert_token_nums_type: int = 0,
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Send each token to the processes that have its experts."""
def moe_init_routing_v2(
    x: Tensor,
    expert_idx: Tensor,
    active_num: int,
    expert_capacity: int,
    expert_num: int,
    drop_pad_mode: int,
    expert_tokens_count_or_cumsum_flag: int,
    expert_tokens_before_capacity_flag: bool,
) -> tuple[Any, ...]:
    """The tokens sorted by expert, or placed into each expert's slots."""
def moe_token_permute(
    tokens: Tensor,
    indices: Tensor,
    num_out_tokens: int | None = None,
    padded_mode: bool = False,
) -> tuple[Tensor, Tensor]:
    """The tokens in the order of their experts."""
def moe_token_unpermute(
    permuted_tokens: Tensor,
    sorted_indices: Tensor,
    probs: Tensor | None = None,
    padded_mode: bool = False,
    restore_shape: Sequence[int] | None = None,
) -> Tensor:
    """The tokens in their own order again, the rows of one token added up with weights."""
def move_to(input: Tensor | Sequence[int], to: str = 'CPU', blocking: bool = True) -> Any:
    """A copy of a tensor, or of ints, on a kind of device; JAX chooses the device."""
moveaxis: Any
movedim: Any
from ms_compat.ops.iteration import ms_hasnext as ms_hasnext
from ms_compat.ops._kernel_info import ms_kernel as ms_kernel
from ms_compat.ops.iteration import ms_next as ms_next
def mse_loss(input: Tensor, target: Tensor, reduction: str = 'mean') -> Tensor:
    """Squared difference."""
def mse_loss_ext(input: Tensor, target: Tensor, reduction: str = 'mean') -> Tensor:
    """Squared difference."""
def msort(input: Tensor) -> Tensor:
    """The elements in order along the first axis."""
def mul(input: Tensor | Number | bool, other: Tensor | Number | bool) -> Tensor:
    """The product. A 0-d tensor gives way to one with dimensions like a Python number."""
def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: int = 1,
    margin: Any = 1,
    weight: Tensor | None = None,
    reduction: str = 'mean',
) -> Any:
    """Mean over the other classes of max(0, margin - x[target] + x[class]) ** p."""
def multi_scale_deformable_attn_function(
    value: Tensor,
    shape: Tensor,
    offset: Tensor,
    locations: Tensor,
    weight: Tensor,
) -> Tensor:
    """Weighted bilinear samples from feature maps in several sizes. Zhu et al., arXiv:2010.04159."""
def multilabel_margin_loss(input: Tensor, target: Tensor, reduction: str = 'mean') -> Any:
    """Sum over true and false classes of max(0, 1 - (x[true] - x[false])) / C; a row of `target` ends at -1."""
def multilabel_soft_margin_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | int | float | None = None,
    reduction: str = 'mean',
) -> Tensor:
    """Mean over the classes of the binary cross-entropy of sigmoid(input)."""
def multinomial(input: Tensor, num_samples: int, replacement: bool = True, seed: int | None = None) -> Tensor:
    """Class numbers drawn with the given weights."""
def multinomial_with_replacement(
    x: Tensor,
    seed: int,
    offset: int,
    numsamples: int,
    replacement: bool = False,
) -> Tensor:
    """Class numbers drawn with replacement, the same for a seed and an offset that are not 0 both. Int64."""
def multiply(input: Any, other: Any) -> Any:
    """The product. A 0-d tensor gives way to one with dimensions like a Python number."""
def mv(mat: Tensor, vec: Tensor) -> Tensor:
    """A matrix times a vector."""
def mvlgamma(input: Tensor, p: int) -> Tensor:
    """Logarithm of the multivariate gamma function of dimension `p`."""
def nan_to_num(
    input: Tensor,
    nan: Number | None = None,
    posinf: Number | None = None,
    neginf: Number | None = None,
) -> Tensor:
    """Replace NaN and the infinities."""
def nanmean(input: Tensor, axis: int | None = None, keepdims: bool = False, dtype: Type | None = None) -> Tensor:
    """The mean over dimensions without NaN; arguments as for `sum`."""
def nanmedian(input: Tensor, axis: int = -1, keepdims: bool = False) -> tuple[Any, ...]:
    """The median along an axis without NaN, and its position; arguments as for `median`."""
def nanquantile(input: Tensor, q: float | Tensor, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Quantiles along an axis without NaN; arguments as for `quantile`."""
def nansum(
    input: Tensor,
    axis: int | Sequence[int] | None = None,
    keepdims: bool = False,
    dtype: Type | None = None,
) -> Tensor:
    """The sum over dimensions with NaN as 0; arguments as for `sum`. Integers keep their type."""
def narrow(input: Tensor, axis: int, start: int, length: int) -> Tensor:
    """`length` elements from `start` on along an axis; a view in PYNATIVE_MODE."""
def ne(input: Tensor | Number | bool, other: Tensor | Number | bool) -> Tensor:
    """Where the operands differ."""
def neg(input: Tensor) -> Tensor:
    """The negative of each element; unsigned integers wrap around."""
def negative(input: Any) -> Any:
    """The negative of each element; unsigned integers wrap around."""
def new_group(
    ranks: Sequence[int] | None = None,
    timeout: Any = None,
    backend: Any = None,
    pg_options: Any = None,
    use_local_synchronization: bool = False,
    group_desc: Any = None,
) -> str:
    """Makes a group of processes."""
def nextafter(input: Tensor, other: Tensor) -> Tensor:
    """The next number from the first operand towards the second."""
def nll_loss(
    inputs: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = 'mean',
    label_smoothing: float = 0.0,
) -> Tensor:
    """Negative log-likelihood of class numbers; as `cross_entropy`, for inputs that are log-probabilities already."""
def nonzero(input: Tensor, *, as_tuple: bool = False) -> Any:
    """The coordinates of the elements that are not 0, one a row (Int64)."""
def norm(
    A: Tensor,
    ord: int | float | str | None = None,
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    dtype: Type | None = None,
) -> Tensor:
    """A norm of vectors or matrices: without `ord` the 2-norm of all elements, with `ord` and no `dim` the matrix's."""
def normal(
    shape: Sequence[Any],
    mean: Tensor | int | float,
    stddev: Tensor | int | float,
    seed: int | None = None,
) -> Tensor:
    """Float32 numbers of normal distributions; `shape` broadcasts with `mean` and `stddev`."""
def normal_(input: Tensor, mean: Number = 0, std: Number = 1, *, generator: Any = None) -> Tensor:
    """Normal random numbers, in place; returns the tensor."""
def not_equal(input: Any, other: Any) -> Any:
    """Where the operands differ."""
not_in_dict: Any
def nsa_compress(
    input: Tensor,
    weight: Tensor,
    compress_block_size: int,
    compress_stride: int,
    *,
    actual_seq_len: Sequence[int],
) -> Tensor:
    """Weighted sums over windows of keys or values; no window crosses the end of a sequence."""
def nsa_compress_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    scale_value: float,
    head_num: int,
    compress_block_size: int,
    compress_stride: int,
    select_block_size: int,
    select_block_count: int,
    *,
    topk_mask: Tensor | None = None,
    atten_mask: Tensor | None = None,
    actual_seq_qlen: Sequence[int],
    actual_cmp_seq_kvlen: Sequence[int],
    actual_sel_seq_kvlen: Sequence[int],
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Attention to compressed keys, and the blocks of keys that it finds the most important."""
def nsa_select_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    topk_indices: Tensor,
    scale_value: float,
    head_num: int,
    select_block_size: int,
    select_block_count: int,
    *,
    atten_mask: Tensor | None = None,
    actual_seq_qlen: Sequence[int],
    actual_seq_kvlen: Sequence[int],
) -> tuple[Any, ...]:
    """Attention of each query to some blocks of its sequence's keys."""
def numel(input: Tensor) -> Any:
    """The number of a tensor's elements."""
def one_hot(
    indices: Tensor,
    depth: Any,
    on_value: Tensor | int | float = 1,
    off_value: Tensor | int | float = 0,
    axis: int = -1,
) -> Tensor:
    """`on_value` where an index names a place along a new axis, `off_value` elsewhere and for indices out of range."""
def ones(shape: Sequence[int] | int | Tensor, dtype: Type | None = None) -> Tensor:
    """A tensor of ones."""
def ones_like(input: Tensor, *, dtype: Type | None = None) -> Tensor:
    """Ones in the shape of a tensor, in its dtype or another."""
from ms_compat.ops._kernel_info import op_info_register as op_info_register
operations: Any
def orgqr(input: Tensor, input2: Tensor) -> Tensor:
    """The first columns of the Householder reflections' product, as `geqrf` returns them."""
def ormqr(input: Tensor, tau: Tensor, other: Tensor, left: bool = True, transpose: bool = False) -> Tensor:
    """The product of a matrix with the full Q of `geqrf`."""
other_ops: Any
def outer(input: Tensor, vec2: Tensor) -> Tensor:
    """The outer product of two vectors."""
def pad(
    input_x: Tensor,
    padding: Sequence[int] | Tensor,
    mode: str = 'constant',
    value: int | float | None = None,
) -> Tensor:
    """Elements added around the tensor; negative paddings cut, and without any the tensor is given as it is."""
def padding(x: Tensor, pad_dim_size: int = 8) -> Tensor:
    """The last axis, of size 1, filled up with zeros."""
def pairwise_distance(x1: Any, x2: Any, p: Any = 2.0, eps: Any = 1e-06, keepdim: bool = False) -> Any:
    """The p-norm of x1 - x2 + eps along the last axis."""
partial: Any
def pdist(input: Tensor, p: float = 2.0) -> Tensor:
    """The p-norm distances between all row pairs, in the order of `itertools.combinations`."""
def permute(input: Tensor, axis: Sequence[int]) -> Tensor:
    """The dimensions in the order `axis`; a view in PYNATIVE_MODE."""
def pinv(
    x: Tensor,
    *,
    atol: float | Tensor | None = None,
    rtol: float | Tensor | None = None,
    hermitian: bool = False,
) -> Tensor:
    """Moore-Penrose inverses of matrices."""
def pixel_shuffle(input: Tensor, upscale_factor: int) -> Tensor:
    """[*, C * r ** 2, H, W] to [*, C, H * r, W * r]."""
def pixel_unshuffle(input: Tensor, downscale_factor: int) -> Tensor:
    """[*, C, H * r, W * r] to [*, C * r ** 2, H, W]."""
def poisson(shape: Sequence[Any], mean: Tensor, seed: int | None = None) -> Tensor:
    """Int32 numbers of Poisson distributions; `shape` broadcasts with `mean`."""
def polar(abs: Tensor | float, angle: Tensor | float) -> Tensor:
    """A complex tensor of absolute value and angle."""
def polygamma(n: Tensor, input: Tensor) -> Tensor:
    """The n-th derivative of the digamma function."""
def population_count(input_x: Tensor) -> Tensor:
    """The number of ones among the bits of each element, as UInt8."""
def positive(input: Tensor) -> Tensor:
    """The Tensor itself."""
def pow(input: Tensor | Number, exponent: Tensor | Number) -> Tensor:
    """The power; integers stay integers, and to a negative power are 0, but for the bases 1 and -1."""
def pows(input: Any, exponent: Any) -> Any:
    """The power; integers stay integers, and to a negative power are 0, but for the bases 1 and -1."""
def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """max(0, x) + weight * min(0, x), with one weight for all channels (axis 1) or one for each."""
from ms_compat.ops.primitive import prim_attr_register as _prim_arg_register
prim_arg_register = _prim_arg_register
from ms_compat.ops.primitive import prim_attr_register as prim_attr_register
from . import primitive as primitive
from . import primitives as primitives
def print_(*input_x: Any) -> Any:
    """Print values, one a line: Tensors with shape and dtype, anything else as Python does."""
def prod(
    input: Tensor,
    axis: int | Sequence[int] | Tensor | None = None,
    keep_dims: bool = False,
    dtype: Type | None = None,
) -> Tensor:
    """The product over dimensions; of integers and bool in Int64, but of UInt16, UInt32 and UInt64 in their own type."""
def prompt_flash_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    actual_seq_lengths: Tensor | Sequence[int] | None = None,
    actual_seq_lengths_kv: Tensor | Sequence[int] | None = None,
    pse_shift: Tensor | None = None,
    deq_scale1: Tensor | None = None,
    quant_scale1: Tensor | None = None,
    deq_scale2: Tensor | None = None,
    quant_scale2: Tensor | None = None,
    quant_offset2: Tensor | None = None,
    num_heads: int = 1,
    scale_value: float = 1.0,
    pre_tokens: int = 2147483647,
    next_tokens: int = 0,
    input_layout: str = 'BSH',
    num_key_value_heads: int = 0,
    sparse_mode: int = 0,
    inner_precise: int = 1,
) -> Any:
    """Attention of a whole prompt: Softmax(Mask(scale_value * Q K^T + pse_shift)) V."""
def put_(input: Any, index: Any, source: Any, accumulate: bool = False) -> Any:
    """Elements of the flat tensor replaced, in place; returns the tensor."""
pyboost_inner_prim: Any
def qr(input: Tensor, mode: str = 'reduced') -> tuple[Tensor, Tensor]:
    """QR decomposition: (Q, R)."""
def quantile(input: Tensor, q: float | Tensor, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Quantiles along an axis, linearly interpolated."""
def rad2deg(input: Any) -> Tensor:
    """Radians to degrees. Integers and bool give Float32."""
def rand(*size: Any, dtype: Type | None = None, seed: int | None = None) -> Tensor:
    """Numbers of the uniform distribution on [0, 1); `size` as numbers or as one tuple, `dtype` a float type."""
def rand_like(input: Tensor, seed: int | None = None, *, dtype: Type | None = None) -> Tensor:
    """As `rand`, with the shape of a Tensor and, by default, its type."""
def randint(
    low: int,
    high: int,
    size: Sequence[Any],
    seed: int | None = None,
    *,
    dtype: Type | None = None,
) -> Tensor:
    """Integers from [low, high), Int64 by default."""
def randint_like(input: Tensor, low: int, high: int, seed: int | None = None, *, dtype: Type | None = None) -> Tensor:
    """As `randint`, with the shape (and type, by default) of a Tensor."""
def randn(*size: Any, dtype: Type | None = None, seed: int | None = None) -> Tensor:
    """Numbers of the standard normal distribution; `size` as numbers or as one tuple, `dtype` a float type."""
def randn_like(input: Tensor, seed: int | None = None, *, dtype: Type | None = None) -> Tensor:
    """As `randn`, with the shape of a Tensor (not its type: Float32 by default)."""
def random_(input: Tensor, from_: int = 0, to: int | None = None, *, generator: Any = None) -> Any:
    """Random integers in [from_, to), in place; without `to` all that the dtype holds exactly."""
def random_categorical(logits: Tensor, num_sample: int, seed: int = 0, dtype: Any = ...) -> Tensor:
    """Class numbers [N, num_sample] drawn with the softmax of logits [N, C]; with a `seed` the same at every call."""
def random_gamma(shape: Tensor, alpha: Tensor, seed: int | None = None) -> Tensor:
    """Numbers from gamma distributions with rate 1: the result has shape `shape` + `alpha.shape`."""
def random_poisson(shape: Tensor, rate: Tensor, seed: int | None = None, dtype: Any = ...) -> Tensor:
    """Numbers of Poisson distributions: the result has shape `shape` + `rate.shape`."""
def randperm(n: Tensor | int, seed: int = 0, offset: int = 0, dtype: Any = ...) -> Tensor:
    """A random order of 0 to n - 1: always the same one for a seed and an offset, the default ones, too."""
def range(start: Number | Tensor, end: Number | Tensor, step: Number | Tensor, maxlen: int = 1000000) -> Tensor:
    """As `arange`, of three numbers or 0-d Tensors of one kind; integers give Int64."""
def rank(input_x: Tensor) -> Tensor:
    """The number of a tensor's dimensions."""
def ravel(input: Tensor) -> Tensor:
    """The elements as one dimension; a view in PYNATIVE_MODE."""
def real(input: Tensor) -> Tensor:
    """The real part."""
def reciprocal(input: Tensor) -> Tensor:
    """Reciprocal of each element. Integers and bool give Float32."""
recompute_block: Any
def recv(tensor: Tensor, src: int = 0, group: str | None = None, tag: int = 0) -> Any:
    """Receives a tensor like `tensor`, or into it and returns 0; see `set_comm_ops_inplace`."""
def recv_object_list(
    object_list: Sequence[Any],
    src: int = 0,
    group: str | None = None,
    device: str | None = None,
) -> int:
    """Receives a list of objects from a process into one of that length; returns 0."""
def reduce(tensor: Tensor, dst: int, op: str = 'sum', group: str | None = None, async_op: bool = False) -> Any:
    """Combines the tensors of all processes in one process; the others keep theirs."""
def reduce_max(
    input: Any,
    axis: int | Sequence[int] | Tensor | None = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = None,
) -> Any:
    """The maximum over dimensions. Its gradient is shared evenly among equal elements."""
def reduce_mean(x: Tensor, axis: int | Sequence[int] | Tensor | None = None, keep_dims: bool = False) -> Any:
    """The mean over dimensions, in the tensor's own dtype: of integers truncated."""
def reduce_min(
    input: Any,
    axis: int | Sequence[int] | Tensor | None = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = None,
) -> Tensor:
    """The minimum over dimensions; arguments as for `amax`."""
def reduce_scatter(
    output: Tensor,
    input_list: Sequence[Tensor],
    op: str = 'sum',
    group: str | None = None,
    async_op: bool = False,
) -> Any:
    """Combines lists of tensors item by item and gives each process the item of its number."""
def reduce_scatter_tensor(
    output: Tensor,
    input: Tensor,
    op: str = 'sum',
    group: str | None = None,
    async_op: bool = False,
) -> Any:
    """Combines the tensors of all processes and gives each a part of equal size."""
def reduce_scatter_tensor_uneven(
    output: Tensor,
    input: Tensor,
    input_split_sizes: Sequence[int] | None = None,
    op: str = 'sum',
    group: str | None = None,
    async_op: bool = False,
) -> Any:
    """Combines the tensors of all processes and gives each a part of its own size; see `reduce_scatter_tensor`."""
def reduce_sum(x: Tensor, axis: int | Sequence[int] | Tensor = ..., keep_dims: bool = False) -> Any:
    """The sum over dimensions in the tensor's own dtype; of bool their disjunction."""
reduced_shape: Any
ref_to_embed: Any
def relu(input: Tensor) -> Tensor:
    """max(x, 0), and 0 of NaN. Gradient 0 at 0."""
def relu6(x: Tensor) -> Tensor:
    """min(max(x, 0), 6), and 0 of NaN."""
from ms_compat.ops.function.elementwise.activation import relu_ as relu_
def remainder(input: Tensor | Number | bool, other: Tensor | Number | bool) -> Tensor:
    """The remainder with the divisor's sign."""
def renorm(input: Tensor, p: int, axis: int, maxnorm: float) -> Tensor:
    """The slices along an axis scaled down to a p-norm of at most `maxnorm`."""
def repeat_elements(x: Tensor, rep: int, axis: int = 0) -> Tensor:
    """Each slice along an axis `rep` times in a row."""
def repeat_interleave(input: Tensor, repeats: int | Sequence[Any] | Tensor, axis: int | None = None) -> Tensor:
    """Each element repeated."""
reshape: Any
reshape_: Any
def reshard(tensor: Tensor, layout: Any) -> Tensor:
    """The tensor, cut over devices; its values and gradients are the same."""
def reverse(input: Any, dims: Any) -> Any:
    """The order of elements reversed along dimensions."""
def reverse_sequence(x: Tensor, seq_lengths: Tensor, seq_dim: int, batch_dim: int = 0) -> Tensor:
    """The first elements of each sequence reversed."""
def rfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """Fourier transform of real input, without the redundant half along a dimension."""
def rfft2(input: Tensor, s: Sequence[int] | None = None, dim: Sequence[int] = ..., norm: str | None = None) -> Tensor:
    """Fourier transform of real input, without the redundant half along several dimensions."""
def rfftfreq(n: int, d: float = 1.0, dtype: Type | None = None) -> Tensor:
    """The frequencies of `rfft`'s elements: Float32 [n // 2 + 1]; arguments as for `fftfreq`."""
def rfftn(
    input: Tensor,
    s: Sequence[int] | None = None,
    dim: Sequence[int] | None = None,
    norm: str | None = None,
) -> Tensor:
    """Fourier transform of real input, without the redundant half along several dimensions."""
def ring_attention_update(
    prev_attn_out: Tensor,
    prev_softmax_max: Tensor,
    prev_softmax_sum: Tensor,
    cur_attn_out: Tensor,
    cur_softmax_max: Tensor,
    cur_softmax_sum: Tensor,
    actual_seq_qlen: Tensor | None = None,
    layout: str = 'SBH',
) -> tuple[Tensor, Tensor, Tensor]:
    """Attention over all keys from the results over two parts of them."""
def rms_norm(x: Tensor, gamma: Tensor, epsilon: float = 1e-06) -> Tensor:
    """Root-mean-square normalisation; see `rms_norm_stats`. Returns the output and the reciprocal root."""
def roll(input: Tensor, shifts: Sequence[int] | int, dims: Sequence[int] | int | None = None) -> Tensor:
    """The elements shifted along dimensions, those pushed out come back at the other end."""
def rot90(input: Tensor, k: int, dims: Sequence[int]) -> Tensor:
    """Rotated by `k` quarter turns from the first of two dimensions to the second; by whole turns `input` itself."""
def rotary_position_embedding(x: Tensor, cos: Tensor, sin: Tensor, mode: int = 0) -> Tensor:
    """x * cos + turned(x) * sin."""
def rotated_iou(
    boxes: Tensor,
    query_boxes: Tensor,
    trans: bool = False,
    mode: int = 0,
    is_cross: bool = True,
    v_threshold: float = 0.0,
    e_threshold: float = 0.0,
) -> Tensor:
    """The overlap of each rotated box with each rotated query box."""
def round(input: Tensor, decimals: int = 0) -> Tensor:
    """The nearest number with `decimals` digits after the point, halves to even."""
def row_stack(tensors: Any) -> Any:
    """As `vstack`."""
from ms_compat.ops.function.sparse.parts import row_tensor_add as row_tensor_add
def row_tensor_get_dense_shape(x: Any) -> Any:
    """The `dense_shape` of a RowTensor."""
def row_tensor_get_indices(x: Any) -> Any:
    """The `indices` of a RowTensor."""
def row_tensor_get_values(x: Any) -> Any:
    """The `values` of a RowTensor."""
def rrelu(input: Tensor, lower: int | float = 0.125, upper: int | float = 0.3333333333333333) -> Tensor:
    """x where x >= 0, elsewhere x times a random slope from [lower, upper]."""
def rsqrt(input: Tensor) -> Tensor:
    """Reciprocal square root of each element. Integers and bool give Float32."""
scalar_add: Any
def scalar_cast(input_x: Number, input_y: Type) -> Any:
    """A Python number converted to the Python type of a mindspore dtype."""
scalar_div: Any
scalar_eq: Any
scalar_floordiv: Any
scalar_ge: Any
scalar_gt: Any
scalar_le: Any
scalar_log: Any
scalar_lt: Any
scalar_max: Any
scalar_min: Any
scalar_mod: Any
scalar_mul: Any
scalar_ne: Any
scalar_pow: Any
scalar_sub: Any
def scalar_to_array(input_x: Any, dtype: Any = ...) -> Any:
    """A number as a 0-d tensor."""
def scalar_to_tensor(input_x: bool | int | float, dtype: Any = ...) -> Tensor:
    """A number as a 0-d tensor."""
scalar_uadd: Any
scalar_usub: Any
def scatter(input: Tensor, axis: int, index: Tensor, src: Tensor | float) -> Tensor:
    """A copy in which `src` replaces the elements at indices along an axis."""
def scatter_add(input_x: Parameter | Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Change a Parameter in place by `add` at indices of the first axis."""
def scatter_div(input_x: Parameter | Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Change a Parameter in place by `div` at indices of the first axis."""
def scatter_max(input_x: Parameter | Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Change a Parameter in place by `max` at indices of the first axis."""
def scatter_min(input_x: Parameter | Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Change a Parameter in place by `min` at indices of the first axis."""
def scatter_mul(input_x: Parameter | Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Change a Parameter in place by `mul` at indices of the first axis."""
def scatter_nd(indices: Tensor, updates: Tensor, shape: Sequence[int]) -> Tensor:
    """Zeros of a shape with updates added at coordinates."""
def scatter_nd_add(
    input_x: Parameter | Tensor,
    indices: Tensor,
    updates: Tensor,
    use_locking: bool = False,
) -> Tensor:
    """Change a Parameter in place by `add` at coordinates in the last dimension of `indices`."""
def scatter_nd_div(
    input_x: Parameter | Tensor,
    indices: Tensor,
    updates: Tensor,
    use_locking: bool = False,
) -> Tensor:
    """Change a Parameter in place by `div` at coordinates in the last dimension of `indices`."""
def scatter_nd_max(
    input_x: Parameter | Tensor,
    indices: Tensor,
    updates: Tensor,
    use_locking: bool = False,
) -> Tensor:
    """Change a Parameter in place by `max` at coordinates in the last dimension of `indices`."""
def scatter_nd_min(
    input_x: Parameter | Tensor,
    indices: Tensor,
    updates: Tensor,
    use_locking: bool = False,
) -> Tensor:
    """Change a Parameter in place by `min` at coordinates in the last dimension of `indices`."""
def scatter_nd_mul(
    input_x: Parameter | Tensor,
    indices: Tensor,
    updates: Tensor,
    use_locking: bool = False,
) -> Tensor:
    """Change a Parameter in place by `mul` at coordinates in the last dimension of `indices`."""
def scatter_nd_sub(
    input_x: Parameter | Tensor,
    indices: Tensor,
    updates: Tensor,
    use_locking: bool = False,
) -> Tensor:
    """Change a Parameter in place by `sub` at coordinates in the last dimension of `indices`."""
def scatter_nd_update(
    input_x: Parameter | Tensor,
    indices: Tensor,
    updates: Tensor,
    use_locking: bool = False,
) -> Tensor:
    """Change a Parameter in place by `update` at coordinates in the last dimension of `indices`."""
def scatter_object_list(
    scatter_object_output_list: Sequence[Any],
    scatter_object_input_list: Sequence[Any],
    src: int = 0,
    group: str | None = None,
) -> Any:
    """Scatters one process's objects, one to each process."""
def scatter_tensor(
    output_tensor: Tensor,
    input_tensor: Tensor,
    src: int = 0,
    group: str | None = None,
    async_op: bool = False,
) -> Any:
    """Cuts the tensor of one process along the first dimension, a part for each process; see `scatter`."""
def scatter_update(
    input_x: Parameter | Tensor,
    indices: Tensor,
    updates: Tensor,
    use_locking: bool = False,
) -> Tensor:
    """Change a Parameter in place by `update` at indices of the first axis."""
def searchsorted(
    sorted_sequence: Tensor,
    values: Tensor,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Tensor | None = None,
) -> Tensor:
    """The insertion points of values in a sorted tensor."""
def select(condition: Tensor, input: Tensor | int | float, other: Tensor | int | float) -> Tensor:
    """`input` where the condition is true, `other` elsewhere; shapes broadcast."""
def select_ext_view(input: Any, dim: Any, index: Any) -> Any:
    """The slice at `index` along a dimension, without that dimension; a view in PYNATIVE_MODE."""
def select_scatter(input: Tensor, src: Tensor, axis: int, index: int) -> Tensor:
    """A copy with the slice at `index` along an axis replaced."""
def selu(input_x: Tensor) -> Tensor:
    """Scaled ELU: 1.0507 * elu(x, 1.67326)."""
def send(tensor: Tensor, dst: int = 0, group: str | None = None, tag: int = 0) -> Any:
    """Sends a tensor; returns 0. Arguments as of `isend`."""
def send_object_list(
    object_list: Sequence[Any],
    dst: int = 0,
    group: str | None = None,
    device: str | None = None,
) -> Any:
    """Sends a list of objects to a process; returns 0. Arguments as of `broadcast_object_list`."""
def sequence_mask(lengths: Tensor, maxlen: int | None = None) -> Tensor:
    """True in the first `lengths` places of a new last dimension."""
from ms_compat.communication.functional import set_comm_ops_inplace as set_comm_ops_inplace
def sgn(input: Tensor) -> Tensor:
    """As `sign`; a complex element is divided by its absolute value."""
def shape(input_x: Tensor) -> tuple[Any, ...]:
    """The shape of a tensor, a COOTensor or a CSRTensor, as a tuple of ints."""
def shape_(input_x: Tensor) -> tuple[Any, ...]:
    """The shape of a tensor, a COOTensor or a CSRTensor, as a tuple of ints."""
shape_mul: Any
def shuffle(x: Tensor, seed: int | None = None) -> Tensor:
    """The rows of a Tensor in random order."""
def sigmoid(input: Tensor) -> Tensor:
    """1 / (1 + exp(-x))."""
def sign(input: Tensor) -> Tensor:
    """-1, 0 or 1 by the sign of each element; 0 for NaN."""
from . import signature as signature
def signbit(input: Tensor) -> Tensor:
    """Where the sign bit is set."""
def silu(input: Tensor) -> Tensor:
    """x * sigmoid(x), also called swish."""
def sin(input: Tensor) -> Tensor:
    """Sine of each element, in radians. Integers and bool give Float32."""
def sinc(input: Tensor) -> Tensor:
    """sin(pi x) / (pi x), 1 at zero. Integers and bool give Float32."""
def sinh(input: Tensor) -> Tensor:
    """Hyperbolic sine of each element. Integers and bool give Float32."""
def size(input_x: Tensor) -> int:
    """The number of a tensor's elements."""
slice: Any
def slice_scatter(
    input: Tensor,
    src: Tensor,
    axis: int = 0,
    start: int | None = None,
    end: int | None = None,
    step: int = 1,
) -> Tensor:
    """A copy with the slice [start:end:step] along an axis replaced; ValueError unless `src` has the slice's shape."""
def slogdet(input: Tensor) -> tuple[Any, ...]:
    """Signs and logarithms of the absolute determinants, both in the matrices' dtype."""
def smooth_l1_loss(input: Tensor, target: Tensor, beta: Number = 1.0, reduction: str = 'none') -> Any:
    """0.5 d ** 2 / beta where |d| < beta, |d| - 0.5 beta elsewhere, for d = input - target."""
def soft_margin_loss(input: Tensor, target: Tensor, reduction: str = 'mean') -> Any:
    """log(1 + exp(-target * input))."""
def soft_shrink(input: Any, lambd: Any = 0.5) -> Any:
    """x - `lambd` above `lambd`, x + `lambd` below -`lambd`, else 0."""
def softmax(input: Tensor, axis: int = -1, dtype: Type | None = None) -> Tensor:
    """exp(x - max) / sum(exp(x - max)) along one axis."""
def softmin(x: Tensor, axis: int | Sequence[int] = -1, dtype: Type | None = None) -> Tensor:
    """softmax(-x) along one axis; see `softmax`."""
def softplus(input: Tensor, beta: Any = 1, threshold: Any = 20) -> Tensor:
    """log(1 + exp(beta * x)) / beta; x itself where beta * x > `threshold`."""
def softshrink(input: Tensor, lambd: Number = 0.5) -> Tensor:
    """x - `lambd` above `lambd`, x + `lambd` below -`lambd`, else 0."""
def softsign(x: Tensor) -> Tensor:
    """x / (1 + |x|)."""
def sort(input_x: Tensor, axis: int = -1, descending: bool = False) -> tuple[Any, ...]:
    """The elements in order along an axis, and where they stood (Int32)."""
def space_to_batch_nd(input_x: Tensor, block_size: Sequence[int] | int, paddings: Sequence[Any]) -> Tensor:
    """Blocks of the last axes, padded with zeros, as samples of the batch; the inverse of `batch_to_space_nd`."""
def sparse_flash_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    sparse_indices: Tensor,
    scale_value: float,
    *,
    block_table: Tensor | None = None,
    actual_seq_lengths_query: Tensor | None = None,
    actual_seq_lengths_kv: Tensor | None = None,
    query_rope: Tensor | None = None,
    key_rope: Tensor | None = None,
    sparse_block_size: int = 1,
    layout_query: str = 'BSND',
    layout_kv: str = 'BSND',
    sparse_mode: int = 3,
    pre_tokens: int = 9223372036854775807,
    next_tokens: int = 9223372036854775807,
    attention_mode: int = 0,
    return_softmax_lse: bool = False,
) -> tuple[Tensor, Tensor, Tensor]:
    """Attention of each query to the keys that `lightning_indexer` chose for it."""
def sparse_segment_mean(x: Tensor, indices: Tensor, segment_ids: Tensor) -> Tensor:
    """The means of chosen rows, segment by segment; 0 for a segment without rows."""
def speed_fusion_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    head_num: int,
    input_layout: str,
    *,
    pse: Tensor | None = None,
    padding_mask: Tensor | None = None,
    atten_mask: Tensor | None = None,
    scale: float = 1.0,
    keep_prob: float = 1.0,
    pre_tokens: int = 2147483647,
    next_tokens: int = 2147483647,
    inner_precise: int = 0,
    prefix: Sequence[int] | None = None,
    actual_seq_qlen: Sequence[int] | None = None,
    actual_seq_kvlen: Sequence[int] | None = None,
    sparse_mode: int = 0,
    gen_mask_parallel: bool = True,
    sync: bool = False,
    pse_type: int = 1,
    q_start_idx: Sequence[int] | None = None,
    kv_start_idx: Sequence[int] | None = None,
) -> tuple[Any, ...]:
    """`flash_attention_score` with more position encodings and all its results."""
def split(tensor: Tensor, split_size_or_sections: int | Sequence[int], axis: int = 0) -> tuple[Any, ...]:
    """Pieces along an axis; views in PYNATIVE_MODE."""
def split_view(tensor: Any, split_size_or_sections: Any, axis: Any = 0) -> Any:
    """Pieces along an axis; views in PYNATIVE_MODE."""
def sqrt(input: Any) -> Tensor:
    """Square root of each element; NaN for negative ones. Integers and bool give Float32."""
def square(input: Tensor) -> Tensor:
    """Each element times itself, in its own dtype."""
squeeze: Any
def stack(tensors: Any, axis: int = 0) -> Tensor:
    """Tensors of one dtype and shape joined along a new axis."""
def standard_laplace(shape: Sequence[Any] | Tensor, seed: int | None = None) -> Tensor:
    """Float32 numbers from the Laplace distribution with mean 0 and scale 1."""
def standard_normal(shape: Sequence[Any] | Tensor, seed: int | None = None) -> Tensor:
    """Float32 numbers of the standard normal distribution."""
def std(
    input: Tensor,
    axis: int | Sequence[int] | None = None,
    ddof: int | bool = 0,
    keepdims: bool = False,
) -> Tensor:
    """The standard deviation over dimensions; arguments as for `var`."""
def std_mean(
    input: Tensor,
    axis: int | Sequence[int] | None = None,
    ddof: int | bool = 0,
    keepdims: bool = False,
) -> tuple[Any, ...]:
    """The standard deviation and the mean over dimensions; arguments as for `var`."""
def stft(
    x: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    pad_mode: str = 'REFLECT',
    normalized: bool = False,
    onesided: bool | None = None,
    return_complex: bool | None = None,
) -> Tensor:
    """Short-time Fourier transform: the transforms of overlapping windowed frames."""
def stop_gradient(value: Any) -> Any:
    """The value, as a constant for differentiation."""
def stop_gradient_(input: Tensor) -> Any:
    """Make a Tensor a constant for differentiation, in place: what is computed from it later has no gradient in it."""
def strided_slice(
    input_x: Tensor,
    begin: Sequence[int],
    end: Sequence[int],
    strides: Sequence[int],
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> Tensor:
    """`input_x[begin:end:strides]` with bit masks that change the meaning of single positions."""
string_concat: Any
string_eq: Any
def sub(input: Tensor | Number | bool, other: Tensor | Number | bool) -> Tensor:
    """The difference; of two bool tensors their exclusive or."""
def subtract(input: Tensor | Number, other: Tensor | Number, alpha: Number = 1) -> Tensor:
    """input - alpha * other."""
def sum(
    input: Tensor,
    dim: int | Sequence[int] | Tensor | None = None,
    keepdim: bool = False,
    dtype: Type | None = None,
) -> Tensor:
    """The sum over dimensions; of integers and bool in Int64, but of UInt16, UInt32 and UInt64 in their own type."""
def svd(input: Tensor, full_matrices: bool = False, compute_uv: bool = True) -> Any:
    """Singular value decomposition."""
def swapaxes(input: Tensor, axis0: int, axis1: int) -> Tensor:
    """Two dimensions exchanged, a view in PYNATIVE_MODE; with the same dimension twice, `input` itself."""
def swapdims(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """Two dimensions exchanged; a view in PYNATIVE_MODE."""
def swiglu(input: Tensor, dim: int = -1) -> Tensor:
    """silu(a) * b for the two halves a, b of the input along an axis; arguments and errors as `glu`."""
switch: Any
switch_layer: Any
def t(input: Tensor) -> Tensor:
    """A matrix transposed, a view in PYNATIVE_MODE; a tensor with fewer dimensions as it is."""
from ms_compat.ops._language import tail as tail
def take(input: Tensor, index: Tensor) -> Tensor:
    """The elements of the flat tensor at indices, in the shape of `index`."""
def tan(input: Tensor) -> Tensor:
    """Tangent of each element, in radians. Integers and bool give Float32."""
def tanh(input: Tensor) -> Tensor:
    """Hyperbolic tangent."""
def tanh_(input: Any) -> Any:
    """The hyperbolic tangent, in place; returns the tensor."""
def tanhshrink(input: Tensor) -> Tensor:
    """x - tanh(x)."""
def tensor_add(input: Any, other: Any) -> Any:
    """The sum; of two bool tensors their disjunction."""
def tensor_div(input: Any, other: Any, rounding_mode: Any = None) -> Tensor:
    """The quotient; of integers in Float32, unless it is rounded."""
def tensor_dot(x1: Tensor, x2: Tensor, axes: int | Sequence[int] | Sequence[Sequence[int]]) -> Tensor:
    """The sums of products over several dimensions of both tensors."""
def tensor_exp(input: Any) -> Any:
    """e to the power of each element. Integers and bool give Float32."""
def tensor_expm1(input: Any) -> Any:
    """exp(x) - 1 without loss of precision near zero. Integers and bool give Float32."""
def tensor_floordiv(x: Any, y: Any) -> Any:
    """The quotient rounded down. An integer divided by zero gives its dtype's largest or smallest number."""
def tensor_ge(input: Any, other: Any) -> Any:
    """Where input >= other."""
def tensor_gt(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Where input > other."""
def tensor_le(input: Any, other: Any) -> Any:
    """Where input <= other."""
def tensor_lt(input: Tensor, other: Tensor | Number | bool) -> Tensor:
    """Where input < other."""
def tensor_mod(x: Any, y: Any) -> Any:
    """The remainder of `floor_div`, with the divisor's sign."""
def tensor_mul(input: Any, other: Any) -> Any:
    """The product. A 0-d tensor gives way to one with dimensions like a Python number."""
def tensor_muls(input: Any, other: Any) -> Any:
    """The product. A 0-d tensor gives way to one with dimensions like a Python number."""
tensor_operator_registry: Any
def tensor_pow(input: Any, exponent: Any) -> Any:
    """The power; integers stay integers, and to a negative power are 0, but for the bases 1 and -1."""
def tensor_range(start: Any, end: Any, step: Any, maxlen: Any = 1000000) -> Any:
    """As `arange`, of three numbers or 0-d Tensors of one kind; integers give Int64."""
def tensor_scatter_add(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """A copy with the slices at coordinates changed by `add`."""
def tensor_scatter_div(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """A copy with the slices at coordinates changed by `div`."""
def tensor_scatter_elements(
    input_x: Tensor,
    indices: Tensor,
    updates: Tensor,
    axis: int = 0,
    reduction: str = 'none',
) -> Tensor:
    """A copy with the elements at indices along an axis replaced, or added to with reduction "add"."""
def tensor_scatter_max(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """A copy with the slices at coordinates changed by `max`."""
def tensor_scatter_min(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """A copy with the slices at coordinates changed by `min`."""
def tensor_scatter_mul(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """A copy with the slices at coordinates changed by `mul`."""
def tensor_scatter_sub(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """A copy with the slices at coordinates changed by `sub`."""
def tensor_scatter_update(input_x: Tensor, indices: Tensor, updates: Any) -> Tensor:
    """A copy with the slices at coordinates changed by `update`."""
tensor_slice: Any
def tensor_split(input: Tensor, indices_or_sections: int | Sequence[int], axis: int = 0) -> tuple[Any, ...]:
    """Pieces along an axis, cut at indices, or as many as even as possible."""
def tensor_sub(input: Any, other: Any) -> Tensor:
    """The difference; of two bool tensors their exclusive or."""
def tensordump(file_name: str, tensor: Tensor, mode: str = 'out') -> Any:
    """Write a tensor to `<file_name>_<dtype>_<number>.npy`; the number counts the tensors written."""
def threshold(input: Tensor, thr: int | float, value: int | float) -> Tensor:
    """x where x > `thr`, else `value`."""
def tile(input: Tensor, dims: Any) -> Tensor:
    """The tensor repeated along each dimension."""
def top_k(input_x: Any, k: Any, sorted: bool = True) -> Any:
    """The `k` largest elements along the last dimension and where they stood (Int32)."""
def topk(input: Tensor, k: int, dim: int | None = None, largest: bool = True, sorted: bool = True) -> tuple[Any, ...]:
    """The `k` largest (or smallest) elements along a dimension and where they stood (Int32)."""
def trace(input: Tensor) -> Tensor:
    """The sum of a matrix's main diagonal, in its own dtype."""
transpose: Any
transpose_ext_view: Any
def trapz(y: Tensor, x: Tensor | None = None, dx: float = 1.0, dim: int = -1) -> Tensor:
    """The integral along a dimension by the trapezoidal rule."""
def tril(input: Tensor, diagonal: int = 0) -> Tensor:
    """The lower triangle of the last two dimensions, zeros elsewhere."""
def tril_indices(row: int, col: int, offset: int = 0, dtype: Type | None = None) -> Tensor:
    """The row and column numbers of a lower triangle, as a tensor of two rows."""
def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: int = 2,
    eps: float = 1e-06,
    swap: bool = False,
    reduction: str = 'mean',
) -> Any:
    """max(0, d(anchor, positive) - d(anchor, negative) + margin) with the p-norm distance along the second axis."""
def triu(input: Tensor, diagonal: int = 0) -> Tensor:
    """The upper triangle of the last two dimensions, zeros elsewhere; arguments as for `tril`."""
def triu_indices(row: int, col: int, offset: int = 0, dtype: Type | None = None) -> Tensor:
    """The row and column numbers of an upper triangle, as a tensor of two rows."""
def true_divide(dividend: Any, divisor: Any) -> Any:
    """The quotient; of integers in Float32."""
def trunc(input: Tensor) -> Tensor:
    """Each element without its fraction. Integers are returned as they are."""
def truncate_div(x: Tensor | Number | bool, y: Tensor | Number | bool) -> Tensor:
    """The quotient rounded towards zero."""
def truncate_mod(x: Tensor | Number | bool, y: Tensor | Number | bool) -> Tensor:
    """The remainder with the dividend's sign, and 0 of an integer divided by 0."""
tuple_div: Any
tuple_equal: Any
tuple_getitem: Any
tuple_len: Any
tuple_reversed: Any
tuple_setitem: Any
def tuple_to_array(input_x: Sequence[Any]) -> Tensor:
    """A tuple of numbers with one type as a 1-d tensor: ints give Int32, floats Float32."""
def type_as(input: Tensor, other: Tensor) -> Tensor:
    """`input` in the dtype of `other`."""
typeof: Any
unbind: Any
def unfold(
    input: Tensor,
    kernel_size: int | Sequence[int],
    dilation: int | Sequence[int] = 1,
    padding: int | Sequence[int] = 0,
    stride: int | Sequence[int] = 1,
) -> Tensor:
    """The sliding blocks of [N, C, H, W] as columns: [N, C * KH * KW, L]."""
def uniform(
    shape: Sequence[Any] | Tensor,
    minval: Tensor,
    maxval: Tensor,
    seed: int | None = None,
    dtype: Any = ...,
) -> Tensor:
    """Numbers of the uniform distribution on [minval, maxval), Float32 or (for an int `dtype`) integers."""
def uniform_(input: Tensor, from_: Number | Tensor = 0, to: Number | Tensor = 1, *, generator: Any = None) -> Tensor:
    """Uniform random numbers in [from_, to), in place; returns the tensor."""
def uniform_candidate_sampler(
    true_classes: Tensor,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    seed: int = 0,
    remove_accidental_hits: bool = False,
) -> tuple[Tensor, Tensor, Tensor]:
    """Classes drawn evenly from [0, range_max), and how often each class is expected among them."""
def unique(input: Tensor) -> tuple[Tensor, Tensor]:
    """The different elements in order of first occurrence, and for each element which of them it is."""
def unique_consecutive(
    input: Tensor,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """The elements without those equal to their predecessor."""
def unique_with_pad(x: Tensor, pad_num: Any) -> tuple[Tensor, Tensor]:
    """As `unique` of a 1-d tensor, filled up to its length with `pad_num`; ValueError for other shapes."""
def unsorted_segment_max(x: Tensor, segment_ids: Tensor, num_segments: int | Tensor) -> Tensor:
    """The maxima of the slices with one segment number; the dtype's smallest number for an empty one."""
def unsorted_segment_min(x: Tensor, segment_ids: Tensor, num_segments: int | Tensor) -> Tensor:
    """The minima of the slices with one segment number; the dtype's largest number for an empty one."""
def unsorted_segment_prod(x: Tensor, segment_ids: Tensor, num_segments: int | Tensor) -> Tensor:
    """The products of the slices with one segment number; 1 for an empty one."""
def unsorted_segment_sum(input_x: Tensor, segment_ids: Tensor, num_segments: int | Tensor) -> Tensor:
    """The sums of the slices with one segment number; negative numbers are left out."""
def unsqueeze(input: Tensor, dim: int) -> Tensor:
    """A new dimension of size 1 at `dim`; a view in PYNATIVE_MODE."""
def unsqueeze_view(input: Any, dim: Any) -> Any:
    """A new dimension of size 1 at `dim`; a view in PYNATIVE_MODE."""
def unstack(input_x: Tensor, axis: int = 0) -> tuple[Any, ...]:
    """The slices along an axis, without it; views in PYNATIVE_MODE."""
def upsample(
    input: Any,
    size: Any = None,
    scale_factor: Any = None,
    mode: str | Any = 'nearest',
    align_corners: Any = None,
    recompute_scale_factor: Any = None,
) -> Any:
    """Same as `interpolate`."""
def value_and_grad(
    fn: Cell | Callable[..., Any],
    grad_position: int | Sequence[int] | None = 0,
    weights: Iterable[Any] = None,
    has_aux: bool = False,
    return_ids: bool = False,
    sens_param: bool = False,
) -> Any:
    """As `grad`; the function that is returned gives `(output of fn, gradients)`."""
def vander(x: Tensor, N: int | None = None) -> Tensor:
    """The Vandermonde matrix of a 1-d tensor, powers falling."""
def var(
    input: Tensor,
    axis: int | Sequence[int] | None = None,
    ddof: int | bool = 0,
    keepdims: bool = False,
) -> Tensor:
    """The variance over dimensions, divided by N - ddof."""
def var_mean(
    input: Tensor,
    axis: int | Sequence[int] | None = None,
    ddof: int | bool = 0,
    keepdims: bool = False,
) -> tuple[Any, ...]:
    """The variance and the mean over dimensions; arguments as for `var`."""
def vecdot(x: Tensor, y: Tensor, axis: int = -1) -> Tensor:
    """The sums of products along an axis."""
def vector_norm(
    x: Tensor,
    ord: int | float = 2,
    axis: int | Sequence[int] | None = None,
    keepdims: bool = False,
    dtype: Type | None = None,
) -> Tensor:
    """A norm of vectors: (sum of |x|**ord)**(1/ord) over dimensions."""
def view_as(input: Tensor, other: Tensor) -> Tensor:
    """`input` in the shape of `other`; a view in PYNATIVE_MODE."""
def view_as_real(input: Tensor) -> Any:
    """A complex tensor as a real one with a last dimension of two."""
def vjp(fn: Callable[..., Any] | Cell, *inputs: Any, weights: Iterable[Any] = None, has_aux: bool = False) -> Any:
    """Run a function and return its outputs and its vector-Jacobian product."""
vm_impl_registry: Any
def vmap(fn: Any, in_axes: int | Sequence[Any] = 0, out_axes: int | Sequence[Any] = 0) -> Any:
    """Map a function over an axis of its inputs."""
def vsplit(input: Tensor, indices_or_sections: int | Sequence[int]) -> tuple[Any, ...]:
    """`tensor_split` along the first dimension."""
def vstack(inputs: Sequence[Tensor]) -> Tensor:
    """Joined along the first axis; 1-d tensors become rows."""
def where(condition: Tensor, input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """`input` where the condition is true, `other` elsewhere; shapes broadcast."""
def xdivy(input: Any, other: Any) -> Tensor:
    """input / other; 0 where input is."""
def xlogy(input: Tensor | Number | bool, other: Tensor | Number | bool) -> Tensor:
    """input * log(other), and 0 where the input is 0. A number is taken in Float32."""
def zero_(input: Any) -> Any:
    """All elements 0, in place; returns the tensor."""
def zeros(size: Sequence[int] | int | Tensor, dtype: Type | None = None) -> Tensor:
    """A tensor of zeros."""
def zeros_like(input: Tensor, *, dtype: Type | None = None) -> Tensor:
    """Zeros in the shape of a tensor, in its dtype or another."""
def zeta(input: Tensor | int | float, other: Tensor | int | float) -> Tensor:
    """The Hurwitz zeta function."""
from ms_compat.ops._language import zip_operation as zip_operation
