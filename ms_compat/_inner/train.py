"""What scripts import from inside MindSpore's `train`, `log`, `numpy` and `parallel`."""

from __future__ import annotations

import itertools
import logging
import os
import re
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.errors import UnsupportedError
from ms_compat._core.settings import context
from ms_compat._core.settings.parallel_context import get_auto_parallel_context
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter
from ms_compat.train.amp import _wrap_children, custom_mixed_precision
from ms_compat.train.callback._callback import Callback, CallbackList, InternalCallbackParam, to_list

logger = logging.getLogger("ms_compat")

_InternalCallbackParam = InternalCallbackParam
INT32_MAX = 2147483647
GRAPH_MODE, PYNATIVE_MODE = context.GRAPH_MODE, context.PYNATIVE_MODE


def _handle_loss(loss: Any) -> Any:
    """The mean of a step's loss, or, if its first output is a Tensor, that output as it is."""
    if isinstance(loss, (tuple, list)):
        return loss[0] if isinstance(loss[0], Tensor) else loss
    return float(np.mean(loss.asnumpy())) if isinstance(loss, Tensor) else loss


def CallbackManager(callbacks: Any) -> CallbackList:  # a class on MindSpore
    """Several callbacks as one: a Callback, a list of them, or None."""
    return CallbackList(to_list(callbacks, "_CallbackManager"))


_CallbackManager = CallbackManager


_current: list[Any] = []


def set_cur_net(net: Any) -> None:
    """Say which network `checkpoint_cb_for_save_op` writes into; None for none."""
    _current[:] = [] if net is None else [net]


_set_cur_net = set_cur_net


def checkpoint_cb_for_save_op(parameter_list: list[dict]) -> bool:
    """Put values into the network of `set_cur_net`, as MindSpore does with those that its devices hand back.

    Args:
        parameter_list (list[dict]): each with a "name" and the Tensor under "data"; the list is emptied.

    Returns:
        Whether there was a network. It is forgotten.
    """
    from ms_compat._formats.checkpoint.into_net import load_param_into_net

    if not _current:
        return False
    values = {one["name"]: Parameter(one["data"].asnumpy(), name=one["name"]) for one in parameter_list}
    load_param_into_net(_current[0], values, strict_load=True)
    parameter_list.clear()
    _current.clear()
    return True


_checkpoint_cb_for_save_op = checkpoint_cb_for_save_op


def _chg_ckpt_file_name_if_same_exist(directory: Any, prefix: Any, exception: bool = False) -> Any:
    """Returns the prefix with the next number if the directory has checkpoints of it, "net_2" after "net_1-5_100.ckpt".

    Args:
        directory (str): where the files are; a function, as for `ModelCheckpoint`, leaves the prefix.
        prefix (str): what the names begin with; a function is returned.
        exception (bool): whether only the files that are written when training breaks off count, or only the others.
    """
    if callable(prefix) or callable(directory):
        return prefix
    taken = []
    for name in os.listdir(directory):
        broken_off = name.endswith("_breakpoint.ckpt")
        found = re.fullmatch(re.escape(prefix) + r"(?:_(\d+))?-.*\.(?:ckpt|safetensors)", name)
        if found and broken_off == exception:
            taken.append(int(found[1] or 0))
    return f"{prefix}_{max(taken) + 1}" if taken else prefix


def _construct_tensor_list(types: Any, shapes: Any, batch_expand_num: int = 1) -> list[Tensor]:
    """Tensors of zeros, one for each type and shape; the first size of each is multiplied.

    Raises:
        ValueError: the numbers of types and shapes differ.

    >>> [t.shape for t in _construct_tensor_list([mstype.float32], [(2, 3)], 4)]
    [(8, 3)]
    """
    if len(types) != len(shapes):
        raise ValueError(f"There must be as many types as shapes, but got {len(types)} and {len(shapes)}.")
    sizes = [(shape[0] * batch_expand_num, *shape[1:]) if shape else () for shape in map(tuple, shapes)]
    return [Tensor(np.zeros(size, mstype.dtype_to_nptype(kind)), kind) for kind, size in zip(types, sizes, strict=True)]


