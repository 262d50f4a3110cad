"""`x[index]` and `x[index] = value`.

PYNATIVE_MODE takes the short way for integers, slices and tuples of them: the index is normalised in Python, the positions
go in as arguments of one compiled `dynamic_slice`, and only lengths and steps belong to the key of the compilation. Twenty
different integers are one compilation and not twenty (of 29 ms each). All other forms go through `index_spec.parse`.

Such a result is a view, as in MindSpore: it is linked to its source (`alias.py`), and what is written into it is written
into the source. A result by a mask or by positions is a copy, but MindSpore writes back what is assigned to it *by index*,
so it remembers its source in `_parent`. Assignments by integers and slices write into the shared storage; those by masks,
positions or `...` give the tensor a storage of its own (`_write`).

Under a trace an index is a constant where it can be, so that XLA sees static slices; tensors of positions are dynamic.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core import alias, index_fn, state, tape
from ms_compat._core.index_spec import FULL, INT, NEW, Spec, mask_error, parse, with_positions
from ms_compat._core.jax_compat import ArrayImpl, Tracer
from ms_compat._core.parameter import Parameter
from ms_compat._core.tape import Entry
from ms_compat._core.tensor import Tensor, wrap

_new = object.__new__
_ref = weakref.ref
_getters: dict[Any, Entry] = {}
_setters: dict[Any, Entry] = {}

_POSITION_LIMIT = 4096
_scalars: dict[Any, Any] = {}
_SCALAR_LIMIT = 512
_UNSTACK_LIMIT = 64


class _Positions(dict):
    """Device scalars of positions by number: handing jit a Python int costs 4 us more than an array.

    Past the limit they are numpy's, which have the same type for the compiler.
    """

    def __missing__(self, index: int) -> Any:
        value = np.int64(index)
        if len(self) < _POSITION_LIMIT:
            value = self[index] = _constant(value)
        return value


def _constant(value: Any) -> Any:
    """A concrete device array, also inside a trace of the user's own."""
    with jax.ensure_compile_time_eval():
        return jnp.asarray(value)


_positions = _Positions()


def _getter(key: tuple) -> Entry:
    entry = _getters.get(key)
    if entry is None:
        entry = _getters[key] = Entry(index_fn.make_get(key), "getitem")
    return entry


def _setter(key: tuple) -> Entry:
    entry = _setters.get(key)
    if entry is None:
        entry = _setters[key] = Entry(index_fn.make_set(key), "setitem")
    return entry


def _row(a, at):
    return jax.lax.dynamic_index_in_dim(a, at, 0, keepdims=False)


_ROW = Entry(_row, "getitem")


# -- reading ---------------------------------------------------------------------------------------------------------
def getitem(tensor: Tensor, index: Any) -> Tensor:
    """`tensor[index]`.

    Args:
        tensor: of any shape and dtype.
        index: int, slice, None, `...`, bool, Tensor of ints or bools, list, or a tuple of these.

    Raises:
        IndexError: out of range or not an index.
        RuntimeError: a tensor of positions is out of range.
        UnsupportedError: a mask that is only known at run time.

    >>> from ms_compat import Tensor
    >>> print(Tensor([[1, 2], [3, 4]])[:, 1])
    [2 4]
    """
    v = tensor._v
    if v.__class__ is not ArrayImpl or state.tracing:
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
        values = [v, _positions[at]]
    else:
        key = [v.ndim]
        values = [v]
        if kind is slice:
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
                values.append(_positions[item])
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
                    values.append(_positions[start])
                else:
                    return _get_general(tensor, index)
            else:
                return _get_general(tensor, index)
            dim += 1
        key = tuple(key)
        entry = _short_getters.get(key) or _short_getter(key)
    if tensor._node is not None:
        out = tape.run(entry, values, [tensor._node] + [None] * (len(values) - 1))
    else:
        out = _new(Tensor)
        out._v = entry.jit(*values)
    if tensor._alias is not None or tensor._parent is not None:
        _link(tensor, out, index)
        return out
    # alias.link, written out: a call with its defaults costs 0.3 us of the 1.3 that a view may cost
    out._alias = (_ref(tensor), ((_VIEW, (index,), None, None),))
    views = tensor._views
    if views is None:
        views = tensor._views = alias.Views()
    refs = views.refs
    refs.append(_ref(out))
    if len(refs) > views.limit:
        views.prune()
    return out


