"""User-defined operators: `ops.Custom`, whose function is Python on numpy arrays, or C++ in a shared library.

A Python function runs on the host, also when the call is part of a compiled function. A function of a library is
called by XLA itself (`_aot/`).
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._autograd.custom import call_with_bprop
from ms_compat._compile.control_flow import checks
from ms_compat._compile.control_flow.branches import is_traced
from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_choice
from ms_compat._core.dtype import TensorType, Type
from ms_compat._core.errors import UnsupportedError
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor, to_device, wrap
from ms_compat._core.trace import concurrency, scopes
from ms_compat.ops import _custom_registration
from ms_compat.ops._aot import sources
from ms_compat.ops._aot.kernels import Array, Attribute, Library
from ms_compat.ops.primitive import Primitive

_TYPES = ("hybrid", "akg", "tbe", "aicpu", "aot", "pyfunc")
_WHITE_LIST = "MS_CUSTOM_AOT_WHITE_LIST"
_SOURCES = (".cc", ".cpp")


@faces("ops")
class Custom(Primitive):
    """An operator that runs a Python function on numpy arrays, or a function of a shared library on the CPU.

    A library's function is `extern "C" int Name(int nparam, void **params, int *ndims, int64_t **shapes,
    const char **dtypes, void *stream, void *extra)`. It gets the inputs, then the outputs that it fills, then its
    workspaces. `ndims`, `shapes` and `dtypes` ("float32") describe inputs and outputs, whose elements are in memory
    row by row. It returns 0, and must not write to its inputs. `stream` is null. `extra` is an `AotExtra` of the header
    "custom_aot_extra.h": it has the primitive's attributes, and what the function `NameInit` has left there, which runs
    once for all calls with the same shapes, dtypes and attributes.

    Args:
        func: the function; for 'aot' a str "path:Name". The path names a library or a source (".cc", ".cpp"),
            which g++ compiles into the folder `MS_COMPILER_CACHE_PATH`, or "custom_kernel_meta".
        out_shape: the results' shapes, or a function of the inputs' shapes (lists) that returns them. A tuple of
            shapes gives a tuple of results. None for 'aot': the function `NameInferShape` of the library finds them.
        out_dtype: the results' dtypes, or a function of the inputs' types (`TensorType`), which may return these. None
            for 'aot': the function `NameInferType`.
        func_type: 'pyfunc'; 'hybrid' for a function decorated by `ops.kernel`, whose results' shapes and dtypes are
            found by running it on zeros where they are not given; or 'aot' for a library. MindSpore's other kinds are
            kernels for its own backends.
        bprop: `bprop(*inputs, out, dout)` returns the inputs' gradients, on Tensors.
        reg_info: what `CustomRegOp` makes: attributes, how many outputs C++ infers, the dtypes that are taken. The
            values of attributes without one are given with the call, after the inputs.

    Raises:
        TypeError: `func` is neither a function nor a str; not a str "path:Name" for 'aot', or outside of the folder
            that the environment variable MS_CUSTOM_AOT_WHITE_LIST allows; without `ops.kernel` for 'hybrid'. At the
            call: `out_shape`, `out_dtype` or an input of a wrong type, or of a dtype that `reg_info` does not list.
        ValueError: `func_type` is unknown; `reg_info` has no target, or other attributes than before.
        UnsupportedError: another `func_type`; a CUDA source; 'aot' where g++ is not installed.
        RuntimeError: the source does not compile. At the call: the library or function does not exist; the function
            throws or does not return 0, or it returns other arrays than promised; or a gradient is taken without
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
        func = _checked_function(func, out_shape, func_type, reg_info)
        self.func, self.out_shape, self.out_dtype, self.bprop = func, out_shape, out_dtype, bprop
        self.func_type, self.reg_info = func_type, reg_info
        registered = getattr(func, "reg_info", None) if reg_info is None else reg_info
        self._registration = _custom_registration.read("Custom", func, func_type, registered)
        self._library: Library | None = None
        several = self._registration is not None and self._registration.several
        for name, value in (
            ("func_name", getattr(func, "__name__", func)),
            ("func_type", func_type),
            ("multi_output", several),
        ):
            self.add_prim_attr(name, value)
        if self._registration is not None:
            self.add_prim_attr("reg_op_name", self._registration.name)
            for name, value in self._registration.attributes.items():
                self.add_prim_attr(name, value)

    def __call__(self, *inputs) -> Any:
        return call_with_bprop(self._forward, self.bprop or self._no_bprop, inputs, {}, "Custom")

    def get_bprop(self) -> Callable | None:
        """The argument `bprop`."""
        return self.bprop

    def _no_bprop(self, *args) -> Any:
        raise RuntimeError("For 'Custom', a gradient needs the argument 'bprop'.")

    def _forward(self, *inputs) -> Any:
        given, attributes = self._inputs(inputs)
        promised, one = self._promised(given, attributes)
        if self._registration is not None:
            self._registration.check("Custom", [_name(t) for t in given], [p.dtype.name for p in promised])
        if self.func_type == "aot":
            results = self._by_library(given, promised, attributes)
        else:
            results = self._by_python(inputs, promised)
        out = [wrap(r) for r in results]
        return out[0] if one else tuple(out)

    def _inputs(self, inputs: tuple) -> tuple[list[Tensor], dict[str, Any]]:
        """The inputs as Tensors, and the attributes with those that were given after the inputs."""
        attributes = self.attrs
        if self._registration is not None and (late := self._registration.late) and self._registration.inputs:
            count = self._registration.inputs
            attributes = {**attributes, **dict(zip(late, inputs[count:], strict=False))}
            inputs = (*inputs[:count], *inputs[count + len(late) :])
        if self.func_type != "aot":
            for value in inputs:
                if not isinstance(value, (Tensor, bool, int, float)):
                    raise RuntimeError(
                        f"For 'Custom', the inputs of a Python function must be Tensors or numbers, but got "
                        f"{type(value).__name__}."
                    )
            return [t if isinstance(t, Tensor) else _Number(t) for t in inputs], attributes
        return [tensor for value in inputs for tensor in _tensors(value)], attributes

    def _promised(self, given: list[Tensor], attributes: dict[str, Any]) -> tuple[list[jax.ShapeDtypeStruct], bool]:
        """The results' shapes and dtypes, and whether the result is one Tensor and not a tuple."""
        shapes, dtypes = self.out_shape, self.out_dtype
        if callable(shapes):
            shapes = shapes(*[list(t.shape) for t in given])
        if callable(dtypes) and not isinstance(dtypes, Type):
            dtypes = dtypes(*[_type(t) for t in given])
        if self.func_type == "hybrid" and (shapes is None or dtypes is None):
            shapes, dtypes = self._tried(given, shapes, dtypes)
        if self.func_type == "aot" and (self.out_shape is None or self.out_dtype is None):
            shapes, dtypes = self._inferred(given, attributes, shapes, dtypes)
        if not isinstance(shapes, (tuple, list)):
            raise TypeError(
                f"For 'Custom', the 'out_shape' must be a tuple, a list or a function that returns one, but got "
                f"{type(shapes).__name__}."
            )
        if not isinstance(dtypes, (Type, tuple, list)):
            raise TypeError(
                f"For 'Custom', the 'out_dtype' must be a dtype, a tuple of them or a function that returns one, but "
                f"got {type(dtypes).__name__}."
            )
        if self.func_type != "aot" and len(shapes) == 0:  # MindSpore's result has one element then
            shapes, dtypes = (1,), mstype.int32 if dtypes in ((), []) else dtypes
        several = isinstance(shapes[0], (tuple, list)) if len(shapes) else not isinstance(dtypes, Type)
        pairs = [(shapes, dtypes)] if isinstance(dtypes, Type) else list(zip(shapes, dtypes, strict=False))
        if isinstance(dtypes, Type) == several or (not isinstance(dtypes, Type) and len(shapes) != len(dtypes)):
            raise RuntimeError(
                f"For 'Custom', 'out_dtype' must have one dtype for each result, but 'out_shape' is {shapes}, and "
                f"'out_dtype' is {dtypes}."
            )
        if any(size < 0 for shape, _ in pairs for size in shape):
            raise RuntimeError(f"For 'Custom', the sizes in 'out_shape' must not be negative, but got {shapes}.")
        return [jax.ShapeDtypeStruct(tuple(s), _element(d).np_dtype) for s, d in pairs], not several

    # -- a Python function -------------------------------------------------------------------------------------------
    def _tried(self, given: list[Tensor], shapes: Any, dtypes: Any) -> tuple[Any, Any]:
        """What the function returns for zeros, in place of the shapes or dtypes that are None."""
        out = self.func(*[np.zeros(t.shape, t.dtype.np_dtype) for t in given])  # type: ignore[operator]
        one = not isinstance(out, (tuple, list))
        outs = [np.asarray(o) for o in ([out] if one else out)]
        if shapes is None:
            shapes = outs[0].shape or (1,) if one else tuple(o.shape or (1,) for o in outs)
        if dtypes is None:
            found = tuple(mstype.pytype_to_dtype(o.dtype) for o in outs)
            dtypes = found[0] if one else found
        return shapes, dtypes

    def _by_python(self, inputs: tuple, promised: list) -> list:
        if not callable(self.func):
            raise TypeError("For 'Custom', the 'func' of type 'pyfunc' must be a function, but got str.")
        if any(is_traced(t) for t in inputs):
            values = [t._v if isinstance(t, Tensor) else t for t in inputs]
            if (scope := scopes.current_scope()) is not None:
                scope.note_callback()
            if not checks.are_reports_read():
                return self._by_python_at_once(promised, values)
            run = functools.partial(self._compute_or_report, promised)
            described = [*promised, jax.ShapeDtypeStruct((), bool)]
            *results, failed = jax.pure_callback(run, described, *values, vmap_method="sequential")
            checks.await_host(failed)
            return results
        arrays = [t.asnumpy() if isinstance(t, Tensor) else t for t in inputs]
        return [to_device(o) for o in self._compute(promised, *arrays)]

    def _by_python_at_once(self, promised: list, values: list) -> list:
        """Results where JAX transforms values that exist, as in `ops.vmap`, and not a compiled function."""
        with checks.raised_on_host() as came:

            def run(*arrays):
                try:
                    return self._compute(promised, *arrays)
                except Exception as error:
                    came[:] = [error]
                    raise

            return list(jax.pure_callback(run, promised, *values, vmap_method="sequential"))

    def _compute_or_report(self, promised: list, *arrays) -> list[np.ndarray]:
        """The results and False; or zeros and True, and the user's exception is raised when the program has run."""
        try:
            return [*self._compute(promised, *arrays), np.asarray(False)]
        except Exception as error:
            checks.report_from_host(error)
            return [*[np.zeros(p.shape, p.dtype) for p in promised], np.asarray(True)]

    def _compute(self, promised: list, *arrays) -> list[np.ndarray]:
        with concurrency.in_callback():
            out = self.func(*[_host_value(a) for a in arrays])  # type: ignore[operator]
        if self.out_dtype in ((), []):  # the function has effects only
            return [np.zeros(p.shape, p.dtype) for p in promised]
        out = list(out) if isinstance(out, (tuple, list)) else [out]
        if len(out) != len(promised):
            raise RuntimeError(f"For 'Custom', {len(promised)} results were promised, but 'func' returned {len(out)}.")
        return [_kept_promise(o, p) for o, p in zip(out, promised, strict=True)]

    # -- a function of a library -------------------------------------------------------------------------------------
    def _opened(self) -> tuple[Library, str]:
        path, _, name = str(self.func).rpartition(":")
        if self._library is None:
            if not path:
                raise RuntimeError(f"For 'Custom', the 'func' must be like 'path:Name', but got {self.func}.")
            self._library = Library(path)
        return self._library, name

    def _inferred(self, given: list[Tensor], attributes: dict, shapes: Any, dtypes: Any) -> tuple[Any, Any]:
        """The shapes or dtypes that functions of the library find, in place of those that are None."""
        if self._registration is None:
            raise RuntimeError(
                "For 'Custom', the library infers shapes and dtypes only with 'reg_info', which says how many outputs "
                "there are. Make it by 'CustomRegOp', or set 'out_shape' and 'out_dtype'."
            )
        library, name = self._opened()
        inputs, several = [Array.from_value(t._v) for t in given], self._registration.several
        held = _attributes(attributes)
        if self.out_shape is None:
            found = library.infer_shapes(name, inputs, held, several)
            shapes = tuple(found) if several else found[0]
        if self.out_dtype is None:
            names = [mstype.pytype_to_dtype(jnp.dtype(n)) for n in library.infer_dtypes(name, inputs, held, several)]
            dtypes = tuple(names) if several else names[0]
        return shapes, dtypes

    def _by_library(self, given: list[Tensor], promised: list, attributes: dict) -> list:
        library, name = self._opened()
        inputs, outputs = [Array.from_value(t._v) for t in given], [Array.from_value(p) for p in promised]
        kernel = library.kernel(name, inputs, outputs, _attributes(attributes))
        return kernel.run(*[t._v if is_traced(t) else concurrency.held_value(t) for t in given])


def _checked_function(func: Any, out_shape: Any, func_type: str, reg_info: Any) -> Any:
    """The function, or for "aot" the path of the compiled library with the function's name.

    Raises:
        TypeError, ValueError, RuntimeError, UnsupportedError: as `Custom` says.
    """
    if func_type == "aot":
        return _checked_path(func, out_shape)
    if func_type == "hybrid" and not getattr(func, "ms_kernel_flag", False):
        raise TypeError("For 'Custom', the 'func' of type 'hybrid' must be a function decorated by 'ops.kernel'.")
    if not callable(func) and (not isinstance(func, str) or func_type in ("tbe", "akg")):
        raise TypeError(f"For 'Custom', the 'func' must be a function or a str, but got {type(func).__name__}.")
    if func_type == "aicpu" and reg_info is None and not hasattr(func, "reg_info"):
        raise ValueError("For 'Custom', the 'reg_info' must be set for 'aicpu'; make it by 'CustomRegOp'.")
    if func_type not in ("pyfunc", "hybrid"):
        raise UnsupportedError(
            f"'mindspore.ops.Custom' with func_type {func_type!r} is a kernel for MindSpore's backends. Write the "
            "computation with mindspore.ops, as 'pyfunc', as 'hybrid' by 'ops.kernel', or in C++ as 'aot'."
        )
    return func


def _checked_path(func: Any, out_shape: Any) -> str:
    """The library's path and the function's name of "path:Name", where a source is compiled."""
    if not isinstance(func, str):
        raise TypeError(f"For 'Custom', the 'func' must be a str for 'aot', but got {type(func).__name__}.")
    parts = func.split(":")
    if len(parts) != 2:
        if callable(out_shape):
            return func
        raise TypeError(f"For 'Custom', the 'func' must be like 'path:Name', but got {func}.")
    path = os.path.realpath(parts[0])
    if (allowed := os.environ.get(_WHITE_LIST)) is not None:
        allowed = os.path.realpath(allowed)
        if os.path.commonpath([path, allowed]) != allowed:
            raise TypeError(f"For 'Custom', {_WHITE_LIST} allows libraries below {allowed}, but 'func' is {func}.")
    if path.endswith(".cu"):
        raise UnsupportedError(
            "'mindspore.ops.Custom' runs libraries on the CPU, and a CUDA source is for a GPU. Write the function in "
            "C++ in a '.cc' file, or write a GPU's kernel with 'jax.experimental.pallas'."
        )
    return f"{sources.compiled(path)}:{parts[1]}" if path.endswith(_SOURCES) else func


def _tensors(value: Any) -> list[Tensor]:
    """The Tensors that a library's function gets for an input: a sequence gives one for each item."""
    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, (bool, int, float)):
        return [_Number(value)]
    if isinstance(value, (tuple, list)) and value:
        if all(isinstance(item, (bool, int, float)) for item in value):
            return [Tensor(value)]
        return [tensor for item in value for tensor in _tensors(item)]
    raise TypeError(f"For 'Custom', an input must be a Tensor, a number or a tuple of them, but got {value!r}.")


class _Number(Tensor):
    """A Tensor of a number, whose type is the number's for `out_dtype`."""


def _type(given: Tensor) -> Type:
    return given.dtype if isinstance(given, _Number) else TensorType(given.dtype)


def _name(given: Tensor) -> str:
    return np.dtype(given.dtype.np_dtype).name


def _attributes(attributes: dict[str, Any]) -> list[Attribute]:
    return [Attribute.from_value(name, value) for name, value in attributes.items()]


def _element(dtype: Any) -> Type:
    return dtype.element if isinstance(dtype, TensorType) else dtype


def _host_value(value: Any) -> Any:
    """What the function gets: an array of its own, or the number of a Tensor without dimensions, as in MindSpore."""
    if not isinstance(value, (jax.Array, np.ndarray)):
        return value
    return np.array(value) if value.ndim else np.asarray(value).item()


def _kept_promise(out: Any, promised: jax.ShapeDtypeStruct) -> np.ndarray:
    """A result as it was promised: a number becomes an array, and an array may have another shape of the same size."""
    if isinstance(out, (bool, int, float)):
        return np.full(promised.shape, out, promised.dtype) if np.prod(promised.shape) == 1 else _broken(out, promised)
    array = out.asnumpy() if isinstance(out, Tensor) else np.asarray(out)
    if array.dtype != promised.dtype or array.size != np.prod(promised.shape):
        return _broken(array, promised)
    return array.reshape(promised.shape)


def _broken(out: Any, promised: jax.ShapeDtypeStruct) -> np.ndarray:
    shape, dtype = np.shape(out), getattr(out, "dtype", type(out).__name__)
    raise RuntimeError(
        f"For 'Custom', a result of shape {promised.shape} and dtype {promised.dtype} was promised, but 'func' "
        f"returned {shape} and {dtype}."
    )
