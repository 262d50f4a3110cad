"""`mindspore.mint`: the torch-like names and defaults, a table over the operations of `mindspore.ops`.

A row is a name and where its function lives. Functions that differ in more than the name (`dim` for `axis`, sample
variance, Int64 positions) are in `_adapters.py`.
"""

from __future__ import annotations

from importlib import import_module

from ms_compat._names.absent import unsupported_getattr

# Names whose function is the one of `mindspore.ops`.
_SAME = {
    "elementwise.math": "abs acos arccos acosh arccosh asin arcsin asinh arcsinh atan arctan atanh arctanh ceil cos "
    "cosh erf erfc erfinv exp exp2 expm1 floor log log10 log1p log2 nan_to_num neg negative polar real imag "
    "reciprocal round rsqrt sign sin sinc sinh sqrt square tan trunc fix frac",
    "elementwise.arithmetic": "addcdiv atan2 arctan2 clamp float_power floor_divide fmod gcd lerp logaddexp "
    "logaddexp2 maximum minimum mul pow remainder xlogy divide",
    "elementwise.compare": "allclose bitwise_and bitwise_not bitwise_or bitwise_xor eq ge greater greater_equal gt "
    "isclose isfinite isinf isnan isneginf le less less_equal logical_and logical_not logical_or logical_xor lt "
    "ne not_equal",
    "reduction.reduce": "sum logsumexp argmax",
    "reduction.cumulative": "cumprod",
    "shape.views": "broadcast_to ravel reshape swapaxes t unbind unsqueeze",
    "shape.join": "dstack flip hstack roll tile tril triu",
    "shape.create": "arange empty empty_like eye full_like linspace ones_like zeros_like",
    "indexing.gather": "take",
    "indexing.sort": "histc kthvalue masked_select nonzero searchsorted unique_consecutive",
    "linalg.basic": "addbmm addmm addmv baddbmm bmm cross einsum inverse matmul mm mv outer triangular_solve",
    "update.in_place": "addr_",
}
_RENAMED = {
    "mean": "reduction.reduce:mean_ext",
    "argmin": "reduction.reduce:argmin_ext",
    "cumsum": "reduction.cumulative:cumsum_ext",
    "gather": "indexing.gather:gather_d",
    "scatter_add": "indexing.scatter:scatter_add_elements",
    "index_add": "indexing.scatter:index_add_ext",
    "select": "shape.views:select_view",
    "diag": "shape.join:diag_ext",
    "dot": "linalg.basic:dot_1d",
    "trace": "linalg.basic:trace_ext",
    "bincount": "indexing.sort:bincount_ext",
    "sort": "indexing.sort:sort_ext",
    "argsort": "indexing.sort:argsort_ext",
    "topk": "indexing.sort:topk_ext",
    "unique": "indexing.sort:unique_sorted",
    "clip": "elementwise.arithmetic:clamp",
    "sigmoid": "elementwise.activation:sigmoid",
    "tanh": "elementwise.activation:tanh",
}
_ADAPTED = (
    "add sub prod all any amax amin max min var std var_mean std_mean median nansum count_nonzero cummax "
    "cummin diff stack scatter softmax cat split chunk narrow squeeze permute transpose flatten repeat_interleave "
    "meshgrid index_select where zeros ones full norm div equal clone cdist vdot"
)
_DRAWN = "rand randn rand_like randn_like randint randint_like randperm normal bernoulli multinomial"
_OPS = "ms_compat.ops.function."
_TABLE = {
    **{name: (f"{_OPS}{module}", name) for module, names in _SAME.items() for name in names.split()},
    **{name: (_OPS + row.split(":")[0], row.split(":")[1]) for name, row in _RENAMED.items()},
    **{name: ("ms_compat.mint._adapters", name) for name in _ADAPTED.split()},
    **{name: ("ms_compat.mint._random", name) for name in _DRAWN.split()},
    "concat": ("ms_compat.mint._adapters", "cat"),
    "conv2d": ("ms_compat.mint.nn.functional", "conv2d"),
    "conv_tbc": (_OPS + "nn.conv", "conv_tbc"),
    "npu_gelu": ("ms_compat.mint.nn.functional", "gelu"),
}
_unsupported = unsupported_getattr(__name__)


def __getattr__(name: str):
    row = _TABLE.get(name)
    if row is None:
        return _unsupported(name)
    value = globals()[name] = getattr(import_module(row[0]), row[1])
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_TABLE})
