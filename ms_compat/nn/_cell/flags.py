"""Flags and modes of a Cell: train mode, user flags; and the key that compiled functions compare."""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

from ms_compat._core.errors import check_type
from ms_compat._core.tensor.flat_weights import kind_of
from ms_compat._core.trace import scopes
from ms_compat.nn._cell.part import Part

_serials = itertools.count(1)


def next_serial() -> int:
    """A number unique to one Cell: Python reuses `id` after a Cell is gone, and keys outlive Cells."""
    return next(_serials)


def _hashable(value: Any) -> Any:
    try:
        hash(value)
    except TypeError:
        return (type(value).__name__, repr(value))
    return (type(value), value)


class CellKey(NamedTuple):
    """What compiled functions compare of one Cell, its children aside; another key causes a retrace.

    Attributes:
        serial: identifies the Cell.
        training, requires_grad, recompute, offload: its modes.
        flags: its other flags, each with its value.
        parameters: each of its own Parameters as name, `id` and `kind_of`.
        buffers: each of its own buffers as name and `id`.
        hooks: its hooks, as kinds with their handles.
        layouts: the layouts that `shard` gave its inputs and outputs.
        parameter_hooks: the hooks of its Parameters.
        saved_hooks: what packs and unpacks the values that its gradient keeps.
        auto_precision: its level of mixed precision.
        watched: the plain attributes that traces read, each with its value.
        slots: the attributes that hold Tensors, each with the class of its value.
    """

    serial: int
    training: bool
    requires_grad: bool
    recompute: Any
    offload: Any
    flags: tuple | None
    parameters: tuple
    buffers: tuple
    hooks: tuple | None
    layouts: Any
    parameter_hooks: tuple | None
    saved_hooks: Any
    auto_precision: Any
    watched: tuple | None
    slots: tuple | None


class Flags(Part):
    """Modes and flags."""

    # -- modes -------------------------------------------------------------------------------------------------------
    def set_train(self, mode=True):
        """Switch this Cell and all children to training (True) or inference (False); returns the Cell.

        >>> from ms_compat import nn
        >>> nn.Dropout(p=0.5).set_train().training
        True
        """
        self.__dict__["_phase"] = "train" if mode else "predict"  # children keep theirs, which a program may have set
        return self.add_flags_recursive(training=mode)

    def set_grad(self, requires_grad=True):
        """Say that calls of this Cell will be differentiated at the same inputs; returns the Cell.

        In PYNATIVE_MODE such a call is recorded, and the gradient that follows does not run the Cell a second time.
        Without it gradients are the same, but the Cell runs twice. Children are not marked.

        >>> import ms_compat as ms
        >>> net = ms.nn.Dense(1, 1, weight_init="ones", bias_init="zeros").set_grad()
        >>> x = ms.Tensor([[3.0]])
        >>> print(net(x), ms.grad(net)(x))
        [[3.]] [[1.]]
        """
        self.requires_grad = requires_grad
        return self

    @property
    def phase(self) -> str:
        """ "train" or "predict" as the last `set_train` of this very Cell says, or what was assigned, a str."""
        return self.__dict__["_phase"]

    @phase.setter
    def phase(self, value: str) -> None:
        check_type("Cell", "phase", value, str)
        self._watch("_phase")
        self.__dict__["_phase"] = value

    # -- flags -------------------------------------------------------------------------------------------------------
    def add_flags(self, **flags):
        """Set attributes that `get_flags` lists; returns the Cell.

        >>> from ms_compat import nn
        >>> nn.ReLU().add_flags(sink_mode=True).get_flags()
        {'sink_mode': True}
        """
        self.__dict__.setdefault("_func_graph_flags", {}).update(flags)
        for name, value in flags.items():
            self.__dict__[name] = value
        scopes.structure_version += 1
        self._refresh_plain()
        return self

    def add_flags_recursive(self, **flags):
        """Set flags on this Cell and all its children, as `add_flags` does on one.

        Args:
            flags: names and values, as keyword arguments.

        Returns:
            The Cell.

        >>> from ms_compat import nn
        >>> net = nn.SequentialCell(nn.ReLU()).add_flags_recursive(predict=True)
        >>> net[0].get_flags()
        {'predict': True}
        """
        for _, cell in self.cells_and_names():
            cell.add_flags(**flags)
        return self

    def get_flags(self) -> dict[str, Any]:
        """The flags set by `add_flags`.

        >>> from ms_compat import nn
        >>> nn.ReLU().add_flags(predict=True).get_flags()
        {'predict': True}
        """
        return self.__dict__.setdefault("_func_graph_flags", {})

    def _watch(self, name: str) -> None:
        """Let compiled functions notice when this plain attribute gets another value."""
        self.__dict__.setdefault("_traced_names", set()).add(name)
        scopes.structure_version += 1

    # -- the key of compiled functions -------------------------------------------------------------------------------
    def _static_key(self) -> tuple[CellKey, ...]:
        """What a compiled function must compare: flags and identity of the whole tree's members."""
        return tuple([cell._own_key() for _, cell in self.cells_and_names()])

    def _own_key(self) -> CellKey:
        attributes = self.__dict__
        flags = attributes.get("_func_graph_flags")
        traced = attributes.get("_traced_names")
        slots = attributes.get("_slots")
        hooks = attributes.get("_hooks")
        return CellKey(
            attributes["_serial"],
            attributes["training"],
            attributes["requires_grad"],
            attributes.get("_recompute", False),
            attributes.get("_offload", False),
            tuple([(k, _hashable(v)) for k, v in sorted(flags.items()) if k != "training"]) if flags else None,
            tuple([(name, id(p), kind_of(p)) for name, p in self._params.items()]),
            tuple([(name, id(b)) for name, b in self._buffers.items()]),
            tuple([(kind, tuple(table)) for kind, table in hooks.items() if table]) if hooks else None,
            attributes.get("_layouts"),
            tuple(hooked.items()) if (hooked := attributes.get("_parameter_hooks")) else None,
            attributes.get("_saved_hooks"),
            attributes.get("_auto_precision"),
            tuple([(n, _hashable(attributes.get(n))) for n in sorted(traced)]) if traced else None,
            tuple([(n, type(attributes.get(n)).__name__) for n in slots]) if slots else None,
        )
