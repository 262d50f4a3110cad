"""The table behind `set_context`: each key's default, the values that it accepts, and where it has an effect.

Defaults and refusals are MindSpore's (tests/conformance/data/context.json). A key that steers only the other engine
(its memory pools, its fusion passes, its Ascend runtime) is kept and can be read back; one debug line says that it
changes nothing here, where XLA decides.
"""

import difflib
import os
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ms_compat._core.checks import check_choice
from ms_compat._core.errors import type_error, value_error

API = "context.set_context"
GRAPH_MODE, PYNATIVE_MODE = 0, 1
STRICT, COMPATIBLE, LAX = 0, 1, 2
RELEASE, DEBUG = 0, 1
TARGETS = ("CPU", "GPU", "Ascend", "Davinci")  # "Davinci" is the chip's older name

Convert = Callable[[str, Any], Any]
_ASCEND, _GPU, _BOTH = ("Ascend",), ("GPU",), ("Ascend", "GPU")


class Key(NamedTuple):
    """One key: `set_context(name=value)`.

    Attributes:
        default: what `get_context` gives before anything was set.
        types: the types the value may have; `None` admits all and leaves the judgement to `convert`.
        convert: `(name, value) -> what is kept`; raises `ValueError`.
        targets: the device targets for which the value is kept; on another it is ignored, as in MindSpore.
        acts: whether ms_compat does something with it.
        wrong_type: the class MindSpore raises for a wrong type; keys that bypass its check give a `RuntimeError`.
        hint: a sentence for whom gave a wrong type.
    """

    default: Any
    types: tuple[type, ...] | None
    convert: Convert | None = None
    targets: tuple[str, ...] = ()
    acts: bool = False
    wrong_type: type[Exception] = TypeError
    hint: str = ""


def _one_of(*choices: Any) -> Convert:
    def converted(name: str, value: Any) -> Any:
        check_choice(API, name, value, choices)
        return value

    return converted


def _at_least(low: int, high: int | None = None) -> Convert:
    def converted(name: str, value: int) -> int:
        if value < low or (high is not None and value > high):
            raise value_error(API, name, f">= {low}" if high is None else f"in range [{low}, {high}]", value)
        return int(value)

    return converted


def _mode(name: str, value: Any) -> int:
    if value not in (GRAPH_MODE, PYNATIVE_MODE):
        raise value_error(API, name, "context.GRAPH_MODE (0) or context.PYNATIVE_MODE (1)", value)
    return int(value)


def _target(name: str, value: Any) -> str:
    check_choice(API, name, value, TARGETS)
    return "Ascend" if value == "Davinci" else value


def _optimize_level(name: str, value: Any) -> int:
    return ("O0", "O1").index(_one_of("O0", "O1")(name, value))


def _save_graphs(name: str, value: int) -> int:
    level = 2 if value is True else int(value)
    if level > 3:
        raise value_error(API, name, "a bool or an int in range [0, 3]", value)
    return level


def _folder(name: str, value: Any) -> str:
    if value is None or not value.strip():
        raise value_error(API, name, "a non-empty str", value)
    return os.path.abspath(value)


def _existing_file(name: str, value: str) -> str:
    path = os.path.abspath(value)
    if not os.path.isfile(path) or not path.endswith(".json"):
        raise value_error(API, name, "the path of an existing .json file", value)
    return path


def _gigabytes(keep: Callable[[str], Any]) -> Convert:
    def converted(name: str, value: str) -> Any:
        if not re.fullmatch(r"[1-9]\d*(\.\d+)?GB|0\.\d*[1-9]\d*GB", value):
            raise value_error(API, name, "a positive number followed by 'GB', such as '3.5GB'", value)
        return keep(value[:-2])

    return converted


def _choices(table: Mapping[str, tuple[Any, ...] | None]) -> Convert:
    """Checks a dict of options: the keys must be the table's, a value one of its row (`None`: any)."""

    def converted(name: str, value: dict[str, Any]) -> dict[str, Any]:
        for option, setting in value.items():
            check_choice(API, f"key of {name}", option, table)
            row = table[option]
            if row is not None and setting not in row:
                raise value_error(API, f"{name}['{option}']", f"one of {list(row)}", setting)
        return dict(value)

    return converted


def _through_ascend_config(name: str, value: Any) -> Any:
    raise ValueError(
        f"For '{API}', '{name}' is a part of 'ascend_config': set_context(ascend_config={{{name!r}: ...}})."
    )


def _read_only(name: str, value: Any) -> Any:
    raise AttributeError(f"For '{API}', the key '{name}' can be read only.")


