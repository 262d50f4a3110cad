"""Tensor's methods: a table from name to operation, attached once when the package is imported.

A row says where the function lives; it is looked up when the method is first used. Methods whose arguments differ from
the function's come from `adapters.py`, operators from `operators.py`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ms_compat._autograd.custom import register_hook
from ms_compat._compile.refusals import forbid
from ms_compat._core import dtype as mstype
from ms_compat._core import over_array, traced_number
from ms_compat._core.errors import check_bool
from ms_compat._core.hooks import remove_hook
from ms_compat._core.index import getitem, views
from ms_compat._core.parameter import Parameter
from ms_compat._core.tensor import Tensor
from ms_compat._names.absent import AbsentMember
from ms_compat._tensor import adapters, runtime_state, storage, view_layout
from ms_compat._tensor.forms import FORMS, signature
from ms_compat._tensor.operators import OPERATORS

_OPS = "ms_compat.ops.function."
_ADAPTERS = "ms_compat._tensor.adapters"
_OVERLOADS = "ms_compat._tensor.overloads"

# Module of `ops/function` -> methods whose name is the function's, and whose first argument is the tensor; or
# `method=function`.
_SAME = {
    "elementwise.math": "abs absolute acos acosh angle arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan "
    "atanh ceil conj cos cosh deg2rad digamma erf erfc erfinv exp exp2 expm1 floor frac i0 imag inv lgamma log "
    "log10 log1p log2 logit mvlgamma nan_to_num neg negative positive rad2deg real reciprocal round rsqrt "
    "sgn sign sin sinc sinh sqrt square tan trunc",
    "elementwise.arithmetic": "addcdiv addcmul arctan2 atan2 clamp clip copysign float_power floor_divide fmax fmin "
    "fmod gcd heaviside hypot igamma igammac lcm ldexp lerp logaddexp logaddexp2 maximum minimum mul multiply "
    "nextafter pow true_divide xdivy xlogy",
    "elementwise.compare": "allclose approximate_equal bitwise_and bitwise_left_shift bitwise_not bitwise_or "
    "bitwise_right_shift bitwise_xor eq equal ge greater greater_equal gt invert is_complex is_floating_point isclose "
    "isfinite isinf isnan isneginf isposinf isreal le less less_equal logical_not "
    "logical_xor lt ne not_equal signbit",
    "elementwise.activation": "sigmoid tanh hardshrink softmax soft_shrink=softshrink",
    "reduction.cumulative": "cummax cummin diff logcumsumexp",
    "shape.views": "broadcast_to diagonal dsplit expand_dims hsplit moveaxis movedim narrow ravel reshape_as "
    "squeeze swapaxes swapdims t tensor_split unbind unstack view_as vsplit",
    "shape.join": "diagflat flip fliplr flipud masked_fill reverse=flip roll rot90 tril triu",
    "shape.create": "type_as fills move_to",
    "shape.space_to_batch": "col2im",
    "shape.pixel_shuffle": "fold unfold",
    "indexing.gather": "gather_elements gather_nd index unsorted_segment_max unsorted_segment_min "
    "unsorted_segment_prod",
    "indexing.scatter": "diagonal_scatter fill_diagonal index_add=index_add_ext index_fill index_put inplace_update "
    "masked_scatter scatter_div=tensor_scatter_div scatter_max=tensor_scatter_max scatter_min=tensor_scatter_min "
    "scatter_mul=tensor_scatter_mul scatter_sub=tensor_scatter_sub select_scatter slice_scatter",
    "indexing.sort": "argwhere bincount histc kthvalue masked_select msort nonzero top_k unique "
    "unique_consecutive unique_with_pad",
    "linalg.basic": "addbmm addmm addmv addr adjoint baddbmm bmm cholesky cholesky_inverse cholesky_solve cross det "
    "dot ger inner inverse log_matrix_determinant logdet matrix_determinant matrix_power mm norm outer "
    "renorm slogdet svd triangular_solve",
    "linalg.decompositions": "cov eigvals geqrf lstsq lu_solve orgqr ormqr",
    "update.assign": "dim=rank ndimension=rank nelement=numel numel",
    "update.in_place": "index_copy_ put_ set_ to_",
    "sparse.host": "to_coo=dense_to_sparse_coo to_csr=dense_to_sparse_csr",
    "random.draws": "multinomial normal_ uniform_ random_ bernoulli_ exponential_ random_categorical",
}

# The same, with further spellings of the arguments (`axis`/`dim`, `keepdims`/`keepdim`).
_SPELLED = {
    "reduction.reduce": "prod all any amax amin aminmax argmax argmin std var median nanmean nanmedian nansum "
    "nanquantile quantile logsumexp count_nonzero",
    "reduction.cumulative": "cumprod",
    "indexing.sort": "topk",
}

# The same in place: the function's result is written into the tensor.
_IN_PLACE = {
    "elementwise.arithmetic": "mul_=mul div_=div floor_divide_=floor_divide remainder_=remainder clamp_=clamp",
    "elementwise.math": "exp_=exp log_=log floor_=floor sign_=sign erfinv_=erfinv",
    "elementwise.activation": "sigmoid_=sigmoid tanh_=tanh",
    "shape.join": "masked_fill_=masked_fill",
    "indexing.scatter": "index_put_=index_put masked_scatter_=masked_scatter index_add_=index_add_ext "
    "index_fill_=index_fill scatter_add_=scatter_add_elements fill_diagonal_=fill_diagonal",
    "linalg.basic": "addmm_=addmm",
}

# The function is one of `adapters.py`.
_ADAPTED = (
    "reshape view permute expand tile repeat flatten sum argmax_with_value argmin_with_value cumsum add sub "
    "subtract=sub searchsorted gather=gather_method select to astype type=type_method new_full copy clone=copy resize "
    "ptp trace sum_to_size itemset fill assign_value expand_as scatter=scatter_method choose reverse_sequence uniform "
    "log_normal cauchy bernoulli assign_value_cpp=assign_value data_ptr"
)
_IN_PLACE_ADAPTED = "add_=add sub_=sub fill_=fill copy_=copy_from scatter_=scatter_method"

# Forms that are told apart by their arguments; the function is one of `overloads.py`.
_OVERLOADED = (
    "argsort chunk diag div divide index_select isclose logical_and logical_or matmul max mean min qr remainder "
    "repeat_interleave scatter_add sort=sort_method split take transpose unsqueeze where"
)

_CASTS = {
    "float": mstype.float32, "half": mstype.float16, "double": mstype.float64, "bfloat16": mstype.bfloat16,
    "int": mstype.int32, "long": mstype.int64, "short": mstype.int16, "byte": mstype.uint8, "bool": mstype.bool_,
}  # fmt: skip

# What MindSpore's Tensor has besides.
_ABSENT = "delete_ getitem_index_info offload offload_file_path set_device_address set_param_info setitem_index_info"


def _find(module: str, name: str) -> Any:
    return getattr(import_module(module), name)


class _Method:
    """A method that replaces itself by the function of its row when it is first looked up."""

    __slots__ = ("_name", "_row")

    def __init__(self, name: str, row: tuple[str, str, str]):
        self._name = name
        self._row = row

    def __get__(self, instance, owner=None):
        kind, module, name = self._row
        function = _find(module, name)
        if kind == "spelled":
            function = _find(_ADAPTERS, "spelled")(function)
        elif kind == "in_place":
            function = _find(_ADAPTERS, "in_place")(function, self._name)
        forms = FORMS.get(self._name)
        if forms is not None:
            function.__signature__ = signature(forms[0])
        setattr(Tensor, self._name, function)
        return getattr(Tensor if instance is None else instance, self._name)


def _zero_(self):
    """All elements 0, in place; returns the tensor."""
    return self.fill_(0)


def _shared(self):
    """The tensor's values in another tensor of the same storage."""
    return _find(_OPS + "shape.create", "shared")(self)


