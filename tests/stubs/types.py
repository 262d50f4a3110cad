"""Annotations for the stubs: from the types that MindSpore's documentation names, and from defaults.

An annotation must never refuse what runs. So a sequence stands for a tuple or list, an argument takes the type of its
default whatever the documentation says, and what is not understood is `Any`.
"""

from __future__ import annotations

import functools
import inspect
import json
import math
import re
from pathlib import Path

RECORDED = Path(__file__).with_name("argument_types.json")
WORDS = {
    "tensor": "Tensor", "longtensor": "Tensor", "bool tensor": "Tensor", "parameter": "Parameter",
    "int": "int", "int32": "int", "int64": "int", "integer": "int", "ints": "int", "bool": "bool", "boolean": "bool",
    "str": "str", "string": "str", "float": "float", "double": "float", "float32": "float",
    "number": "Number", "numbers.number": "Number", "number.number": "Number", "scalar": "Number", "complex": "complex",
    "mindspore.dtype": "Type", "dtype": "Type", "dtype.number": "Type", "mstype": "Type",
    "none": "None", "nonetype": "None", "cell": "Cell", "function": "Callable[..., Any]",
    "callable": "Callable[..., Any]", "dict": "dict[Any, Any]", "tuple": "Sequence[Any]", "list": "Sequence[Any]",
    "sequence": "Sequence[Any]", "bytes": "bytes", "cootensor": "COOTensor", "csrtensor": "CSRTensor",
    "inf": "float", "-inf": "float", "sequence of ints": "Sequence[int]", "tuple of int": "Sequence[int]",
    "primitive": "Primitive", "parametertuple": "Sequence[Any]", "tuple of tensor": "Sequence[Tensor]",
}  # fmt: skip
RESULTS = {
    "tensor": "Tensor", "tuple": "tuple[Any, ...]", "list": "list[Any]", "int": "int", "bool": "bool", "str": "str",
    "float": "float", "none": "None", "dict": "dict[Any, Any]", "cootensor": "COOTensor", "csrtensor": "CSRTensor",
}  # fmt: skip
# arguments that take more than their documentation says, as recorded calls show
LOOSE = frozenset(
    """
Tensor.unique_with_pad.pad_num mint.einsum.equation mint.nn.AdaptiveAvgPool2d.output_size
mint.nn.UpsamplingBilinear2d.scale_factor nn.Range.delta numpy.amax.where numpy.amin.where numpy.take_along_axis.axis
ops.AdaptiveMaxPool3D.output_size ops.AvgPool.kernel_size ops.AvgPool.strides ops.AvgPool.pad_mode ops.Conv2D.pad
ops.Conv3D.pad ops.CumSum.exclusive ops.Depend.value ops.MapUniform.group_num ops.MapUniform.per_group_size
ops.MaxPool.kernel_size ops.MaxPool.strides ops.PadV3.constant_value ops.PadV3.paddings
ops.ResizeNearestNeighborV2.size ops.SparseTensorDenseAdd.x1_shape ops.SparseTensorDenseMatmul.sparse_shape
ops.SparseToDense.sparse_shape ops.TensorToTuple.input_tensor ops.aminmax.axis ops.batch_to_space_nd.crops
ops.bitwise_and.other ops.bitwise_or.other ops.bitwise_xor.other ops.clip_by_global_norm.x ops.csr_div.y ops.csr_mul.y
ops.ScaleAndTranslate.size ops.assign.value ops.matrix_set_diag.k ops.multi_margin_loss.margin mint.eye.m
ops.one_hot.depth ops.softplus.beta ops.softplus.threshold ops.stack.tensors ops.tile.dims ops.unique_with_pad.pad_num
numpy.arange.start numpy.arange.stop numpy.arange.step numpy.full_like.fill_value
""".split()
)
# results that are not what their documentation says, or that depend on an argument, as recorded calls show
UNSURE = frozenset(
    """
Tensor.stride Tensor.median mint.max mint.min mint.meshgrid mint.isfinite numpy.array_split numpy.unravel_index
ops.clip_by_global_norm numpy.broadcast_arrays numpy.dsplit numpy.hsplit numpy.vsplit ops.eig ops.adaptive_max_pool3d
ops.fractional_max_pool2d ops.fractional_max_pool3d numpy.linspace
""".split()
)
OF_DEFAULT = {bool: "bool", int: "int", float: "float", str: "str", tuple: "Sequence[Any]", list: "Sequence[Any]"}
_GROUP = re.compile(
    r"^(union|optional|tuple|list|sequence|iterable|tensor|dict|scalar)\s*[\[(](.*)[\])]$", re.IGNORECASE
)


