"""What may be called or given and changes nothing says so: one line of the debug log, and a row of this file.

`ACCEPTED` is read by table.py, too: these names have the status "accepted" in the coverage table.
"""

import ast
import logging

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops
from tests.coverage.evidence import PACKAGE

# name: (a call of it, why nothing changes)
ACCEPTED = {
    "mindspore.runtime.set_memory": ("ms.runtime.set_memory(init_size='2GB')", "XLA has a pool of its own"),
    "mindspore.set_memory": ("ms.set_memory(init_size='2GB')", "XLA has a pool of its own"),
    "mindspore.runtime.dispatch_threads_num": ("ms.runtime.dispatch_threads_num(4)", "XLA dispatches by itself"),
    "mindspore.dispatch_threads_num": ("ms.dispatch_threads_num(4)", "XLA dispatches by itself"),
    "mindspore.runtime.set_kernel_launch_group": ("ms.runtime.set_kernel_launch_group()", "XLA launches kernels"),
    "mindspore.set_kernel_launch_group": ("ms.set_kernel_launch_group()", "XLA launches kernels"),
    "mindspore.runtime.set_kernel_launch_capture": (
        "ms.runtime.set_kernel_launch_capture(True)",
        "XLA launches kernels",
    ),
    "mindspore.set_kernel_launch_capture": ("ms.set_kernel_launch_capture(True)", "XLA launches kernels"),
    "mindspore.runtime.set_device_limit": ("ms.runtime.set_device_limit(0)", "XLA uses all cores"),
    "mindspore.set_device_limit": ("ms.set_device_limit(0)", "XLA uses all cores"),
    "mindspore.runtime.set_stream_limit": ("ms.runtime.set_stream_limit(ms.Stream())", "XLA uses all cores"),
    "mindspore.set_stream_limit": ("ms.set_stream_limit(ms.Stream())", "XLA uses all cores"),
    "mindspore.runtime.reset_stream_limit": ("ms.runtime.reset_stream_limit(ms.Stream())", "XLA uses all cores"),
    "mindspore.reset_stream_limit": ("ms.reset_stream_limit(ms.Stream())", "XLA uses all cores"),
    "mindspore.runtime.StreamLimitCtx": ("ms.runtime.StreamLimitCtx(ms.Stream()).__enter__()", "XLA uses all cores"),
    "mindspore.StreamLimitCtx": ("ms.StreamLimitCtx(ms.Stream()).__enter__()", "XLA uses all cores"),
    "mindspore.runtime.use_mem_pool": (
        "ms.runtime.use_mem_pool(ms.MemPool(None)).__enter__()",
        "XLA has a pool of its own",
    ),
    "mindspore.use_mem_pool": ("ms.use_mem_pool(ms.MemPool(None)).__enter__()", "XLA has a pool of its own"),
    "mindspore.runtime.memory_replay": ("ms.runtime.memory_replay(__file__)", "XLA has a pool of its own"),
    "mindspore.memory_replay": ("ms.memory_replay(__file__)", "XLA has a pool of its own"),
    "mindspore.set_mindio_server_info": ("ms.set_mindio_server_info()", "there is no MindIO"),
    "mindspore.no_inline": ("ms.no_inline(print)", "XLA decides what is inlined"),
    "mindspore.set_dump": ("ms.set_dump(net)", "MindSpore writes its dumps on Ascend alone"),
    "mindspore.lazy_inline": ("ms.lazy_inline()(type(net).__init__)", "XLA decides what is inlined"),
    "mindspore.set_algo_parameters": ("ms.set_algo_parameters(fully_use_devices=False)", "XLA partitions"),
    "mindspore.nn.Cell.set_boost": ("net.set_boost('less_bn')", "'mindspore.boost' chooses its ways itself"),
    "mindspore.nn.Cell.set_data_parallel": ("net.set_data_parallel()", "shardings decide"),
    "mindspore.nn.Cell.set_broadcast_flag": ("net.set_broadcast_flag()", "arrays are global"),
    "mindspore.nn.Cell.set_jit_config": ("net.set_jit_config(ms.JitConfig('O1'))", "XLA has one level"),
    "mindspore.nn.Cell.remove_redundant_parameters": ("net.remove_redundant_parameters()", "arrays are global"),
    "mindspore.nn.Cell.place": ("net.place('MS_WORKER', 0)", "there is one worker"),
    "mindspore.Tensor.set_cast_dtype": ("x.set_cast_dtype(ms.float16)", "casts are made where they are written"),
}
# A call with an argument that changes nothing: the argument, as the log names it.
ARGUMENTS = {
    "x.to(ms.float16, non_blocking=True)": "non_blocking",
    "x.move_to('CPU', blocking=False)": "blocking",
    "x.new_zeros((2,), device='CPU')": "device",
    "ms.mint.empty((2,), device='CPU')": "device",
    "nn.Dropout(p=0.5, dtype=ms.float16)": "dtype",
    "x.to_('CPU', non_blocking=True)": "non_blocking",
    "ms.mint.rand(2, device='CPU')": "device",
    "ms.mint.cdist(x, x, 2.0, 'donot_use_mm_for_euclid_dist')": "compute_mode",
    "ms.mint.repeat_interleave(x, 2, output_size=12)": "output_size",
    "Parameter(x, name='p').init_data(set_sliced=True)": "set_sliced",
    "nn.Adam(net.trainable_params(), use_locking=True)": "use_locking",
    "ms.jit(lambda a: a, jit_level='O1')": "jit_level",
    "ms.set_context(enable_reduce_precision=True)": "enable_reduce_precision",
    "net.recompute(mp_comm_recompute=False)": "recompute",
    "nn.DistributedGradReducer(net.trainable_params(), fusion_type=2)": "fusion_type",
    "ms.scipy.linalg.solve_triangular(x[:, :2], x[0, :2], check_finite=False)": "check_finite",
    "ops.DepthwiseConv2dNative(1, (1, 1), group=2)(x.reshape((1, 2, 3, 1)), ops.ones((1, 2, 1, 1)))": "group",
}


