"""Descriptions of kernels (`TBERegOp`, `CustomRegOp`, ...) and functions in MindSpore's kernel language (`kernel`).

A description is a dict that MindSpore hands to the backend which runs the kernel. No such backend exists here, so that
registering one only keeps the dict; the builders make the same dicts, for programs and tools that read them.
A function of the kernel language is Python on numpy arrays with some extra names, and runs as that.
"""

from __future__ import annotations

import functools
import itertools
import json
import logging
import math
import types
from collections.abc import Callable
from typing import Any

import numpy as np

logger = logging.getLogger("ms_compat")

__all__ = [
    "AiCPURegOp", "AkgAscendRegOp", "AkgGpuRegOp", "CpuRegOp", "CustomRegOp", "DataType", "TBERegOp",
    "custom_info_register", "kernel", "ms_kernel", "op_info_register",
]  # fmt: skip

_FORMATS = {
    "None": ("",), "Default": ("DefaultFormat",), "5HD": ("NC1HWC0",), "FracZ": ("FRACTAL_Z",),
    "FracNZ": ("FRACTAL_NZ",), "C1HWNCoC0": ("C1HWNCoC0",), "NCHW": ("NCHW",), "NHWC": ("NHWC",), "HWCN": ("HWCN",),
    "NDHWC": ("NDHWC",), "NCDHW": ("NCDHW",), "ChannelLast": ("ChannelLast",), "NDC1HWC0": ("NDC1HWC0",),
    "NC1HWC0": ("NC1HWC0",), "DHWCN": ("DHWCN",), "FRACTAL_Z_3D": ("FRACTAL_Z_3D",),
    "FracZNLSTM": ("FRACTAL_ZN_LSTM",), "FracZNRNN": ("FRACTAL_ZN_RNN",), "ND_RNNBIAS": ("ND_RNN_BIAS",),
    "Default_Tuple": ("DefaultFormat", "tuple"), "Default_List": ("DefaultFormat", "list"),
}  # fmt: skip
_COMMON = "None Default 5HD FracZ FracNZ C1HWNCoC0 NCHW NHWC HWCN NDHWC ChannelLast Default_Tuple Default_List"
_FLOATS = _COMMON + " NCDHW DHWCN NDC1HWC0 FRACTAL_Z_3D FracZNLSTM FracZNRNN ND_RNNBIAS"
_BYTES = _COMMON + " NCDHW NDC1HWC0 NC1HWC0"
_TYPES = {
    "None": ("", "None Default"), "BOOL": ("bool", _COMMON), "I8": ("int8", _BYTES), "U8": ("uint8", _BYTES),
    "I16": ("int16", _COMMON), "U16": ("uint16", _COMMON), "I32": ("int32", _COMMON + " NDC1HWC0 NCDHW"),
    "U32": ("uint32", _COMMON), "I64": ("int64", _COMMON), "U64": ("uint64", _COMMON), "F16": ("float16", _FLOATS),
    "F32": ("float32", _FLOATS), "F64": ("float64", _COMMON), "BF16": ("bfloat16", _FLOATS),
    "C64": ("complex64", "Default Default_Tuple"), "C128": ("complex128", "Default Default_Tuple"),
}  # fmt: skip

DataType = type(
    "DataType",
    (),
    {
        "__doc__": "Pairs of an element type and a layout: `DataType.F32_Default` is ('float32', 'DefaultFormat').",
        "__module__": __name__,
        **{
            f"{short}_{layout}": (name, *_FORMATS[layout])
            for short, (name, layouts) in _TYPES.items()
            for layout in layouts.split()
        },
    },
)


def _checked(value: Any, kind: type) -> Any:
    if not isinstance(value, kind) or kind is int and isinstance(value, bool):
        raise TypeError(f"{value} value must be {kind.__name__}")
    return value


