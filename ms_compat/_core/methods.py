"""Tensor's methods: a table from name to operation, attached once when the package is imported.

A row says where the function lives; it is looked up when the method is first used. Methods whose arguments differ from
the function's come from `method_adapters.py`, operators from `operators.py`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ms_compat._core import dtype as mstype
from ms_compat._core.absent import AbsentMember
from ms_compat._core.tensor import Tensor

_OPS = "ms_compat.ops.function."
_ADAPTERS = "ms_compat._core.method_adapters"
_OVERLOADS = "ms_compat._core.method_overloads"

# The function's name is the method's, and its first argument the tensor.
_SAME = {
    "math": "abs absolute acos acosh angle arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh "
    "ceil conj cos cosh deg2rad digamma erf erfc erfinv exp exp2 expm1 floor frac i0 imag inv lgamma log "
    "log10 log1p log2 logit mvlgamma nan_to_num neg negative positive rad2deg real reciprocal round rsqrt "
    "sgn sign sin sinc sinh sqrt square tan trunc",
    "arithmetic": "addcdiv addcmul arctan2 atan2 clamp clip copysign float_power floor_divide fmax fmin "
    "fmod gcd heaviside hypot igamma igammac lcm ldexp lerp logaddexp logaddexp2 maximum minimum mul multiply "
    "nextafter pow true_divide xdivy xlogy",
    "compare": "allclose approximate_equal bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift "
    "bitwise_xor eq equal ge greater greater_equal gt invert is_complex is_floating_point isclose "
    "isfinite isinf isnan isneginf isposinf isreal le less less_equal logical_not "
    "logical_xor lt ne not_equal signbit",
    "cumulative": "cummax cummin diff logcumsumexp",
    "shape": "broadcast_to diagonal dsplit expand_dims hsplit moveaxis movedim narrow ravel reshape_as "
    "squeeze swapaxes swapdims t tensor_split unbind unstack view_as vsplit",
    "join": "diagflat flip fliplr flipud masked_fill roll rot90 tril triu",
    "gather": "gather_elements gather_nd index unsorted_segment_max unsorted_segment_min unsorted_segment_prod",
    "scatter": "diagonal_scatter fill_diagonal index_fill index_put inplace_update masked_scatter "
    "select_scatter slice_scatter",
    "create": "type_as fills",
    "sort": "argwhere bincount histc kthvalue masked_select msort nonzero top_k unique "
    "unique_consecutive unique_with_pad",
    "linalg": "addbmm addmm addmv addr adjoint baddbmm bmm cholesky cholesky_inverse cholesky_solve cross det dot "
    "ger inner inverse log_matrix_determinant logdet matrix_determinant matrix_power mm norm outer "
    "renorm slogdet svd triangular_solve",
    "assign": "numel",
    "matrix": "cov eigvals geqrf lstsq lu_solve orgqr ormqr",
    "blocks": "col2im",
    "reshuffle": "fold unfold",
    "inplace": "index_copy_ put_ set_ to_",
    "random_func": "multinomial normal_ uniform_ random_ bernoulli_ exponential_ random_categorical",
}  # fmt: skip

# The arguments have further spellings (`axis`/`dim`, `keepdims`/`keepdim`): method -> module:function.
_SPELLED = {
    "prod": "reduce:prod", "all": "reduce:all", "any": "reduce:any", "amax": "reduce:amax",
    "amin": "reduce:amin", "aminmax": "reduce:aminmax", "argmax": "reduce:argmax", "argmin": "reduce:argmin",
    "std": "reduce:std", "var": "reduce:var", "median": "reduce:median", "nanmean": "reduce:nanmean",
    "nanmedian": "reduce:nanmedian", "nansum": "reduce:nansum", "nanquantile": "reduce:nanquantile",
    "quantile": "reduce:quantile", "logsumexp": "reduce:logsumexp", "count_nonzero": "reduce:count_nonzero",
    "cumprod": "cumulative:cumprod", "topk": "sort:topk",
    }  # fmt: skip

_ADAPTED = {
    "reshape": "reshape", "view": "view", "permute": "permute", "expand": "expand",
    "tile": "tile", "repeat": "repeat", "flatten": "flatten", "sum": "sum",
    "argmax_with_value": "argmax_with_value", "argmin_with_value": "argmin_with_value", "cumsum": "cumsum",
    "add": "add", "sub": "sub", "subtract": "sub", "searchsorted": "searchsorted",
    "gather": "gather_method", "select": "select",
    "to": "to", "astype": "astype", "type": "type_method", "new_full": "new_full", "copy": "copy", "clone": "copy",
    "resize": "resize", "ptp": "ptp", "trace": "trace",
    "sum_to_size": "sum_to_size", "itemset": "itemset", "fill": "fill",
    "assign_value": "assign_value", "expand_as": "expand_as", "scatter": "scatter_method", "choose": "choose",
    "reverse_sequence": "reverse_sequence", "uniform": "uniform", "log_normal": "log_normal", "cauchy": "cauchy",
    "bernoulli": "bernoulli", "assign_value_cpp": "assign_value", "move_to": "move_to", "data_ptr": "data_ptr",
}  # fmt: skip

# Forms that are told apart by their arguments: name -> function of method_overloads.
_OVERLOADED = {
    name: name for name in
    "argsort chunk diag div divide index_select isclose logical_and logical_or matmul max mean min qr remainder "
    "repeat_interleave scatter_add split take transpose unsqueeze where".split()
} | {"sort": "sort_method"}  # fmt: skip

_RENAMED = {
    "index_add": "scatter:index_add_ext",
    "scatter_div": "scatter:tensor_scatter_div", "scatter_max": "scatter:tensor_scatter_max",
    "scatter_min": "scatter:tensor_scatter_min", "scatter_mul": "scatter:tensor_scatter_mul",
    "scatter_sub": "scatter:tensor_scatter_sub", "ndimension": "assign:rank", "dim": "assign:rank",
    "nelement": "assign:numel", "reverse": "join:flip", "to_coo": "sparse_host:dense_to_sparse_coo",
    "to_csr": "sparse_host:dense_to_sparse_csr",
}  # fmt: skip

# In place: method -> module:function whose result is written into the tensor.
_IN_PLACE = {
    "mul_": "arithmetic:mul", "div_": "arithmetic:div", "floor_divide_": "arithmetic:floor_divide",
    "remainder_": "arithmetic:remainder", "clamp_": "arithmetic:clamp", "exp_": "math:exp", "log_": "math:log",
    "floor_": "math:floor", "sign_": "math:sign", "erfinv_": "math:erfinv", "masked_fill_": "join:masked_fill",
    "index_put_": "scatter:index_put", "masked_scatter_": "scatter:masked_scatter",
    "index_add_": "scatter:index_add_ext", "index_fill_": "scatter:index_fill", 
    "scatter_add_": "scatter:scatter_add_elements", "fill_diagonal_": "scatter:fill_diagonal", "addmm_": "linalg:addmm",
}  # fmt: skip
_IN_PLACE_ADAPTED = {
    "add_": "add", "sub_": "sub", "fill_": "fill", "copy_": "copy_from",
    "scatter_": "scatter_method",
}  # fmt: skip

_CASTS = {
    "float": mstype.float32, "half": mstype.float16, "double": mstype.float64, "bfloat16": mstype.bfloat16,
    "int": mstype.int32, "long": mstype.int64, "short": mstype.int16, "byte": mstype.uint8, "bool": mstype.bool_,
}  # fmt: skip

# Activations and random methods live with the neural-network operations.
_LATER = {"sigmoid": "activation:sigmoid", "tanh": "activation:tanh", "hardshrink": "activation:hardshrink"}
_LATER |= {"softmax": "activation:softmax", "soft_shrink": "activation:softshrink"}
_LATER_IN_PLACE = {"sigmoid_": "activation:sigmoid", "tanh_": "activation:tanh"}
# What MindSpore's Tensor has besides.
_ABSENT = "delete_ getitem_index_info offload offload_file_path set_device_address set_param_info setitem_index_info"


def _find(module: str, name: str) -> Any:
    return getattr(import_module(module), name)


def _resolve(row: tuple[str, str]) -> Any:
    kind, target = row
    if kind in ("adapted", "in_place_adapted"):
        return _find(_ADAPTERS, target)
    if kind == "overloaded":
        return _find(_OVERLOADS, target)
    module, name = target.split(":")
    return _find(_OPS + module, name)


class _Method:
    """A method that replaces itself by the function of its row when it is first looked up."""

    __slots__ = ("_name", "_row")

    def __init__(self, name: str, row: tuple[str, str]):
        self._name = name
        self._row = row

    def __get__(self, instance, owner=None):
        kind = self._row[0]
        function = _resolve(self._row)
        if kind == "spelled":
            function = _find(_ADAPTERS, "spelled")(function)
        elif kind.startswith("in_place"):
            function = _find(_ADAPTERS, "in_place")(function, self._name)
        setattr(Tensor, self._name, function)
        return getattr(Tensor if instance is None else instance, self._name)


def _zero_(self):
    """All elements 0, in place; returns the tensor."""
    return self.fill_(0)


def _shared(self):
    """The tensor's values in another tensor of the same storage."""
    return _find(_OPS + "create", "shared")(self)


