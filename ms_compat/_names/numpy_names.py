"""The names and the printing of NumPy 1, which scripts written for MindSpore (it needs numpy<2) use.

`put_back()` gives NumPy 2 what it removed (`np.float_`, `np.NINF`, `np.product`, `np.trapz`, and the aliases of
builtins `np.int`, `np.float` that NumPy had until 1.23) and prints its scalars as numbers, `[1.0]` for
`[np.float32(1.0)]`; `take_away()` undoes it. Nothing that NumPy still has is replaced.
"""

from __future__ import annotations

import ast
import logging
import warnings
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

logger = logging.getLogger("ms_compat")

# new name of NumPy -> what NumPy 1 called it as well
_ALIASES = {
    "inf": "Inf Infinity infty PINF",
    "nan": "NaN NAN",
    "float64": "float_",
    "complex128": "complex_ cfloat",
    "complex64": "singlecomplex",
    "longdouble": "longfloat",
    "clongdouble": "longcomplex clongfloat",
    "bytes_": "string_ bytes0",
    "str_": "unicode_ str0",
    "bool_": "bool8",
    "intp": "int0",
    "uintp": "uint0",
    "object_": "object0",
    "void": "void0",
    "all": "alltrue",
    "any": "sometrue",
    "prod": "product",
    "cumprod": "cumproduct",
    "round": "round_",
    "trapezoid": "trapz",
    "vstack": "row_stack",
    "asmatrix": "mat",
    "sctypeDict": "typeDict",
    "exceptions.RankWarning": "RankWarning",
    "exceptions.ComplexWarning": "ComplexWarning",
    "exceptions.VisibleDeprecationWarning": "VisibleDeprecationWarning",
    "char.chararray": "chararray",
    "char.compare_chararrays": "compare_chararrays",
    "rec.format_parser": "format_parser",
    "lib.array_utils.byte_bounds": "byte_bounds",
    "lib.npyio.DataSource": "DataSource",
}
_BUILTINS: dict[str, type] = {"int": int, "float": float, "complex": complex, "object": object, "str": str}
_KINDS = {
    "int": (np.int8, np.int16, np.int32, np.int64),
    "uint": (np.uint8, np.uint16, np.uint32, np.uint64),
    "float": (np.float16, np.float32, np.float64, np.longdouble),
    "complex": (np.complex64, np.complex128, np.clongdouble),
    "others": (bool, object, bytes, str, np.void),
}


def _asfarray(a: Any, dtype: Any = np.float64) -> np.ndarray:
    dtype = dtype if np.issubdtype(dtype, np.inexact) else np.float64
    return np.asarray(a, dtype)


def _in1d(ar1: Any, ar2: Any, assume_unique: bool = False, invert: bool = False, **options: Any) -> np.ndarray:
    return np.isin(np.ravel(ar1), ar2, assume_unique, invert, **options)


def _msort(a: Any) -> np.ndarray:
    return np.sort(a, axis=0)


def _issctype(rep: Any) -> bool:
    return isinstance(rep, np.dtype) or (isinstance(rep, type) and issubclass(rep, np.generic))


def _obj2sctype(rep: Any, default: Any = None) -> Any:
    if isinstance(rep, type) and issubclass(rep, np.generic):  # `np.floating` is the type of no dtype
        return rep
    try:
        return np.dtype(rep if isinstance(rep, (type, np.dtype, str)) else np.asarray(rep).dtype).type
    except TypeError:  # the name of no type
        return default


def _issubsctype(arg1: Any, arg2: Any) -> bool:
    return issubclass(_obj2sctype(arg1), _obj2sctype(arg2))


def _issubclass(arg1: Any, arg2: Any) -> bool:
    return isinstance(arg1, type) and issubclass(arg1, arg2)


def _maximum_sctype(t: Any) -> type:
    kind = np.dtype(t).kind
    name = {"i": "int", "u": "uint", "f": "float", "c": "complex"}.get(kind)
    return np.dtype(t).type if name is None else _KINDS[name][-1]


def _find_common_type(array_types: Iterable[Any], scalar_types: Iterable[Any]) -> np.dtype | None:
    """Arrays decide, unless a scalar is of a higher kind."""
    arrays = [np.dtype(t) for t in array_types]
    scalars = [np.dtype(t) for t in scalar_types]
    of_arrays = np.result_type(*arrays) if arrays else None
    of_scalars = np.result_type(*scalars) if scalars else None
    if of_arrays is None or of_scalars is None:
        return of_scalars if of_arrays is None else of_arrays
    order = "buifcSUVO"
    return of_scalars if order.index(of_scalars.kind) > order.index(of_arrays.kind) else of_arrays


def _disp(mesg: Any, device: Any = None, linefeed: bool = True) -> None:
    print(mesg, file=device, end="\n" if linefeed else "")


class _Casts(dict):
    """`np.cast["float32"](x)`."""

    def __missing__(self, key: Any) -> Callable:
        return lambda x: np.asarray(x).astype(key)


class _Sizes(dict):
    """`np.nbytes[np.float32]`."""

    def __missing__(self, key: Any) -> int:
        return np.dtype(key).itemsize


_OTHERS: dict[str, Any] = {
    "NINF": -np.inf, "PZERO": 0.0, "NZERO": -0.0, "asfarray": _asfarray, "in1d": _in1d, "msort": _msort,
    "issctype": _issctype, "obj2sctype": _obj2sctype, "issubsctype": _issubsctype, "issubclass_": _issubclass,
    "maximum_sctype": _maximum_sctype, "find_common_type": _find_common_type, "disp": _disp, "cast": _Casts(),
    "nbytes": _Sizes(), "safe_eval": ast.literal_eval, "sctypes": {k: list(v) for k, v in _KINDS.items()},
}  # fmt: skip

_given: list[str] = []
_printed: list[Any] = []  # NumPy's `legacy` from before


def _found(path: str) -> Any:
    out: Any = np
    with warnings.catch_warnings():  # NumPy tells of names that it will remove next, which no code here used yet
        warnings.simplefilter("ignore", DeprecationWarning)
        for name in path.split("."):
            out = getattr(out, name, None)
    return out


def names() -> dict[str, Any]:
    """Every name of NumPy 1 that is put back where it is missing, with its meaning."""
    out: dict[str, Any] = {**_BUILTINS, **_OTHERS}
    for path, old in _ALIASES.items():
        value = _found(path)
        if value is not None:
            out.update(dict.fromkeys(old.split(), value))
    return out


def put_back() -> None:
    """Give NumPy the names it lacks and NumPy 1's way to print scalars. Twice is the same as once."""
    first = not _given
    for name, value in names().items():
        if name not in vars(np):  # not hasattr: reading some from NumPy 1.2x gives a warning
            setattr(np, name, value)
            _given.append(name)
    if first and _given:
        logger.info("NumPy %s lacks names of NumPy 1, which are put back: np.%s", np.__version__, ", np.".join(_given))
    if not _printed and np.lib.NumpyVersion(np.__version__) >= "2.0.0":
        before = np.get_printoptions()["legacy"]
        if before is False:
            _printed.append(before)
            np.set_printoptions(legacy="1.25")


def take_away() -> None:
    """Undo `put_back`."""
    while _given:
        delattr(np, _given.pop())
    while _printed:
        before = _printed.pop()
        if np.get_printoptions()["legacy"] == "1.25":
            np.set_printoptions(legacy=before)
