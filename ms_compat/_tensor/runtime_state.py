"""What MindSpore's runtime keeps about a tensor besides its values, as far as a script can read it.

Most of it concerns MindSpore's own executor: a tensor here is always ready, and its constant answers say so.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ms_compat._core import tape
from ms_compat._core.errors import check_type
from ms_compat._core.index import views
from ms_compat._core.settings.memory_limits import values_of
from ms_compat._core.tensor import Tensor, parameter_like
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.trace import scopes

_log = logging.getLogger("ms_compat")


def hooks(self) -> list[Callable]:
    """The functions that `register_hook` put on the tensor and that have not been removed."""
    node = tape.live_node(self)
    found = self._leaf_hooks if node is None else node.hooks
    return list((found or {}).values())


def requires_grad_(self, requires_grad: bool = True) -> None:
    """Whether `trainable_params` lists a Parameter; of another tensor `grad` alone decides what is differentiated."""
    if isinstance(self, Parameter):
        self.requires_grad = bool(requires_grad)


def is_init(self) -> bool:
    """The mark that `set_init_flag` left."""
    return self.__dict__.get("_init_flag", False)


def set_init_flag(self, flag: bool) -> None:
    """Mark the tensor as initialised, for `is_init` and `init_flag`."""
    self.__dict__["_init_flag"] = bool(flag)


def set_cast_dtype(self, dtype: Any = None) -> None:
    """Accepted: MindSpore's compiler casts Parameters lazily with it."""
    _log.debug("Tensor.set_cast_dtype: casts are made where they are written")


def wait_pipeline(self) -> None:
    """Nothing to wait for: reading the values waits for them."""


def offload(self, file_path: str) -> bool:
    """Write the values into a file, as raw bytes, and remember its path. They stay readable here.

    Args:
        file_path (str): the file, which is overwritten.

    Returns:
        True.

    Raises:
        TypeError: `file_path` is not a str.
        RuntimeError: the values are not initialised yet, or the file cannot be written.

    >>> import tempfile, ms_compat as ms
    >>> x = ms.Tensor([1.0, 2.0])
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     x.offload(file.name), len(file.read()), x.offload_file_path() == file.name
    (True, 8, True)
    """
    check_type("Tensor.offload", "file_path", file_path, str)
    if self.has_init:
        raise RuntimeError("For 'Tensor.offload', the tensor has no values before 'init_data' is called.")
    if -1 not in self.shape:
        try:
            Path(file_path).write_bytes(values_of(self).tobytes())
        except OSError as error:
            raise RuntimeError(f"For 'Tensor.offload', the file '{file_path}' cannot be written: {error}.") from error
    self.__dict__["_offloaded_to"] = file_path
    _log.debug("Tensor.offload(%s): the values stay in memory as well", file_path)
    return True


def offload_file_path(self) -> str:
    """The file that `offload` wrote, or an empty str."""
    return self.__dict__.get("_offloaded_to", "")


def delete_(self, non_blocking: bool = False) -> Tensor:
    """Give the values up, so that their memory is free once no other tensor and no gradient holds them.

    The tensor then waits for values: `x.data = y` sets them, and `x.init_data()` sets zeros.

    Args:
        non_blocking (bool): whether not to wait for computations that still use the values; they end first anyway.

    Returns:
        The tensor itself.

    Raises:
        ValueError: `non_blocking` is not a bool.
        RuntimeError: in a compiled function; the tensor is a Parameter or a view.

    >>> import ms_compat as ms
    >>> x = ms.Tensor([1.0, 2.0])
    >>> x.delete_().has_init, x.shape
    (True, (2,))
    >>> x.data = ms.Tensor([3.0, 4.0])
    >>> print(x)
    [3. 4.]
    """
    if not isinstance(non_blocking, bool):
        raise ValueError(f"For 'Tensor.delete_', the 'non_blocking' must be a bool, but got {non_blocking!r}.")
    if scopes.current_scope() is not None:
        raise RuntimeError("For 'Tensor.delete_', a compiled function cannot give up values.")
    if isinstance(self, Parameter) or self._alias is not None or self._views is not None:
        raise RuntimeError("For 'Tensor.delete_', the tensor must not be a Parameter or share its values with views.")
    if not self.has_init:
        from ms_compat.common.initializer import Zero

        self._pending = (self.shape, self.dtype)
        self.init, self._node, self._v = Zero(), None, None
    return self


