"""User-defined operators in Python: `ops.Custom` with `func_type="pyfunc"`, or "hybrid" for a function of `ops.kernel`.

The function gets numpy arrays and runs on the host, also when the call is part of a compiled function.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from ms_compat._autograd.custom import call_with_bprop
from ms_compat._compile.control_flow.branches import is_traced
from ms_compat._core.checks import check_choice
from ms_compat._core.dtype import Type
from ms_compat._core.errors import UnsupportedError
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor, to_device, wrap
from ms_compat._core.trace import concurrency, scopes
from ms_compat.ops.primitive import Primitive

_TYPES = ("hybrid", "akg", "tbe", "aicpu", "aot", "pyfunc", "julia")


@faces("ops")
class Custom(Primitive):
    """An operator that runs a Python function on numpy arrays.

    Args:
        func: the function.
        out_shape: the results' shapes, or a function of the inputs' shapes (lists) that returns them.
        out_dtype: the results' dtypes, or a function of the inputs' dtypes.
        func_type: 'pyfunc', or 'hybrid' for a function decorated by `ops.kernel`, whose results' shapes and dtypes
            are then found by running it on zeros; MindSpore's other kinds are kernels for its own backends.
        bprop: `bprop(*inputs, out, dout)` returns the inputs' gradients, on Tensors.
        reg_info: kept as an attribute.

    Raises:
        TypeError: `func` is neither a function nor a str, or `out_shape`/`out_dtype` of a wrong type.
        ValueError: there is no such `func_type`.
        UnsupportedError: another `func_type`.
        RuntimeError: at the call, the function does not return the arrays it promised; or a gradient is taken without
            `bprop`.

    >>> import numpy as np
    >>> from ms_compat import Tensor, ops
    >>> flip = ops.Custom(lambda x: np.flip(x), lambda shape: shape, lambda dtype: dtype, "pyfunc")
    >>> print(flip(Tensor([1.0, 2.0])))
    [2. 1.]
    """

    def __init__(
        self,
        func: Callable | str,
        out_shape: Any = None,
        out_dtype: Any = None,
        func_type: str = "pyfunc",
        bprop: Callable | None = None,
        reg_info: Any = None,
    ):
        super().__init__("Custom")
        check_choice("Custom", "func_type", func_type, _TYPES)
        if not callable(func) and not isinstance(func, str):
            raise TypeError(f"For 'Custom', the 'func' must be a function or a str, but got {type(func).__name__}.")
        hybrid = func_type == "hybrid" and getattr(func, "ms_kernel_flag", False)
        if func_type != "pyfunc" and not hybrid:
            raise UnsupportedError(
                f"'mindspore.ops.Custom' with func_type {func_type!r} is a kernel for MindSpore's backends. Write the "
                "computation with mindspore.ops, with jax.numpy, or as 'pyfunc'."
            )
        if not callable(func):
            raise TypeError("For 'Custom', the 'func' of type 'pyfunc' must be a function.")
        inferred = hybrid and out_shape is None and out_dtype is None
        if not inferred and not (callable(out_shape) or isinstance(out_shape, (tuple, list))):
            raise TypeError(
                f"For 'Custom', the 'out_shape' must be a tuple, a list or a function, but got "
                f"{type(out_shape).__name__}."
            )
        if not inferred and not (callable(out_dtype) or isinstance(out_dtype, (tuple, list, Type))):
            raise TypeError(
                f"For 'Custom', the 'out_dtype' must be a dtype, a tuple of them or a function, but got "
                f"{type(out_dtype).__name__}."
            )
        self.func, self.out_shape, self.out_dtype, self.bprop = func, out_shape, out_dtype, bprop
        self.func_type, self.reg_info = func_type, reg_info

    def _promised(self, inputs: tuple[Tensor, ...]) -> tuple[list, bool]:
        """The results' shapes and dtypes, and whether there is only one."""
        given = [t if isinstance(t, Tensor) else Tensor(t) for t in inputs]
        shapes, dtypes = self.out_shape, self.out_dtype
        if shapes is None:
            zeros = [np.zeros(t.shape, t.dtype.np_dtype) for t in given]
            out = self.func(*zeros)
            outs = [np.asarray(o) for o in (out if isinstance(out, (tuple, list)) else [out])]
            promised = [jax.ShapeDtypeStruct(o.shape, o.dtype) for o in outs]
            return promised, not isinstance(out, (tuple, list))
        if callable(shapes):
            shapes = shapes(*[list(t.shape) for t in given])
        if not isinstance(dtypes, (Type, tuple, list)):
            dtypes = dtypes(*[t.dtype for t in given])
        one = not (shapes and isinstance(shapes[0], (tuple, list)))
        if one:
            dtypes = dtypes[0] if isinstance(dtypes, (tuple, list)) else dtypes
            return [jax.ShapeDtypeStruct(tuple(shapes), dtypes.np_dtype)], True
        if not isinstance(dtypes, (tuple, list)) or len(dtypes) != len(shapes):
            raise RuntimeError(f"For 'Custom', 'out_shape' has {len(shapes)} results, but 'out_dtype' is {dtypes}.")
        return [jax.ShapeDtypeStruct(tuple(s), d.np_dtype) for s, d in zip(shapes, dtypes, strict=True)], False

    def _compute(self, promised: list, one: bool, *arrays) -> list[np.ndarray]:
        with concurrency.in_callback():
            out = self.func(*[np.asarray(a) if isinstance(a, (jax.Array, np.ndarray)) else a for a in arrays])
        out = [out] if one and not isinstance(out, (tuple, list)) else list(out)
        if len(out) != len(promised):
            raise RuntimeError(f"For 'Custom', {len(promised)} results were promised, but 'func' returned {len(out)}.")
        out = [np.asarray(o) for o in out]
        for o, p in zip(out, promised, strict=True):
            if o.shape != p.shape or o.dtype != p.dtype:
                raise RuntimeError(
                    f"For 'Custom', a result of shape {p.shape} and dtype {p.dtype} was promised, but 'func' returned "
                    f"{o.shape} and {o.dtype}."
                )
        return out

    def _forward(self, *inputs) -> Any:
        promised, one = self._promised(inputs)
        if any(is_traced(t) for t in inputs):
            if (scope := scopes.current_scope()) is not None:
                scope.note_callback()
            values = [t._v if isinstance(t, Tensor) else t for t in inputs]
            results = jax.pure_callback(
                lambda *arrays: self._compute(promised, one, *arrays), promised, *values, vmap_method="sequential"
            )
        else:
            arrays = [t.asnumpy() if isinstance(t, Tensor) else t for t in inputs]
            results = [to_device(o) for o in self._compute(promised, one, *arrays)]
        out = [wrap(r) for r in results]
        return out[0] if one else tuple(out)

    def _no_bprop(self, *args) -> Any:
        raise RuntimeError("For 'Custom', a gradient needs the argument 'bprop'.")

    def __call__(self, *inputs) -> Any:
        return call_with_bprop(self._forward, self.bprop or self._no_bprop, inputs, {}, "Custom")
