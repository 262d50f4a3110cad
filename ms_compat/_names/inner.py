"""The paths of MindSpore's inner modules, such as `mindspore.ops.operations`, and which modules of ours serve them.

`resolve.InnerModule` is the module at such a path.
"""

import functools

from ms_compat._names import api_index

# Inner path -> the modules, searched before the listing, that have what MindSpore does not export: the names of their
# `__all__`, and what their function `module_attribute` returns for others.
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
# Inner paths that the listing leaves out, but programs import -> the nearest public module.
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
    return {**api_index.inner_modules(), **MORE}
