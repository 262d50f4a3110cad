"""What a Cell's parts use of each other: `Cell` derives from all, and each file shows one."""

from __future__ import annotations

from typing import Any


class Part:
    """The base of the parts. It has annotations alone, for readers and type checkers: each says which file has it."""

    _params: Any  # attributes.py: the members, by name
    _cells: Any
    _buffers: Any
    _has_bprop: bool  # cell.py
    _refresh_plain: Any
    _compiled_function: Any
    construct: Any
    cells_and_names: Any  # tree.py
    name_cells: Any
    get_parameters: Any
    trainable_params: Any
    parameters_and_names: Any
    buffers: Any
    add_flags: Any  # flags.py
    add_flags_recursive: Any
    __call__: Any
