"""Stand-ins for MindSpore's inner modules, such as `mindspore.ops.operations`.

A stand-in is a module object of its own that forwards each name to the public module. It cannot be the public module
itself: the import system sets a module as an attribute of its parent, and `import mindspore.common.tensor` would put a
module over the function `tensor`.

What MindSpore keeps inside and exports nowhere, but programs import all the same, stands in the modules of `PROVIDERS`,
which are asked before the public module, and in the table of `aliases.py`.
"""

import functools
import importlib
import importlib.machinery
import types
from typing import Any

from ms_compat._core.absent import Absent
from ms_compat._legacy import aliases, census

# Inner path -> the modules, asked before the public one, that have what MindSpore does not export: the names of their
# `__all__`, and what their function `made` returns for others.
PROVIDERS = {
    "mindspore._c_expression": ("ms_compat._legacy.c_expression",),
    "mindspore._c_expression.amp": ("ms_compat._legacy.c_amp",),
    "mindspore._c_expression.typing": ("ms_compat._legacy.c_typing",),
    "mindspore.common._register_for_tensor": ("ms_compat._legacy.registry",),
    "mindspore.common._stub_tensor": ("ms_compat._legacy.c_expression",),
    "mindspore.common.api": ("ms_compat._legacy.c_expression",),
    "mindspore.common.np_dtype": ("ms_compat._legacy.c_typing",),
    "mindspore.nn.optim.thor": ("ms_compat.nn.optim.second_order",),
    "mindspore.ops.auto_generate": ("ms_compat._legacy.generated", "ms_compat._legacy.gradients"),
    "mindspore.ops.auto_generate.gen_arg_handler": ("ms_compat._legacy.c_typing",),
    "mindspore.ops.auto_generate.gen_extend_func": ("ms_compat._legacy.generated",),
    "mindspore.ops.auto_generate.gen_ops_def": ("ms_compat._legacy.generated",),
    "mindspore.ops.auto_generate.gen_ops_prim": ("ms_compat._legacy.generated", "ms_compat._legacy.gradients"),
    "mindspore.ops.auto_generate.pyboost_inner_prim": ("ms_compat._legacy.generated",),
    "mindspore.ops.operations._csr_ops": ("ms_compat.ops.primitives.csr",),
    "mindspore.ops.operations._grad_ops": ("ms_compat._legacy.gradients",),
    "mindspore.ops.operations._infer_ops": ("ms_compat._legacy.generated",),
    "mindspore.ops.operations._inner_ops": ("ms_compat._legacy.generated",),
}
# Inner paths that export no public name, so that the census does not have them -> the public module nearest by.
MORE = {
    "mindspore._c_expression": "mindspore",
    "mindspore._c_expression.amp": "mindspore.amp",
    "mindspore._c_expression.op_enum": "mindspore",
    "mindspore._c_expression.typing": "mindspore",
    "mindspore.common._register_for_tensor": "mindspore",
    "mindspore.common._stub_tensor": "mindspore",
    "mindspore.communication._comm_helper": "mindspore.communication",
    "mindspore.dataset.core": "mindspore.dataset",
    "mindspore.dataset.core.datatypes": "mindspore.dataset",
    "mindspore.dataset.core.validator_helpers": "mindspore.dataset",
    "mindspore.common.sparse_tensor": "mindspore.common",
    "mindspore.nn.sparse": "mindspore.nn",
    "mindspore.nn.sparse.sparse": "mindspore.nn",
    "mindspore.ops._utils": "mindspore.ops",
    "mindspore.ops._utils.utils": "mindspore.ops",
    "mindspore.ops.composite.multitype_ops._compile_utils": "mindspore.ops",
    "mindspore.ops.operations._grad_ops": "mindspore.ops",
    "mindspore.ops.operations._inner_ops": "mindspore.ops",
    "mindspore.ops.operations._csr_ops": "mindspore.ops",
    "mindspore.ops.operations._sequence_ops": "mindspore.ops",
    "mindspore.ops.operations._scalar_ops": "mindspore.ops",
    "mindspore.ops.operations._infer_ops": "mindspore.ops",
    "mindspore.ops.operations._rl_inner_ops": "mindspore.ops",
    "mindspore.ops.auto_generate.gen_arg_handler": "mindspore.ops",
    "mindspore.parallel._cost_model_context": "mindspore.parallel",
    "mindspore.parallel._parallel_serialization": "mindspore.parallel",
    "mindspore.parallel._ps_context": "mindspore.parallel",
    "mindspore.parallel.checkpoint_convert": "mindspore.parallel",
    "mindspore.parallel.checkpoint_transform": "mindspore.parallel",
    "mindspore.parallel.transform_safetensors": "mindspore.parallel",
    "mindspore.train._utils": "mindspore.train",
}


@functools.cache
def paths() -> dict[str, str]:
    """Returns all inner module paths, each with the public module that has its names."""
    return {**census.inner_modules(), **MORE}


class InnerModule(types.ModuleType):
    """A module whose names are those of another, imported when the first is asked for."""

    def __init__(self, path: str, public: str) -> None:
        super().__init__(path, f"The names of `{public}` under an inner path of MindSpore.")
        self.__path__: list[str] = []
        self.__spec__ = importlib.machinery.ModuleSpec(path, None, is_package=True)
        self._public = public

    def _target(self) -> types.ModuleType:
        return importlib.import_module("ms_compat" + self._public.removeprefix("mindspore"))

    def __getattr__(self, name: str) -> Any:
        if name == "__all__":
            target = self._target()
            return getattr(target, "__all__", None) or [found for found in dir(target) if not found.startswith("_")]
        if name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        dotted = f"{self.__name__}.{name}"
        below = inner_module(dotted) if dotted in MORE else None
        found = below if below is not None else aliases.find(dotted)
        if found is not None:
            return found
        for provider in PROVIDERS.get(self.__name__, ()):
            module = importlib.import_module(provider)
            if name in module.__all__:
                return getattr(module, name)
            made = module.made(name) if hasattr(module, "made") else None
            if made is not None:
                return made
        try:
            public = getattr(self._target(), name)
        except AttributeError:
            public = None
        if public is None or isinstance(public, (Absent, types.ModuleType)):
            below = inner_module(dotted)
            if below is not None:
                return below
        if public is None:
            return getattr(self._target(), name)  # raises, with the nearest name
        return public

    def __dir__(self) -> list[str]:
        return dir(self._target())


@functools.cache
def inner_module(path: str) -> InnerModule | None:
    """Returns the stand-in for an inner path, the same at every call, or `None` if MindSpore has no such module.

    >>> inner_module("mindspore.ops.operations").__name__
    'mindspore.ops.operations'
    """
    public = paths().get(path)
    return None if public is None else InnerModule(path, public)
