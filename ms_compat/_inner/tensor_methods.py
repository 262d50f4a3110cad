"""`mindspore.ops.tensor_method`: the methods of Tensor as functions, named `tensor_abs` or `deprecated_tensor_abs`."""

from __future__ import annotations

import re
from collections.abc import Callable

from ms_compat._core.tensor import Tensor

__all__: list[str] = []
_NAME = re.compile(r"(?:deprecated_)?(?:tensor_)?(?:inplace_)?(?P<method>\w+?)(?P<kind>_ext|_empty_?|_scalar|_tensor)?")


def module_attribute(name: str) -> Callable | None:
    """Returns the method that a function is, or `None`.

    >>> module_attribute("tensor_cosh") is Tensor.cosh
    True
    """
    found = _NAME.fullmatch(name)
    return getattr(Tensor, found["method"], None) if found is not None and "tensor_" in name else None
