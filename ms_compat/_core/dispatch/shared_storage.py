"""Tensors that share storage in PYNATIVE_MODE: writing into `x.reshape(-1)` writes into `x`, and the other way round.

JAX arrays are immutable, so this module emulates sharing at each write, and only then. A view refers to its root (a
tensor that has no source) and to the chain of operations that made it; the root refers to its views. Both references
are weak: an unreferenced view costs nothing, and an unreferenced root frees its array. `write` is the one function for
in-place changes of user tensors: it replaces the value, computes the root's new value if the tensor is a view, and
recomputes the other live views. All of this runs recorded operations, so gradients flow through a write into a view.

A trace links nothing: a compiled function sees values.
"""

from __future__ import annotations

import functools
import math
import weakref
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp

from ms_compat._core.dispatch.op import Op, op
from ms_compat._core.jax_compat import ArrayImpl
from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.trace import concurrency, scopes, write_barrier

_ref = weakref.ref
_PRUNE_AT = 8


class Views:
    """The live views of one root; dead references are dropped whenever the list has doubled."""

    __slots__ = ("limit", "refs")

    def __init__(self) -> None:
        self.refs: list[weakref.ref] = []
        self.limit = _PRUNE_AT

    def prune(self) -> None:
        """Drop the references to views that are gone."""
        self.refs = [r for r in self.refs if r() is not None]
        self.limit = max(_PRUNE_AT, 2 * len(self.refs))


def link(base: Tensor, view: Tensor, owner: Any, args: tuple = (), kwargs: dict | None = None, part: int | None = None):
    """Say that `view` is the storage of `base` seen through an operation.

    Args:
        base: the tensor the operation was applied to; it may be a view itself.
        view: the result, a Tensor that nothing is linked to yet.
        owner: has `forward(base, *args, **kwargs)`, which gives the view again (a tuple, if `part` is given), and
            `backward(base, new, *args, **kwargs)`, which gives `base` with the values of the changed view `new`.
        args: the operation's further arguments.
        kwargs: its keyword arguments.
        part: which element of the result tuple the view is.
    """
    step = (owner, args, kwargs, part)
    alias = base._alias
    root = base
    if alias is None:
        view._alias = (_ref(base), (step,))
    else:
        source = alias[0]()
        if source is None:
            view._alias = (_ref(base), (step,))
        else:
            root = source
            view._alias = (alias[0], (*alias[1], step))
    views = root._views
    if views is None:
        views = root._views = Views()
    refs = views.refs
    refs.append(_ref(view))
    if len(refs) > views.limit:
        views.prune()


def _kind(step: tuple, attribute: str) -> bool:
    return getattr(step[0], attribute, False)


def _forward(step: tuple, base: Tensor) -> Tensor:
    owner, args, kwargs, part = step
    out = owner.forward(base, *args, **kwargs) if kwargs else owner.forward(base, *args)
    return out if part is None else out[part]


def _backward(step: tuple, base: Tensor, new: Tensor) -> Tensor:
    owner, args, kwargs, part = step
    extra = {} if part is None else {"part": part}
    return owner.backward(base, new, *args, **(kwargs or {}), **extra)


def write(tensor: Tensor, new: Tensor) -> Tensor:
    """Replace the value of `tensor` by the value of `new` in place, in its root and in all live views of it.

    Args:
        tensor: the tensor to change. It has the shape and dtype of `new` afterwards.
        new: the value, with its record on the tape.

    Returns:
        `tensor`, with the record of `new`. A Parameter stays a variable (`write_barrier.overwrite`). So where gradients
        are recorded or traced, another tensor of its storage, which has the record, stands for what was written.
    """
    scope = scopes.current_scope() if scopes.tracing else None
    if scope is not None and scope.written is not None:
        scope.written.before_write(tensor, scope)
    write_barrier.overwrite(tensor, new._v, new._node)
    if scopes.tracing:
        return _traced(tensor, new)
    if tensor._alias is not None or tensor._views is not None:
        _propagate(tensor)
    if not tensor._is_parameter or new._node is None:
        return tensor
    out = wrap(concurrency.held_value(tensor))
    link(tensor, out, Whole)
    out._node = new._node
    return out


