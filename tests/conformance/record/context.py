"""Records what MindSpore's `set_context` and its relatives accept, keep and refuse, into `data/context.json`.

Run with a Python that holds MindSpore 2.10 (CPU): `python -m tests.conformance.record context`.
"""

import json
import os
import pathlib
import tempfile

import mindspore as ms
from mindspore._c_expression import ms_ctx_param

GENERAL = {
    "save_graphs": [True, False, 0, 1, 2, 3, 4, -1, "1", 1.0, None],
    "save_graphs_path": ["./ir_dump", "", 1, None],
    "aoe_tune_mode": ["online", "offline", "nope", 1],
    "aoe_config": [{"job_type": "1"}, {"job_type": "9"}, {"nope": "1"}, "1"],
    "device_id": [0, 1, 4095, -1, 4096, 1.0, "0", True],
    "max_call_depth": [1, 1200, 0, -1, "1", 1.5, True],
    "variable_memory_max_size": ["5GB", "5", 5],
    "max_device_memory": ["3.5GB", "3.5", 3.5, "0GB"],
    "mempool_block_size": ["2GB", "2", 2],
    "print_file_path": ["out.log", 1],
    "env_config_path": ["./nope.json", "./nope.txt", 1],
    "inter_op_parallel_num": [0, 4, -1, "1", 1.5],
    "runtime_num_threads": [1, 4, 0, -1, "1", 1.5],
    "memory_optimize_level": ["O0", "O1", "O2", 0, 1],
    "exec_order": ["bfs", "dfs", "gpto", "nope", 1],
    "op_timeout": [900, 0, 1, -1, "1", 1.5],
    "deterministic": ["ON", "OFF", "on", True, 1],
    "ascend_config": [
        {"precision_mode": "must_keep_origin_dtype"},
        {"precision_mode": "nope"},
        {"nope": 1},
        {"jit_compile": True},
        {"jit_compile": "yes"},
        {"matmul_allow_hf32": True},
        {"op_precision_mode": "./nope.ini"},
        {},
        "x",
    ],
    "gpu_config": [
        {"conv_allow_tf32": True},
        {"conv_fprop_algo": "nope"},
        {"nope": 1},
        {"matmul_allow_tf32": 1},
        {},
        1,
    ],
    "jit_config": [
        {"jit_level": "O0"},
        {"jit_level": "O1"},
        {"jit_level": "O2"},
        {"jit_level": "nope"},
        {"infer_boost": "on"},
        {"infer_boost": "nope"},
        {"nope": "x"},
        {},
        "O0",
    ],
    "jit_syntax_level": [0, 1, 2, 3, -1, "LAX"],
    "debug_level": [0, 1, 2, "1"],
    "enable_graph_kernel": [True, False, 1, "yes"],
    "graph_kernel_flags": ["--opt_level=1", 1],
    "enable_reduce_precision": [True, False, 1],
    "check_bprop": [True, False, 1],
    "reserve_class_name_in_scope": [True, False, 1],
    "enable_compile_cache": [True, False, 1, None],
    "compile_cache_path": ["./cache", 1],
    "pynative_synchronize": [True, False, 1],
    "disable_format_transform": [True, False, 1],
    "support_binary": [True, False, 1],
    "enable_profiling": [True, 1],
    "profiling_options": ["training_trace", "nope", 1],
    "jit_level": ["O0", 1],
    "infer_boost": ["on", 1],
    "op_debug_option": ["oom", 1],
    "op_precision_mode": ["x", 1],
    "host_scheduling_max_threshold": ["1", 1],
    "hccl_watchdog": [True, 1],
    "topo_order": ["x"],
    "memory_offload": ["ON", "OFF", 1],
    "grad_for_scalar": [True],
    "enable_mem_offload": [True],
    "enable_sparse": [True],
    "enable_auto_mixed_precision": [True],
    "enable_debug_runtime": [True, 1],
    "enable_dump": [True],
    "enable_ge": [True],
    "save_dump_path": ["."],
    "enable_task_sink": [True],
    "enable_loop_sink": [True],
    "enable_hccl": [True],
    "enable_mem_reuse": [True],
    "auto_tune_mode": ["GA"],
    "graph_memory_max_size": ["1GB"],
    "save_compile_cache": [True],
    "load_compile_cache": [True],
    "precompile_only": [True],
    "jit_enable_inplace_ops": [True],
    "parallel_mode": ["stand_alone"],
    "device_num": [2],
    "nope": [1],
    "Mode": [0],
    "mode": [0, 1, 2, -1, "GRAPH_MODE", True, 1.0, None],
    "device_target": ["CPU", "GPU", "Ascend", "cpu", "TPU", "Davinci", "", 1, None],
}
PARALLEL = {
    "device_num": [1, 8, 0, 4097, "1", 1.5, True],
    "global_rank": [0, 7, -1, 4096, "0"],
    "gradients_mean": [True, False, 1, None],
    "gradient_fp32_sync": [True, False, 1],
    "parallel_mode": [
        "stand_alone",
        "data_parallel",
        "hybrid_parallel",
        "semi_auto_parallel",
        "auto_parallel",
        "nope",
        1,
    ],
    "auto_parallel_search_mode": ["recursive_programming", "sharding_propagation", "dynamic_programming", "nope", 1],
    "search_mode": ["recursive_programming", "sharding_propagation", "dynamic_programming", "nope", 1],
    "parameter_broadcast": [True, False, 1],
    "strategy_ckpt_load_file": ["./s.ckpt", 1],
    "strategy_ckpt_save_file": ["./s.ckpt", 1],
    "full_batch": [True, False, 1],
    "dataset_strategy": ["full_batch", "data_parallel", ((1, 8), (1, 8)), "nope", 1, (1, 2)],
    "enable_parallel_optimizer": [True, False, 1],
    "parallel_optimizer_config": [
        {"gradient_accumulation_shard": True},
        {"parallel_optimizer_threshold": 24},
        {"optimizer_weight_shard_size": 2},
        {"nope": 1},
        1,
    ],
    "enable_alltoall": [True, False, 1],
    "force_fp32_communication": [True, False, 1],
    "all_reduce_fusion_config": [[8, 160], [], "x", [1.5]],
    "pipeline_stages": [1, 2, 0, "1"],
    "pipeline_segments": [1, 2, 0],
    "pipeline_result_broadcast": [True, False, 1],
    "pipeline_config": [
        {"pipeline_interleave": True, "pipeline_scheduler": "1f1b"},
        {"pipeline_interleave": 1},
        {"nope": 1},
        1,
    ],
    "comm_fusion": [
        {"allreduce": {"mode": "auto", "config": None}},
        {"allreduce": {"mode": "size", "config": 32}},
        {"allreduce": {"mode": "index", "config": [1, 2]}},
        {"allreduce": {"mode": "nope", "config": None}},
        {"nope": {"mode": "auto", "config": None}},
        1,
    ],
    "strategy_ckpt_config": [
        {"load_file": "./s.ckpt", "save_file": "./t.ckpt", "only_trainable_params": True},
        {"nope": 1},
    ],
    "group_ckpt_save_file": ["./g.ckpt", 1],
    "auto_pipeline": [True],
    "enable_fold_pipeline": [True],
    "mirror_mean": [True],
    "cast_before_mirror": [True],
    "loss_repeated_mean": [True],
    "communi_parallel_mode": ["all_group_parallel"],
    "optimizer_weight_shard_size": [2],
    "optimizer_weight_shard_aggregated_save": [True],
    "sharding_propagation": [True],
    "grad_accumulation_step": [1],
    "grad_accumulation_shard": [True],
    "enable_all_reduce": [True],
    "nope": [1],
}
PS = {
    "enable_ps": [False, 1],
    "enable_ssl": [False, 1],
    "config_file_path": ["x.json"],
    "scheduler_manage_port": [11202, 1],
    "client_password": ["secret"],
    "server_password": ["secret"],
    "server_num": [1],
    "worker_num": [1],
    "nope": [1],
}
DEVICE = [
    ("CPU",),
    ("CPU", 0),
    ("CPU", 1),
    ("cpu",),
    ("TPU",),
    (1,),
    ("GPU",),
    ("Ascend",),
    ("CPU", -1),
    ("CPU", "0"),
    (None,),
]


