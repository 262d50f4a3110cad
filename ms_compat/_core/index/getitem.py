"""`x[index]`.

PYNATIVE_MODE has a fast path for integers, slices and tuples of them: it normalises the index in Python, passes the
positions as arguments to one compiled `dynamic_slice`, and puts only lengths and steps into the cache key. Twenty
different integers need one compilation and not twenty (of 29 ms each). All other forms go through `spec.parse`.
`views.py` links the result to its source. `x[index] = value` is in `setitem.py`.

Under a trace an index is a constant where possible, so that XLA sees static slices; position tensors are dynamic.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Any

import jax

from ms_compat._core import tape
from ms_compat._core.dispatch import shared_storage
from ms_compat._core.index.entries import get_eager, getter, has_tracer, positions, run_eager, run_traced
from ms_compat._core.index.setitem import setitem as setitem
from ms_compat._core.index.spec import FULL, INT, mask_error, parse, with_positions
from ms_compat._core.index.views import VIEW, link, twin
from ms_compat._core.jax_compat import ArrayImpl, Tracer, is_symbolic_size
from ms_compat._core.tape import CompiledOp
from ms_compat._core.tensor import Tensor, no_init
from ms_compat._core.trace import scopes

_new = object.__new__
_ref = weakref.ref
_UNSTACK_LIMIT = 64


def _row(a, at):
    return jax.lax.dynamic_index_in_dim(a, at, 0, keepdims=False)


_ROW = CompiledOp(_row, "getitem")


def getitem(tensor: Tensor, index: Any) -> Tensor:
    """`tensor[index]`.

    Args:
        tensor: of any shape and dtype.
        index: int, slice, None, `...`, bool, Tensor of ints or bools, list, or a tuple of these.

    Raises:
        IndexError: out of range or not an index.
        RuntimeError: a position tensor is out of range.
        UnsupportedError: a mask that is only known at run time.

    >>> from ms_compat import Tensor
    >>> print(Tensor([[1, 2], [3, 4]])[:, 1])
    [2 4]
    """
    # Written out, and the loop over the items without helpers, as a view may cost 1.3 us (tests/benchmarks): what is
    # not an int or a plain slice within the bounds leaves for `_get_general`, which may be slow.
    v = tensor._v
    if v.__class__ is not ArrayImpl or scopes.tracing:
        return _get_general(tensor, index)
    kind = index.__class__
    if kind is int:
        shape = v.shape
        if not shape:
            return _get_general(tensor, index)
        size = shape[0]
        at = index + size if index < 0 else index
        if not 0 <= at < size:
            return _get_general(tensor, index)
        entry = _ROW
        values = [v, positions[at]]
    else:
        key = [v.ndim]
        values = [v]
        if kind is slice and key[0]:
            index_items = (index,)
        elif kind is tuple and len(index) <= key[0]:
            index_items = index
        else:
            return _get_general(tensor, index)
        shape = v.shape
        dim = 0
        for item in index_items:
            size = shape[dim]
            if item.__class__ is int:
                if item < 0:
                    item += size
                if not 0 <= item < size:
                    return _get_general(tensor, index)
                key.append(INT)
                values.append(positions[item])
            elif item.__class__ is slice and item.step is None:
                start, stop = item.start, item.stop
                if start is None:
                    start = 0
                elif start.__class__ is not int:
                    return _get_general(tensor, index)
                elif start < 0:
                    start = start + size if start + size > 0 else 0
                if stop is None or stop.__class__ is int and stop >= size:
                    stop = size
                elif stop.__class__ is not int:
                    return _get_general(tensor, index)
                elif stop < 0:
                    stop += size
                length = stop - start
                if length == size:
                    key.append(FULL)
                elif length > 0:
                    key.append(length)
                    values.append(positions[start])
                else:
                    return _get_general(tensor, index)
            else:
                return _get_general(tensor, index)
            dim += 1
        short = tuple(key)
        entry = _short_getters.get(short) or _short_getter(short)
    out = run_eager(entry, values, tensor)
    if scopes.by_operations:
        return out  # as in a trace: a compiled function's parts are copies
    if tensor._alias is not None or tensor._parent is not None:
        link(tensor, out, index)
        return out
    # alias.link, written out: a call with its defaults costs 0.3 us of the 1.3 that a view may cost
    out._alias = (_ref(tensor), ((VIEW, (index,), None, None),))
    views = tensor._views
    if views is None:
        views = tensor._views = shared_storage.Views()
    refs = views.refs
    refs.append(_ref(out))
    if len(refs) > views.limit:
        views.prune()
    return out


_short_getters: dict[tuple, CompiledOp] = {}


def _short_getter(short: tuple) -> CompiledOp:
    """The entry for a key of the hot path, where a slice is its length and trailing dimensions are left out."""
    rank, *items = short
    key = [(item, 1) if item.__class__ is int else item for item in items]
    entry = _short_getters[short] = getter((*key, *[FULL] * (rank - len(items))))
    return entry


def _get_general(tensor: Tensor, index: Any) -> Tensor:
    """Every index form; eager or traced."""
    # Each branch is a form of its own, which MindSpore links to its source, copies or refuses by rules of its own.
    if tensor.init is not None:
        no_init.require(tensor, "Tensor.__getitem__")
    scope = scopes.current_scope()
    v = tensor._v
    traced = scope is not None or isinstance(v, Tracer) or has_tracer(index)
    if index is Ellipsis:
        if not traced:
            return twin(tensor, indexed=True)
        if scopes.compiling():
            return tensor
    spec = parse(index, v.shape, traced=traced)
    if spec.mask is not None:
        if isinstance(spec.mask, Tracer):
            raise mask_error(False)
        spec = with_positions(spec, v.ndim)
    if traced:
        out = run_traced(getter(spec.key), [tensor], spec, scope)
        if scope is not None and scope.can_rewrite and scope.convert is not True and index.__class__ is not slice:
            scope.index_reads[id(out)] = out
        return out
    out = get_eager(tensor, spec)
    if scopes.by_operations:
        return out
    if spec.basic:
        link(tensor, out, index)
    else:
        out._parent = (_ref(tensor), index)
    return out


def iterate(tensor: Tensor) -> Iterator[Tensor]:
    """The rows of a tensor, one by one; on a recorded tensor by one operation, whose gradient is one as well.

    Raises:
        TypeError: the tensor is 0-d.
    """
    if not tensor.shape:
        raise TypeError("Cannot iterate over a scalar tensor.")
    return _rows(tensor)


def _rows(tensor: Tensor) -> Iterator[Tensor]:
    v = tensor._v
    count = v.shape[0]
    # Without a record 20 outputs of one call cost what 20 calls cost (112 and 126 us), and compiling them is slower.
    if tensor._node is None or count > _UNSTACK_LIMIT or isinstance(v, Tracer) or scopes.tracing:
        if is_symbolic_size(count):  # a loop that ends at its first row, as one that looks for pairs does, has it
            yield getitem(tensor, 0)
        for i in range(count):
            yield getitem(tensor, i)
        return
    rows = tape.run(_UNSTACK, [v], [tensor._node]) if count else ()
    for i in range(count):
        if tensor._v is not v:  # written to since
            yield getitem(tensor, i)
        else:
            link(tensor, rows[i], i)
            yield rows[i]


_UNSTACK = CompiledOp(lambda a: tuple([a[i] for i in range(a.shape[0])]), "unstack")
