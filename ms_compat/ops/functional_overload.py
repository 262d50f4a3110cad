"""Functions that MindSpore overloads by their arguments, from `mindspore.mint` and its `nn.functional`.

MindSpore keeps them here and re-exports them from `mindspore.mint`; their arguments are `dim` and `keepdim`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ms_compat._names.resolve import unsupported_getattr

_MINT = (
    "add addcdiv any bitwise_not clamp clip div divide einsum empty empty_like eq floor_divide fmod ge greater_equal "
    "imag index_add kthvalue lerp less lt max min mul nansum real remainder repeat_interleave sub where xlogy"
).split()
_NN = "conv1d conv2d conv3d gelu pixel_shuffle".split()
_OPS = ("bernoulli_",)
_HOME = {
    **dict.fromkeys(_MINT, "ms_compat.mint"),
    **dict.fromkeys(_NN, "ms_compat.mint.nn.functional"),
    **dict.fromkeys(_OPS, "ms_compat.ops"),
}
_unsupported = unsupported_getattr(__name__)


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        return _unsupported(name)
    value = globals()[name] = getattr(import_module(home), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
