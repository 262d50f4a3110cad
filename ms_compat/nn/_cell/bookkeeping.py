"""What MindSpore's `Cell` class keeps for its own compiler and its own tests, as far as a script can read it."""

from __future__ import annotations

import gc
from typing import Any, NoReturn

# The attributes of a Cell that MindSpore's compiler does not see.
IGNORE_LIST = (
    "_scope _cell_init_args _auto_prefix _cells _params _create_time _func_graph_flags _parameter_layout_dict "
    "_params_list _phase _bprop_debug _forward_pre_hook _forward_hook _backward_pre_hook _backward_hook "
    "_cell_backward_pre_hook _cell_backward_hook _param_prefix requires_grad cell_type _in_strategy _out_strategy"
).split()


class InstanceCount:
    """The number of Cells that exist. It is counted when it is read, so that making a Cell costs nothing."""

    def __get__(self, cell: Any, owner: type) -> int:
        base = next(kind for kind in owner.__mro__ if vars(kind).get("total_instance_count") is self)
        return sum(isinstance(thing, base) for thing in gc.get_objects())


def enable_backward_hook(cell: Any) -> NoReturn:
    """Raise AttributeError, as MindSpore's Cells do, which declare this property and never set it."""
    raise AttributeError(f"The '{type(cell).__name__}' object has no attribute 'enable_backward_hook'.")