class _RegOp:
    """The steps that all builders have; each returns the builder."""

    _default_name: str | None = None
    _fixed: dict[str, Any] = {}
    # The keys of input, output and attribute entries, in the arguments' order: (key, type).
    _input: tuple = (("index", int), ("name", str), ("paramType", str))
    _output: tuple = (("index", int), ("name", str), ("paramType", str))
    _attr: tuple = (("name", str), ("type", str), ("value", str))
    _counts_types = False

    def __init__(self, op_name: str) -> None:
        if not isinstance(op_name, str):
            raise ValueError("op name value must be string")
        if not op_name.strip():
            raise ValueError("op name is empty")
        self.op_name = op_name
        self.inputs: list[dict] = []
        self.outputs: list[dict] = []
        self.attr_: list[dict] = []
        self.dtype_format_: list[tuple] = []
        self.fusion_type_ = ""
        self._more: dict[str, Any] = {}

    def _entry(self, keys: tuple, args: tuple, named: dict[str, Any]) -> dict[str, Any]:
        if len(args) > len(keys):
            raise TypeError(f"At most {len(keys)} arguments are taken, but got {len(args)}.")
        given = dict(zip([key for key, _ in keys], args, strict=False))
        spelled = {_PYTHON.get(key, key): (key, kind) for key, kind in keys}
        for name, value in named.items():
            key = spelled[name][0] if name in spelled else name
            given[key] = value
        types_ = dict(keys)
        return {
            key: _checked(value, types_[key]) if key in types_ else value
            for key, value in given.items()
            if value is not None
        }

    def input(self, *args: Any, **kwargs: Any) -> Any:
        """Describe an input: index, name, and what else the kind of kernel has."""
        self.inputs.append(self._entry(self._input, args, kwargs))
        return self

    def output(self, *args: Any, **kwargs: Any) -> Any:
        """Describe an output: index, name, and what else the kind of kernel has."""
        self.outputs.append(self._entry(self._output, args, kwargs))
        return self

    def attr(self, *args: Any, **kwargs: Any) -> Any:
        """Describe an attribute."""
        self.attr_.append(self._entry(self._attr, args, kwargs))
        return self

    def fusion_type(self, fusion_type: str) -> Any:
        """Set the way of fusion."""
        self.fusion_type_ = _checked(fusion_type, str)
        return self

    def dtype_format(self, *args: tuple) -> Any:
        """Add a combination of element types and layouts, one `DataType` per input and output.

        Raises:
            ValueError: not one per input and output.
        """
        count = len(self.inputs) + len(self.outputs)
        if len(args) != count:
            raise ValueError(
                f"The size of 'args' must be equal to the sum of input tensors and output tensors, but got {len(args)} "
                f"vs {count}"
            )
        self.dtype_format_.append(args)
        return self

    def get_op_info(self) -> dict[str, Any]:
        """Returns the description.

        Raises:
            ValueError: a combination of types has another length than inputs and outputs together.
        """
        return {
            "op_name": self.op_name,
            "inputs": self.inputs,
            "outputs": self.outputs,
            "attr": self.attr_,
            "fusion_type": self.fusion_type_,
            "dtype_format": self.dtype_format_,
            **self._fixed,
            **self._more,
        }


# The names of arguments that are not the keys they are written to.
_PYTHON = {"paramType": "param_type", "type": "value_type", "defaultValue": "default_value"}


class CpuRegOp(_RegOp):
    """Describe a CPU kernel.

    Args:
        op_name (str): its name.

    >>> from ms_compat.ops import CpuRegOp, DataType
    >>> op = CpuRegOp("Abs").input(0, "x").output(0, "y").dtype_format(DataType.I32_Default, DataType.I32_Default)
    >>> op.get_op_info()["dtype_format"]
    [(('int32', 'DefaultFormat'), ('int32', 'DefaultFormat'))]
    """

    _fixed = {"imply_type": "CPU"}


class AiCPURegOp(CpuRegOp):
    """Describe a kernel of Ascend's CPU; arguments as for `CpuRegOp`."""

    _fixed = {"imply_type": "AiCPU"}


class _AkgRegOp(_RegOp):
    _output = (("index", int), ("name", str))
    _attr = (("name", str), ("paramType", str), ("type", str))


class AkgGpuRegOp(_AkgRegOp):
    """Describe a GPU kernel generated by AKG; arguments as for `CpuRegOp`."""

    _fixed = {"imply_type": "AKG", "processor": "CUDA"}


class AkgAscendRegOp(_AkgRegOp):
    """Describe an Ascend kernel generated by AKG; arguments as for `CpuRegOp`."""

    _fixed = {"imply_type": "AKG", "processor": "AiCore"}