def set_param_info(tensor: Tensor, info: Any) -> None:
    """Give a tensor the facts of a Parameter: `Tensor.set_param_info(tensor, parameter.param_info)`.

    Args:
        tensor (Tensor): the tensor; a Parameter keeps its own facts where `info` is None.
        info: a Parameter's `param_info`, or None.

    Raises:
        TypeError: `tensor` is not a Tensor.

    >>> from ms_compat import Parameter, Tensor
    >>> x, weight = Tensor([1.0]), Parameter(Tensor([2.0]), name="w")
    >>> Tensor.set_param_info(x, weight.param_info)
    >>> x.param_info.name
    'w'
    """
    check_type("Tensor.set_param_info", "tensor", tensor, Tensor)
    if info is not None or not isinstance(tensor, Parameter):
        tensor.param_info = info


def _source(self) -> tuple[Tensor | None, Any]:
    """The tensor that this one was read from by index, and the index; None twice for all others."""
    if "_read_from" in self.__dict__:
        return self.__dict__["_read_from"]
    if self._parent is not None:
        return self._parent[0](), self._parent[1]
    return views.source(self) if self._alias is not None else (None, None)


def _symbolic_shape(self) -> list | None:
    """The shape that was given with Symbols: their constraints, and the other sizes; None for any other tensor."""
    given = self.__dict__.get("_sizes")
    return given and [size.to_dict() if hasattr(size, "to_dict") else size for size in given]


def _set_parent(self, parent: Tensor | None) -> None:
    self.__dict__["_read_from"] = parent, _source(self)[1]


def _set_index(self, index: Any) -> None:
    self.__dict__["_read_from"] = _source(self)[0], index


def _move(self) -> None:
    """Accepted: moves between an Ascend's memory and its host's; MindSpore, too, does nothing on CPUs."""
    _log.debug("Tensor._load, Tensor._offload: XLA keeps tensors where they are computed")


TENSOR: dict[str, Any] = {
    "hooks": hooks,
    "requires_grad_": requires_grad_,
    "is_init": is_init,
    "set_init_flag": set_init_flag,
    "init_flag": property(is_init),
    "init_finished": property(lambda self: not self.has_init),
    "set_cast_dtype": set_cast_dtype,
    "wait_pipeline": wait_pipeline,
    "_load": _move,
    "_offload": _move,
    "param_info": property(parameter_like.param_info, parameter_like.set_param_info),
    "delta_seed": 0,
    "parent_tensor_": property(lambda self: _source(self)[0], _set_parent),
    "index_of_parent_": property(lambda self: _source(self)[1], _set_index),
    "symbolic_shape": property(_symbolic_shape),
    "offload": offload,
    "delete_": delete_,
    "offload_file_path": offload_file_path,
    "set_param_info": staticmethod(set_param_info),
}


def add_pipeline_stage(self, stage: int) -> None:
    """Accepted: JAX places computations by itself."""
    _log.debug("Parameter.add_pipeline_stage(%s): JAX places computations by itself", stage)


def _cache_shape(self) -> Any:
    """What was set; an embedding's table is its own cache here."""
    return self.__dict__.get("_cached", [])


def _set_cache_shape(self, sizes: Any) -> None:
    self._cached = sizes


def set_param_ps(self, init_in_server: bool = False) -> None:
    """Let all workers share the Parameter: the first worker's values now, and averaged gradients in optimizers.

    Args:
        init_in_server: whether MindSpore's server would fill the Parameter; the first worker does.

    Raises:
        RuntimeError: the parameter server mode is not on, or there are several workers and
            `mindspore.communication.init` was not called.

    >>> import ms_compat as ms
    >>> ms.set_ps_context(enable_ps=True)
    >>> weight = ms.Parameter(ms.Tensor([1.0]), name="w")
    >>> weight.set_param_ps()
    >>> weight.is_param_ps
    True
    >>> ms.reset_ps_context()
    """
    from ms_compat.communication.server import share  # most programs need no processes

    share(self, init_in_server)


PARAMETER: dict[str, Any] = {
    "add_pipeline_stage": add_pipeline_stage,
    "cache_shape": property(_cache_shape, _set_cache_shape),
    "parallel_optimizer_comm_recompute": False,
    "set_param_ps": set_param_ps,
}


def attach() -> None:
    """Give Tensor and Parameter these members, where they have none of their own."""
    for kind, table in ((Tensor, TENSOR), (Parameter, PARAMETER)):
        for name, member in table.items():
            setattr(kind, name, member)
