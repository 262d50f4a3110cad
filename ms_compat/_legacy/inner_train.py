"""What scripts import from inside MindSpore's `train`, `log`, `numpy` and `parallel`."""

from __future__ import annotations

import itertools
import logging
import os
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from ms_compat._core import context
from ms_compat._core import dtype as mstype
from ms_compat._core.parallel_context import get_auto_parallel_context
from ms_compat._core.tensor import Tensor
from ms_compat.train.amp import _wrap_children
from ms_compat.train.callback._callback import Callback, CallbackList, InternalCallbackParam, to_list
from ms_compat.train.callback._values import loss_of

logger = logging.getLogger("ms_compat")

_InternalCallbackParam = InternalCallbackParam
INT32_MAX = 2147483647
GRAPH_MODE, PYNATIVE_MODE = context.GRAPH_MODE, context.PYNATIVE_MODE

_handle_loss = loss_of


def _CallbackManager(callbacks: Any) -> CallbackList:  # noqa: N802  (a class on MindSpore)
    """Several callbacks as one: a Callback, a list of them, or None."""
    return CallbackList(to_list(callbacks, "_CallbackManager"))


def set_cur_net(net: Any) -> None:
    """Told MindSpore's summary which network is trained."""
    logger.debug("set_cur_net has no effect")


_set_cur_net = set_cur_net


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
        from ms_compat._legacy.c_expression import _pynative_executor

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


def _no(*_: Any) -> bool:
    return False


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
                self.logger.warning(f"{func.__name__} is called with key '{self.key}'.")
            return func(*args, **kwargs)

        return call


def swap_tensors(t1: Tensor, t2: Tensor) -> None:
    """Exchange what two Tensors hold.

    Raises:
        TypeError: they are no Tensors.

    >>> from ms_compat import Tensor
    >>> a, b = Tensor([1.0]), Tensor([2, 3])
    >>> swap_tensors(a, b)
    >>> print(a, b)
    [2 3] [1.]
    """
    from ms_compat._core import state

    for t in (t1, t2):
        if not isinstance(t, Tensor):
            raise TypeError(f"For 'swap_tensors', both inputs must be Tensors, but got {type(t).__name__}.")
    first, second = (t1._v, t1._node), (t2._v, t2._node)
    state.assign(t1, *second)
    state.assign(t2, *first)


def _auto_black_list(network: Any, black_list: Any, dtype: Any) -> Any:
    """Let a Cell compute in `dtype`, but those of the listed classes in Float32; returns it."""
    network.to_float(dtype)
    _wrap_children(network, [kind.__name__ for kind in black_list], mstype.float32, dtype)
    return network
