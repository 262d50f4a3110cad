"""`to_float`: run a Cell in another floating-point type.

The flags `fp16`, `fp32` and `bf16` are set on the whole tree. A call of a Cell that has one casts its floating-point
inputs and, for the time of `construct`, shows its own Parameters, buffers and Tensor attributes cast; the Parameters
themselves stay as they are, and gradients reach them through the casts.

In PYNATIVE_MODE MindSpore casts for each operation instead: an input that a Cell returns as it is is returned as it was
given, and what recurrent layers return has the type of what they are given (`OutsideTensors`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_type
from ms_compat._core.tensor import Tensor, _placed
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.trace import scopes
from ms_compat._core.trace.precision import computing_in, current_precision
from ms_compat.nn._cell.part import Part

_FLAGS = {mstype.float16: "fp16", mstype.float32: "fp32", mstype.bfloat16: "bf16"}
_FLOATS = frozenset(t.np_dtype for t in mstype.float_type)
_calls = threading.local()  # its `given` is the innermost open `OutsideTensors`
_INEXACT = _FLOATS | {t.np_dtype for t in mstype.complex_type}


@op(static=("to",), name="cast")
def _cast(x, to):
    return x.astype(to)


def cast_tree(value: Any, to: np.dtype) -> Any:
    """Cast the floating-point Tensors in a value and its tuples, lists and dicts."""
    if isinstance(value, Tensor):
        given = value.dtype.np_dtype  # also of a Tensor without data yet, which the operation refuses
        return _cast(value, to) if given in _FLOATS and given != to else value
    if isinstance(value, tuple):
        items = [cast_tree(item, to) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    if isinstance(value, list):
        return [cast_tree(item, to) for item in value]
    if isinstance(value, dict):
        return {key: cast_tree(item, to) for key, item in value.items()}
    return value


def compute_dtype(cell: Any) -> np.dtype | None:
    """The compute type of a Cell's own mixed precision."""
    attributes = cell.__dict__
    for type_, flag in _FLAGS.items():
        if attributes.get(flag):
            return type_.np_dtype
    return None


def call_cast(cell: Any, inner: Callable, args: tuple, kwargs: dict) -> Any:
    """A call of a Cell in another type than its own."""
    to: Any = compute_dtype(cell)  # it has one: `features.py` asks
    if current_precision() is not None:  # of a Cell around it at level "auto"
        with computing_in(None):
            return _call_in(to, cell, inner, args, kwargs)
    return _call_in(to, cell, inner, args, kwargs)


def _call_in(to: np.dtype, cell: Any, inner: Callable, args: tuple, kwargs: dict) -> Any:
    if scopes.current_scope() is not None:
        with shown_in(cell, to):
            return inner(*cast_tree(args, to), **cast_tree(kwargs, to))
    outer: OutsideTensors | None = getattr(_calls, "given", None)
    given = _calls.given = OutsideTensors(outer)
    try:
        with shown_in(cell, to):
            out = inner(*given.cast(args, to), **given.cast(kwargs, to))
    finally:
        _calls.given = outer
    if cell._gives_as_given and args and isinstance(args[0], Tensor):
        given.give_back(out, given.before(args[0]).dtype.np_dtype)
    return given.output_for_caller(out, outer)


class OutsideTensors:
    """What replaces Tensors outside of a Cell that computes in another type than its caller.

    Within a Cell that does so as well, what a child returns is in that type, too; what leaves the outermost is not.
    """

    def __init__(self, outer: OutsideTensors | None):
        self._outer = outer
        # by the cast Tensor's id: it, its replacement, and its value, which the Cell may write into
        self._pairs: dict[int, tuple[Tensor, Tensor, Any]] = {}

    def before(self, value: Tensor) -> Tensor:
        """A Tensor's replacement outside; itself if there is none."""
        pair = self._pairs.get(id(value)) or (self._outer._pairs.get(id(value)) if self._outer else None)
        return pair[1] if pair and pair[2] is value._v else value

    def cast(self, value: Any, to: np.dtype) -> Any:
        """As `cast_tree`, remembering what was cast."""
        return _mapped(value, lambda tensor: self._cast(tensor, to))

    def _cast(self, tensor: Tensor, to: np.dtype) -> Tensor:
        found = cast_tree(tensor, to)
        outside = self.before(tensor)
        if outside is not found:
            self._pairs[id(found)] = (found, outside, found._v)
        return found

    def give_back(self, out: Any, to: np.dtype) -> None:
        """Let results be of another type outside."""
        _mapped(out, lambda tensor: self._pairs.setdefault(id(tensor), (tensor, cast_tree(tensor, to), tensor._v))[0])

    def output_for_caller(self, out: Any, outer: OutsideTensors | None) -> Any:
        """The output as it leaves the Cell."""
        if outer is None:
            return _mapped(out, self.before)
        _mapped(out, lambda tensor: outer._take(tensor, self))
        return out

    def _take(self, tensor: Tensor, inner: OutsideTensors) -> Tensor:
        if id(tensor) in inner._pairs:
            self._pairs[id(tensor)] = inner._pairs[id(tensor)]
        return tensor


