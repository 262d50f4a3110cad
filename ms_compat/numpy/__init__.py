"""`mindspore.numpy`: NumPy's names over the operations of `mindspore.ops`, a table.

`_array.py` says how arguments become Tensors; functions that are more than that are in the files of
`_OWN`.
"""

from __future__ import annotations

from importlib import import_module

from ms_compat._core import dtype as _dtype
from ms_compat._names.absent import unsupported_getattr

_OPS = "ms_compat.ops.function.elementwise."

# kind (how _array.py wraps it) -> file of ops/function/elementwise: names, or name=operation where they differ
_KINDS = {
    "unary": "math: abs absolute deg2rad exp expm1 floor log log10 log1p log2 rad2deg rint sqrt square radians=deg2rad "
    "fabs=abs; compare: bitwise_not invert isfinite isinf isnan",
    "unary_a": "math: negative positive; compare: logical_not",
    "plain": "compare: isneginf isposinf",
    "halved": "math: arccosh arcsinh arctan arctanh arcsin cos cosh sin sinh tan; activation: tanh",
    "halved_input": "math: arccos",
    "halved_binary": "arithmetic: arctan2",
    "float32": "math: ceil",
    "floated": "math: trunc",
    "floated_plain": "math: fix",
    "whole": "math: exp2 reciprocal",
    "binary": "arithmetic: add divide floor_divide heaviside hypot logaddexp logaddexp2 multiply true_divide "
    "subtract=sub power=pow fmod=truncate_mod; modulus: mod=remainder_or_zero remainder=remainder_or_zero; compare: "
    "bitwise_and bitwise_or bitwise_xor equal greater greater_equal less less_equal logical_and logical_or "
    "logical_xor not_equal",
    "bounded": "arithmetic: maximum minimum",
}
_ANALYSIS = (
    "sign histogram histogram_bin_edges bincount digitize trapz vander intersect1d "
    "setdiff1d atleast_1d atleast_2d atleast_3d"
)
_FUNCTIONS = (
    "zeros ones empty full zeros_like ones_like empty_like full_like arange linspace logspace geomspace "
    "eye identity tri sum mean amax amin max min argmax argmin ptp average cumsum cumprod "
    "concatenate append stack hstack vstack dstack column_stack split "
    "repeat tile reshape transpose rollaxis flip rot90 diag meshgrid broadcast_arrays where clip "
    "around round take unique size count_nonzero searchsorted array_equal isin in1d "
    "isscalar asfarray copy norm interp result_type promote_types indices mgrid ogrid pi "
    "e inf nan PINF NINF"
)
# file -> its functions
_OWN = {
    "_functions": _FUNCTIONS,
    "_analysis": _ANALYSIS,
    "_parts": "hsplit vsplit dsplit array_split tril triu matrix_power float_power",
    "_polynomials": "convolve correlate polyadd polysub polymul polyval polyder polyint",
    "_products": "dot inner kron matmul multi_dot tensordot outer cross gcd lcm",
    "_shapes": "argwhere broadcast_to diagflat diagonal diff expand_dims fliplr flipud moveaxis ravel roll "
    "squeeze swapaxes trace",
    "_slopes": "gradient",
    "_positions": "tril_indices tril_indices_from triu_indices triu_indices_from diag_indices ix_ ravel_multi_index "
    "unravel_index choose select take_along_axis",
    "_statistics": "signbit nanmax nanmin nanvar nanstd "
    " nancumsum nansum nanmean std var sometrue isclose cbrt copysign divmod "
    "ediff1d histogramdd histogram2d unwrap",
    "_covariance": "cov corrcoef",
    "_padding": "pad",
    "_calls": "apply_along_axis apply_over_axes piecewise array_equiv array_str rand randn randint",
}
_WINDOWS = "bartlett blackman hamming hanning"


def _table() -> dict[str, tuple[str, str]]:
    out: dict[str, tuple[str, str]] = {}
    for kind, rows in _KINDS.items():
        for row in rows.split("; "):
            module, names = row.split(": ")
            for entry in names.split():
                name, _, operation = entry.partition("=")
                out[name] = (kind, f"{module}:{operation or name}")
    for file, names in _OWN.items():
        out.update({name: (file, name) for name in names.split()})
    out.update({name: ("array", name) for name in ("array", "asarray")})
    out.update({name: ("window", name) for name in _WINDOWS.split()})
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