@pytest.fixture
def space():
    names = {"ms": ms, "ops": ops, "nn": nn, "Parameter": Parameter, "print": print, "type": type, "__file__": __file__}
    return {**names, "net": nn.Dense(2, 3), "x": Tensor(np.ones((2, 3), np.float32))}


@pytest.mark.parametrize("name", ACCEPTED)
def test_a_call_without_effect_is_logged(name, space, caplog):
    call, _ = ACCEPTED[name]
    assert f".{name.rpartition('.')[2]}(" in call
    with caplog.at_level(logging.DEBUG, "ms_compat"):
        eval(call, space)
    assert [record for record in caplog.records if record.name == "ms_compat" and record.levelno == logging.DEBUG]


@pytest.mark.parametrize("call", ARGUMENTS)
def test_an_argument_without_effect_is_logged(call, space, caplog):
    with caplog.at_level(logging.DEBUG, "ms_compat"):
        eval(call, space)
    assert [record for record in caplog.records if ARGUMENTS[call] in record.getMessage()]


# Parameters that the body of their function does not mention, by the reason why it need not.
UNUSED = {
    "asks for what is always so": """
        _tensor/overloads.py:sort_method.stable _tensor/overloads.py:argsort.stable
        ops/function/indexing/sort.py:sort_ext.stable _core/tensor/parameter.py:set_data
        ops/function/indexing/sort.py:argsort_ext.stable ops/function/indexing/sort.py:unique_sorted
        dataset/dataloader/loader.py:__init__.in_order ops/function/indexing/scatter.py:index_add.use_lock
        common/initializer.py:fill.slice_index ops/primitive.py:constexpr _extends.py:cell_attr_register
        ops/primitives/attention.py:_group_topk.idx_arr ops/function/sparse/coordinates.py:sparse_to_dense_v2
        ops/function/sparse/coordinates.py:ragged_to_sparse.Tsplits ops/function/sparse/csr.py:csr_softmax.dtype
        ops/function/sparse/sets.py:check_operation ops/function/sparse/sets.py:dense_to_dense_set_operation
        ops/function/sparse/sets.py:dense_to_sparse_set_operation ops/function/sparse/sets.py:set_size
    """,
    "a rule of a table, whose rules all take the equation": """
        _formats/mindir/lowering/elementwise.py:invert.eqn _formats/mindir/lowering/elementwise.py:same.low
        _formats/mindir/lowering/elementwise.py:same.eqn _formats/mindir/lowering/elementwise.py:cbrt.eqn
        _formats/mindir/lowering/shapes.py:dynamic_update_slice.eqn
    """,
    "the check of the arguments lets one value through": """
        ops/primitives/network.py:_basic_lstm ops/primitives/network.py:_dilation.data_format
        ops/primitives/network.py:_depthwise.mode ops/primitives/network.py:_offsets.data_format
        ops/primitives/network.py:_offsets.modulated
    """,
    "MindSpore does not use it either": """
        numpy/_analysis.py:histogram_bin_edges.weights
        ops/function/shape/create.py:range.maxlen ops/primitives/array.py:_range.maxlen
        ops/primitives/array.py:_unstack.num
    """,
    "belongs to a signature that callers or subclasses rely on": """
        _core/jax_compat/symbolic_sizes.py:at_least
        _tensor/runtime_state.py:set_cast_dtype amp/loss_scaler.py:adjust mint/nn/_trained.py:__init__
        nn/layer/basic.py:__init__
        nn/wrap/loss_scale.py:start_overflow_check nn/wrap/loss_scale.py:get_overflow_status
        nn/wrap/micro_batch.py:__init__.parameters nn/optim/base.py:construct ops/function/update/assign.py:load
        ops/function/sparse/csr.py:csr_nnz
        ops/function/update/steps.py:heavy_ball.use_nesterov ops/primitive.py:check_elim
        _core/dispatch/shared_storage.py:backward.base ops/_parameter_server.py:__init__
    """,
    "logged, as it has no effect": """
        rewrite/symbol_tree.py:set_class_ast.ast_node rewrite/symbol_tree.py:set_init_func_ast.ast_node
    """,
    "the function raises whatever it is given": """
        dataset/_base/dataset.py:to_device ops/_parameter_server.py:__call__
        train/model.py:infer_train_layout train/model.py:infer_predict_layout
    """,
}
# Functions of these are called by the machinery with what it has, not by users with what they want.
INNER = (
    "_autograd/", "_compile/", "_core/compiled/nodes.py", "_inner/", "_names/", "cli/", "dataset/_processes/start.py",
    "install.py", "pytest.py",
    "train/callback/",
)  # fmt: skip