def _mapped(value: Any, change: Callable[[Tensor], Any]) -> Any:
    """A value with its Tensors changed; the very object if none is."""
    if isinstance(value, Tensor):
        return change(value)
    if not isinstance(value, (tuple, list, dict)):
        return value
    items = list(value.values()) if isinstance(value, dict) else list(value)
    found = [_mapped(item, change) for item in items]
    if all(a is b for a, b in zip(items, found, strict=True)):
        return value
    if isinstance(value, dict):
        return dict(zip(value, found, strict=True))
    if hasattr(value, "_fields"):
        return type(value)(*found)
    return tuple(found) if isinstance(value, tuple) else found


class Precision(Part):
    """Mixed precision of one Cell."""

    _gives_as_given = False  # whether results of `to_float` in PYNATIVE_MODE have the type of the first input

    def _set_auto_precision(self, precision: Any) -> None:
        """Let the operations of this Cell compute as level "auto" has it."""
        self.__dict__["_auto_precision"] = precision
        scopes.structure_version += 1
        self._refresh_plain()

    def to_float(self, dst_type):
        """Run this Cell and its children in float16, float32 or bfloat16; returns the Cell. The last call counts.

        Raises:
            ValueError: another type.

        >>> import ms_compat as ms
        >>> net = ms.nn.Dense(2, 2).to_float(ms.float16)
        >>> net(ms.Tensor([[1.0, 2.0]])).dtype
        mindspore.float16
        """
        if not isinstance(dst_type, mstype.Type) or dst_type not in _FLAGS:
            raise ValueError(
                "For 'to_float', the argument 'dst_type' must be mstype.float32, mstype.float16 or "
                "mstype.bfloat16, but got "
                f"type: {type(dst_type)} and value: {dst_type}."
            )
        flags = {flag: type_ is dst_type for type_, flag in _FLAGS.items()}
        self.add_flags_recursive(**flags)
        return self

    def cast_inputs(self, inputs, dst_type):
        """The inputs with all floating-point Tensors cast.

        Args:
            inputs: tuple of inputs.
            dst_type: a floating-point dtype.
        """
        return tuple([cast_tree(value, dst_type.np_dtype) for value in inputs])

    def auto_cast_inputs(self, inputs):
        """The inputs as this Cell's mixed precision wants them."""
        to = compute_dtype(self)
        return inputs if to is None else tuple([cast_tree(value, to) for value in inputs])

    def cast_param(self, param):
        """The Parameter as this Cell's mixed precision wants it."""
        to = compute_dtype(self)
        return param if to is None else cast_tree(param, to)

    def to(self, *args, **kwargs):
        """Change the dtype of all floating-point Parameters and buffers in place, or their device; returns the Cell.

        Called as `to(device=None, dtype=None, non_blocking=False)`, `to(dtype, non_blocking=False)` or
        `to(tensor, non_blocking=False)`, which takes the Tensor's dtype.

        Args:
            *args, **kwargs: `device` names a kind of JAX device ("CPU", "GPU"); `dtype` is a floating-point or complex
                dtype; `non_blocking` has no effect, since JAX never waits.

        Raises:
            TypeError: the dtype is an integer or bool, or the arguments have none of these forms.
            ValueError: JAX does not have the device.

        >>> import ms_compat as ms
        >>> ms.nn.Dense(2, 2).to(ms.float16).weight.dtype
        mindspore.float16
        """
        device, target = _device_and_dtype(args, kwargs)
        tensors = [*self.get_parameters(), *self.buffers()]
        if device is not None:
            values = [_placed(tensor._v, device, "Cell.to") for tensor in tensors]
            for tensor, value in zip(tensors, values, strict=True):
                tensor._rebind(value)
        if target is not None:
            for tensor in tensors:
                if tensor._v.dtype in _INEXACT:
                    tensor.set_dtype(target)
        return self

    def to_empty(self, *, device=None, recurse=True):
        """Give the Parameters and buffers new arrays whose values mean nothing (here zeros); returns the Cell.

        Args:
            device: the kind of JAX device to place them on; None for where they are.
            recurse: whether the children's are renewed, too.

        Raises:
            TypeError: `device` is not a str.
            ValueError: JAX does not have it.
        """
        check_type("Cell.to_empty", "device", device, (str, type(None)))
        tensors = [*self.get_parameters(recurse), *self.buffers(recurse)]
        values = [jnp.zeros_like(tensor._v) for tensor in tensors]
        if device is not None:
            values = [_placed(value, device, "Cell.to_empty") for value in values]
        for tensor, value in zip(tensors, values, strict=True):
            tensor._rebind(value)
        return self


