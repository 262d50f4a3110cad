"""`nn.GraphCell`: a `.mindir` file's graph as a Cell."""

from __future__ import annotations

from typing import Any

from ms_compat._core.errors import type_error
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._formats.mindir.execution import Program
from ms_compat._formats.mindir.graphs import FuncGraph
from ms_compat.nn.cell import Cell


@faces("nn")
class GraphCell(Cell):
    """A Cell that runs a graph which `mindspore.load` has read from a `.mindir` file.

    Its Parameters have the names that they had in the program that exported it, and all are trainable. It runs in both
    modes, is differentiated and trained, and can be part of another Cell; MindSpore runs it compiled in both modes.
    Inputs may have other shapes than at the export, unless the graph holds the sizes as numbers.

    Args:
        graph: what `mindspore.load` returned.
        params_init: values (Tensor or Parameter) for Parameters by name; names that the graph does not have are
            ignored. Default: None.
        obf_random_seed: must be None.

    Inputs:
        As many Tensors as the exported Cell took, without those that the export made constants.

    Outputs:
        What the exported Cell returned.

    Raises:
        NotImplementedError: `obf_random_seed` is given.
        TypeError: `graph` is not a graph of a file, or `params_init` is not a dict of str to Tensor.
        ValueError: a value of `params_init` has another shape or dtype than its Parameter.
        UnsupportedError: the graph has a primitive that is not served; the message names it.
        RuntimeError: at the call, for a wrong number of inputs, or of a graph that is nested too deeply. What an
            operation of the graph cannot take it refuses as everywhere, by TypeError or ValueError.

    >>> import tempfile
    >>> import ms_compat as ms
    >>> from ms_compat import nn
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     ms.export(nn.Dense(2, 1, "ones"), ms.Tensor([[1.0, 2.0]]), file_name=f"{folder}/a", file_format="MINDIR")
    ...     net = nn.GraphCell(ms.load(f"{folder}/a.mindir"), {"weight": ms.Tensor([[3.0, 4.0]])})
    >>> print([p.name for p in net.trainable_params()], net(ms.Tensor([[1.0, 2.0]])) - net.parameters_dict()["bias"])
    ['weight', 'bias'] [[11.]]
    """

    def __init__(self, graph: FuncGraph, params_init: dict | None = None, obf_random_seed: int | None = None):
        super().__init__(auto_prefix=True)
        if obf_random_seed is not None:
            raise NotImplementedError("For 'GraphCell', 'obf_random_seed' is given, but graphs are not obfuscated.")
        if not isinstance(graph, FuncGraph):
            raise type_error("GraphCell", "graph", "a FuncGraph that mindspore.load returned", graph)
        given = {} if params_init is None else params_init
        if not isinstance(given, dict):
            raise type_error("GraphCell", "params_init", "a dict", params_init)
        for name, value in given.items():
            if not isinstance(name, str) or not isinstance(value, Tensor):
                raise TypeError(
                    "For 'GraphCell', the 'params_init' must be a dict of str to Tensor or Parameter, but has "
                    f"{type(name).__name__} to {type(value).__name__}."
                )
        self.graph = graph
        parameters = {}
        for key, stored in graph._parameters.items():
            parameters[key] = _parameter(stored.name, Tensor(stored.value), given.get(stored.name))
            self._params[stored.name] = parameters[key]
        self._run_graph = Program(graph, parameters)

    def construct(self, *inputs: Any) -> Any:
        """Run the graph.

        Raises:
            RuntimeError: it takes another number of inputs.
        """
        expected = len(self._run_graph.main.inputs)
        if len(inputs) != expected:
            raise RuntimeError(f"For 'GraphCell', the graph takes {expected} inputs, but got {len(inputs)}.")
        return self._run_graph(inputs)


def _parameter(name: str, stored: Tensor, given: Tensor | None) -> Parameter:
    """The Parameter of a graph, with the value that the user gives for it."""
    if given is None:
        return Parameter(stored, name=name)
    if given.shape != stored.shape or given.dtype != stored.dtype:
        raise ValueError(
            f"For 'GraphCell', the value for the Parameter '{name}' must have shape {stored.shape} and type "
            f"{stored.dtype}, but got {given.shape} and {given.dtype}."
        )
    return Parameter(given, name=name)
