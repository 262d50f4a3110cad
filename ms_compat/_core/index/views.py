"""The tensors that an index links: views share storage with their source, copies remember it.

A view by integers and slices is linked like every other view (`dispatch/shared_storage.py`). A copy by a mask or by
positions has a `_parent`: MindSpore writes an assignment *by index* to such a copy back into the source, and also an
assignment to what was read from the copy by index. A method's result from the copy (a transpose, a cast) has no link to
the source. Assignments by integers and slices go into the shared storage. Assignments by masks, positions or `...` give
the tensor a storage of its own, except that the source of a view by index is written as well. The recording is
tests/conformance/data/tensor_alias.json.
"""

from __future__ import annotations

from typing import Any

from ms_compat._core import tape
from ms_compat._core.dispatch import shared_storage
from ms_compat._core.index.entries import dynamic, get_eager, setter
from ms_compat._core.index.spec import parse
from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.trace import scopes, write_barrier


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
TWIN = shared_storage.Whole()  # the same tensor in another object: a new storage for one is a new storage for both
INDEXED_TWIN = shared_storage.Whole()  # such a tensor that `x[...]` gave
_TWINS = (TWIN, INDEXED_TWIN)
_BY_INDEX = (VIEW, INDEXED_TWIN)


def share(view: Tensor, base: Tensor) -> None:
    """Make `view`, which holds the array of `base`, share its storage."""
    shared_storage.link(base, view, SAME, (Ellipsis,))


class Held:
    """Replaces a weak reference where the source must live as long as its view."""

    __slots__ = ("target",)

    def __init__(self, target: Tensor):
        self.target = target

    def __call__(self) -> Tensor:
        return self.target


def link(base: Tensor, view: Tensor, index: Any) -> None:
    """Link a view by index to its source."""
    _link(base, view, SAME if index is None else VIEW, (index,))


def _link(base: Tensor, view: Tensor, owner: Any, args: tuple = ()) -> None:
    """As `alias.link`, but a copy that remembers a source lives as long as the tensors that are linked to it."""
    shared_storage.link(base, view, owner, args)
    if base._parent is not None and view._alias[0]() is base:
        view._alias = (Held(base), view._alias[1])


def write(tensor: Tensor, new: Tensor, in_place: bool) -> tuple[Tensor, Any, Tensor] | None:
    """Give the tensor its new value, in its shared storage or in a separate one.

    Returns:
        What is to be assigned next, since the written tensor was read by index: (source, index, value); or None.
    """
    if scopes.tracing:
        shared_storage.write(tensor, new)
        return None
    root = _root_by_index(tensor)
    if in_place or _is_read_by_index(tensor):
        shared_storage.write(tensor, new)
    else:
        _rebind(tensor, new)
    if root is None or root._parent is None:
        return None
    source, index = root._parent
    parent = source()
    return None if parent is None else (parent, index, root)


def _is_read_by_index(tensor: Tensor) -> bool:
    """Whether a tensor is `x[index]` of another one, or `x[index][...]`, and shares its storage."""
    steps = tensor._alias[1] if tensor._alias is not None else ()
    owner = next((step[0] for step in reversed(steps) if step[0] is not INDEXED_TWIN), None)
    return owner is VIEW


def _root_by_index(tensor: Tensor) -> Tensor | None:
    """The root of a tensor that was read from it by index alone; None for any other tensor."""
    if tensor._alias is None:
        return tensor
    root, steps = tensor._alias
    return root() if all(step[0] in _BY_INDEX for step in steps) else None


def _steps(tensor: Tensor) -> tuple:
    """The chain of operations from the root to a tensor, without the links to twins at its end."""
    steps = tensor._alias[1] if tensor._alias is not None else ()
    end = len(steps)
    while end and steps[end - 1][0] in _TWINS:
        end -= 1
    return steps[:end]


def is_view(tensor: Tensor) -> bool:
    """Whether a tensor is a view of another one; a twin counts as the tensor that it is a twin of."""
    return bool(_steps(tensor))


def source(tensor: Tensor) -> tuple[Tensor | None, Any]:
    """What a view by index was read from, and the index; None twice for other tensors, or where the source is gone."""
    steps = _steps(tensor)
    by_index = steps and (steps[-1][0] is VIEW or steps[-1][:2] == (SAME, (None,)))
    root = tensor._alias[0]() if by_index else None
    if root is None:
        return None, None
    base = root
    for owner, args, kwargs, part in steps[:-1]:  # a view of a view: the one between is read again
        view = owner.forward(base, *args, **(kwargs or {}))
        base = view if part is None else view[part]
    return base, steps[-1][1][0]


def _twins(tensor: Tensor) -> list[Tensor]:
    """The other Tensors that are the same one, the root first if it is among them."""
    root = tensor if tensor._alias is None else tensor._alias[0]()
    if root is None or root._views is None:
        return []
    steps = _steps(tensor)
    found = [] if steps or root is tensor else [root]
    for reference in root._views.refs:
        view = reference()
        if view is None or view is tensor:
            continue
        own = _steps(view)
        # Two views that were made alike have equal steps, but not the same ones.
        if len(own) == len(steps) and all(a is b for a, b in zip(own, steps, strict=True)):
            found.append(view)
    return found


def _rebind(tensor: Tensor, new: Tensor) -> None:
    for each in (tensor, *leave_views(tensor)):
        write_barrier.overwrite(each, new._v, new._node)


def leave_views(tensor: Tensor) -> list[Tensor]:
    """Give a tensor and its twins a storage of their own. One that remembers a source stays the root of the others.

    Returns:
        The twins. They have the tensor's value still.
    """
    same = [tensor, *_twins(tensor)]
    root = next((t for t in same if t._parent is not None), tensor)
    indexed = {id(t) for t in same if _root_by_index(t) is not None}
    for each in same:
        detach(each)
    for each in same:
        if each is not root:
            _link(root, each, INDEXED_TWIN if id(each) in indexed else TWIN)
    return same[1:]


def twin(base: Tensor, indexed: bool = False) -> Tensor:
    """Another object for the same tensor: any write into one is seen in the other.

    Args:
        base: the tensor.
        indexed: whether the other object is `base[...]`.
    """
    out = wrap(base._v)
    out._node = base._node
    _link(base, out, INDEXED_TWIN if indexed else TWIN)
    return out


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
