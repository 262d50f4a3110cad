"""`to_float`: run a Cell in another floating-point type.

The flags `fp16`, `fp32` and `bf16` are set on the whole tree. A call of a Cell that has one casts its floating-point
inputs and, for the time of `construct`, shows its own Parameters, buffers and Tensor attributes cast; the Parameters
themselves stay as they are, and gradients reach them through the casts.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.errors import UnsupportedError
from ms_compat._core.op import op
from ms_compat._core.parameter import Parameter
from ms_compat._core.tensor import Tensor

_FLAGS = {mstype.float16: "fp16", mstype.float32: "fp32", mstype.bfloat16: "bf16"}
_FLOATS = frozenset(t.np_dtype for t in mstype.float_type)


@op(static=("to",), name="cast")
def _cast(x, to):
    return x.astype(to)


def cast_tree(value: Any, to: np.dtype) -> Any:
    """Cast the floating-point Tensors in a value and its tuples, lists and dicts."""
    if isinstance(value, Tensor):
        return _cast(value, to) if value._v.dtype in _FLOATS and value._v.dtype != to else value
    if isinstance(value, tuple):
        items = [cast_tree(item, to) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    if isinstance(value, list):
        return [cast_tree(item, to) for item in value]
    if isinstance(value, dict):
        return {key: cast_tree(item, to) for key, item in value.items()}
    return value


class Precision:
    """Mixed precision of one Cell."""

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

    def _compute_dtype(self) -> np.dtype | None:
        attributes = self.__dict__
        for type_, flag in _FLAGS.items():
            if attributes.get(flag):
                return type_.np_dtype
        return None

    def cast_inputs(self, inputs, dst_type):
        """The inputs with all floating-point Tensors cast.

        Args:
            inputs: tuple of inputs.
            dst_type: a floating-point dtype.
        """
        return tuple([cast_tree(value, dst_type.np_dtype) for value in inputs])

    def auto_cast_inputs(self, inputs):
        """The inputs as this Cell's mixed precision wants them."""
        to = self._compute_dtype()
        return inputs if to is None else tuple([cast_tree(value, to) for value in inputs])

    def cast_param(self, param):
        """The Parameter as this Cell's mixed precision wants it."""
        to = self._compute_dtype()
        return param if to is None else cast_tree(param, to)

    def to(self, *args, **kwargs):
        """Change the dtype of all floating-point Parameters and buffers in place; returns the Cell.

        Args:
            *args: a mindspore dtype, or a Tensor whose dtype is taken.
            **kwargs: `dtype`.

        Raises:
            TypeError: the dtype is not a floating-point type.
            ValueError: something else than a dtype or Tensor, such as a device; JAX places arrays.
        """
        target = kwargs.pop("dtype", None)
        for value in args:
            if isinstance(value, mstype.Type):
                target = value
            elif isinstance(value, Tensor):
                target = value.dtype
            else:
                raise ValueError(f"For 'Cell.to', the input must be a dtype or a Tensor, but got {value!r}.")
        if kwargs:
            raise UnsupportedError(f"Cell.to({', '.join(kwargs)})", "JAX places arrays; only 'dtype' can be changed.")
        if target is None or target.np_dtype not in _FLOATS:
            raise TypeError(f"For 'Cell.to', the dtype must be a floating-point type, but got {target}.")
        for tensor in (*self.get_parameters(), *self.buffers()):
            if tensor._v.dtype in _FLOATS:
                tensor.set_dtype(target)
        return self


class shown_in:  # noqa: N801  (a context manager)
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