ASCEND_OPTIONS: dict[str, tuple[Any, ...] | None] = {
    "precision_mode": (
        "force_fp16",
        "allow_fp32_to_fp16",
        "allow_mix_precision",
        "must_keep_origin_dtype",
        "force_fp32",
        "allow_fp32_to_bf16",
        "allow_mix_precision_fp16",
        "allow_mix_precision_bf16",
    ),
    "jit_compile": (True, False),
    "atomic_clean_policy": (0, 1),
    "matmul_allow_hf32": (True, False),
    "conv_allow_hf32": (True, False),
    "op_precision_mode": None,
    "op_debug_option": ("oom",),
    "ge_options": None,
    "topo_order": None,
    "exception_dump": None,
    "host_scheduling_max_threshold": None,
    "hccl_watchdog": (True, False),
    "parallel_speed_up_json_path": None,
}
_CONV = ("normal", "performance")
_CONV_ALGORITHMS = (
    "implicit_gemm",
    "precomp_gemm",
    "gemm",
    "direct",
    "fft",
    "fft_tiling",
    "winograd",
    "winograd_nonfused",
)
_GRAD_ALGORITHMS = ("algo_0", "algo_1", "algo_3", "fft", "fft_tiling", "winograd_nonfused")
GPU_OPTIONS: dict[str, tuple[Any, ...] | None] = {
    "conv_fprop_algo": _CONV + _CONV_ALGORITHMS,
    "conv_dgrad_algo": _CONV + _GRAD_ALGORITHMS + ("winograd",),
    "conv_wgrad_algo": _CONV + _GRAD_ALGORITHMS,
    "conv_allow_tf32": (True, False),
    "matmul_allow_tf32": (True, False),
}
JIT_OPTIONS: dict[str, tuple[Any, ...] | None] = {"jit_level": ("O0", "O1", "O2"), "infer_boost": ("on", "off")}

