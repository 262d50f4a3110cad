"""The module paths of MindSpore 1: `transforms.c_transforms`, `transforms.py_transforms` and the same in `vision`.

Each is a thin module that forwards to today's names. The table lists names and behaviors that differ: the transforms in
`vision.py_transforms` worked on PIL images and on arrays (C, H, W), so `Normalize` and `Cutout` take that layout and
`Decode` returns an image.
"""

import functools
import importlib
from collections.abc import Callable
from typing import Any

from ms_compat.dataset.transforms.base import Transform

_TRANSFORMS, _VISION = "ms_compat.dataset.transforms", "ms_compat.dataset.vision"

# the same module also held the transforms' base classes
_BASES = {"PyTensorOperation", "TensorOperation"}

# old module -> (today's module, {old name: (today's name, keyword arguments by default)})
TABLE: dict[str, tuple[str, dict[str, tuple[str, dict[str, Any]]]]] = {
    f"{_TRANSFORMS}.c_transforms": (_TRANSFORMS, {}),
    f"{_TRANSFORMS}.py_transforms": (_TRANSFORMS, {"OneHotOp": ("OneHot", {})}),
    f"{_VISION}.c_transforms": (_VISION, {"Cutout": ("CutOut", {})}),
    f"{_VISION}.py_transforms": (
        _VISION,
        {
            "Normalize": ("Normalize", {"is_hwc": False}),
            "Decode": ("Decode", {"to_pil": True}),
            "Cutout": ("CutOut", {"is_hwc": False}),
            "NormalizePad": ("NormalizePad", {"is_hwc": False}),
        },
    ),
}


@functools.cache
def _variant(target: str, name: str, module: str, new: str) -> Any:
    """Today's class under an old name, with the defaults the old one had."""
    base = getattr(importlib.import_module(target), new)
    defaults = TABLE[module][1][name][1]
    if not defaults:
        return base

    def __init__(self: Any, *args: Any, **named: Any) -> None:
        base.__init__(self, *args, **{**defaults, **named})

    return type(name, (base,), {"__init__": __init__, "__doc__": base.__doc__, "__module__": module})


def getattr_of(module: str) -> Callable[[str], Any]:
    """Makes the `__getattr__` of an old module."""
    target, renamed = TABLE[module]

    def __getattr__(name: str) -> Any:
        if name == "__all__":
            return [known for known in dir(importlib.import_module(target)) if known[0].isupper()] + list(renamed)
        if name.startswith("__"):
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        if name in renamed:
            return _variant(target, name, module, renamed[name][0])
        if name in _BASES:
            return Transform
        return getattr(importlib.import_module(target), name)

    return __getattr__