_short_getters: dict[tuple, Entry] = {}


def _short_getter(short: tuple) -> Entry:
    """The entry for a key of the hot path, where a slice is its length and trailing dimensions are left out."""
    rank, *items = short
    key = [(item, 1) if item.__class__ is int else item for item in items]
    entry = _short_getters[short] = _getter((*key, *[FULL] * (rank - len(items))))
    return entry


def _get_general(tensor: Tensor, index: Any) -> Tensor:
    """Every index form; eager or traced."""
    if tensor.init is not None:
        raise RuntimeError("For 'Tensor.__getitem__', the tensor has no data yet; call its init_data() first.")
    scope = state.current_scope()
    v = tensor._v
    traced = scope is not None or isinstance(v, Tracer) or _has_tracer(index)
    spec = parse(index, v.shape, traced=traced)
    if spec.mask is not None:
        if isinstance(spec.mask, Tracer):
            raise mask_error(False)
        spec = with_positions(spec, v.ndim)
    if traced:
        return _run_traced(_getter(spec.key), [tensor], spec, scope)
    out = _get_eager(tensor, spec)
    if spec.basic:
        _link(tensor, out, index)
    else:
        out._parent = (_ref(tensor), index)
    return out


def _get_eager(tensor: Tensor, spec: Spec) -> Tensor:
    values = [tensor._v, *_dynamic(spec)]
    entry = _getter(spec.key)
    if tensor._node is None:
        return wrap(entry.jit(*values))
    return tape.run(entry, values, [tensor._node] + [None] * (len(values) - 1))


def _dynamic(spec: Spec) -> list:
    return [*[_positions[i] for i in spec.starts], *spec.arrays]


def _has_tracer(index: Any) -> bool:
    if isinstance(index, (tuple, list)):
        return any(_has_tracer(item) for item in index)
    return isinstance(index, Tensor) and isinstance(index._v, Tracer)


def _run_traced(entry: Entry, tensors: list, spec: Spec, scope: Any, value: Any = None) -> Tensor:
    """Run inline into the open trace with the positions as constants; constants alone are computed now."""
    values = [t._v for t in tensors] + ([value] if value is not None else [])
    constant = not any(isinstance(v, Tracer) for v in (*values, *spec.arrays))
    for t in tensors:
        if isinstance(t, Parameter) and scope is not None and not isinstance(t._v, Tracer):
            scope.note_read(t)
            constant = False
    if constant:
        with jax.ensure_compile_time_eval():
            out = entry.jit(*values, *[np.int64(i) for i in spec.starts], *spec.arrays)
    else:
        out = entry.fn(*values, *spec.starts, *spec.arrays)
    result = wrap(out)
    if scope is not None:
        scope.created[id(result)] = result
    return result


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
    if tensor._node is None or count > _UNSTACK_LIMIT or isinstance(v, Tracer) or state.tracing:
        for i in range(count):
            yield getitem(tensor, i)
        return
    rows = tape.run(_UNSTACK, [v], [tensor._node]) if count else ()
    for i in range(count):
        if tensor._v is not v:  # written to since
            yield getitem(tensor, i)
        else:
            _link(tensor, rows[i], i)
            yield rows[i]


_UNSTACK = Entry(lambda a: tuple([a[i] for i in range(a.shape[0])]), "unstack")


# -- views -----------------------------------------------------------------------------------------------------------
class _View:
    """The link of a view by index to its source: how to read it again and how to write it back (see alias.link)."""

    @staticmethod
    def forward(base: Tensor, index: Any) -> Tensor:
        return _get_eager(base, parse(index, base._v.shape))

    @staticmethod
    def backward(base: Tensor, new: Tensor, index: Any) -> Tensor:
        spec = parse(index, base._v.shape)
        values = [base._v, new._v, *_dynamic(spec)]
        return tape.run(_setter(spec.key), values, [base._node, new._node] + [None] * (len(values) - 2))


