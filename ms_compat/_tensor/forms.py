"""The forms in which Tensor's overloaded methods are called, as signatures, for editors and for `inspect`.

Only methods whose Python takes `*args, **kwargs` are here; every other one's own signature says what it takes. The
first form is the method's `__signature__`; the stubs list them all. `Ints` is an int or a sequence of them, `Number` a
number, `Operand` what operators take.
"""

from __future__ import annotations

import inspect
from typing import Any

_REDUCED = "initial: Number | None = None, where: Tensor | bool | None = None"
_EXTREME = (
    "() -> Tensor",
    f"(axis: None, keepdims: bool = False, *, {_REDUCED}) -> Tensor",
    f"(*, axis: Ints | None = None, keepdims: bool = False, {_REDUCED}) -> Tensor",
    f"(*, axis: int, keepdims: bool = False, {_REDUCED}, return_indices: bool) -> Any",
    "(dim: int, keepdim: bool = False) -> tuple[Tensor, Tensor]",
)
_SCATTER = (
    "(dim: int, index: Tensor, src: Tensor | Number, reduce: str = 'none') -> Tensor",
    "(axis: int, index: Tensor, src: Tensor | Number, reduce: str = 'none') -> Tensor",
    "(dim: int, index: Tensor, value: Tensor | Number, reduce: str = 'none') -> Tensor",
)
_NEW = (
    "(*size: Ints, dtype: Type | None = None, device: str | None = None) -> Tensor",
    "(size: Ints, dtype: Type | None = None, *, device: str | None = None) -> Tensor",
)

FORMS: dict[str, tuple[str, ...]] = {
    "reshape": ("(*shape: Ints | Tensor) -> Tensor", "(*, shape: Ints | Tensor) -> Tensor"),
    "view": ("(*shape: Ints) -> Tensor", "(dtype: Type) -> Tensor"),
    "permute": ("(*axis: Ints) -> Tensor", "(*, axis: Ints) -> Tensor", "(*, dims: Ints) -> Tensor"),
    "transpose": (
        "(*axes: Ints | None) -> Tensor",
        "(*, axes: Ints) -> Tensor",
        "(dim0: int, dim1: int) -> Tensor",
    ),
    "broadcast_to": ("(*shape: Ints | Tensor) -> Tensor", "(*, shape: Ints | Tensor) -> Tensor"),
    "expand": ("(*size: Ints | Tensor) -> Tensor",),
    "tile": ("(*reps: Ints) -> Tensor", "(*, reps: Ints) -> Tensor", "(*, dims: Ints) -> Tensor"),
    "repeat": (
        "(*repeats: Ints) -> Tensor",
        "(*, repeats: Ints) -> Tensor",
        "(repeats: Ints, axis: int | None) -> Tensor",
    ),
    "flatten": (
        "(order: str = 'C', *, start_dim: int = 0, end_dim: int = -1) -> Tensor",
        "(start_dim: int, end_dim: int = -1) -> Tensor",
    ),
    "sum": (
        "(axis: Ints | None = None, dtype: Type | None = None, keepdims: bool = False, initial: Number | None = None)"
        " -> Tensor",
        "(dim: Ints | None = None, keepdim: bool = False, *, dtype: Type | None = None) -> Tensor",
        "(axis: Ints | None, keepdims: bool) -> Tensor",
    ),
    "mean": (
        "(axis: Ints | None = None, keep_dims: bool = False, *, dtype: Type | None = None) -> Tensor",
        "(axis: Ints | None = None, *, keepdims: bool, dtype: Type | None = None) -> Tensor",
        "(dim: Ints | None = None, keepdim: bool = False, *, dtype: Type | None = None) -> Tensor",
    ),
    "max": _EXTREME,
    "min": _EXTREME,
    "gather": (
        "(input_indices: Tensor, axis: int, batch_dims: int = 0) -> Tensor",
        "(dim: int, index: Tensor) -> Tensor",
    ),
    "select": ("(dim: int, index: int) -> Tensor", "(axis: int, index: int) -> Tensor",
               "(condition: Tensor, y: Tensor | Number) -> Tensor"),
    "scatter": _SCATTER,
    "scatter_": _SCATTER,
    "scatter_add": (
        "(dim: int, index: Tensor, src: Tensor) -> Tensor",
        "(axis: int, index: Tensor, src: Tensor) -> Tensor",
        "(indices: Tensor, updates: Tensor) -> Tensor",
    ),
    "to": (
        "(dtype: Type, non_blocking: bool = False, copy: bool = False) -> Tensor",
        "(other: Tensor, non_blocking: bool = False, copy: bool = False) -> Tensor",
        "(device: str | None = None, dtype: Type | None = None, non_blocking: bool = False, copy: bool = False)"
        " -> Tensor",
    ),
    "new_zeros": _NEW,
    "new_ones": _NEW,
    "new_empty": _NEW,
    "resize": ("(*new_shape: Ints) -> Tensor",),
    "sum_to_size": ("(*size: Ints) -> Tensor",),
    "itemset": ("(*args: Any) -> Tensor",),
    "uniform": ("(from_: float = 0.0, to: float = 1.0, *, generator: Any = None) -> Tensor",),
    "log_normal": ("(mean: float = 1.0, std: float = 2.0) -> Tensor",),
    "cauchy": ("(median: float = 0.0, sigma: float = 1.0) -> Tensor",),
    "bernoulli": ("(*, generator: Any = None) -> Tensor",),
}  # fmt: skip

_KINDS = inspect.Parameter


def signature(form: str) -> inspect.Signature:
    """A form as a signature of the unbound method, with its defaults and without annotations.

    >>> print(signature("(dim: int, keepdim: bool = False) -> Tensor"))
    (self, dim, keepdim=False)
    """
    namespace: dict[str, Any] = {}
    exec(f"from __future__ import annotations\ndef form{form.replace('(', '(self, ', 1)}: ...", namespace)
    found = inspect.signature(namespace["form"])
    bare = [parameter.replace(annotation=_KINDS.empty) for parameter in found.parameters.values()]
    return found.replace(parameters=bare, return_annotation=inspect.Signature.empty)