# Step of TBERegOp -> (key of the description, type, value before it is called, value without an argument).
_TBE = {
    "async_flag": ("async_flag", bool, False, False),
    "binfile_name": ("binfile", str, "", None),
    "compute_cost": ("compute_cost", int, 10, 10),
    "kernel_name": ("kernel", str, "", None),
    "partial_flag": ("partial_flag", bool, False, True),
    "reshape_type": ("reshape_type", str, "", None),
    "dynamic_rank_support": ("dynamicRankSupport", bool, False, None),
    "dynamic_shape": ("dynamicShapeSupport", bool, False, False),
    "dynamic_compile_static": ("dynamicCompileStatic", bool, False, False),
    "need_check_supported": ("needCheckSupport", bool, False, False),
    "is_dynamic_format": ("dynamicFormat", bool, False, False),
    "op_pattern": ("op_pattern", str, "", None),
    "real_input_index": ("real_input_index", list, (), None),
    "input_to_attr_index": ("input_to_attr_index", list, (), None),
}


class TBERegOp(_RegOp):
    """Describe a TBE kernel of Ascend; arguments as for `CpuRegOp`.

    Beside the steps of the other builders it has one for each setting: `async_flag`, `binfile_name`, `compute_cost`,
    `kernel_name`, `partial_flag`, `reshape_type`, `dynamic_shape`, `op_pattern` and so on.
    """

    _fixed = {"imply_type": "TBE"}
    _input = (("index", int), ("name", str), ("need_compile", bool), ("paramType", str), ("shape", str),
              ("valueDepend", str))  # fmt: skip
    _output = _input[:5]
    _attr = (("name", str), ("paramType", str), ("type", str), ("value", str), ("defaultValue", str))

    def __init__(self, op_name: str) -> None:
        super().__init__(op_name)
        for key, kind, before, _ in _TBE.values():
            self._more[key] = [] if kind is list else before
        self._more["unknown_shape_formats"] = []

    def unknown_shape_formats(self, unknown_shape_formats: list) -> TBERegOp:
        """Add the layouts of tensors whose shape is not known."""
        self._more["unknown_shape_formats"].append(unknown_shape_formats)
        return self


def _tbe_step(name: str) -> Callable:
    key, kind, _, default = _TBE[name]

    def step(self: TBERegOp, value: Any = default) -> TBERegOp:
        self._more[key] = _checked(value, kind)
        return self

    step.__name__ = name
    step.__doc__ = f"Set '{key}' of the description."
    return step


for _name in _TBE:
    setattr(TBERegOp, _name, _tbe_step(_name))


class CustomRegOp(_RegOp):
    """Describe the function of an `ops.Custom`.

    Args:
        op_name (str): its name.

    >>> from ms_compat.ops import CustomRegOp, DataType
    >>> op = CustomRegOp().input(0, "x").output(0, "y").dtype_format(DataType.F32_None, DataType.F32_None)
    >>> op.target("CPU").get_op_info()["target"]
    'CPU'
    """

    _attr = (("name", str), ("paramType", str), ("type", str), ("defaultValue", str))

    def __init__(self, op_name: str = "Custom") -> None:
        super().__init__(op_name)
        self._more["target"] = "UnKnown"

    def input(self, *args: Any, **kwargs: Any) -> Any:
        """Describe an input: index, name, and "required" (the default), "optional" or "dynamic"."""
        if len(args) < 3:
            kwargs.setdefault("param_type", "required")
        return super().input(*args, **kwargs)

    def output(self, *args: Any, **kwargs: Any) -> Any:
        """Describe an output: index, name, and "required" (the default), "optional" or "dynamic"."""
        if len(args) < 3:
            kwargs.setdefault("param_type", "required")
        return super().output(*args, **kwargs)

    def target(self, target: str | None = None) -> CustomRegOp:
        """Say for which device the function is: "Ascend", "GPU" or "CPU"."""
        if target is not None:
            self._more["target"] = _checked(target, str)
        return self


def op_info_register(op_info: str | dict) -> Callable:
    """Decorator of a kernel; no backend here runs MindSpore's kernels, so it stays a plain function.

    Args:
        op_info (Union[str, dict]): the description, a dict or its JSON text.

    Raises:
        TypeError: neither of them.
    """

    def register(fn: Callable) -> Callable:
        if not isinstance(op_info, (str, dict)):
            raise TypeError(f"The type of 'op_info' should be 'str', but got type '{type(op_info).__name__}'.")
        logger.debug("op_info_register: a kernel of MindSpore's backends is described, but none of them is here")

        @functools.wraps(fn)
        def call(*args: Any, **kwargs: Any) -> Any:
            return fn(*args, **kwargs)

        return call

    return register