def _device_and_dtype(args: tuple, kwargs: dict[str, Any]) -> tuple[str | None, Any]:
    """What the arguments of `Cell.to` request."""
    given = dict(kwargs)
    names = ["device", "dtype", "non_blocking"]
    if args and isinstance(args[0], Tensor):
        args = (args[0].dtype, *args[1:])
    if args and isinstance(args[0], mstype.Type):
        names = ["dtype", "non_blocking"]
    known = set(names) | set(kwargs) & {"device", "dtype", "non_blocking"}
    if len(args) > len(names) or not set(kwargs) <= known or set(names[: len(args)]) & set(kwargs):
        raise _no_form(args, kwargs)
    given.update(zip(names, args, strict=False))
    device, dtype = given.get("device"), given.get("dtype")
    if not isinstance(device, (str, type(None))) or not isinstance(dtype, (mstype.Type, type(None))):
        raise _no_form(args, kwargs)
    if not isinstance(given.get("non_blocking", False), bool):
        raise _no_form(args, kwargs)
    if dtype is not None and dtype.np_dtype not in _INEXACT:
        raise TypeError(f"Cell.to only accepts floating point or complex dtypes, but got desired dtype={dtype}")
    return device, dtype


def _no_form(args: tuple, kwargs: dict[str, Any]) -> TypeError:
    got = [type(a).__name__ for a in args] + [f"{name}={type(value).__name__}" for name, value in kwargs.items()]
    return TypeError(
        f'Failed calling Cell.to with "Cell.to({", ".join(got)})". The valid calling should be: '
        '"Cell.to(device=<None, string>, dtype=<None, mstype>, non_blocking=<bool>)", '
        '"Cell.to(dtype, non_blocking=<bool>)" or "Cell.to(tensor, non_blocking=<bool>)".'
    )


class shown_in:  # a context manager
    """For the time of `construct`, a Cell's own Parameters and Tensors cast to another type."""

    __slots__ = ("_attributes", "_before", "_params", "_shown", "_to")

    def __init__(self, cell: Any, to: np.dtype):
        self._params = cell._params
        self._to = to
        self._attributes = cell.__dict__
        self._before: dict[str, Tensor] = {}
        self._shown: dict[str, Tensor] = {}

    def __enter__(self) -> None:
        attributes, to = self._attributes, self._to
        for name, value in attributes.items():
            if (
                isinstance(value, Tensor)
                and value._v is not None
                and value._v.dtype in _FLOATS
                and value._v.dtype != to
            ):
                self._before[name] = value
        for name, value in self._before.items():
            attributes[name] = self._shown[name] = _cast(value, to)

    def __exit__(self, *exc) -> None:
        attributes = self._attributes
        for name, value in self._before.items():
            if isinstance(value, Parameter):
                if name in self._params:
                    attributes[name] = self._params[name]
            elif attributes.get(name) is self._shown.get(name):  # else `construct` assigned another one
                attributes[name] = value
