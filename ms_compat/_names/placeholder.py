"""Placeholders for MindSpore names that ms_compat does not support.

The placeholder lets a script import a name, mention it in an annotation and ask `isinstance`, and raises
`UnsupportedError` as soon as it is used: called, subclassed, indexed, or searched for an attribute. So `hasattr(ms.ops,
"X")` is True for every public name of MindSpore, as it is there; a placeholder is false, so that `getattr(ms.ops,
"X", None) or fallback` finds the fallback, and `resolve.is_served("mindspore.ops.X")` tells for certain.
"""

from collections.abc import Callable
from typing import Any, NoReturn

from ms_compat._core.errors import UnsupportedError, UnsupportedMethodError


class Placeholder:
    """An unsupported public name of MindSpore; using it raises `UnsupportedError`.

    Args:
        dotted: the name, such as "mindspore.ops.Foo".
        hint_for: says in one sentence what serves in place of a name.

    >>> Placeholder("mindspore.ops.Foo")
    <mindspore.ops.Foo: not supported by ms_compat>
    >>> bool(Placeholder("mindspore.ops.Foo")), isinstance(3, Placeholder("mindspore.ops.Foo"))
    (False, False)
    """

    __slots__ = ("_dotted", "_hint_for")

    def __init__(self, dotted: str, hint_for: Callable[[str], str] = lambda dotted: "") -> None:
        object.__setattr__(self, "_dotted", dotted)
        object.__setattr__(self, "_hint_for", hint_for)

    def _use(self, *_: Any, **__: Any) -> NoReturn:
        raise UnsupportedError(self._dotted, self._hint_for(self._dotted))

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):  # introspection looks these up and expects an AttributeError
            raise AttributeError(f"'{self._dotted}' is not supported by ms_compat")
        self._use()

    def __repr__(self) -> str:
        return f"<{self._dotted}: not supported by ms_compat>"

    def __bool__(self) -> bool:
        return False

    def __instancecheck__(self, instance: object) -> bool:
        return False

    def __subclasscheck__(self, subclass: type) -> bool:
        return False

    def __or__(self, other: object) -> "Placeholder":  # an annotation: `ms.Foo | None`
        return self

    __ror__ = __or__
    __call__ = __getitem__ = __setitem__ = __setattr__ = __iter__ = __len__ = __contains__ = __enter__ = _use
    __mro_entries__ = _use


class PlaceholderMember:
    """An unsupported member of a MindSpore class, where `__getattr__` would be called too often.

    NumPy asks a Tensor for two protocols that it lacks at every conversion; a `__getattr__` makes that 1.5 us slower.
    The class gives a placeholder, since tools that wrap every method go through its `dir`; an object lacks the member.

    >>> cls = type("Tensor", (), {"offload": PlaceholderMember(Placeholder("mindspore.Tensor.offload"))})
    >>> cls.offload, hasattr(cls(), "offload")
    (<mindspore.Tensor.offload: not supported by ms_compat>, False)
    """

    __slots__ = ("_placeholder",)

    def __init__(self, placeholder: Placeholder) -> None:
        self._placeholder = placeholder

    def __get__(self, instance: object, owner: type | None = None) -> Placeholder:
        if instance is None:
            return self._placeholder
        dotted: str = self._placeholder._dotted
        raise UnsupportedMethodError(dotted, self._placeholder._hint_for(dotted))
