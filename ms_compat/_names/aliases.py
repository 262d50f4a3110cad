"""Names defined elsewhere: from earlier versions, from MindSpore's inner modules, and public ones seldom used.

They are looked up when a package lacks a name, before it says so. `TABLE` has an old name and what it is now; what
follows a colon is a name in this package's own modules. `HOMES` has the modules that hold many, which are imported
when a script uses the first of their names, never by `import ms_compat`.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

TABLE = {
    "mindspore.ms_class": "mindspore.jit_class",
    "mindspore.CellList": "mindspore.nn.CellList",
    "mindspore.nn.ResizeBilinear": "ms_compat._inner.resize:ResizeBilinearCell",
    "mindspore.ops.ResizeBilinear": "ms_compat._inner.resize:ResizeBilinear",
    "mindspore.dataset.WaitedDSCallback": "ms_compat.dataset._sync_callback:WaitedDSCallback",
    "mindspore.dataset.callback.WaitedDSCallback": "ms_compat.dataset._sync_callback:WaitedDSCallback",
    "mindspore.common.parameter._Buffer": "ms_compat.nn._cell.attributes:Buffer",
    "mindspore.nn._Loss": "mindspore.nn.LossBase",
    "mindspore.nn.Loss": "mindspore.nn.LossBase",
    "mindspore.ops.TensorAdd": "mindspore.ops.Add",
    "mindspore.ops.GatherV2": "mindspore.ops.Gather",
    "mindspore.ops.SELU": "mindspore.ops.SeLU",
    "mindspore.ops.gather_v2": "mindspore.ops.gather",
    "mindspore.ops.P": "ms_compat.ops:operations",
    "mindspore._extends.parse.standard_method.ms_len": "builtins:len",
    "mindspore.common.sparse_tensor.RowTensorInner": "ms_compat._core.tensor.sparse:RowTensorInner",
    "mindspore.graph.api._JitExecutor": "ms_compat._compile.function:CompiledFunction",
    "mindspore.common.api._MindsporeFunctionExecutor": "ms_compat._compile.function:CompiledFunction",
    "mindspore.common.tensor._TensorMeta": "ms_compat._core.tensor:_Printed",
    "mindspore._c_expression.op_enum.str_to_enum": "ms_compat._inner.ops:str_to_enum",
    "mindspore.ops._utils.arg_handler.str_to_enum": "ms_compat._inner.ops:str_to_enum",
    "mindspore.ops.auto_generate.gen_ops_def.format_cast": "ms_compat._inner.generated.fused:format_cast",
    "mindspore.ops.auto_generate.gen_ops_def.index": "ms_compat.ops.function.indexing.gather:index",
    "mindspore.ops.reshard": "mindspore.reshard",
    "mindspore.ops.reshape_": "mindspore.ops.reshape",
    "mindspore.ops.soft_shrink": "mindspore.ops.softshrink",
    "mindspore.ops.composite.ones_like": "ms_compat.ops._language:_ones_like_for_grad",
    "mindspore.ops.composite.multitype_ops.ones_like": "ms_compat.ops._language:_ones_like_for_grad",
    "mindspore.ops.composite.multitype_ops.ones_like_impl.ones_like": "ms_compat.ops._language:_ones_like_for_grad",
    "mindspore.ops.composite.zeros_like": "ms_compat.ops._language:zeros_like_nested",
    "mindspore.ops.composite.multitype_ops.zeros_like": "ms_compat.ops._language:zeros_like_nested",
    "mindspore.ops.composite.multitype_ops.zeros_like_impl.zeros_like": "ms_compat.ops._language:zeros_like_nested",
    "mindspore.ops.composite.matmul": "mindspore.ops.matmul",
    "mindspore.ops.function.nn_func.linear": "mindspore.ops.dense",
    "mindspore.ops.function.nn_func._get_cache_prim": "ms_compat.ops._primitive_cache:_get_cache_prim",
    "mindspore.ops.function.nn_func._innner_log_softmax": "mindspore.ops.log_softmax",
    "mindspore.ops.function.array_func.split_ext": "mindspore.mint.split",
    "mindspore.mint.batch_norm_elemt": "ms_compat._inner.generated.fused:batch_norm_elemt",
    "mindspore.mint.batch_norm_gather_stats_with_counts": "ms_compat._inner.generated.fused:_gather_stats",
    "mindspore.mint.batch_norm_stats": "ms_compat._inner.generated.fused:_stats",
    "mindspore.mint.clip": "mindspore.mint.clamp",
    "mindspore.train.serialization.context": "ms_compat:context",
    "mindspore.train.serialization.Validator": "ms_compat._checkparam:Validator",
    "mindspore.dataset.context": "ms_compat:context",
    "mindspore.dataset.transforms.transforms.PyTensorOperation": "ms_compat.dataset.transforms.base:Transform",
    "mindspore.dataset.transforms.transforms.TensorOperation": "ms_compat.dataset.transforms.base:Transform",
    "mindspore.dataset.text.transforms.TextTensorOperation": "ms_compat.dataset.transforms.base:Transform",
    "mindspore._Function": "ms_compat._autograd.function:_Function",
    "mindspore._no_grad": "ms_compat._autograd.function:_no_grad",
    "mindspore.DeviceCtx": "ms_compat.common.device:DeviceCtx",
    "mindspore.Symbol": "ms_compat.common.symbol:Symbol",
    "mindspore.enable_dynamic": "ms_compat.graph.dynamic:enable_dynamic",
    "mindspore.flops_collection": "ms_compat.graph.flops_collection:flops_collection",
    "mindspore.ops.recompute_block": "ms_compat.common.hints:recompute_block",
    "mindspore.profiler.profiler.analyse": "ms_compat.profiler.environment:analyse",
    "mindspore.profiler.DynamicProfilerMonitor": "ms_compat._inner.profiling.monitor:DynamicProfilerMonitor",
    "mindspore._null": "ms_compat._inner.c_typing:null",
    "mindspore._NullType": "ms_compat._inner.c_typing:TypeNull",
    "mindspore.Int": "ms_compat._core.dtype:Int",
    "mindspore.scipy.utils._nd_transpose": "ms_compat._inner.ops:_nd_transpose",
    "mindspore.scipy.ops_wrapper.matrix_set_diag": "ms_compat._inner.ops:matrix_set_diag",
    "mindspore.utils.get_sdc_detect_result": "ms_compat._inner.train:get_sdc_detect_result",
    "mindspore.utils.sdc_detect_start": "ms_compat._inner.train:sdc_detect_start",
    "mindspore.utils.sdc_detect_stop": "ms_compat._inner.train:sdc_detect_stop",
    "mindspore.swap_tensors": "ms_compat._inner.train:swap_tensors",
    "mindspore.ms_memory_recycle": "ms_compat._inner.c_expression:ms_memory_recycle",
    "mindspore.mindio_preload": "ms_compat._inner.file_system:mindio_preload",
    "mindspore.set_mindio_server_info": "ms_compat._inner.file_system:set_mindio_server_info",
    "mindspore.common.file_system.mindio_preload": "mindspore.mindio_preload",
    "mindspore.common.file_system.set_mindio_server_info": "mindspore.set_mindio_server_info",
}
# Module of this package -> {package of MindSpore: the names it has from there}.
HOMES = {
    "ms_compat.ops._language": {
        "mindspore.ops": "TensorToTuple _ones_like_for_grad array_to_scalar hastype is_sequence_shape_unknown "
        "is_dynamic_sequence_element_unknown is_sequence_value_unknown is_tensor_bool_cond switch switch_layer tail "
        "zip_operation",
    },
    "ms_compat.ops._kernel_info": {
        "mindspore.ops": "AiCPURegOp AkgAscendRegOp AkgGpuRegOp CpuRegOp CustomRegOp DataType TBERegOp "
        "custom_info_register kernel ms_kernel op_info_register",
    },
    "ms_compat._inner.c_amp": {
        "mindspore.train.amp": "AmpLevel create_amp_strategy pop_amp_strategy push_amp_strategy",
    },
    "ms_compat._inner.compiling": {
        "mindspore.nn.cell": "cells_compile_cache",
    },
    "ms_compat._inner.dataset": {
        "mindspore.dataset.engine.datasets": "AudioBaseDataset SourceDataset TextBaseDataset UnionBaseDataset "
        "VisionBaseDataset _reset_training_dataset _set_training_dataset",
    },
    "ms_compat._inner.dataset_checks": {
        "mindspore.dataset.vision.utils": "DecodeParams VideoFrameDvpp check_file check_value parse_padding type_check "
        "type_check_list",
        "mindspore.dataset.text.utils": "check_from_dataset check_from_dataset_sentencepiece check_from_dict "
        "check_from_file check_from_file_sentencepiece check_from_file_vectors check_from_list check_ids_to_tokens "
        "check_save_model check_tokens_to_ids check_vocab",
    },
    "ms_compat.dataset.config": {"mindspore.dataset.vision.utils": "get_video_backend"},
    "ms_compat._inner.registry": {
        "mindspore.ops.vm_impl_registry": "VmImplRegistry",
        "mindspore.ops._register_for_op": "Registry",
        "mindspore.ops": "tensor_operator_registry vm_impl_registry get_vm_impl_fn",
    },
    "ms_compat._inner.nn": {
        "mindspore.common.initializer": "_assignment _init_random_uniform _init_random_normal _calculate_in_and_out "
        "_INITIALIZER_ALIAS",
        "mindspore.amp": "_grad_scale_map _grad_unscale_map",
        "mindspore.nn.loss.loss": "_Loss",
        "mindspore.nn.optim.optimizer": "opt_init_args_register",
        "mindspore.nn.wrap.loss_scale": "grad_scale shard_grad_scale",
        "mindspore.nn.wrap.cell_wrapper": "_MicroBatch _VirtualDatasetCell grad_scale",
        "mindspore.nn.wrap.grad_reducer": "grad_scale shard_grad_scale",
        "mindspore.parallel.nn.parallel_grad_reducer": "grad_scale shard_grad_scale",
        "mindspore.ops.operations": "_VirtualDataset",
        "mindspore.ops.operations.comm_ops": "_VirtualDataset",
        "mindspore.nn.layer.activation": "_activation",
        "mindspore.nn.layer.conv": "_deconv_output_length _check_input_3d",
        "mindspore.nn.layer.rnn_cells": "_lstm_cell _gru_cell _rnn_tanh_cell _rnn_relu_cell",
        "mindspore.ops.function.nn_func": "multi_head_attention_forward",
        "mindspore.ops.function.grad.grad_func": "custom_vjp",
    },
    "ms_compat._inner.ops": {
        "mindspore.ops": "ControlDepend Reshard _Vmap control_depend",
        "mindspore.ops.primitive": "_run_op",
        "mindspore.ops.operations._sequence_ops": "TensorToScalar",
        "mindspore.ops.function.nn_func": "_inner_pad _inner_dropout _in_projection _in_projection_packed",
        "mindspore.ops.composite.multitype_ops._compile_utils": "_tensor_getitem _tensor_setitem "
        "_tensor_getitem_origin _tensor_setitem_origin",
    },
    "ms_compat._inner.layout_info": {"mindspore.parallel.shard": "_DistributedTensorInfo"},
    "ms_compat._inner.random": {"mindspore.ops.operations._inner_ops": "Generator"},
    "ms_compat._inner.seeds": {
        "mindspore.common.seed": "_get_graph_seed",
        "mindspore.ops.primitive": "_get_seed _set_prim_op_user_data",
        "mindspore.ops.function.nn_func": "_get_seed _set_prim_op_user_data",
        "mindspore.ops.function.random_func": "_get_graph_seed _get_seed _set_prim_op_user_data",
    },
    "ms_compat._inner.functions": {
        "mindspore.mint": "addcmul",
        "mindspore.ops.function.array_func": "chunk_ext index_fill_ext max_ext min_ext new_ones new_zeros one_hot_ext "
        "repeat_interleave_ext",
        "mindspore.ops.function.clip_func": "apply_global_norm get_square_sum",
        "mindspore.ops.function.math_func": "addcmul_ext arrange as_strided gmm_backward mean_ext mul_ext "
        "remainder_ext",
        "mindspore.ops.function.nn_func": "_check_attn_mask_shape _check_kpm_shape _check_qkv_shape "
        "_interploate_ext_make_tuple _interpolate_ext_scale_factor_convert_size _scaled_dot_product_attention",
        "mindspore.ops.function.random_func": "uniform_ext",
        "mindspore.ops.functional_overload": "rmod",
    },
    "ms_compat._inner.checkpoint": {
        "mindspore.train.serialization": "_exec_save _get_merged_param_data _load_dismatch_prefix_params "
        "_parse_ckpt_proto tensor_to_ms_type tensor_to_np_type",
    },
    "ms_compat._formats.sliced.strategy": {
        "mindspore.train.serialization": "_convert_to_list",
        "mindspore.parallel._parallel_serialization": "_convert_to_list",
    },
    "ms_compat._formats.checkpoint.schema": {
        "mindspore.train.serialization": "Checkpoint",
    },
    "ms_compat._formats.sliced.redundancy": {
        "mindspore.train._utils": "get_parameter_redundancy remove_param_redundancy",
    },
    "ms_compat._inner.train": {
        "mindspore.train.callback": "_CallbackManager _InternalCallbackParam _checkpoint_cb_for_save_op _set_cur_net",
        "mindspore.train.serialization": "_is_auto_parallel_mode",
        "mindspore.train.callback._callback": "CallbackManager _handle_loss checkpoint_cb_for_save_op set_cur_net",
        "mindspore.train.callback._checkpoint": "_chg_ckpt_file_name_if_same_exist",
        "mindspore.train._utils": "_construct_tensor_list _make_directory",
        "mindspore.common.parameter": "_get_unique_parameter_key",
        "mindspore.train.model": "_StepSync _transfer_tensor_to_tuple",
        "mindspore.context": "_get_mode",
        "mindspore.ops._grad_experimental.grad_comm_ops": "get_squared_device_local_norm_param",
        "mindspore.numpy.utils": "_raise_type_error _to_tensor",
        "mindspore.numpy.utils_const": "_raise_value_error _raise_type_error _raise_index_error _raise_runtime_error",
        "mindspore.numpy.math_ops": "_raise_value_error _raise_runtime_error",
        "mindspore.train.amp": "_auto_black_list _auto_mixed_precision_rewrite",
        "mindspore.parallel._utils": "_device_number_check _get_parameter_broadcast _reset_op_id",
        "mindspore.parallel._cost_model_context": "reset_cost_model_context set_cost_model_context "
        "_set_multi_subgraphs _set_rp_matmul_mem_coef",
        "mindspore.parallel._ps_context": "_is_role_sched _is_role_pserver _is_role_worker _is_ps_mode",
        "mindspore.communication._comm_helper": "_is_initialized Backend",
        "mindspore.log": "_LogActionOnce",
        "mindspore.dataset.core.validator_helpers": "INT32_MAX",
    },
}


@functools.cache
def table() -> dict[str, str]:
    """Returns `{dotted name: what it is}`, with the names in `HOMES`."""
    return TABLE | {
        f"{package}.{name}": f"{module}:{name}"
        for module, packages in HOMES.items()
        for package, names in packages.items()
        for name in names.split()
    }


@functools.cache
def find(dotted: str) -> Any:
    """Returns what an earlier name is here, or `None`.

    >>> import ms_compat
    >>> find("mindspore.ms_class") is ms_compat.jit_class
    True
    """
    target = table().get(dotted)
    if target is None:
        return None
    module, _, name = target.rpartition(":") if ":" in target else target.rpartition(".")
    if module.partition(".")[0] == "mindspore":
        module = "ms_compat" + module.removeprefix("mindspore")
    return getattr(importlib.import_module(module), name, None)
