"""Stand-ins for MindSpore's inner modules, such as `mindspore.ops.operations`.

A stand-in is a module object of its own that forwards each name to the public module. It cannot be the public module
itself: the import system sets a module as an attribute of its parent, and `import mindspore.common.tensor` would put a
module over the function `tensor`.

A name is looked up in the table of `aliases.py`; in the modules of `PROVIDERS`, which have what MindSpore keeps inside
and exports nowhere, but programs import all the same; in the listing of MindSpore's modules; and in the public module
nearest by.
"""

import functools
import importlib
import importlib.machinery
import types
from typing import Any

from ms_compat._core import homes
from ms_compat._names import aliases, census, listing
from ms_compat._names.absent import (
    Absent,
    absent,
    answers_for_itself,
    completed,
    is_placeheld,
    no_attribute,
    quietly,
    served,
)

# Inner path -> the modules, asked before the listing, that have what MindSpore does not export: the names of their
# `__all__`, and what their function `made` returns for others.
PROVIDERS: dict[str, tuple[str, ...]] = {
    "mindspore._c_expression": ("ms_compat._inner.c_expression", "ms_compat._inner.compiling"),
    "mindspore._c_expression.security": ("ms_compat._inner.compiling",),
    "mindspore._extends.parse.compile_config": ("ms_compat._inner.compile_config",),
    "mindspore._c_expression.amp": ("ms_compat._inner.c_amp",),
    "mindspore._c_expression.typing": ("ms_compat._inner.c_typing",),
    "mindspore.common._register_for_tensor": ("ms_compat._inner.registry",),
    "mindspore.common._stub_tensor": ("ms_compat._inner.c_expression",),
    "mindspore.common._monad": ("ms_compat._inner.compiling",),
    "mindspore.common.dtype": ("ms_compat._inner.c_typing",),
    "mindspore.common.np_dtype": ("ms_compat._inner.c_typing",),
    "mindspore.dataset.engine.iterators": ("ms_compat._inner.dataset",),
    "mindspore.graph.api": ("ms_compat._inner.c_expression", "ms_compat._inner.compiling"),
    "mindspore.nn.probability.distribution._utils.custom_ops": ("ms_compat._inner.probability",),
    "mindspore.nn.probability.distribution._utils.utils": ("ms_compat._inner.probability",),
    "mindspore.ops.composite.base": ("ms_compat._inner.compiling",),
    "mindspore.nn.optim.thor": ("ms_compat.nn.optim.second_order",),
    "mindspore.ops.auto_generate.gen_arg_handler": ("ms_compat._inner.c_typing",),
    "mindspore.ops.auto_generate.gen_extend_func": ("ms_compat._inner.generated.primitives",),
    "mindspore.ops.auto_generate.gen_ops_def": ("ms_compat._inner.generated.primitives",),
    "mindspore.ops.auto_generate.gen_ops_prim": (
        "ms_compat._inner.generated.primitives",
        "ms_compat._inner.gradients.primitives",
        "ms_compat.ops.primitives.sequences",
    ),
    "mindspore.ops.auto_generate.pyboost_inner_prim": ("ms_compat._inner.generated.primitives",),
    "mindspore.ops.operations._csr_ops": ("ms_compat.ops.primitives.csr",),
    "mindspore.ops.operations._grad_ops": ("ms_compat._inner.gradients.primitives",),
    "mindspore.ops.operations._infer_ops": ("ms_compat._inner.generated.primitives",),
    "mindspore.ops.operations._inner_ops": (
        "ms_compat._inner.generated.primitives",
        "ms_compat.ops.primitives.sequences",
        "ms_compat._inner.unexported",
    ),
    "mindspore.ops.operations._scalar_ops": ("ms_compat.ops.primitives.sequences",),
    "mindspore.ops.operations._sequence_ops": ("ms_compat.ops.primitives.sequences",),
    "mindspore.ops.operations.manually_defined.ops_def": ("ms_compat.ops.primitives.sequences",),
    "mindspore.mindrecord.common.exceptions": ("ms_compat.mindrecord.exceptions",),
    "mindspore.ops.tensor_method": ("ms_compat._inner.tensor_methods",),
    **{
        f"mindspore.ops.operations.{name}": ("ms_compat._inner.unexported",)
        for name in "_embedding_cache_ops array_ops image_ops linalg_ops math_ops nn_ops other_ops random_ops".split()
    },
    **{
        f"mindspore.parallel._transformer{below}": ("ms_compat._inner.parallel_transformer",)
        for below in ("", ".layers", ".loss", ".moe", ".op_parallel_config", ".transformer")
    },
    "mindspore.scipy.ops": ("ms_compat._inner.unexported",),
    "mindspore.ops.operations.sparse_ops": ("ms_compat.ops.primitives.sparse_inner",),
}
# Inner paths that the listing leaves out, but programs import -> the public module nearest by.
MORE = {
    "mindspore._c_expression": "mindspore",
    "mindspore._c_expression.amp": "mindspore.amp",
    "mindspore._c_expression.op_enum": "mindspore",
    "mindspore._c_expression.security": "mindspore",
    "mindspore._c_expression.typing": "mindspore",
    "mindspore._extends.parse": "mindspore",
    "mindspore._extends.parse.compile_config": "mindspore",
    "mindspore._extends.parse.standard_method": "mindspore",
    "mindspore.ops._grad_experimental": "mindspore.ops",
    "mindspore.ops._grad_experimental.grad_comm_ops": "mindspore.ops",
    **dict.fromkeys(  # of earlier versions
        [path for path in PROVIDERS if path.startswith("mindspore.parallel._transformer")], "mindspore.parallel"
    ),
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
        return module_of(self._public) or importlib.import_module("ms_compat")

    def __getattr__(self, name: str) -> Any:
        if name == "__all__":
            return self._exported()
        if name.startswith("__"):
            raise no_attribute(self.__name__, name)
        dotted = f"{self.__name__}.{name}"
        for look in (self._elsewhere, self._provided, listing.find, self._at_public_module, self._generated):
            found = look(dotted)
            if found is not listing.NOTHING:
                return homes.rename(found)
        below = inner_module(dotted)
        if below is not None and not listing.known(dotted):
            return below
        if is_placeheld(dotted):
            return absent(dotted)
        raise no_attribute(self.__name__, name)

    def _exported(self) -> list[str]:
        if listing.names(self.__name__):
            return listing.exported(self.__name__)
        target = self._target()
        return getattr(target, "__all__", None) or [found for found in dir(target) if not found.startswith("_")]

    @staticmethod
    def _elsewhere(dotted: str) -> Any:
        below = inner_module(dotted) if dotted in MORE else None
        found = below if below is not None else aliases.find(dotted)
        return listing.NOTHING if found is None else found

    def _provided(self, dotted: str) -> Any:
        name = dotted.rpartition(".")[2]
        for provider in PROVIDERS.get(self.__name__, ()):
            module = importlib.import_module(provider)
            if name in module.__all__:
                return getattr(module, name)
            made = module.made(name) if hasattr(module, "made") else None
            if made is not None:
                return made
        return listing.NOTHING

    def _at_public_module(self, dotted: str) -> Any:
        name = dotted.rpartition(".")[2]
        there = listing.names(self._public).get(name)
        if there is not None and there.place == dotted:  # the public module would ask here in turn
            found = vars(self._target()).get(name)
        else:
            found = served(f"{self._public}.{name}")
        return listing.NOTHING if found is None or isinstance(found, types.ModuleType) else found

    def _generated(self, dotted: str) -> Any:
        if self.__name__ != "mindspore.ops.auto_generate.gen_ops_def":
            return listing.NOTHING
        (provider,) = PROVIDERS[self.__name__]
        found = importlib.import_module(provider).function_of(dotted.rpartition(".")[2])
        return listing.NOTHING if found is None else found

    def __dir__(self) -> list[str]:
        # Without the names that are not served: libraries register all that a module lists.
        names = sorted(listing.names(self.__name__)) or dir(self._target())
        with quietly():  # a hint would ask for this list
            return [name for name in names if not isinstance(getattr(self, name, None), Absent)]


@functools.cache
def inner_module(path: str) -> InnerModule | None:
    """Returns the stand-in for an inner path, the same at every call, or `None` if MindSpore has no such module.

    >>> inner_module("mindspore.ops.operations").__name__
    'mindspore.ops.operations'
    """
    public = paths().get(path)
    return None if public is None else InnerModule(path, public)


def module_of(path: str) -> types.ModuleType | None:
    """Returns the module that a path of MindSpore means, ours or a stand-in; `None` if there is none.

    >>> module_of("mindspore.ops.operations") is inner_module("mindspore.ops.operations")
    True
    """
    ours = "ms_compat" + path.removeprefix("mindspore")
    return completed(importlib.import_module(ours)) if answers_for_itself(ours) else inner_module(path)
