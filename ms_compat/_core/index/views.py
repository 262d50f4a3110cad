"""Which tensors an index ties together: views share storage with their source, copies remember it.

A view by integers and slices is linked as every other view is (`alias.py`). A copy by a mask or by positions has a
`_parent`: MindSpore writes back into the source what is assigned to such a copy *by index*. Assignments by integers and
slices go into the shared storage; those by masks, positions or `...` give the tensor a storage of its own, except that
the source of a view by index is written as well. So it was recorded (tests/conformance/data/tensor_alias.json).
"""

from __future__ import annotations

from typing import Any

from ms_compat._core import alias, state, tape
from ms_compat._core.index.entries import dynamic, get_eager, setter
from ms_compat._core.index.spec import parse
from ms_compat._core.tensor import Tensor, wrap


class _View:
    """The link of a view by index to its source: how to read it again and how to write it back (see alias.link)."""

    @staticmethod
    def forward(base: Tensor, index: Any) -> Tensor:
        return get_eager(base, parse(index, base._v.shape))

    @staticmethod
    def backward(base: Tensor, new: Tensor, index: Any) -> Tensor:
        spec = parse(index, base._v.shape)
        values = [base._v, new._v, *dynamic(spec)]
        return tape.run(setter(spec.key), values, [base._node, new._node] + [None] * (len(values) - 2))


VIEW = _View()
SAME = _View()  # a view of everything: what is assigned to `y[...]` does not go to the source then


def share(view: Tensor, base: Tensor) -> None:
    """Make `view`, which holds the array of `base`, share its storage."""
    alias.link(base, view, SAME, (Ellipsis,))


class Held:
    """Stands in for a weak reference where the source must live as long as its view."""

    __slots__ = ("target",)

    def __init__(self, target: Tensor):
        self.target = target

    def __call__(self) -> Tensor:
        return self.target


def link(base: Tensor, view: Tensor, index: Any) -> None:
    alias.link(base, view, SAME if index is None else VIEW, (index,))
    if base._parent is not None and view._alias[0]() is base:
        view._alias = (Held(base), view._alias[1])


def write(tensor: Tensor, new: Tensor, in_place: bool) -> tuple[Tensor, Any, Tensor] | None:
    """Give the tensor its new value, in its storage or in one of its own.

    Returns:
        What is to be assigned next, since the written tensor was read by index: (source, index, value); or None.
    """
    if state.tracing:
        alias.write(tensor, new)
        return None
    link = tensor._alias
    if in_place or (link is not None and link[1][-1][0] is VIEW):
        alias.write(tensor, new)
        root = tensor if link is None else link[0]()
    else:
        detach(tensor)
        state.overwrite(tensor, new._v, new._node)
        root = tensor
    if root is None or root._parent is None:
        return None
    source, index = root._parent
    parent = source()
    return None if parent is None else (parent, index, root)


def detach(tensor: Tensor) -> None:
    """Cut a tensor loose from the storage it shares; its views keep sharing the old one."""
    link, views = tensor._alias, tensor._views
    if link is not None:
        tensor._alias = None
        root = link[0]()
        if root is not None and root._views is not None:
            root._views.refs = [r for r in root._views.refs if r() is not tensor]
    if views is not None:
        tensor._views = None
        old = wrap(tensor._v)
        old._node = tensor._node
        old._views = views
        held = Held(old)
        for reference in views.refs:
            view = reference()
            if view is not None:
                view._alias = (held, view._alias[1])
