"""`mindspore.numpy`: NumPy's names over the operations of `mindspore.ops`, a table.

`_array.py` says how arguments become Tensors; functions that are more than that are in the files of
`_OWN`.
"""

from __future__ import annotations

from importlib import import_module

from ms_compat._core import dtype as _dtype
from ms_compat._core.absent import unsupported_getattr

_OPS = "ms_compat.ops.function."

# NumPy's name -> module:operation, by kind: of one tensor, of two operands, with a first argument to convert.
_UNARY = {
    "math": "abs absolute deg2rad exp expm1 floor log log10 log1p log2 negative positive rad2deg rint sqrt square",
    "compare": "bitwise_not invert isfinite isinf isnan isneginf isposinf logical_not signbit",
}
# ... with a dtype of their own for integers or bool
_ODD = {
    "halved": "math: arccos arccosh arcsin arcsinh arctan arctanh cos cosh sin sinh tan",
    "floated": "math: ceil trunc fix",
    "whole": "math: exp2 reciprocal",
}
_BINARY = {
    "arithmetic": "add arctan2 divide floor_divide gcd heaviside hypot lcm logaddexp "
    "logaddexp2 maximum minimum multiply true_divide",
    "compare": "bitwise_and bitwise_or bitwise_xor equal greater greater_equal less less_equal logical_and "
    "logical_or logical_xor not_equal isclose",
    "linalg": "inner kron",
}
_CONVERTED = {
    "shape": "broadcast_to diagonal expand_dims moveaxis ravel squeeze swapaxes",
    "join": "diagflat fliplr flipud roll",
    "reduce": "std var nansum nanmean",
    "cumulative": "diff",
    "sort": "argwhere",
}
_RENAMED = {
    "radians": ("unary", "math:deg2rad"),
    "fabs": ("unary", "math:abs"),
    "subtract": ("binary", "arithmetic:sub"),
    "mod": ("binary", "modulus:remainder_or_zero"),
    "remainder": ("binary", "modulus:remainder_or_zero"),
    "fmod": ("binary", "arithmetic:truncate_mod"),
    "power": ("binary", "arithmetic:pow"),
    "sometrue": ("converted", "reduce:any"),
}
_ANALYSIS = (
    "sign histogram histogram_bin_edges bincount gradient trapz vander intersect1d "
    "setdiff1d atleast_1d atleast_2d atleast_3d"
)
_FUNCTIONS = (
    "zeros ones empty full zeros_like ones_like empty_like full_like arange linspace logspace geomspace "
    "eye identity tri sum mean amax amin max min argmax argmin ptp average cumsum cumprod dot matmul "
    "multi_dot tensordot outer cross concatenate append stack hstack vstack dstack column_stack split "
    "repeat tile reshape transpose rollaxis flip rot90 diag meshgrid broadcast_arrays where select clip "
    "around take take_along_axis unique size count_nonzero searchsorted digitize array_equal isin in1d "
    "isscalar asfarray copy norm cov interp polyval result_type promote_types indices mgrid ogrid pi "
    "e inf nan"
)
# file -> its functions
_OWN = {
    "_functions": _FUNCTIONS,
    "_analysis": _ANALYSIS,
    "_parts": "hsplit vsplit dsplit array_split tril triu matrix_power float_power",
    "_polynomials": "convolve correlate polyadd polysub polymul polyder polyint",
    "_positions": "tril_indices tril_indices_from triu_indices triu_indices_from diag_indices ix_ ravel_multi_index "
    "unravel_index choose",
    "_statistics": "nanmax nanmin nanvar nanstd nancumsum cbrt copysign divmod corrcoef ediff1d histogramdd "
    "histogram2d pad unwrap",
    "_calls": "apply_along_axis apply_over_axes piecewise array_equiv array_str rand randn randint",
}
_WINDOWS = "bartlett blackman hamming hanning"
_METHODS = {"trace": "trace"}


def _table() -> dict[str, tuple[str, str]]:
    out: dict[str, tuple[str, str]] = {}
    for kind, rows in (("unary", _UNARY), ("binary", _BINARY), ("converted", _CONVERTED)):
        for module, names in rows.items():
            out.update({name: (kind, f"{module}:{name}") for name in names.split()})
    for kind, row in _ODD.items():
        module, names = row.split(": ")
        out.update({name: (kind, f"{module}:{name}") for name in names.split()})
    out["tanh"] = ("halved", "activation:tanh")
    out.update(_RENAMED)
    for file, names in _OWN.items():
        out.update({name: (file, name) for name in names.split()})
    out.update({name: ("array", name) for name in ("array", "asarray")})
    out.update({name: ("window", name) for name in _WINDOWS.split()})
    out.update({name: ("method", method) for name, method in _METHODS.items()})
    return out


_TABLE = _table()
_unsupported = unsupported_getattr(__name__)

float16, float32, float64 = _dtype.float16, _dtype.float32, _dtype.float64
int8, int16, int32, int64 = _dtype.int8, _dtype.int16, _dtype.int32, _dtype.int64
uint8, uint16, uint32, uint64 = _dtype.uint8, _dtype.uint16, _dtype.uint32, _dtype.uint64
bool_, int_, float_ = _dtype.bool_, _dtype.int32, _dtype.float32


def _make(kind: str, target: str):
    arrays = import_module("ms_compat.numpy._array")
    if kind in _OWN:
        return getattr(import_module(f"ms_compat.numpy.{kind}"), target)
    if kind == "array":
        return getattr(arrays, target)
    if kind == "window":
        return import_module("ms_compat.numpy._functions").window(target)
    if kind == "method":
        return lambda a, *args, **kwargs: getattr(arrays.tensor(a), target)(*args, **kwargs)
    module, name = target.split(":")
    return getattr(arrays, kind)(getattr(import_module(_OPS + module), name))


def __getattr__(name: str):
    row = _TABLE.get(name)
    if row is None:
        return _unsupported(name)
    value = globals()[name] = _make(*row)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_TABLE})