def rows() -> dict[str, tuple[str, str]]:
    """Every method of the tables: name -> (kind, where its function is)."""
    out: dict[str, tuple[str, str]] = {}
    for module, names in _SAME.items():
        out.update({name: ("same", f"{module}:{name}") for name in names.split()})
    for kind, table in (
        ("spelled", _SPELLED),
        ("adapted", _ADAPTED),
        ("overloaded", _OVERLOADED),
        ("same", _RENAMED),
        ("in_place", _IN_PLACE),
        ("in_place_adapted", _IN_PLACE_ADAPTED),
        ("same", _LATER),
        ("in_place", _LATER_IN_PLACE),
    ):
        out.update({name: (kind, target) for name, target in table.items()})
    return out


def attach() -> None:
    """Give Tensor its operators and methods."""
    from ms_compat._core import facts, indexing, storage, tape, traced_number, view_layout
    from ms_compat._core import method_adapters as adapters
    from ms_compat._core.operators import OPERATORS

    for name, operator in OPERATORS.items():
        setattr(Tensor, name, operator)
    for name, row in rows().items():
        setattr(Tensor, name, _Method(name, row))
    for name, dtype in _CASTS.items():
        setattr(Tensor, name, adapters.casting(dtype))
    own = {
        "__getitem__": indexing.getitem,
        "__setitem__": indexing.setitem,
        "__iter__": indexing.iterate,
        "new_zeros": adapters.new_filled(0),
        "new_ones": adapters.new_filled(1),
        "new_empty": adapters.new_filled(0),
        "zero_": _zero_,
        "is_contiguous": view_layout.is_contiguous,
        "is_signed": lambda self: self.dtype.np_dtype.kind not in "bu",
        "storage_offset": view_layout.storage_offset,
        "stride": view_layout.stride,
        "get_bytes": lambda self: self.asnumpy().tobytes(),
        "convert_bytes_to_tensor": staticmethod(adapters.from_bytes),
        "remove_hook": staticmethod(tape.remove_hook),
        "flush_from_cache": lambda self: None,
        "contiguous": view_layout.contiguous,
        "value": _shared,
        "T": property(adapters.reversed_dims),
        "mT": property(adapters.last_two_exchanged),
        "H": property(adapters.conjugate_transpose),
        "mH": property(adapters.conjugate_transpose),
        "data": property(adapters.get_data, adapters.set_data),
        "parent_tensor_": None,
        "set_const_arg": _set_const_arg,
    }
    for name, attribute in own.items():
        setattr(Tensor, name, attribute)
    for name in _ABSENT.split():
        setattr(Tensor, name, AbsentMember(f"mindspore.Tensor.{name}"))
    traced_number.attach()
    facts.attach()
    storage.attach()


def _set_const_arg(self, const_arg: bool = True):
    """Mark the tensor as a constant of compiled functions; returns it."""
    if not isinstance(const_arg, bool):
        raise TypeError(f"For 'set_const_arg', the 'const_arg' must be a bool, but got {type(const_arg).__name__}.")
    self.const_arg = const_arg
    return self
