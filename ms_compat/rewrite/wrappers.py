"""MindSpore's functions that only call a primitive, such as `ops.abs`: in MindSpore they are taken apart like others.

So they have the same nodes, with the same numbers: a parameter each, the primitive, and `return`. The function
itself is what runs.
"""

from __future__ import annotations

import ast
import inspect
from types import FunctionType
from typing import Any, NamedTuple

from ms_compat._names.resolve import module_of
from ms_compat.ops.primitive import Primitive

# Functions of `mindspore.ops` whose body is `return NAME_op(...)` with all parameters in their order.
NAMES = frozenset(
    """
    abs acos acosh add add_rms_norm angle asin asinh assign assign_add assign_sub atan atan2 atanh cast ceil
    conj conv_transpose2d cos cosh dense diag equal erf erfc erfinv exp expand_as expand_dims expm1 fast_gelu
    fft fft2 fftfreq fftn fftshift floor floor_mod gather_d gather_nd gcd geqrf greater greater_equal hfft
    hfft2 hfftn ifft ifft2 ifftn ifftshift ihfft ihfft2 ihfftn inplace_sigmoid irfft irfft2 irfftn isfinite
    isinf less_equal log log1p masked_fill masked_select matrix_exp maximum minimum moe_distribute_combine
    moe_distribute_dispatch moe_token_permute moe_token_unpermute mse_loss_ext mul neg not_equal ones pow
    prelu real relu6 reshape rfft rfft2 rfftfreq rfftn ring_attention_update rotary_position_embedding rsqrt
    scatter_nd select sigmoid sign silu sin sinc sinh sqrt square sub swiglu take tan tanh tensor_scatter_add
    trace transpose trunc unsorted_segment_sum view_as zeros
    """.split()
)
_PLAIN = (type(None), bool, int, float, str)


class Wrapper(NamedTuple):
    """A function that calls a primitive: its definition, a function that knows the names in it, and the primitive."""

    definition: ast.FunctionDef
    function: FunctionType
    called: str
    primitive: Primitive


def wrapper(function: Any) -> Wrapper | None:
    """What a function of this package is taken apart into; None if it is left whole.

    >>> import ast
    >>> from ms_compat import ops
    >>> from ms_compat.rewrite.wrappers import wrapper
    >>> print(ast.unparse(wrapper(ops.abs).definition))
    def abs(input):
        return abs_op(input)
    """
    import ms_compat

    name = getattr(function, "__name__", "")
    if name not in NAMES or getattr(ms_compat.ops, name, None) is not function or not callable(function):
        return None
    primitive = getattr(module_of("mindspore.ops.auto_generate.gen_ops_def"), f"{name}_op", None)
    parameters = inspect.signature(function).parameters.values()
    if not isinstance(primitive, Primitive) or not all(_is_simple(parameter) for parameter in parameters):
        return None
    head = ", ".join(_in_head(parameter) for parameter in parameters)
    given = ", ".join(parameter.name for parameter in parameters)
    text = f"def {name}({head}):\n    return {name}_op({given})"
    namespace = {f"{name}_op": function}
    exec(compile(text, "<wrapper>", "exec"), namespace)  # our own text
    definition = ast.parse(text).body[0]
    assert isinstance(definition, ast.FunctionDef)  # noqa: S101 - the text is one
    return Wrapper(definition, namespace[name], f"{name}_op", primitive)


def _in_head(parameter: inspect.Parameter) -> str:
    """A parameter as it stands in the head of a function, without its annotation."""
    return parameter.name if parameter.default is parameter.empty else f"{parameter.name}={parameter.default!r}"


def _is_simple(parameter: inspect.Parameter) -> bool:
    known = parameter.default is parameter.empty or isinstance(parameter.default, _PLAIN)
    return known and parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