def custom_info_register(*reg_info: str | dict) -> Callable:
    """Decorator that keeps descriptions with a function, for `ops.Custom`.

    Args:
        reg_info (tuple): descriptions, made by `CustomRegOp`.
    """

    def register(fn: Callable) -> Callable:
        fn.reg_info = reg_info  # type: ignore[attr-defined]

        @functools.wraps(fn)
        def call(*args: Any, **kwargs: Any) -> Any:
            return fn(*args, **kwargs)

        return call

    return register


# -- the kernel language ---------------------------------------------------------------------------------------------
class _Scope:
    """`with block_realize(c):` and `with attr(...):` direct MindSpore's scheduler, and do nothing here."""

    def __init__(self, *_: Any) -> None:
        pass

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: Any) -> None:
        pass


def _allocate(shape: Any, dtype: Any = "float32", scope: str = "global") -> np.ndarray:
    return np.zeros(shape, dtype)


_LOOPS = {name: range for name in ("serial", "vectorize", "parallel", "reduce")}
_INTRINSICS: dict[str, Any] = {
    "allocate": _allocate,
    "output_tensor": _allocate,
    **_LOOPS,
    "grid": lambda extents: itertools.product(*[range(n) for n in extents]),
    "attr": _Scope,
    "block_realize": _Scope,
    "rsqrt": lambda x: 1.0 / np.sqrt(x),
    "erf": np.vectorize(math.erf),
    "ceil_div": lambda x, y: (x + y - 1) // y,
    "power": np.power,
    "atan": np.arctan,
    "atan2": np.arctan2,
    **{
        name: getattr(np, name)
        for name in (
            "sqrt sign log tanh exp abs sin cos isnan isinf isfinite expm1 floor ceil trunc round float16 float32 "
            "float64 int8 int16 int32 int64"
        ).split()
    },
}


def kernel(fn: Any = None, reg_info: Any = None, compile_attrs: dict | None = None) -> Any:
    """Decorator: a function of MindSpore's kernel language, which runs as Python on numpy arrays.

    The function may use `allocate`, `output_tensor`, `grid`, `serial`, `block_realize`, `exp`, `sqrt` and the like
    without importing them. `ops.Custom(fn, shape, dtype)` makes an operation of it.

    Args:
        fn (Function): the function; None gives a decorator.
        reg_info (Union[str, dict, tuple]): kept with the function.
        compile_attrs (dict): kept with the function, as JSON.

    Raises:
        TypeError: an argument of a wrong type.

    >>> import numpy as np
    >>> from ms_compat import ops
    >>> @ops.kernel
    ... def double(a):
    ...     c = output_tensor(a.shape, a.dtype)
    ...     for i in range(a.shape[0]):
    ...         c[i] = 2 * a[i]
    ...     return c
    >>> double(np.ones(2))
    array([2., 2.])
    """
    attributes = {} if compile_attrs is None else compile_attrs
    if not isinstance(attributes, dict):
        raise TypeError(f"The input 'compile_attrs' of @kernel must be a dict, but got {type(attributes).__name__}.")
    for key in attributes:
        if not isinstance(key, str):
            raise TypeError(f"The keys of 'compile_attrs' of @kernel must be str, but got {type(key).__name__}.")
    if reg_info is not None and not isinstance(reg_info, (str, dict, tuple)):
        raise TypeError(f"The input 'reg_info' of @kernel must be a str, dict or tuple, but got {reg_info!r}.")
    if fn is None:
        return functools.partial(kernel, reg_info=reg_info, compile_attrs=compile_attrs)
    if not isinstance(fn, types.FunctionType):
        raise TypeError(f"The input 'fn' of @kernel must be a function, but got {type(fn).__name__}.")

    @functools.wraps(fn)
    def runs(*args: Any) -> Any:
        names = {**fn.__globals__, **_INTRINSICS}
        return types.FunctionType(fn.__code__, names, fn.__name__, fn.__defaults__, fn.__closure__)(*args)

    runs.ms_kernel_flag = True  # type: ignore[attr-defined]
    runs.compile_attrs = json.dumps(attributes)  # type: ignore[attr-defined]
    if reg_info is not None:
        runs.reg_info = reg_info  # type: ignore[attr-defined]
    return runs


def ms_kernel(fn: Any = None, reg_info: Any = None, compile_attrs: dict | None = None) -> Any:
    """The earlier name of `kernel`."""
    logger.warning("'ms_kernel' is the earlier name of 'kernel'.")
    return kernel(fn, reg_info, compile_attrs)