def _make_directory(path: str, arg_name: str = "path") -> str:
    """Make a directory where there is none; returns its real path.

    Raises:
        TypeError: `path` is not a str.
        ValueError: it is blank.
        NotADirectoryError: there is a file of that name.
    """
    if not isinstance(path, str):
        raise TypeError(f"The '{arg_name}' must be a str, but got {type(path).__name__}.")
    if not path.strip():
        raise ValueError(f"The '{arg_name}' must not be blank.")
    real = os.path.realpath(path)
    if os.path.exists(real) and not os.path.isdir(real):
        raise NotADirectoryError(f"The '{arg_name}' {real} is a file, not a directory.")
    os.makedirs(real, exist_ok=True)
    return real


def _transfer_tensor_to_tuple(inputs: Any) -> Any:
    """A Tensor as a tuple of it; other things stay."""
    return (inputs,) if isinstance(inputs, Tensor) else inputs


def _get_mode() -> int:
    """GRAPH_MODE or PYNATIVE_MODE."""
    return context.get_context("mode")


def _to_tensor(*args: Any) -> Any:
    """Numbers and lists as Tensors: ints in Int32, floats in Float32; one for one argument, else a tuple."""

    def one(value: Any) -> Tensor:
        if isinstance(value, Tensor):
            return value
        array = np.asarray(value)
        kind = {"i": np.int32, "f": np.float32}.get(array.dtype.kind, array.dtype)
        return Tensor(array.astype(kind))

    out = tuple([one(value) for value in args])
    return out[0] if len(out) == 1 else out


def _raise(kind: type[Exception]) -> Callable:
    def fail(info: Any, param: Any = None) -> NoReturn:
        raise kind(f"{info}" if param is None else f"{info}{param}")

    return fail


_raise_value_error, _raise_type_error, _raise_index_error, _raise_runtime_error = (
    _raise(kind) for kind in (ValueError, TypeError, IndexError, RuntimeError)
)


class _StepSync(Callback):
    """Waits for the device after every step."""

    def step_end(self, run_context: Any) -> None:
        from ms_compat._inner.c_expression import _pynative_executor

        _pynative_executor.sync()


_keys = itertools.count()


def _get_unique_parameter_key() -> int:
    """A number that was not given before."""
    return next(_keys)


def _device_number_check(parallel_mode: str, device_number: int) -> None:
    """
    Raises:
        ValueError: "stand_alone" with more than one device.
    """
    if parallel_mode == "stand_alone" and device_number != 1:
        raise ValueError(f"For parallel_mode 'stand_alone', device_number must be 1, but got {device_number}.")


def _get_parameter_broadcast() -> bool:
    """Whether the Parameters of all processes are made equal before training."""
    return bool(get_auto_parallel_context("parameter_broadcast"))


def set_cost_model_context(**kwargs: Any) -> None:
    """Concerns MindSpore's search for ways to distribute; XLA plans by itself."""
    logger.debug("set_cost_model_context(%s) has no effect", kwargs)


def _set_multi_subgraphs(multi_subgraph: bool = True) -> None:
    """Concerns MindSpore's search for ways to distribute; XLA plans by itself."""
    logger.debug("_set_multi_subgraphs(%s) has no effect", multi_subgraph)


_set_rp_matmul_mem_coef = _set_multi_subgraphs


def reset_cost_model_context() -> None:
    """Concerns MindSpore's search for ways to distribute; XLA plans by itself."""
    logger.debug("reset_cost_model_context has no effect")


def _reset_op_id() -> None:
    """Concerns the names of operations in MindSpore's graphs."""
    logger.debug("_reset_op_id has no effect")


