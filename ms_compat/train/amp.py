"""Mixed precision: which Cells compute in float16, and the training step with its loss scale.

Levels: O0 leaves everything; O1 runs the Cells of a list (dense, convolution, recurrent) in float16 and gives
float32 on; O2 runs all but batch normalization in float16, with a dynamic loss scale; O3 runs everything in float16.
Parameters stay float32: a Cell sees them cast (`Cell.to_float`), and the gradients come back through the cast.
"auto" leaves the Cells as they are and lets each single operation compute in float16, in float32 or in the types of
its inputs, by two lists.
"""

from __future__ import annotations

import logging
from typing import Any

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_choice
from ms_compat._core.errors import check_type, type_error, value_error
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat._names.resolve import resolve, unsupported_getattr
from ms_compat.nn._cell.auto_precision import AutoPrecision, in_precision
from ms_compat.nn.cell import Cell
from ms_compat.nn.wrap.cell_wrapper import TrainOneStepCell, WithLossCell
from ms_compat.nn.wrap.loss_scale import TrainOneStepWithLossScaleCell
from ms_compat.ops.primitive import Primitive
from ms_compat.train.loss_scale_manager import DynamicLossScaleManager, LossScaleManager

logger = logging.getLogger("ms_compat")

_LEVELS = ("O0", "O1", "O2", "O3", "auto")
_WHITE = (
    "Conv1d Conv2d Conv3d Conv1dTranspose Conv2dTranspose Conv3dTranspose Dense LSTMCell RNNCell GRUCell LSTM RNN GRU "
    "PReLU"
).split()
_LISTED = "Conv1d Conv2d Conv3d Conv1dTranspose Conv2dTranspose Conv3dTranspose Dense LSTMCell RNNCell GRUCell".split()
_PRIMITIVES = (
    "Conv2D Conv3D Conv2DTranspose Conv3DTranspose Conv2DBackpropInput MatMul BatchMatMul PReLU ReLU Ger"
).split()
_BATCH_NORM = "BatchNorm1d BatchNorm2d BatchNorm3d SyncBatchNorm".split()


def __getattr__(name: str) -> Any:
    """`AMP_WHITE_LIST` and `AMP_BLACK_LIST`, one list each, made at their first use: `nn` is not complete before."""
    make = {"AMP_WHITE_LIST": get_white_list, "AMP_BLACK_LIST": get_black_list}.get(name)
    if make is None:
        return unsupported_getattr(__name__)(name)
    return globals().setdefault(name, make())


def _cast(value: Any, to: Any) -> Any:
    if isinstance(value, Tensor):
        return value.astype(to) if value.dtype in mstype.float_type else value
    if isinstance(value, (tuple, list)):
        return type(value)([_cast(item, to) for item in value])
    return value


class _OutputTo(Cell):
    """A Cell whose floating-point outputs are cast."""

    def __init__(self, backbone, dtype):
        super().__init__(auto_prefix=False)
        self._backbone = backbone
        self._dtype = dtype

    def construct(self, *args, **kwargs):
        return _cast(self._backbone(*args, **kwargs), self._dtype)


def check_level(api: str, argument: str, level: Any, boost_level: Any = "O0") -> None:
    """Check the two levels of an API, whose argument for the first has this name.

    Raises:
        TypeError: they are not strings.
        ValueError: there are no such levels.
    """
    if not isinstance(level, str):
        raise type_error(api, argument, f"one of {list(_LEVELS)}", level)
    check_choice(api, argument, level, _LEVELS)
    check_choice(api, "boost_level", boost_level, ("O0", "O1", "O2"))


def check_manager(api: str, manager: Any) -> None:
    """Check that an argument is a loss scale manager.

    Raises:
        TypeError: it is not.
    """
    if type(manager).__name__ != "GroupLossScaleManager":  # a Cell of 'mindspore.boost', which is imported on demand
        check_type(api, "loss_scale_manager", manager, LossScaleManager)


def _wrap_children(network: Cell, kinds: list[str], own: Any, out: Any) -> None:
    """Let each Cell of these kinds compute in type `own` and return type `out`, at every place in the network."""
    for parent in list({id(cell): cell for _, cell in network.cells_and_names()}.values()):
        if isinstance(parent, _OutputTo):
            continue
        for name, child in parent.name_cells().items():
            if type(child).__name__ in kinds:
                child.to_float(own)
                _replace(parent, name, child, out)


