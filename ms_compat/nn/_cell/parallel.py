"""Members of Cell that belong to MindSpore's distributed modes and compiler: what has no meaning on JAX says so.

`_UNSUPPORTED` maps a method to the way out; each raises `UnsupportedError`. The others are accepted because they change
nothing that a program can see.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from typing import Any

from ms_compat._core.errors import UnsupportedError, check_bool

logger = logging.getLogger("ms_compat")

_UNSUPPORTED = {
    "shard": "Place parameters and inputs with jax.device_put and jax.sharding.NamedSharding; compiled calls keep it.",
    "place": "JAX runs one program on all devices; use jax.sharding.",
    "offload": "Use recompute() to save memory.",
    "set_param_ps": "There is no parameter server on JAX; use jax.sharding.",
    "infer_param_pipeline_stage": "There are no pipeline stages on JAX; use jax.sharding.",
    "compile": "Call the Cell in GRAPH_MODE; the first call compiles.",
    "pipeline_segment": "There are no pipeline stages on JAX; use jax.sharding.",
}


def _unsupported(name: str, hint: str):
    def method(self, *args, **kwargs):
        raise UnsupportedError(f"mindspore.nn.Cell.{name}", hint)

    method.__name__ = name
    method.__qualname__ = f"Cell.{name}"
    method.__doc__ = f"Not served. {hint}"
    return method


class Parallel:
    """Distributed modes and the compiler."""

    def set_data_parallel(self) -> None:
        """MindSpore's data-parallel strategy for automatic parallel modes; JAX follows the arrays' shardings."""
        logger.debug("Cell.set_data_parallel has no effect: shardings decide")

    def set_broadcast_flag(self, mode=True):
        """Mark the Parameters as to be broadcast; JAX's arrays are global. Returns the Cell."""
        logger.debug("Cell.set_broadcast_flag(%s) has no effect: arrays are global", mode)
        return self

    def parameters_broadcast_dict(self, recurse=True) -> OrderedDict:
        """The Parameters by name.

        Args:
            recurse: whether the children's are included.
        """
        return self.parameters_dict(recurse)

    def remove_redundant_parameters(self) -> None:
        """Remove parameters that parallel modes do not need on this device; there are none, arrays are global."""

    def flatten_weights(self, fusion_size=0) -> None:
        """Move weights into contiguous memory; XLA decides where arrays live.

        Args:
            fusion_size: largest chunk in bytes.

        Raises:
            ValueError: it is negative.
        """
        if fusion_size < 0:
            raise ValueError(f"For 'Cell.flatten_weights', 'fusion_size' must be >= 0, but got {fusion_size}.")
        logger.debug("Cell.flatten_weights has no effect: XLA decides where arrays live")

    @property
    def parameter_layout_dict(self) -> dict[str, Any]:
        """Layouts of sharded parameters, which JAX keeps in the arrays (`jax.Array.sharding`)."""
        return {}

    @property
    def pipeline_stage(self) -> int:
        """The pipeline stage; there is one."""
        return 0

    @pipeline_stage.setter
    def pipeline_stage(self, value: int) -> None:
        if value != 0:
            raise UnsupportedError("mindspore.nn.Cell.pipeline_stage", _UNSUPPORTED["pipeline_segment"])

    @property
    def bprop_debug(self) -> bool:
        """Whether to debug a custom `bprop`; it is plain Python here in PYNATIVE_MODE, so a debugger steps into it."""
        return self.__dict__.get("_bprop_debug", False)

    @bprop_debug.setter
    def bprop_debug(self, value: bool) -> None:
        self.__dict__["_bprop_debug"] = check_bool("Cell.bprop_debug", "value", value)

    def get_scope(self) -> str | None:
        """The name scope in MindSpore's graphs; there is none."""
        return None

    # -- inputs and compilation --------------------------------------------------------------------------------------
    def set_inputs(self, *inputs, **kwargs) -> None:
        """Say what the inputs look like, with None for unknown sizes. XLA compiles per shape, so this is only kept.

        Raises:
            ValueError: both positional and keyword inputs.
        """
        if inputs and kwargs:
            raise ValueError(
                f"For Cell, set_inputs should only set inputs or kwargs(inputs: {inputs}, kwargs: {kwargs})!"
            )
        logger.debug("Cell.set_inputs: XLA compiles per shape; dynamic sizes compile once per size")
        self.__dict__["_dynamic_inputs"] = kwargs or inputs or None

    def get_inputs(self):
        """What `set_inputs` was given, or None."""
        return self.__dict__.get("_dynamic_inputs")

    def compile_and_run(self, *args, **kwargs):
        """Run the Cell compiled, whatever the mode."""
        return self._compiled_function()(*args, **kwargs)

    def run_construct(self, cast_inputs, kwargs):
        """Call `construct` without hooks.

        Args:
            cast_inputs: tuple of positional inputs.
            kwargs: dict of keyword inputs.
        """
        return self.construct(*cast_inputs, **kwargs)


for _name, _hint in _UNSUPPORTED.items():
    setattr(Parallel, _name, _unsupported(_name, _hint))