KEYS: dict[str, Key] = {
    "mode": Key(PYNATIVE_MODE, (int,), _mode, acts=True, hint="Use mindspore.GRAPH_MODE or mindspore.PYNATIVE_MODE."),
    "device_target": Key(None, (str,), _target, acts=True),
    "device_id": Key(0, (int,), _at_least(0, 4095), acts=True),
    "save_graphs": Key(0, (bool, int), _save_graphs, acts=True),
    "save_graphs_path": Key(".", (str,), _folder, acts=True),
    "deterministic": Key("OFF", (str,), _one_of("ON", "OFF"), acts=True),
    "max_call_depth": Key(1000, (int,), _at_least(1), acts=True),
    "enable_compile_cache": Key(None, (bool,), acts=True),
    "compile_cache_path": Key("", (str,), acts=True, wrong_type=RuntimeError),
    "pynative_synchronize": Key(False, (bool,), acts=True),
    "jit_syntax_level": Key(LAX, (int,), _one_of(STRICT, COMPATIBLE, LAX)),
    "jit_config": Key({}, (dict,), _choices(JIT_OPTIONS)),
    "debug_level": Key(RELEASE, (int,), _one_of(RELEASE, DEBUG)),
    "reserve_class_name_in_scope": Key(True, (bool,)),
    "check_bprop": Key(False, (bool,)),
    "enable_graph_kernel": Key(False, (bool,)),
    "graph_kernel_flags": Key("", (str,)),
    "memory_optimize_level": Key(0, None, _optimize_level),
    "exec_order": Key("bfs", None, _one_of("bfs", "dfs")),
    "op_timeout": Key(900, (int,), _at_least(0)),
    "inter_op_parallel_num": Key(0, (int,), _at_least(0)),
    "runtime_num_threads": Key(os.cpu_count() or 1, (int,), _at_least(0)),
    "env_config_path": Key("", (str,), _existing_file),
    "aoe_tune_mode": Key("", (str,), _one_of("online", "offline")),
    "aoe_config": Key({}, (dict,), _choices({"job_type": ("1", "2")})),
    "profiling_options": Key("training_trace", (str,)),
    "support_binary": Key(False, (bool,)),
    "ascend_config": Key({}, (dict,), _choices(ASCEND_OPTIONS), _ASCEND),
    "gpu_config": Key({}, (dict,), _choices(GPU_OPTIONS), _GPU, acts=True),
    "variable_memory_max_size": Key("0", (str,), _gigabytes(str), _ASCEND),
    "max_device_memory": Key(1024.0, (str,), _gigabytes(float), _BOTH),
    "mempool_block_size": Key(1.0, (str,), _gigabytes(float), _BOTH),
    "print_file_path": Key("", (str,), _folder, _ASCEND),
    "enable_reduce_precision": Key(True, (bool,), targets=_ASCEND),
    "disable_format_transform": Key(False, (bool,), targets=_GPU),
    "topo_order": Key("", None),
    "enable_debug_runtime": Key(False, None),
    "enable_ge": Key(False, None, _read_only),  # Ascend's graph engine
}
# Keys that MindSpore passes to its core without a type check of its own.
KEYS |= {
    name: Key(default, (type(default),), wrong_type=RuntimeError)
    for name, default in {
        "aoe_job_type": "2",
        "bias_add_comm_swap": False,
        "compute_communicate_fusion_level": 0,
        "conv_allow_tf32": True,
        "conv_dgrad_algo": "normal",
        "conv_fprop_algo": "normal",
        "conv_wgrad_algo": "normal",
        "cur_step_num": 0,
        "dataset_broadcast_opt_level": 0,
        "enable_allreduce_slice_to_reducescatter": False,
        "enable_begin_end_inline_opt": False,
        "enable_concat_eliminate_opt": False,
        "enable_flash_attention_load_balance": False,
        "enable_fused_cast_add_opt": False,
        "enable_grad_comm_opt": False,
        "enable_interleave_parallel_branch": False,
        "enable_interleave_split_concat_branch": False,
        "enable_offloading_packed_experts": True,
        "enable_opt_shard_comm_opt": False,
        "enable_parallel_split": False,
        "enable_profiling": False,
        "enable_task_opt": False,
        "hccl_watchdog": True,
        "infer_boost": "off",
        "interleaved_layernorm_comm": False,
        "interleaved_matmul_comm": False,
        "jit_level": "",
        "last_triggered_step": 0,
        "matmul_allow_tf32": False,
        "matmul_grad_comm_overlap": "",
        "need_ckpt": False,
        "pp_1f1b_overlap": "",
        "recompute_allgather_overlap_fagrad": False,
        "recompute_comm_overlap": "",
        "save_checkpoint_steps": 0,
    }.items()
}
KEYS |= {name: KEYS[name]._replace(acts=True) for name in ("conv_allow_tf32", "matmul_allow_tf32")}
# Readable, but settable only inside `ascend_config`.
KEYS |= {
    name: Key("", None, _through_ascend_config)
    for name in (
        "atomic_clean_policy",
        "conv_allow_hf32",
        "ge_options",
        "host_scheduling_max_threshold",
        "jit_compile",
        "matmul_allow_hf32",
        "op_debug_option",
        "op_precision_mode",
        "precision_mode",
    )
}

# Accepted without an effect, and not readable: switches of earlier versions.
RETIRED = frozenset({"auto_tune_mode", "enable_auto_mixed_precision", "enable_sparse"})

REMOVED = {
    "grad_for_scalar": "Differentiate with respect to a Tensor instead.",
    "precompile_only": "Call the compiled function once with sample inputs instead.",
}


def check_type(name: str, value: Any) -> None:
    """Raises what MindSpore raises if the value is of a type that the key does not take."""
    key = KEYS[name]
    if key.types is None or (value is None and key.convert in (_mode, _target, _folder)):
        return
    if isinstance(value, key.types) and (not isinstance(value, bool) or bool in key.types or int in key.types):
        return
    error = type_error(API, name, " or ".join(kind.__name__ for kind in key.types), value)
    raise key.wrong_type(f"{error} {key.hint}".rstrip())


def convert(name: str, value: Any) -> Any:
    """Checks one value of `set_context` and returns what is to be kept.

    Raises:
        ValueError: for an unknown or removed key, and for a value outside its range.
        TypeError: for a value of a wrong type.
    """
    if name in REMOVED:
        raise ValueError(f"For '{API}', the key '{name}' has been removed. {REMOVED[name]}")
    key = KEYS.get(name)
    if key is None:
        raise ValueError(f"For '{API}', the key '{name}' is not recognized. {nearest(name)}")
    check_type(name, value)
    return value if key.convert is None else key.convert(name, value)


def nearest(name: str) -> str:
    """Says which known key a name resembles, or which there are."""
    close = difflib.get_close_matches(name, KEYS, 1, 0.6) or difflib.get_close_matches(name.lower(), KEYS, 1, 0.6)
    return f"Did you mean '{close[0]}'?" if close else f"The keys are: {', '.join(sorted(KEYS))}."
