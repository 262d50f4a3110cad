"""Small facts about a Cell that MindSpore's framework keeps on it and programs sometimes read."""

from __future__ import annotations

import itertools
import time


class Facts:
    """Scope, times, caches and names."""

    cell_type: str | None = None

    def get_scope(self) -> str | None:
        """The scope that `generate_scope` gave; None before."""
        return self.__dict__.get("_scope")

    def generate_scope(self) -> None:
        """Give each Cell below this one its scope: "Default", and the names and classes on the way to it.

        >>> from ms_compat import nn
        >>> net = nn.SequentialCell(nn.ReLU())
        >>> net.generate_scope()
        >>> net[0].get_scope()
        'Default/0-ReLU'
        """
        for name, cell in self.name_cells().items():
            cell.__dict__["_scope"] = f"{self.get_scope() or 'Default'}/{name}-{type(cell).__name__}"
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
        """When the Cell was asked for it first, in nanoseconds: a number that no other Cell has."""
        return self.__dict__.setdefault("_create_time", time.time_ns() + next(_ticks))

    @property
    def compile_cache(self) -> set:
        """Keys of MindSpore's compile cache; what is compiled is held by `CompiledFunction` here."""
        return set()

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