def rows() -> dict[str, tuple[str, str, str]]:
    """Every method of the tables: name -> (kind, the module and the name of its function)."""
    out: dict[str, tuple[str, str, str]] = {}

    def enter(kind: str, module: str, names: str) -> None:
        for entry in names.split():
            method, _, function = entry.partition("=")
            out[method] = (kind, module, function or method)

    for kind, table in (("same", _SAME), ("spelled", _SPELLED), ("in_place", _IN_PLACE)):
        for module, names in table.items():
            enter(kind, _OPS + module, names)
    enter("same", _ADAPTERS, _ADAPTED)
    enter("in_place", _ADAPTERS, _IN_PLACE_ADAPTED)
    enter("same", _OVERLOADS, _OVERLOADED)
    return out


def attach() -> None:
    """Give Tensor its operators and methods."""
    for name, operator in OPERATORS.items():
        setattr(Tensor, name, operator)
    for name, row in rows().items():
        setattr(Tensor, name, _Method(name, row))
    for name, dtype in _CASTS.items():
        setattr(Tensor, name, adapters.casting(dtype))
    own = {
        "__getitem__": getitem.getitem,
        "__setitem__": getitem.setitem,
        "__iter__": getitem.iterate,
        "_share": views.share,
        "_detach": views.detach,
        "_traced_item": traced_number.item,
        "_over": staticmethod(over_array.over_array),
        "register_hook": register_hook,
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
        "remove_hook": staticmethod(remove_hook),
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
    Parameter._initial = _initial
    forbid(Tensor, "Tensor")
    traced_number.attach()
    runtime_state.attach()
    storage.attach()


def _initial(self: Parameter, init: Any) -> Tensor:
    """What an initializer, its name or a number fills a Parameter of this shape and dtype with."""
    from ms_compat.common.initializer import initializer  # MindSpore's formulas, which few programs clone with

    return initializer(init, self.shape, self.dtype).init_data()


def _set_const_arg(self, const_arg: bool = True):
    """Mark the tensor as a constant of compiled functions; returns it."""
    check_bool("set_const_arg", "const_arg", const_arg)
    self.const_arg = const_arg
    return self
