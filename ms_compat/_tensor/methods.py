"""Tensor's methods, attached once when the package is imported.

A function says where it is written that Tensor has it (`@faces("ops Tensor")`, `_core/faces.py`); it is looked up when
the method is first used. Methods whose arguments differ from the function's come from `adapters.py`, those with several
forms from `overloads.py`, operators from `operators.py`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ms_compat._autograd.custom import register_hook
from ms_compat._core import dtype as mstype
from ms_compat._core.errors import check_bool
from ms_compat._core.faces import Face, find, load
from ms_compat._core.index import getitem, views
from ms_compat._core.tape.hooks import remove_hook
from ms_compat._core.tensor import FOREIGN, Tensor, numpy_backed, traced_number
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._names import habits
from ms_compat._names.placeholder import PlaceholderMember
from ms_compat._names.resolve import placeholder_for
from ms_compat._tensor import runtime_state, sparse, storage
from ms_compat._tensor.forms import FORMS, signature
from ms_compat._tensor.operators import OPERATORS

_ADAPTERS = "ms_compat._tensor.adapters"

_CASTS = {
    "float": mstype.float32, "half": mstype.float16, "double": mstype.float64, "bfloat16": mstype.bfloat16,
    "int": mstype.int32, "long": mstype.int64, "short": mstype.int16, "byte": mstype.uint8, "bool": mstype.bool_,
}  # fmt: skip

# What MindSpore's Tensor has besides.
_ABSENT = "getitem_index_info set_device_address setitem_index_info"


class _Method:
    """A method that replaces itself by the function of its face when it is first looked up."""

    __slots__ = ("_face", "_name")

    def __init__(self, name: str, face: Face):
        self._name = name
        self._face = face

    def __get__(self, instance, owner=None):
        setattr(Tensor, self._name, self._made())
        return getattr(Tensor if instance is None else instance, self._name)

    def _made(self) -> Any:
        name, kind = self._name, self._face.kind
        function = load(self._face)
        if kind == "property":
            return property(function, getattr(import_module(self._face.module), f"set_{name}", None))
        if kind == "static":
            return staticmethod(function)
        if kind:  # a function of `adapters.py` makes the method of it
            adapters = import_module(_ADAPTERS)
            function = adapters.spelled(function) if kind == "spelled" else adapters.in_place(function, name)
        elif name in _CASTS:
            function = function(_CASTS[name], name)
        forms = FORMS.get(name)
        if forms is not None:
            function.__signature__ = signature(forms[0])
        return function


class _Property(_Method):
    """The same for a property, which an assignment finds as well."""

    __slots__ = ()

    def __set__(self, instance, value):
        setattr(Tensor, self._name, self._made())
        setattr(instance, self._name, value)


def _repr_html(self) -> str:
    """What a notebook shows."""
    return import_module("ms_compat._core.diagnostics.html").tensor_html(self)


def _zero_(self):
    """All elements 0, in place; returns the tensor."""
    return self.fill_(0)


def _recorded_cast(tensor, dtype):
    """`ops.cast`; its file is imported by the first cast."""
    from ms_compat.ops.function.shape.create import cast

    return cast(tensor, dtype)


def attach() -> None:
    """Give Tensor its operators and methods."""
    for name, operator in OPERATORS.items():
        setattr(Tensor, name, operator)
    for name, face in find("Tensor").items():
        setattr(Tensor, name, _Property(name, face) if face.kind == "property" else _Method(name, face))
    for name in _CASTS:
        setattr(Tensor, name, _Method(name, Face("", _ADAPTERS, "casting")))
    own = {
        "__getitem__": getitem.getitem,
        "__setitem__": getitem.setitem,
        "__iter__": getitem.iterate,
        "_share": views.share,
        "_leave_views": views.leave_views,
        "_cast": _recorded_cast,
        "_traced_item": traced_number.item,
        "_over": staticmethod(numpy_backed.over_array),
        "_repr_html_": _repr_html,
        "register_hook": register_hook,
        "zero_": _zero_,
        "is_signed": lambda self: self.dtype.np_dtype.kind not in "bu",
        "get_bytes": lambda self: self.asnumpy().tobytes(),
        "remove_hook": staticmethod(remove_hook),
        "flush_from_cache": lambda self: None,
        "set_const_arg": _set_const_arg,
    }
    for name, attribute in own.items():
        setattr(Tensor, name, attribute)
    for name in _ABSENT.split():
        setattr(Tensor, name, PlaceholderMember(placeholder_for(f"mindspore.Tensor.{name}")))
    for name, hint in habits.TENSOR.items():
        if not any(name in vars(cls) for cls in Tensor.__mro__):
            setattr(Tensor, name, habits.Habit("Tensor", name, hint))
            FOREIGN.add(name)
    Parameter._initial = _initial
    traced_number.attach()
    runtime_state.attach()
    storage.attach()
    sparse.attach()


def _initial(self: Parameter, init: Any) -> Tensor:
    """What an initializer, its name or a number fills a Parameter of this shape and dtype with."""
    from ms_compat.common.initializer import initializer  # MindSpore's formulas, which few programs clone with

    return initializer(init, self.shape, self.dtype).init_data()


def _set_const_arg(self, const_arg: bool = True):
    """Mark the tensor as a constant of compiled functions; returns it."""
    check_bool("set_const_arg", "const_arg", const_arg)
    self.const_arg = const_arg
    return self
