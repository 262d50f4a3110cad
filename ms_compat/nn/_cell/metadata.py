"""Small facts about a Cell that MindSpore's framework keeps on it and programs sometimes read."""

from __future__ import annotations

import enum
import itertools
import logging
import time
import weakref
from typing import Any, TypeVar

from ms_compat.nn._cell.part import Part

logger = logging.getLogger("ms_compat")


class MixedPrecisionType(enum.Enum):
    """A Cell's compute type."""

    NOTSET = 0
    FP16 = 1
    FP32 = 2
    BF16 = 3


RECOMPUTED = "recompute_"  # what the scope of a recomputed Cell begins with


class CellMetadata(Part):
    """Scope, times, caches and names."""

    cell_type: str | None = None
    T_destination = TypeVar("T_destination", bound=dict[str, Any])
    global_cells: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()  # what `lazy_inline` shares on MindSpore

    def get_scope(self) -> str | None:
        """The scope that `generate_scope` gave, or "recompute_" of a Cell that is recomputed; None before."""
        return self.__dict__.get("_scope")

    def generate_scope(self) -> None:
        """Give each Cell below this one its scope: "Default", and the names and classes on the way to it.

        >>> from ms_compat import nn
        >>> net = nn.SequentialCell(nn.ReLU())
        >>> net.generate_scope()
        >>> net[0].get_scope()
        'Default/0-ReLU'
        """
        way = (self.get_scope() or "").removeprefix(RECOMPUTED) or "Default"
        for name, cell in self.name_cells().items():
            mark = RECOMPUTED if (cell.get_scope() or "").startswith(RECOMPUTED) else ""
            cell.__dict__["_scope"] = f"{mark}{way}/{name}-{type(cell).__name__}"
            cell.generate_scope()

    def update_cell_type(self, cell_type) -> None:
        """Keep a name for the kind of this Cell, as `cell_type`."""
        self.__dict__["cell_type"] = cell_type

    @property
    def bprop_debug(self) -> bool:
        """Whether to debug a custom `bprop`; it is plain Python here in PYNATIVE_MODE, so a debugger steps into it."""
        return self.__dict__.get("_bprop_debug", False)

    @bprop_debug.setter
    def bprop_debug(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise TypeError(f"For 'Cell', the property 'bprop_debug' must be bool type, but got type {type(value)}.")
        self.__dict__["_bprop_debug"] = value

    @property
    def cell_init_args(self) -> str:
        """The class and the arguments of `Cell.__init__`."""
        return f"{type(self).__name__}[{self.__dict__['_auto_prefix']}, None]"

    @property
    def create_time(self) -> int:
        """The time of the property's first read, in nanoseconds: a number that no other Cell has."""
        return self.__dict__.setdefault("_create_time", time.time_ns() + next(_ticks))

    @property
    def compile_cache(self) -> set:
        """Keys of MindSpore's compile cache; what is compiled is held by `CompiledFunction` here."""
        return set()

    @property
    def current_phase(self) -> str:
        """A name of the last compiled call for `flops_collection`; empty before one."""
        cell: Any = self  # with the other parts of a Cell
        if cell._program() is None:
            return ""
        from ms_compat.graph.flops_collection import networks

        name = f"{cell.phase}.{self.create_time}.{id(self)}"
        networks[name] = cell
        return name

    @property
    def pipeline_segment(self) -> int | None:
        """The assigned segment of a pipeline stage; None without one."""
        return self.__dict__.get("_pipeline_segment")

    @pipeline_segment.setter
    def pipeline_segment(self, value: int) -> None:
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"For 'Cell', the property 'pipeline_segment' must be int type, but got {type(value)}.")
        if value < 0:
            raise ValueError(f"For 'Cell', the property 'pipeline_segment' can not be less than 0, but got {value}.")
        logger.debug("Cell.pipeline_segment = %s has no effect: all stages run in one program", value)
        self.__dict__["_pipeline_segment"] = value

    def get_mixed_precision_type(self) -> MixedPrecisionType:
        """The type this Cell computes in (see `to_float`).

        >>> from ms_compat import float16, nn
        >>> nn.Dense(2, 2).to_float(float16).get_mixed_precision_type().name
        'FP16'
        """
        found = [kind for kind in MixedPrecisionType if self.__dict__.get(kind.name.lower())]
        return found[0] if found else MixedPrecisionType.NOTSET

    def set_mixed_precision_type(self, kind: MixedPrecisionType) -> None:
        """Let this Cell, not its children, compute in another type.

        Raises:
            TypeError: `kind` is not a `MixedPrecisionType`.
        """
        if not isinstance(kind, MixedPrecisionType):
            raise TypeError(f"For 'set_mixed_precision_type', the type must be a MixedPrecisionType, but got {kind!r}.")
        for other in MixedPrecisionType:
            if other is not MixedPrecisionType.NOTSET:
                self.add_flags(**{other.name.lower(): other is kind})

    @property
    def phase_cache(self) -> dict[str, str]:
        """Phases of MindSpore's compiler; there are none."""
        return {}

    @property
    def compile_phase(self) -> None:
        """The phase of MindSpore's last compile; there is none."""
        return None

    @property
    def exist_objs(self) -> set:
        """Objects that MindSpore's name check has seen; it needs none here."""
        return set()


_ticks = itertools.count()
