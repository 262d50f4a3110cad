"""Primitives that send to a parameter server. A call raises, as it does in MindSpore if no server runs."""

from __future__ import annotations

from typing import Any, NoReturn

from ms_compat._core.faces import faces
from ms_compat.ops.primitive import Primitive, prim_attr_register


def _no_server(name: str) -> NoReturn:
    raise RuntimeError(
        f"For '{name}', no parameter server is running. Each process has its own copy of the Parameter. "
        "'Parameter.set_param_ps' gives all copies the same updates. To sum the gradients of several processes, use "
        "'ops.AllReduce'."
    )


@faces("ops")
class Push(Primitive):
    """Would send an optimizer's inputs to a parameter server.

    Args:
        optim_type: the primitive that updates the weight on the server.
        only_shape_indices: the inputs of which the server needs the shape alone.

    Raises:
        RuntimeError: it is called. MindSpore raises this, too, if no parameter server runs.

    >>> from ms_compat import ops
    >>> ops.Push("ApplyMomentum", [0]).optim_type
    'ApplyMomentum'
    """

    @prim_attr_register
    def __init__(self, optim_type="ApplyMomentum", only_shape_indices=None):
        self.add_prim_attr("primitive_target", "CPU")
        self.init_prim_io_names(inputs=["optim_inputs", "optim_input_shapes"], outputs=["key"])
        self.add_prim_attr("side_effect_hidden", True)

    def __call__(self, *inputs: Any) -> NoReturn:
        _no_server("Push")


@faces("ops")
class Pull(Primitive):
    """Would read a weight from a parameter server.

    Raises:
        RuntimeError: it is called. MindSpore raises this, too, if no parameter server runs.

    >>> from ms_compat import ops
    >>> ops.Pull().attrs["primitive_target"]
    'CPU'
    """

    @prim_attr_register
    def __init__(self):
        self.add_prim_attr("primitive_target", "CPU")
        self.init_prim_io_names(inputs=["key", "weight"], outputs=["output"])

    def __call__(self, *inputs: Any) -> NoReturn:
        _no_server("Pull")