def unused_parameters():
    """`path:function.parameter` of every parameter that the body of a public function does not mention."""
    for path in sorted(PACKAGE.rglob("*.py")):
        if str(path.relative_to(PACKAGE)).startswith(INNER):
            continue
        tree = ast.parse(path.read_text("utf-8"))
        outer = [tree, *[node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]]
        for function in (node for scope in outer for node in scope.body if isinstance(node, ast.FunctionDef)):
            faces = path.parent.name == "primitives" and not function.name.startswith("_check")
            if function.name.startswith("_") and not faces and function.name not in ("__init__", "__call__"):
                continue
            body = [s for s in function.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
            used = {node.id for statement in body for node in ast.walk(statement) if isinstance(node, ast.Name)}
            if all(isinstance(statement, (ast.Pass, ast.Raise)) for statement in body) or "locals" in used:
                continue
            given = function.args
            every = (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg)
            for name in (arg.arg for arg in every if arg is not None):
                if name not in used and name not in ("self", "cls") and not name.startswith("_"):
                    yield f"{path.relative_to(PACKAGE)}:{function.name}.{name}"


def test_no_parameter_is_ignored_without_a_word():
    settled = {entry for text in UNUSED.values() for entry in text.split()}
    found = list(unused_parameters())
    assert [entry for entry in found if entry not in settled and entry.rpartition(".")[0] not in settled] == []
    assert [entry for entry in settled if not any(f.startswith(entry) for f in found)] == []
