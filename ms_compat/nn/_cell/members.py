"""Where a Cell keeps its Parameters, children and buffers.

Each kind has an ordered table (`_params`, `_cells`, `_buffers`), and every entry is mirrored in the instance's
`__dict__`, so that `self.weight` in `construct` is a plain attribute read (0.03 us; falling back to `__getattr__`
costs 0.6 us). Programs also write the tables themselves (`cell._cells[name] = other`), so the tables do the mirroring,
and each change raises `scopes.structure_version`, by which compiled functions notice it.

`AttributeSlot` makes an attribute that `construct` assigns a Tensor to into state of the compiled function: read,
swapped and written back like a Parameter, although the attribute is bound to a new Tensor each time.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import numpy as np

from ms_compat._core.jax_compat import Tracer
from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.trace import scopes


class Members(OrderedDict):
    """An ordered table of members that mirrors its entries into the instance dictionary of its owner."""

    def __init__(self, attributes: dict[str, Any], items=()):
        self._attributes = attributes
        super().__init__(items)

    def __setitem__(self, name, value) -> None:
        super().__setitem__(name, value)
        self._attributes[name] = value
        scopes.structure_version += 1
        members: Any = getattr(value, "__dict__", ())
        if "_cells" in members:
            members["_member_name"] = name

    def __delitem__(self, name) -> None:
        super().__delitem__(name)
        self._attributes.pop(name, None)
        scopes.structure_version += 1

    # the C implementation of these does not call __delitem__
    def pop(self, name, *default):
        if name not in self:
            return super().pop(name, *default)
        value = self[name]
        del self[name]
        return value

    def popitem(self, last=True):
        name = next(reversed(self) if last else iter(self))
        return name, self.pop(name)

    def clear(self) -> None:
        for name in list(self):
            del self[name]

    def copy(self) -> OrderedDict:  # type: ignore[override]
        return OrderedDict(self)

    def __copy__(self) -> OrderedDict:
        return OrderedDict(self)

    def __repr__(self) -> str:
        return repr(OrderedDict(self))

    def __reduce__(self):
        return (OrderedDict, (list(self.items()),))


# what this package keeps in a Cell's instance dictionary beside the user's attributes
BOOKKEEPING = frozenset(
    "_auto_precision _auto_prefix _bprop_debug _buffers _cells _compiled _create_time _declared _exist_names "
    "_exist_objs _family _func_graph_flags _gradient_functions _hooks _jit_config _layouts _member_name "
    "_non_persistent _offload _param_prefix _parameter_hooks _parameter_layouts _params _phase _pipeline_segment "
    "_pipeline_stage _plain _recompute _recompute_contexts _saved_hooks _scope _serial _slots _state_list "
    "_traced_names _unnamed".split()
)
_ABSENT = object()


class AttributeSlot:
    """The Tensor attribute `name` of a Cell, seen as one piece of state that is swapped and written back by value.

    It has what a trace asks of a Tensor (`_v`, `_node`). While the attribute is absent or None, reading gives a
    placeholder and a tracer put in is not shown to `construct`, which may ask `if self.cache is None`.
    """

    _alias = _views = None  # it shares storage with nothing

    def __init__(self, attributes: dict[str, Any], name: str):
        self._attributes = attributes
        self._name = name
        self._empty: Any = _ABSENT
        self._placeholder: Any = np.zeros((), np.int32)
        self._pending: Any = None
        self._held: Any = None

    @property
    def _v(self) -> Any:
        current = self._attributes.get(self._name)
        if isinstance(current, Tensor):
            # one more reference than the Tensor's own, so that a compiled call copies instead of donating: the program
            # may hold the Tensor that the attribute is bound to
            self._held = current._v
            return current._v
        if self._pending is not None:
            return self._pending
        import jax.numpy as jnp

        if isinstance(self._placeholder, np.ndarray):
            self._placeholder = jnp.asarray(self._placeholder)
        return self._placeholder

    @_v.setter
    def _v(self, value: Any) -> None:
        attributes, name = self._attributes, self._name
        if value is self._placeholder:
            self._pending = None
            if self._empty is _ABSENT:
                attributes.pop(name, None)
            else:
                attributes[name] = self._empty
        elif isinstance(value, Tracer) and not isinstance(attributes.get(name), Tensor):
            self._pending = value
        else:
            self._pending = None
            attributes[name] = out = wrap(value)
            scope = scopes.current_scope()
            if scope is not None:  # what is written into the Tensor is written into the attribute
                out.__dict__["_slot"] = self
                scope.created[id(out)] = out

    @property
    def _node(self) -> Any:
        current = self._attributes.get(self._name)
        return current._node if isinstance(current, Tensor) else None

    @_node.setter
    def _node(self, node: Any) -> None:
        current = self._attributes.get(self._name)
        if isinstance(current, Tensor):
            current._node = node

    def write(self, value: Tensor, scope: scopes.TraceScope) -> None:
        """Bind the attribute to `value` inside a trace, remembering what must be put back."""
        current = self._attributes.get(self._name, _ABSENT)
        if id(self) not in scope.writes:
            if not isinstance(current, Tensor):
                self._empty = current
            # the Tensor may have been written into before
            _, before, node = scope.writes.get(id(current), (current, self._v, self._node))
            scope.writes[id(self)] = (self, before, node)
        self._attributes[self._name] = value