@functools.cache
def recorded() -> dict[str, dict]:
    return json.loads(RECORDED.read_text("utf-8"))["types"]


def parts(text: str) -> list[str]:
    """The pieces between the commas of the outermost level."""
    found, depth, start = [], 0, 0
    for i, letter in enumerate(text):
        depth += (letter in "[(") - (letter in "])")
        if letter == "," and not depth:
            found.append(text[start:i])
            start = i + 1
    return [piece.strip() for piece in [*found, text[start:]] if piece.strip()]


def alternatives(text: str) -> list[str] | None:
    """The annotations that a documented type stands for; None for what is not understood."""
    text = text.strip().strip("'\"") if text.strip()[:1] not in "'\"" else "str"
    group = _GROUP.match(text)
    if group and parts(text) == [text]:
        kind, inner = group[1].lower(), group[2]
        if kind == "tensor":
            return ["Tensor"]
        if kind == "dict":
            return ["dict[Any, Any]"]
        if kind in ("union", "optional", "scalar"):
            found = joined(parts(inner))
            return found if kind != "optional" or found is None else [*found, "None"]
        items = joined([piece for piece in parts(inner) if piece.strip(". ")])
        return [f"Sequence[{' | '.join(items)}]"] if items else ["Sequence[Any]"]
    if group is None and text.startswith("[") and text.endswith("]"):
        return joined(parts(text[1:-1]))
    pieces = parts(text)
    if len(pieces) == 1:
        pieces = re.split(r"\s+or\s+", text)
    if len(pieces) > 1:
        return joined(pieces)
    word = WORDS.get(text.lower())
    return [word] if word else None


def joined(pieces: list[str]) -> list[str] | None:
    found: list[str] = []
    for piece in pieces:
        more = alternatives(piece)
        if more is None:
            return None
        found += [kind for kind in more if kind not in found]
    return found


def argument(documented: str | None, default: object, of_numpy: bool = False) -> str:
    """The annotation of an argument; functions of `mindspore.numpy` take what can be made a Tensor or a dtype."""
    kinds = alternatives(documented) if documented else None
    if of_numpy and kinds is not None:
        arrays = [k for k in kinds if k == "Tensor" or k.startswith("Sequence")]
        kinds = ["ArrayLike", *(["None"] if "None" in kinds else [])] if arrays else kinds
        kinds = ["DTypeLike" if k == "Type" else k for k in kinds]
    if kinds is None:  # a name often stands for an object: "normal" for an initializer
        return {bool: "bool", str: "str | Any"}.get(type(default), "Any")
    kinds = list(kinds)
    if default is None:
        kinds.append("None")
    elif default is not inspect.Parameter.empty:
        kind = OF_DEFAULT.get(type(default))
        if kind is None:
            return "Any"
        if "ArrayLike" in kinds:
            return " | ".join(kinds)
        known = {"float": ("float", "Number"), "int": ("int", "float", "Number"), "bool": ("bool", "int")}
        if kind.startswith("Sequence"):
            fits = any(k.startswith("Sequence") for k in kinds)
        else:
            fits = any(k in known.get(kind, (kind,)) for k in kinds)
        if not fits:
            kinds.append(kind)
    if any(k in ("Sequence[Parameter]", "Sequence[dict[Any, Any]]") for k in kinds):  # an optimizer's, often a filter
        kinds = ["Iterable[Any]"]
    none = ["None"] if "None" in kinds else []
    return " | ".join([*dict.fromkeys(k for k in kinds if k != "None"), *none])


def result(documented: str | None) -> str:
    """The annotation of a result."""
    if documented and documented.startswith("tuple(Tensor"):
        return f"tuple[{documented[6:-1]}]"
    return RESULTS.get((documented or "").lower(), "Any")


def shown(default: object) -> str:
    """A default as the stub says it."""
    if default is None or isinstance(default, (bool, str)) or type(default) is int:
        return repr(default)
    if type(default) is float and math.isfinite(default):
        return repr(default)
    return "..."