def _traced(tensor: Tensor, new: Tensor) -> Tensor:
    target = tensor.__dict__.get("_written_into")
    if target is not None:
        write(target, new)
    scope = scopes.current_scope()
    if not tensor._is_parameter or scope is None:
        return tensor
    out = wrap(new._v)
    scope.created[id(out)] = out
    out.__dict__["_written_into"] = tensor
    return out


class Whole:
    """The link between a tensor and one that shares its whole storage."""

    @staticmethod
    def forward(base: Tensor) -> Tensor:
        return base

    @staticmethod
    def backward(base: Tensor, new: Tensor) -> Tensor:
        return new


class Stopped(Whole):
    """The link between a tensor and one that shares its whole storage, as a constant for differentiation."""

    @staticmethod
    def forward(base: Tensor) -> Tensor:
        return wrap(base._v)

    @staticmethod
    def backward(base: Tensor, new: Tensor) -> Tensor:
        return _changed(base, new)


def is_view(tensor: Tensor) -> bool:
    """Whether the tensor is a view, which shares the storage of a living tensor in another way than as a whole."""
    alias = tensor._alias
    if alias is None or alias[0]() is None:
        return False
    return any(not (isinstance(step[0], type) and issubclass(step[0], Whole)) for step in alias[1])


def leave(tensor: Tensor) -> None:
    """Take a tensor out of the storage that it shares; views of it keep the values of now, each for itself."""
    alias, tensor._alias = tensor._alias, None
    source = alias[0]() if alias is not None else None
    if source is not None and source._views is not None:
        source._views.refs[:] = [reference for reference in source._views.refs if reference() is not tensor]
    views, tensor._views = tensor._views, None
    for reference in views.refs if views is not None else ():
        view = reference()
        if view is not None:
            view._alias = None


def propagate(changed: list[Tensor]) -> None:
    """Bring up to date what shares storage with tensors whose values were replaced, as a compiled function does."""
    if not scopes.tracing:
        for tensor in changed:
            if tensor._alias is not None or tensor._views is not None:
                _propagate(tensor)


def _plain(tensor: Tensor) -> Tensor:
    """The value and record of a tensor without its links."""
    out = wrap(tensor._v)
    out._node = tensor._node
    return out


def _propagate(changed: Tensor) -> None:
    root = changed
    alias = changed._alias
    if alias is not None:
        source = alias[0]()
        if source is not None:
            root = source
            value = _plain(root)
            bases = [value]
            for step in alias[1][:-1]:
                bases.append(_forward(step, bases[-1]))
            value = _plain(changed)
            for step, base in zip(reversed(alias[1]), reversed(bases), strict=True):
                value = _backward(step, base, value)
            write_barrier.overwrite(root, value._v, value._node)
    views = root._views
    if views is None:
        return
    views.prune()
    for reference in views.refs:
        view = reference()
        if view is None or (view is changed and not any(_kind(step, "repeats") for step in view._alias[1])):
            continue
        value = _plain(root)
        for step in view._alias[1]:
            value = _forward(step, value)
        write_barrier.assign(view, value._v, value._node)


@op
def put_back(base, positions, new):
    """`base` with the elements at flat `positions` replaced by `new`, as the general inverse of taking a view."""
    flat = base.reshape(-1).at[positions.reshape(-1)].set(new.astype(base.dtype).reshape(-1))
    return flat.reshape(base.shape)


@op
def put_back_changed(base, positions, old, new):
    """As `put_back`, for views that show an element more than once: only what differs from `old` is written."""
    places = jnp.where((new != old).reshape(-1), positions.reshape(-1), base.size)
    return base.reshape(-1).at[places].set(new.astype(base.dtype).reshape(-1), mode="drop").reshape(base.shape)


@op
def _changed(base, new):
    """`new` where it differs from `base`, whose gradient the other elements keep."""
    return jnp.where(new != base, new, base)


