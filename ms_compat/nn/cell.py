"""`Cell`: the base class of layers and networks.

A Cell is a tree of Cells with Parameters and buffers as members (`_cell/members.py`, `attributes.py`, `tree.py`).
Calling it calls `construct`. In PYNATIVE_MODE that is all there is to it unless a special feature was set on the
Cell: hooks, a `bprop`, another precision, recomputation; one precomputed attribute, `_plain`, says so, and a call costs
0.2 us more than `construct` itself. In GRAPH_MODE the outermost call goes through one `CompiledFunction` per Cell;
inside a trace nested Cells run inline.
"""

from __future__ import annotations

import difflib
from types import MappingProxyType
from typing import Any

import jax

from ms_compat._autograd import recorded
from ms_compat._compile.analysis.refusals import forbid
from ms_compat._compile.control_flow import converted
from ms_compat._compile.function import CompiledFunction
from ms_compat._compile.jit import DECLARED
from ms_compat._core.dispatch import keywords
from ms_compat._core.errors import attribute_error, check_type
from ms_compat._core.faces import faces
from ms_compat._core.settings import context
from ms_compat._core.trace import scopes
from ms_compat._names.resolve import unsupported_getattr
from ms_compat.nn._cell import bookkeeping, features
from ms_compat.nn._cell.attributes import Attributes
from ms_compat.nn._cell.attributes import Buffer as Buffer
from ms_compat.nn._cell.copying import Copying
from ms_compat.nn._cell.flags import Flags, next_serial
from ms_compat.nn._cell.hooks import Hooks
from ms_compat.nn._cell.inputs import Inputs
from ms_compat.nn._cell.members import Members
from ms_compat.nn._cell.metadata import CellMetadata
from ms_compat.nn._cell.parallel import Parallel
from ms_compat.nn._cell.precision import Precision
from ms_compat.nn._cell.recompute import Recompute
from ms_compat.nn._cell.sharding import Sharding
from ms_compat.nn._cell.state_dict import StateDict
from ms_compat.nn._cell.tree import Tree

_context = context.state
_PYNATIVE = context.PYNATIVE_MODE


