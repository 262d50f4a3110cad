"""flax nnx modules and Cells, both ways.

`NnxCell` runs an nnx module inside a MindSpore network: its `nnx.Param`s are Parameters (named by their path), all
other variables (BatchNorm's means) are Parameters without gradient. `CellModule` is the other way: a Cell as an nnx
module.
"""

from __future__ import annotations

from typing import Any

from flax import nnx

from ms_compat._compile.control_flow.branches import wrap_noted
from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.tensor.tree import flatten, unflatten
from ms_compat._core.trace import write_barrier
from ms_compat.interop.jax import pure
from ms_compat.nn.cell import Cell


def _name(path: tuple) -> str:
    return ".".join(str(part) for part in path)


class NnxCell(Cell):
    """A flax nnx module as a Cell.

    Args:
        module: the nnx module; its variables are copied into Parameters.

    >>> from flax import nnx
    >>> import ms_compat as ms
    >>> from ms_compat.interop.flax import NnxCell
    >>> net = NnxCell(nnx.Linear(3, 2, rngs=nnx.Rngs(0)))
    >>> sorted(p.name for p in net.trainable_params())
    ['bias', 'kernel']
    >>> net(ms.ops.ones((4, 3), ms.float32)).shape
    (4, 2)
    """

    def __init__(self, module):
        super().__init__()
        if not isinstance(module, nnx.Module):
            raise TypeError(f"For 'NnxCell', an nnx.Module is needed, but got {type(module).__name__}.")
        self._graph, variables = nnx.split(module)
        self._paths = []
        for path, variable in nnx.to_flat_state(variables):
            name = _name(path)
            value = variable[...] if hasattr(variable, "__getitem__") else variable
            trainable = isinstance(variable, nnx.Param)
            self.insert_param_to_cell(name, Parameter(wrap(value), name=name, requires_grad=trainable), False)
            self._paths.append((path, variable))

    def construct(self, *args, **kwargs):
        parameters = self._all_parameters()
        flat = [(path, variable.replace(p._v)) for (path, variable), p in zip(self._paths, parameters, strict=True)]
        module = nnx.merge(self._graph, nnx.from_flat_state(flat))
        leaves: list[Any] = []
        spec = flatten((args, kwargs), leaves)
        call_args, call_kwargs = unflatten(spec, iter([t._v if isinstance(t, Tensor) else t for t in leaves]))
        out = module(*call_args, **call_kwargs)
        _, after = nnx.split(module)
        for (_, variable), p in zip(nnx.to_flat_state(after), parameters, strict=True):
            value = variable[...] if hasattr(variable, "__getitem__") else variable
            if value is not p._v:
                write_barrier.assign(p, value)
        return _to_tensors(out)


def _to_tensors(value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return type(value)(_to_tensors(item) for item in value)
    if isinstance(value, dict):
        return {key: _to_tensors(item) for key, item in value.items()}
    return wrap_noted(value) if hasattr(value, "dtype") and hasattr(value, "shape") else value


class CellModule(nnx.Module):
    """A Cell as an nnx module: trainable Parameters are `nnx.Param`, the others `nnx.BatchStat`.

    Args:
        cell: the Cell; its arrays are copied when the module is made.
    """

    def __init__(self, cell):
        self.fn, params, state_in = pure(cell)
        self.params = nnx.Dict({name.replace(".", "/"): nnx.Param(value) for name, value in params.items()})
        self.state = nnx.Dict({name.replace(".", "/"): nnx.BatchStat(value) for name, value in state_in.items()})

    def __call__(self, *args, **kwargs):
        params = {name.replace("/", "."): self.params[name][...] for name in self.params}
        state_in = {name.replace("/", "."): self.state[name][...] for name in self.state}
        out, after = self.fn(params, state_in, *args, **kwargs)
        for name, value in after.items():
            self.state[name.replace(".", "/")][...] = value
        return out