def _replace(parent: Cell, name: str, child: Cell, out: Any) -> None:
    parent._cells[name] = wrapped = _OutputTo(child, out)
    if name in parent.__dict__:
        parent.__dict__[name] = wrapped
    if isinstance(parent.__dict__.get("cell_list"), (list, tuple)):  # what a SequentialCell runs
        parent.cell_list = list(parent._cells.values())


def auto_mixed_precision(network, amp_level="O0", dtype=mstype.float16):
    """Set a network's precision by level.

    Args:
        network: the Cell; it is changed. For "auto" a function will do, which is not.
        amp_level: "O0", "O1", "O2", "O3" or "auto".
        dtype: float16 or bfloat16.

    Returns:
        The network; for O2 and O3 one that gives float32, of a function one that computes so.

    Raises:
        TypeError: `network` is not a Cell, nor a function for "auto".
        ValueError: another level or dtype.

    >>> import ms_compat as ms
    >>> net = ms.amp.auto_mixed_precision(ms.nn.SequentialCell(ms.nn.Conv2d(1, 1, 1), ms.nn.Softmax()), "auto")
    >>> net[0](ms.ops.ones((1, 1, 2, 2))).dtype, net(ms.ops.ones((1, 1, 2, 2))).dtype
    (mindspore.float32, mindspore.float32)
    """
    if amp_level == "auto" and callable(network) and not isinstance(network, Cell):
        return in_precision(network, AutoPrecision(_checked_low(dtype)))
    check_type("auto_mixed_precision", "network", network, Cell)
    check_choice("auto_mixed_precision", "amp_level", amp_level, _LEVELS)
    _set_precision(network, amp_level, dtype)
    return _OutputTo(network, mstype.float32) if amp_level in ("O2", "O3") else network


def get_white_list() -> list[type]:
    """The Cells and primitives that level O1 runs in low precision, as a new list.

    >>> from ms_compat import amp, nn
    >>> nn.Dense in amp.get_white_list()
    True
    """
    from ms_compat import nn, ops

    return [*[getattr(nn, n) for n in _WHITE if n in _LISTED], *[getattr(ops, name) for name in _PRIMITIVES]]


def get_black_list() -> list[type]:
    """The Cells that stay in float32 where all others run in low precision, as a new list.

    >>> from ms_compat import amp, nn
    >>> nn.LayerNorm in amp.get_black_list()
    True
    """
    from ms_compat import nn

    return [nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d, nn.LayerNorm]


class _Lowered(Primitive):
    """A primitive that computes in low precision and returns float32."""

    def __init__(self, primitive: Primitive, dtype: Any):
        super().__init__(primitive.name)
        self._primitive, self._dtype = primitive, dtype

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return _cast(self._primitive(*_cast(args, self._dtype), **kwargs), mstype.float32)


def custom_mixed_precision(network, *, white_list=None, black_list=None, dtype=mstype.float16):
    """Set a network's precision by a list of classes: those that compute in low precision, or those that do not.

    Args:
        network (Cell): the network; it is changed.
        white_list (list): Cells, and primitives that are attributes of Cells, that compute in low precision.
        black_list (list): Cells that stay in float32 where all others compute in low precision.
        dtype: float16 or bfloat16.

    Returns:
        The network; with `black_list` one that gives float32.

    Raises:
        TypeError: `network` is not a Cell.
        ValueError: both lists or none, or another dtype.

    >>> import ms_compat as ms
    >>> net = ms.amp.custom_mixed_precision(ms.nn.SequentialCell(ms.nn.Dense(2, 2)), white_list=[ms.nn.Dense])
    >>> net(ms.Tensor([[1.0, 2.0]])).dtype
    mindspore.float32
    """
    api = "custom_mixed_precision"
    check_type(api, "network", network, Cell)
    if (white_list is None) == (black_list is None):
        raise ValueError(f"For '{api}', one of 'white_list' and 'black_list' must be given, and not both.")
    if dtype not in (mstype.float16, mstype.bfloat16):
        raise value_error(api, "dtype", "float16 or bfloat16", dtype)
    name, listed = ("black_list", black_list) if white_list is None else ("white_list", white_list)
    kinds: tuple[type, ...] = (Cell,) if white_list is None else (Cell, Primitive)
    if not isinstance(listed, list) or not all(isinstance(kind, type) and issubclass(kind, kinds) for kind in listed):
        raise type_error(api, name, f"a list of subclasses of {' or '.join(k.__name__ for k in kinds)}", listed)
    if white_list is None:
        network.to_float(dtype)
        _wrap_children(network, [kind.__name__ for kind in black_list], mstype.float32, dtype)
        return _OutputTo(network, mstype.float32)
    primitives = tuple([kind for kind in white_list if issubclass(kind, Primitive)])
    for _, cell in network.cells_and_names():
        for name, value in list(vars(cell).items()):
            if isinstance(value, primitives):
                setattr(cell, name, _Lowered(value, dtype))
    _wrap_children(network, [kind.__name__ for kind in white_list if issubclass(kind, Cell)], dtype, mstype.float32)
    if type(network) in white_list:
        return _OutputTo(network.to_float(dtype), mstype.float32)
    return network