def _is_auto_parallel_mode(save_obj: Any) -> bool:
    """Whether a network's Parameters are made when it is compiled, in pieces; they are made at once here."""
    return False


def _no(*_: Any) -> bool:
    return False


get_sdc_detect_result = _no  # whether Ascend's check found a silent fault


def sdc_detect_start() -> None:
    """Starts Ascend's check for silent faults."""
    logger.debug("sdc_detect_start has no effect: it concerns Ascend's hardware")


def sdc_detect_stop() -> None:
    """Stops Ascend's check for silent faults."""
    logger.debug("sdc_detect_stop has no effect: it concerns Ascend's hardware")


_is_role_sched = _is_role_pserver = _is_role_worker = _is_ps_mode = _no


def _is_initialized() -> bool:
    """Whether `communication.init` has been called."""
    from ms_compat.communication import GlobalComm

    return bool(GlobalComm.INITED)


class Backend(str):
    """The name of a communication library: "hccl", "nccl" or "mccl".

    Raises:
        ValueError: another name.
    """

    def __new__(cls, name: str) -> Backend:
        if not isinstance(name, str) or name.lower() not in ("hccl", "nccl", "mccl"):
            raise ValueError(f"For 'Backend', the name must be 'hccl', 'nccl' or 'mccl', but got {name!r}.")
        return str.__new__(cls, name.lower())


class _LogActionOnce:
    """Decorator that lets a function say something once per key."""

    _said: set[str] = set()

    def __init__(self, logger: Any, key: str, no_warning: bool = False):
        self.logger, self.key, self.silent = logger, key, no_warning

    def __call__(self, func: Callable) -> Callable:
        def call(*args: Any, **kwargs: Any) -> Any:
            if not self.silent and self.key not in self._said:
                self._said.add(self.key)
                self.logger.warning("%s is called with key '%s'.", func.__name__, self.key)
            return func(*args, **kwargs)

        return call


def swap_tensors(t1: Tensor, t2: Tensor) -> None:
    """Exchange what two Tensors hold.

    Raises:
        TypeError: they are not Tensors.

    >>> from ms_compat import Tensor
    >>> a, b = Tensor([1.0]), Tensor([2, 3])
    >>> swap_tensors(a, b)
    >>> print(a, b)
    [2 3] [1.]
    """
    from ms_compat._core.trace import write_barrier

    for t in (t1, t2):
        if not isinstance(t, Tensor):
            raise TypeError(f"For 'swap_tensors', both inputs must be Tensors, but got {type(t).__name__}.")
    first, second = (t1._v, t1._node), (t2._v, t2._node)
    write_barrier.assign(t1, *second)
    write_barrier.assign(t2, *first)


def _auto_black_list(network: Any, black_list: Any, dtype: Any) -> Any:
    """Let a Cell compute in `dtype`, but Cells of the listed classes in Float32; returns it."""
    network.to_float(dtype)
    _wrap_children(network, [kind.__name__ for kind in black_list], mstype.float32, dtype)
    return network


def _auto_mixed_precision_rewrite(network: Any, dtype: Any, *, white_list: Any = None, black_list: Any = None) -> Any:
    """Let the listed classes compute in `dtype`, or all but those; returns the network.

    Raises:
        ValueError: both lists or none.
    """
    return custom_mixed_precision(network, white_list=white_list, black_list=black_list, dtype=dtype)


def get_squared_device_local_norm_param() -> NoReturn:
    """The Parameter in which MindSpore sums the squares of gradients on a device; nothing sums them here.

    Raises:
        ValueError: the sum is not requested.
        UnsupportedError: it is.
    """
    if not get_auto_parallel_context("dump_device_local_norm"):
        raise ValueError("The setting 'dump_device_local_norm' of the parallel context is False.")
    name = "mindspore.set_auto_parallel_context(dump_device_local_norm=True)"
    raise UnsupportedError(name, "Sum the squares of the gradients in the training step.")