def plain(value):
    """A value in a form that JSON keeps, with its Python type's name; a path loses the folder of the recording."""
    if isinstance(value, str):
        value = value.replace(os.getcwd(), "<cwd>")
    kept = isinstance(value, (bool, int, float, str, list, dict, type(None)))
    return [type(value).__name__, value if kept else repr(value)]


def attempt(call, *args, **kwargs):
    """Calls and tells what came: the value, or the name of the exception's class."""
    try:
        return {"value": plain(call(*args, **kwargs))}
    except Exception as error:  # the class is the record
        return {"error": type(error).__name__}


def cases(getter, setter, table, reset=None):
    """Records the default of each key, then each attempt to set it and what the key holds afterwards."""
    record = {}
    for key, values in table.items():
        if reset is not None:
            reset()
        default = attempt(getter, key)
        rows = []
        for value in values:
            outcome = attempt(setter, **{key: value})
            rows.append({"set": plain(value), "error": outcome.get("error"), "after": attempt(getter, key)})
        record[key] = {"default": default, "cases": rows}
    return record


def defaults():
    """Records the default of every name that the context's core knows, read before anything was set."""
    found = {name: attempt(ms.get_context, name) for name in sorted(ms_ctx_param.__members__)}
    return {name: outcome["value"] for name, outcome in found.items() if "value" in outcome}


