"""Hooks of Tensors: functions that a gradient passes through on its way."""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakValueDictionary

from ms_compat._core import tape
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.trace import scopes


class Hooks(dict):
    """The hooks of one tensor by their numbers; known to `remove_hook` as long as the tensor or its record lives.

    A Parameter's hooks are part of what is compiled with it, so their changes raise `scopes.structure_version`.
    """

    __slots__ = ("__weakref__", "compiled_in")

    def __init__(self, compiled_in: bool = False):
        self.compiled_in = compiled_in

    def put(self, id: int, hook: Callable) -> None:
        self[id] = hook
        scopes.structure_version += self.compiled_in

    def drop(self, id: int) -> None:
        if self.pop(id, None) is not None:
            scopes.structure_version += self.compiled_in


_hooked: WeakValueDictionary[int, Hooks] = WeakValueDictionary()


def remove_hook(id: int) -> None:
    """Take a hook away, given the `id` of its handle; does nothing where there is none.

    Raises:
        TypeError: `id` is not an int.

    >>> from ms_compat import Tensor
    >>> x = Tensor([1.0])
    >>> Tensor.remove_hook(x.register_hook(lambda grad: grad * 2).id)
    >>> x.hooks()
    []
    """
    if not isinstance(id, int):
        raise TypeError(f"For 'Tensor.remove_hook', 'id' must be an int, but got {type(id).__name__}.")
    hooks = _hooked.get(id)
    if hooks is not None:
        hooks.drop(id)


class HookHandle:
    """What `register_hook` returns: `remove()` takes the hook away again, as does `Tensor.remove_hook(handle.id)`."""

    __slots__ = ("_hooks", "id")
    _count = 0

    def __init__(self, hooks: Hooks, hook: Callable):
        if not callable(hook):
            raise TypeError(f"For 'Tensor.register_hook', 'hook' must be a function, but got {type(hook).__name__}.")
        HookHandle._count += 1
        self._hooks = hooks
        self.id = HookHandle._count
        hooks.put(self.id, hook)
        _hooked[self.id] = hooks

    def remove(self) -> None:
        """Take the hook away; a second call does nothing."""
        self._hooks.drop(self.id)


def through_hooks(hooks: dict, value: Tensor) -> Tensor:
    """A gradient after the hooks; what a hook returns, if not None, takes its place."""
    for hook in list(hooks.values()):
        replaced = hook(value)
        if replaced is not None:
            value = replaced
    return value


def register_tensor_hook(tensor: Tensor, hook: Callable) -> HookHandle:
    """`Tensor.register_hook`: acts on the record this tensor has now, and on leaves made of it later."""
    node = tape.live_node(tensor)
    if node is None:
        hooks = tensor.__dict__.setdefault("_leaf_hooks", Hooks(isinstance(tensor, Parameter)))
    else:
        if node.hooks is None:
            node.hooks = Hooks()
        hooks = node.hooks
    return HookHandle(hooks, hook)