_VIEW = _View()


class _Held:
    """Stands in for a weak reference where the source must live as long as its view."""

    __slots__ = ("target",)

    def __init__(self, target: Tensor):
        self.target = target

    def __call__(self) -> Tensor:
        return self.target


def _link(base: Tensor, view: Tensor, index: Any) -> None:
    alias.link(base, view, _VIEW, (index,))
    if base._parent is not None and view._alias[0]() is base:
        view._alias = (_Held(base), view._alias[1])


# -- writing ---------------------------------------------------------------------------------------------------------
def setitem(tensor: Tensor, index: Any, value: Any) -> Tensor:
    """`tensor[index] = value`: the value is cast to the tensor's dtype and broadcast; nothing changes after an error.

    Args:
        tensor: of any shape and dtype.
        index: as `getitem` takes it.
        value: Tensor, number, or list or tuple of numbers.

    Returns:
        `tensor`.

    Raises:
        IndexError: the index is out of range or not an index; the value is of an unsupported type.
        TypeError: the value is None or a numpy array.
        ValueError: the value cannot be broadcast; a tensor of positions is out of range.

    >>> from ms_compat import Tensor
    >>> x = Tensor([1, 2, 3])
    >>> x[1:] = 9.5
    >>> print(x)
    [1 9 9]
    """
    if tensor.init is not None:
        raise RuntimeError("For 'Tensor.__setitem__', the tensor has no data yet; call its init_data() first.")
    scope = state.current_scope() if state.tracing else None
    v = tensor._v
    traced = scope is not None or isinstance(v, Tracer) or _has_tracer(index)
    if index is None:
        index = Ellipsis
        in_place = False
    else:
        in_place = index is not Ellipsis and index is not True
    spec = parse(index, v.shape, setting=True, traced=traced)
    source, new_value, sequence = _value(value, v.dtype, spec)
    if spec.nothing:
        return tensor
    if sequence and isinstance(index, Tensor):
        _check_sequence(index, value)
    if spec.mask is not None:
        new = _set_mask(tensor, spec, source, new_value, scope, traced)
    else:
        new = _set(tensor, spec, source, new_value, scope, traced)
    if new is not None:
        _write(tensor, new, in_place and spec.basic)
    return tensor


def _set(tensor: Tensor, spec: Spec, source: Any, value: Any, scope: Any, traced: bool) -> Tensor | None:
    """The tensor's new value; None if nothing is selected."""
    if any(array.size == 0 for array in spec.arrays) or any(code.__class__ is tuple and not code[0] for code in spec.key):
        return None
    entry = _setter(spec.key)
    if traced or isinstance(value, Tracer):
        if source is None:
            return _run_traced(entry, [tensor], spec, scope, value)
        return _run_traced(entry, [tensor, source], spec, scope)
    values = [tensor._v, value, *_dynamic(spec)]
    links = [tensor._node, None if source is None else source._node] + [None] * (len(values) - 2)
    return tape.run(entry, values, links)


def _set_mask(tensor: Tensor, spec: Spec, source: Any, value: Any, scope: Any, traced: bool) -> Tensor | None:
    """A value that is the same for every True element is put in by `where`, without a look at the mask's values."""
    rest = tensor._v.ndim - spec.mask.ndim
    if value.ndim <= rest or value.ndim == rest + 1 and value.shape[0] == 1:
        whole = Spec()
        whole.arrays.append(spec.mask)
        if traced or isinstance(value, Tracer):
            if source is None:
                return _run_traced(_WHERE, [tensor], whole, scope, value)
            return _run_traced(_WHERE, [tensor, source], whole, scope)
        links = [tensor._node, None if source is None else source._node, None]
        return tape.run(_WHERE, [tensor._v, value, spec.mask], links)
    if isinstance(spec.mask, Tracer):
        raise mask_error(True)
    return _set(tensor, with_positions(spec, tensor._v.ndim), source, value, scope, traced)