def core_names():
    """Records what setting the rest of the core's names, to their own default, gives."""
    names = [name for name in sorted(ms_ctx_param.__members__) if name not in GENERAL]
    return {name: attempt(lambda n: ms.set_context(**{n: ms.get_context(n)}), name).get("error") for name in names}


def dump(record):
    """Writes one line a key: short, and readable in a diff."""
    lines = []
    for name, part in record.items():
        if isinstance(part, dict) and any(isinstance(value, (dict, list)) for value in part.values()):
            rows = ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in part.items())
            lines.append(f" {json.dumps(name)}: {{\n{rows}\n }}")
        else:
            lines.append(f" {json.dumps(name)}: {json.dumps(part)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        record = {
            "mindspore": ms.__version__,
            "recorded": "2026-11-20",
            "defaults": defaults(),
            "context": cases(ms.get_context, ms.set_context, GENERAL),
            "core": core_names(),
            "get_unknown": attempt(ms.get_context, "nope"),
            "get_wrong_type": attempt(ms.get_context, 1),
            "auto_parallel": cases(
                ms.get_auto_parallel_context,
                ms.set_auto_parallel_context,
                PARALLEL,
                ms.reset_auto_parallel_context,
            ),
            "ps": cases(ms.context.get_ps_context, ms.context.set_ps_context, PS),
        }
        ms.set_context(mode=1)
        record["current_device"] = attempt(ms.get_current_device)
        record["set_device"] = [
            {"args": list(args), "got": attempt(ms.set_device, *args), "after": attempt(ms.get_current_device)}
            for args in DEVICE
        ]
        record["set_deterministic"] = [
            {"args": [value], "got": attempt(ms.set_deterministic, value)} for value in (True, False, 1, "ON")
        ]
        os.chdir("/")
    target = pathlib.Path(__file__).resolve().parent.parent / "data" / "context.json"
    target.write_text(dump(record))


if __name__ == "__main__":
    main()