@faces("nn mint.nn")
class Cell(
    Attributes, Tree, StateDict, Hooks, Flags, Precision, Recompute, Inputs, Sharding, Parallel, CellMetadata, Copying
):
    """A layer or network: subclass it, make members in `__init__`, compute in `construct`.

    A Cell starts in inference mode (`training` is False) until `set_train()`. It is a JAX pytree of its Parameters'
    arrays: `jax.jit(lambda cell, x: cell(x))`, `jax.grad` and optax take it.

    Args:
        auto_prefix: whether the Parameters of child Cells get the child's name before their own.
        flags: flags to set, as by `add_flags`.

    Raises:
        TypeError: `flags` is not a dict.

    >>> import ms_compat as ms
    >>> class Scale(ms.nn.Cell):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.factor = ms.Parameter(ms.Tensor([2.0]))
    ...     def construct(self, x):
    ...         return x * self.factor
    >>> print(Scale()(ms.Tensor([1.0, 3.0])))
    [2. 6.]
    """

    IGNORE_LIST = bookkeeping.IGNORE_LIST
    total_instance_count = bookkeeping.InstanceCount()
    enable_backward_hook = property(bookkeeping.enable_backward_hook)
    _hooks: Any = MappingProxyType({})
    _plain = False
    _has_bprop = False

    def __new__(cls, /, *args: Any, **kwargs: Any):
        if kwargs:
            keywords.check(f"{cls.__name__}.__init__", cls.__init__, kwargs)
        return super().__new__(cls, *args, **kwargs)

    def __init__(self, auto_prefix=True, flags=None):
        if scopes.tracing and (scope := scopes.current_scope()) is not None:
            scope.note_new_cell(self)
        attributes = self.__dict__
        attributes["_params"] = Members(attributes)
        attributes["_cells"] = Members(attributes)
        attributes["_buffers"] = Members(attributes)
        attributes["_serial"] = next_serial()
        attributes["_auto_prefix"] = auto_prefix
        attributes["_param_prefix"] = ""
        attributes["_phase"] = "train"
        attributes["training"] = False
        attributes["requires_grad"] = False
        if flags:
            check_type("Cell", "flags", flags, dict)
            self.add_flags(**flags)

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        """The computation; every subclass that is called defines it.

        Raises:
            AttributeError: it does not.

        >>> import ms_compat as ms
        >>> class Square(ms.nn.Cell):
        ...     def construct(self, x):
        ...         return x * x
        >>> print(Square()(ms.Tensor([1.0, 3.0])))
        [1. 9.]
        """
        raise attribute_error(_undefined(type(self)), "construct")

    # -- calling -----------------------------------------------------------------------------------------------------
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._plain:
            if scopes.tracing and (scope := scopes.current_scope()) is not None:
                with jax.named_scope(self._scope_name()):
                    if scope.forwards is not None:
                        return recorded.call_traced(scope.forwards, self, args, kwargs)
                    return converted(self.construct)(*args, **kwargs)
            if _context.mode == _PYNATIVE:
                return self.construct(*args, **kwargs)
        return self._call_special(args, kwargs)

    def _call_special(self, args: tuple, kwargs: dict) -> Any:
        """A call in GRAPH_MODE, or of a Cell with a special feature."""
        if "_params" not in self.__dict__:
            raise AttributeError(
                f"The '{type(self).__name__}' object has no attribute '_params': its __init__ does not call "
                "super().__init__()."
            )
        if "_names_checked" not in self.__dict__ and not scopes.tracing:
            self._check_names_once()
        scope = scopes.current_scope() if scopes.tracing else None
        if scope is not None:
            with jax.named_scope(self._scope_name()):
                if scope.forwards is not None:
                    return recorded.call_traced(scope.forwards, self, args, kwargs)
                return features.call(self, *args, **kwargs)
        elif _context.mode != _PYNATIVE:
            compiled = self._declared_compiled(args, kwargs)
            if recorded.expected(self):
                return recorded.call_recorded(self, compiled, args, kwargs)
            return compiled(*args, **kwargs)
        elif recorded.expected(self):
            return recorded.call_recorded(self, self._call_inside, args, kwargs)
        return features.call(self, *args, **kwargs)

    def _scope_name(self) -> str:
        """How profiles and the texts of programs call it: as MindSpore does, "fc1-Dense"."""
        name = self.__dict__.get("_member_name")
        return type(self).__name__ if name is None else f"{name}-{type(self).__name__}"

    def _compiled_function(self) -> CompiledFunction:
        compiled = self.__dict__.get("_compiled")
        if compiled is None:
            if hasattr(type(self).construct, DECLARED):
                raise ValueError(
                    f"For '{type(self).__name__}', a Cell that is compiled as a whole does not take 'enable_dynamic'; "
                    "declare its inputs by 'set_inputs'."
                )
            compiled = self.__dict__["_compiled"] = CompiledFunction(self._call_inside, self, type(self).__name__)
        return compiled

    def _call_inside(self, *args, **kwargs):
        """What a compiled function of this Cell traces."""
        return features.call(self, *args, **kwargs)

    def _refresh_plain(self) -> None:
        """Recompute whether a call may go straight to `construct`."""
        # the first two: `_call_special` lets the whole call be recorded
        recorded = self.__dict__["requires_grad"] or self in scopes.differentiated
        attributes = self.__dict__
        attributes["_plain"] = "_names_checked" in attributes and not (recorded or features.is_special(self))

    @property
    def has_bprop(self) -> bool:
        """Whether the class defines its own gradient, `bprop`."""
        return self._has_bprop


def _undefined(cls: type) -> str:
    methods = [name for kind in cls.__mro__[: cls.__mro__.index(Cell)] for name in vars(kind) if name[0] != "_"]
    meant: list[str] = [name for name in ("forward", "call") if name in methods]
    meant = meant or difflib.get_close_matches("construct", methods, 1)
    own = f" It has '{meant[0]}'; rename that." if meant else ""
    return f"For '{cls.__name__}', the method 'construct' is not defined.{own}"


__getattr__ = unsupported_getattr(__name__)


forbid(Cell, "nn.Cell")