def _checked_low(dtype: Any) -> Any:
    if dtype not in (mstype.float16, mstype.bfloat16):
        raise value_error("auto_mixed_precision", "dtype", "float16 or bfloat16", dtype)
    return dtype


def _set_precision(network: Cell, level: str, dtype: Any = mstype.float16, keep_batch_norm: bool | None = None) -> None:
    _checked_low(dtype)
    if level == "auto":
        network._set_auto_precision(AutoPrecision(dtype))
    elif level == "O1":
        _wrap_children(network, _WHITE, dtype, mstype.float32)
    elif level in ("O2", "O3"):
        network.to_float(dtype)
        if level == "O2" if keep_batch_norm is None else keep_batch_norm:
            _wrap_children(network, _BATCH_NORM, mstype.float32, dtype)


@faces("train")
def build_train_network(network, optimizer, loss_fn=None, level="O0", boost_level="O0", **kwargs):
    """Makes the training step of a network.

    Args:
        network: the Cell.
        optimizer: the optimizer.
        loss_fn: the loss; without it `network` returns the loss.
        level: precision, "O0", "O1", "O2", "O3" or "auto".
        boost_level: "O0", or "O1" and "O2" for a step that has the ways of `mindspore.boost.AutoBoost`.
        kwargs: `loss_scale_manager`, `keep_batchnorm_fp32`, `cast_model_type` (float16, or float32 for none).

    Returns:
        `nn.TrainOneStepCell`, or `nn.TrainOneStepWithLossScaleCell` with a loss scale manager, or the classes of
        `mindspore.boost` with a `boost_level`; in training mode.

    Raises:
        TypeError, ValueError: a wrong argument.

    >>> from ms_compat import Tensor, nn
    >>> from ms_compat.amp import build_train_network
    >>> net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
    >>> step = build_train_network(net, nn.SGD(net.trainable_params(), 0.125), nn.MSELoss(), level="O0")
    >>> print(step(Tensor([[1.0, 1.0]]), Tensor([[0.0]])))
    4.0
    """
    check_type("build_train_network", "network", network, Cell)
    check_level("build_train_network", "level", level, boost_level)
    for name in kwargs:
        if name not in ("loss_scale_manager", "keep_batchnorm_fp32", "cast_model_type"):
            raise ValueError(f"For 'build_train_network', there is no keyword argument '{name}'.")
    manager = kwargs.get("loss_scale_manager", DynamicLossScaleManager() if level == "O2" else None)
    if manager is not None:
        check_manager("build_train_network", manager)
    if kwargs.get("cast_model_type", mstype.float16) is mstype.float32:
        level = "O0"
    _set_precision(network, level, keep_batch_norm=kwargs.get("keep_batchnorm_fp32"))
    step = network
    if loss_fn is not None:
        half = level in ("O2", "O3")
        step = WithLossCell(_OutputTo(network, mstype.float32) if half else network, loss_fn)
    plain, scaled = (TrainOneStepCell, TrainOneStepWithLossScaleCell) if boost_level == "O0" else _boost_steps()
    if manager is None:
        return plain(step, optimizer).set_train()
    update = manager.get_update_cell()
    if update is None:
        return plain(step, optimizer, manager.get_loss_scale()).set_train()
    return scaled(step, optimizer, update).set_train()


def _boost_steps() -> tuple[Any, Any]:
    boost = resolve("mindspore.boost")  # by name: it is made of this room's neighbours, and few programs use it
    return boost.BoostTrainOneStepCell, boost.BoostTrainOneStepWithLossScaleCell