_WHERE = Entry(index_fn.put_where, "setitem")


def _check_sequence(index: Tensor, value: Any) -> None:
    """MindSpore takes a list for a tensor index only where it need not be spread over a selection."""
    if index._v.dtype == np.bool_ and not isinstance(index._v, Tracer):
        mask = np.asarray(index._v)
        if mask.all() or not mask.any():
            return
    elif index._v.ndim:
        return
    raise ValueError(
        f"For 'Tensor.__setitem__', a {type(value).__name__} cannot be assigned through a tensor index of shape "
        f"{index.shape} and dtype {index.dtype}; make it a Tensor: x[index] = Tensor(values)."
    )


def _value(value: Any, dtype: np.dtype, spec: Spec) -> tuple[Any, Any, bool]:
    """The value as (its Tensor or None, its array, whether it was a list or tuple)."""
    if isinstance(value, Tensor):
        if value.init is not None:
            raise RuntimeError("For 'Tensor.__setitem__', the value has no data yet; call its init_data() first.")
        return value, value._v, False
    if isinstance(value, (bool, int, float)):
        # Where MindSpore writes into the storage itself a float passes through Float32 (0.1 -> 0.10000000149).
        return None, _scalar(value, dtype, spec.basic and NEW not in spec.key), False
    if isinstance(value, (list, tuple)):
        made = Tensor(value) if value else Tensor(np.zeros(0, np.float32))
        if INT in spec.key and spec.basic and all(code == INT for code in spec.key):
            raise ValueError(
                f"For 'Tensor.__setitem__', the value must be a number for a single element, but got {value!r:.80}."
            )
        return made, made._v, True
    if value is None or isinstance(value, np.ndarray):
        raise TypeError(
            "For 'Tensor.__setitem__', only support numbers, Tensor, tuple, list as value, but got "
            f"{value!r:.80} of type {type(value).__name__}."
        )
    raise IndexError(
        f"For 'Tensor.__setitem__', the value must be a number, Tensor, list or tuple, but got {value!r:.80} of type "
        f"{type(value).__name__}."
    )


def _scalar(value: Any, dtype: np.dtype, narrow: bool) -> Any:
    """A device scalar of the tensor's dtype, cast as C casts: integers wrap, NaN becomes the lowest integer."""
    kind = value.__class__
    key = (dtype, kind, value, narrow)
    found = _scalars.get(key)
    if found is not None and value != 0:
        return found
    if isinstance(value, float) and narrow:
        value = np.float32(value) if abs(value) < 3e38 or not np.isfinite(value) else np.float64(value)
    with np.errstate(all="ignore"):
        try:
            array = np.asarray(value, np.int64 if kind is int else None).astype(dtype)
        except OverflowError:
            raise RuntimeError(f"For 'Tensor.__setitem__', the integer {value} does not fit into 64 bits.") from None
    if state.tracing:
        return array
    if len(_scalars) >= _SCALAR_LIMIT:
        _scalars.clear()
    found = _scalars[key] = _constant(array)
    return found


def _write(tensor: Tensor, new: Tensor, in_place: bool) -> None:
    """Give the tensor its new value, in its storage or in one of its own, and write back what was read by index."""
    if state.tracing:
        alias.write(tensor, new)
        return
    link = tensor._alias
    if in_place or (link is not None and link[1][-1][0] is _VIEW):
        alias.write(tensor, new)
        root = tensor if link is None else link[0]()
    else:
        _detach(tensor)
        state.assign(tensor, new._v, new._node)
        root = tensor
    if root is not None and root._parent is not None:
        source, index = root._parent
        parent = source()
        if parent is not None:
            setitem(parent, index, root)


def _detach(tensor: Tensor) -> None:
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
        held = _Held(old)
        for reference in views.refs:
            view = reference()
            if view is not None:
                view._alias = (held, view._alias[1])
