"""What MindSpore's runtime keeps about a tensor besides its values, as far as a script can read it.

Most of it concerns MindSpore's own executor: a tensor here is always ready, and its constant answers say so.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from ms_compat._core import tape
from ms_compat._core.tensor import Tensor, parameter_like
from ms_compat._core.tensor.parameter import Parameter

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
    "index_of_parent_": None,
    "symbolic_shape": None,
}


def add_pipeline_stage(self, stage: int) -> None:
    """Accepted: JAX places computations by itself."""
    _log.debug("Parameter.add_pipeline_stage(%s): JAX places computations by itself", stage)


def _cache_shape(self) -> Any:
    """What was set; MindSpore's cache of embeddings has no counterpart."""
    return self.__dict__.get("_cached", [])


def _set_cache_shape(self, sizes: Any) -> None:
    self._cached = sizes


PARAMETER: dict[str, Any] = {
    "add_pipeline_stage": add_pipeline_stage,
    "cache_shape": property(_cache_shape, _set_cache_shape),
    "parallel_optimizer_comm_recompute": False,
}


def attach() -> None:
    """Give Tensor and Parameter these members, where they have none of their own."""
    for kind, table in ((Tensor, TENSOR), (Parameter, PARAMETER)):
        for name, member in table.items():
            setattr(kind, name, member)