@op
def reshape_like(base, new):
    """`new` in the shape of `base`: the inverse of a view that only changes the shape."""
    return new.reshape(base.shape)


def _is_unmoved(shape: tuple, new: tuple) -> bool:
    """Whether a tensor of so few dimensions that are not 1 has its elements in the same order in another shape."""
    return math.prod(shape) == math.prod(new) and sum(size != 1 for size in shape) < 2


class ViewOp:
    """An operation whose result shares storage with its first argument in PYNATIVE_MODE.

    Args:
        operation: the Op.
        same_order: whether the view holds all elements in the same order (a reshape); its inverse is then one as well.
        strided: whether the view's elements are not in the order of storage (a transpose).
        packed: whether the operation copies a strided view instead of sharing its storage (`reshape`, `view`).
        repeats: whether the view shows elements more than once (`broadcast_to`).
    """

    def __init__(
        self,
        operation: Op,
        same_order: bool,
        strided: bool = False,
        packed: bool = False,
        repeats: bool = False,
    ):
        functools.update_wrapper(self, operation.fn)
        self.__name__ = self.name = operation.name
        self.op = operation
        self.same_order = same_order
        self.strided = strided
        self.packed = packed
        self.repeats = repeats
        self.unmoved = ViewOp(operation, same_order=True) if strided else self  # what leaves the elements in order

    def __repr__(self) -> str:
        return repr(self.op)

    def __get__(self, instance, owner=None):
        return self if instance is None else functools.partial(self, instance)

    def __call__(self, *args, **kwargs):
        out = self.op(*args, **kwargs)
        if scopes.tracing:
            return out
        if not args or not isinstance(args[0], Tensor):
            first = kwargs.get(self.op.names[0]) if not args else None
            if first is None:
                return out
            kwargs = {k: v for k, v in kwargs.items() if k != self.op.names[0]}
            args = (first,)
        alias = args[0]._alias
        if alias is not None and self.packed and any(_kind(step, "strided") for step in alias[1]):
            return out
        if out.__class__ is tuple:
            for part, view in enumerate(out):
                if view._v.__class__ is ArrayImpl:
                    link(args[0], view, self, args[1:], kwargs, part)
        elif out._v.__class__ is ArrayImpl:
            owner = self.unmoved if self.strided and _is_unmoved(args[0]._v.shape, out._v.shape) else self
            link(args[0], out, owner, args[1:], kwargs)
        return out

    def forward(self, base: Tensor, *args, **kwargs) -> Any:
        """The view of `base`, not linked to it."""
        return self.op(base, *args, **kwargs)

    def backward(self, base: Tensor, new: Tensor, *args, part: int | None = None, **kwargs) -> Tensor:
        """`base` after its view has become `new`."""
        if self.same_order:
            return reshape_like(base, new)
        positions = self.op(wrap(jnp.arange(base._v.size).reshape(base._v.shape)), *args, **kwargs)
        positions = positions if part is None else positions[part]
        if self.repeats:
            return put_back_changed(base, positions, self.op(base, *args, **kwargs), new)
        return put_back(base, positions, new)


def view_op(*, static: tuple[str, ...] = (), name: str | None = None, same_order: bool = False, **kind) -> Callable:
    """Declare an operation as `op` does, whose result is a view of its first argument in PYNATIVE_MODE.

    Args:
        static: names of the constants.
        name: the public name, if it differs from the function's.
        same_order: as `ViewOp` says, like the further keywords.

    >>> from ms_compat._core.tensor import Tensor
    >>> from ms_compat._core.dispatch.shared_storage import view_op, write
    >>> @view_op()
    ... def first_row(x):
    ...     return x[0]
    >>> x = Tensor([[1, 2], [3, 4]])
    >>> _ = write(first_row(x), Tensor([7, 8]))
    >>> x.asnumpy().tolist()
    [[7, 8], [3, 4]]
    """

    def declare(fn: Callable) -> ViewOp:
        return ViewOp(op(fn, static=static, name=name), same_order, **kind)

    return declare
