"""The settings of distributed training: `set_auto_parallel_context`, and the parameter server's.

They are kept for the code that reads them (`parallel_mode`, `gradients_mean`, `device_num`, `dataset_strategy` ...).
The fusion and search settings of MindSpore's own planner change nothing, since XLA's partitioner plans here. As in
`set_context`, all arguments are checked before anything changes. Defaults and refusals are MindSpore's
(tests/conformance/data/context.json).
"""

import logging
import os
from collections.abc import Callable
from typing import Any, NamedTuple

from ms_compat._core.checks import check_choice
from ms_compat._core.errors import (
    behind_checks,
    check_bool,
    check_int,
    check_type,
    type_error,
    value_error,
)

logger = logging.getLogger("ms_compat")

API = "set_auto_parallel_context"
_SEARCH = ("recursive_programming", "dynamic_programming", "sharding_propagation")
_SCHEDULERS = ("1f1b", "gpipe", "seqpipe", "seqvpp", "seqsmartvpp", "zero_bubble_v")


class ParallelMode:
    """How the work is divided; the values of `parallel_mode`.

    >>> ParallelMode.DATA_PARALLEL
    'data_parallel'
    """

    STAND_ALONE = "stand_alone"
    DATA_PARALLEL = "data_parallel"
    HYBRID_PARALLEL = "hybrid_parallel"
    SEMI_AUTO_PARALLEL = "semi_auto_parallel"
    AUTO_PARALLEL = "auto_parallel"
    MODE_LIST = [STAND_ALONE, DATA_PARALLEL, HYBRID_PARALLEL, SEMI_AUTO_PARALLEL, AUTO_PARALLEL]


class Key(NamedTuple):
    """One key: its default, its type (`None`: the check decides), a check, and what happens with it."""

    default: Any
    type: type | None
    check: Callable[[str, Any], Any] | None = None
    acts: bool = False  # whether ms_compat acts on it
    readable: bool = True
    settable: bool = True
    part_of: str = ""  # the key with whose values it is set


def _one_of(*choices: str) -> Callable[[str, Any], Any]:
    def check(name: str, value: Any) -> Any:
        check_choice(API, name, value, choices)
        return value

    return check


def _at_least(low: int, high: int | None = None) -> Callable[[str, Any], Any]:
    def check(name: str, value: Any) -> Any:
        if value < low or (high is not None and value > high):
            raise value_error(API, name, f">= {low}" if high is None else f"in range [{low}, {high}]", value)
        return int(value)

    return check


def _indices(name: str, value: list[Any]) -> list[int]:
    if not value:
        raise value_error(API, name, "a non-empty list of int", value)
    for item in value:
        if not isinstance(item, int):
            raise type_error(API, f"item of {name}", "int", item)
    return list(value)


def _strategy(name: str, value: Any) -> Any:
    if isinstance(value, str):
        return _one_of("full_batch", "data_parallel")(name, value)
    if not isinstance(value, tuple):
        raise type_error(API, name, "str or tuple", value)
    for item in value:
        check_type(API, f"item of {name}", item, tuple)
    return [list(item) for item in value]


def _options(*known: str) -> Callable[[str, Any], Any]:
    def check(name: str, value: dict[str, Any]) -> dict[str, Any]:
        for option in value:
            check_choice(API, f"key of {name}", option, known)
        return dict(value)

    return check


def _pipeline(name: str, value: dict[str, Any]) -> dict[str, Any]:
    _options("pipeline_interleave", "pipeline_scheduler")(name, value)
    if "pipeline_interleave" in value:
        check_bool(API, f"{name}['pipeline_interleave']", value["pipeline_interleave"])
    for option in ("pipeline_interleave", "pipeline_scheduler"):
        if option not in value:
            raise KeyError(f"For '{API}', the '{name}' needs the key {option!r}, but has {list(value)}.")
    interleave, scheduler = value["pipeline_interleave"], value["pipeline_scheduler"]
    _one_of(*_SCHEDULERS)(f"{name}['pipeline_scheduler']", scheduler)
    if not interleave and scheduler != "1f1b":
        raise TypeError(f"For '{API}', the scheduler {scheduler!r} of '{name}' needs 'pipeline_interleave' to be True.")
    return dict(value)


def _optimizer(name: str, value: dict[str, Any]) -> dict[str, Any]:
    size = "optimizer_weight_shard_size"
    _options("gradient_accumulation_shard", "parallel_optimizer_threshold", size)(name, value)
    if size in value:
        _shards(size, value[size])
        _at_least(1)(size, value[size])
    return dict(value)


def _shards(name: str, value: Any) -> int:
    check_int(API, name, value)
    return value if value > 1 else _values[name]  # MindSpore keeps the setting where this requests no shards


def _truth(name: str, value: Any) -> bool:
    if not isinstance(value, (bool, int, float)):
        raise type_error(API, name, "bool", value)
    return bool(value)


def _fusion(name: str, value: dict[str, Any]) -> dict[str, Any]:
    for kind, setting in value.items():
        if kind not in ("openstate", "allreduce", "allgather", "reducescatter"):
            raise KeyError(f"For '{API}', the key of '{name}' must be 'openstate' or a collective, but got {kind!r}.")
        if kind != "openstate" and setting.get("mode") not in ("auto", "size", "index"):
            raise KeyError(
                f"For '{API}', the mode of '{name}' must be 'auto', 'size' or 'index', but got {setting.get('mode')!r}."
            )
    return {**_values[name], **value}


_NO_FUSION: dict[str, Any] = {
    "openstate": True,
    **{kind: {"mode": "auto", "config": None} for kind in ("allreduce", "allgather", "reducescatter")},
}
KEYS: dict[str, Key] = {
    "parallel_mode": Key("stand_alone", str, _one_of(*ParallelMode.MODE_LIST), acts=True),
    "device_num": Key(1, int, _at_least(1), acts=True),
    "global_rank": Key(0, int, _at_least(0, 4095), acts=True),
    "gradients_mean": Key(False, bool, acts=True),
    "gradient_fp32_sync": Key(True, bool, acts=True),
    "parameter_broadcast": Key(False, bool, acts=True),
    "full_batch": Key(False, bool, acts=True),
    "dataset_strategy": Key("data_parallel", None, _strategy, acts=True),
    "enable_parallel_optimizer": Key(False, bool, acts=True),
    "parallel_optimizer_config": Key(None, dict, _optimizer, acts=True, readable=False),
    "optimizer_weight_shard_size": Key(-1, None, _shards, acts=True, part_of="parallel_optimizer_config"),
    "optimizer_weight_shard_aggregated_save": Key(False, bool),
    "auto_parallel_search_mode": Key("recursive_programming", str, _one_of(*_SEARCH)),
    "search_mode": Key("recursive_programming", str, _one_of(*_SEARCH)),
    "sharding_propagation": Key(False, bool),
    "strategy_ckpt_load_file": Key("", str),
    "strategy_ckpt_save_file": Key("", str),
    "group_ckpt_save_file": Key("", str, readable=False),
    "strategy_ckpt_config": Key(
        {"load_file": "", "save_file": "", "only_trainable_params": True},
        dict,
        lambda name, value: (
            {**_values[name], **_options("load_file", "save_file", "only_trainable_params")(name, value)}
        ),
    ),
    "enable_alltoall": Key(False, bool),
    "force_fp32_communication": Key(False, bool),
    "all_reduce_fusion_config": Key([], list, _indices),
    "comm_fusion": Key(_NO_FUSION, dict, _fusion),
    "pipeline_stages": Key(1, int, _at_least(1)),
    "pipeline_segments": Key(1, int, _at_least(1), readable=False),
    "pipeline_result_broadcast": Key(False, bool),
    "pipeline_config": Key(None, dict, _pipeline, readable=False),
    "auto_pipeline": Key(False, None),
    "loss_repeated_mean": Key(True, None),
    "communi_parallel_mode": Key("all_group_parallel", None),
    "grad_accumulation_step": Key(1, None),
    "pipeline_interleave": Key(False, None, settable=False, part_of="pipeline_config"),
    "pipeline_scheduler": Key("1f1b", None, settable=False, part_of="pipeline_config"),
    "full_batch_is_set": Key(False, None, settable=False),
    "dump_local_norm": Key(False, None, _truth),
    "dump_local_norm_path": Key("", str),
    "dump_device_local_norm": Key(False, None, _truth),
    "auto_parallel_new_interface": Key(False, None, _truth),
    "init_param_in_compile": Key(True, None, _truth),
}
_PARTS: dict[str, list[str]] = {}
for _name, _key in KEYS.items():
    if _key.part_of:
        _PARTS.setdefault(_key.part_of, []).append(_name)
_values: dict[str, Any] = {}


@behind_checks
def set_auto_parallel_context(**kwargs: Any) -> None:
    """Sets how training is distributed.

    Args:
        parallel_mode (str): a value of `ParallelMode`; "stand_alone" by default.
        device_num (int): the number of devices, >= 1.
        global_rank (int): the rank of this process, 0 to 4095.
        gradients_mean (bool): whether gradients are averaged over the devices instead of summed.
        dataset_strategy (str, tuple): "data_parallel", "full_batch", or a tuple of tuples with the cuts of each input.
        **kwargs: the further keys of MindSpore 2.10, as listed in `ms_compat/_core/settings/parallel_context.py`.

    Raises:
        ValueError: for an unknown key, and for a value outside its range.
        TypeError: for a value of a wrong type.
        KeyError: for an unknown kind or mode in `comm_fusion`.

    >>> set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
    >>> get_auto_parallel_context("parallel_mode")
    'data_parallel'
    >>> reset_auto_parallel_context()
    """
    kept: dict[str, Any] = {}
    for name, value in kwargs.items():
        key = KEYS.get(name)
        if key is None or not key.settable:
            names = ", ".join(sorted(name for name, known in KEYS.items() if known.settable))
            raise ValueError(f"For '{API}', the key '{name}' is not recognized. The keys are: {names}.")
        if value is None:  # as in MindSpore: not given
            continue
        if key.type is not None and not isinstance(value, key.type):
            raise type_error(API, name, key.type.__name__, value)
        kept[name] = value if key.check is None else key.check(name, value)
        if not key.acts:
            logger.debug("set_auto_parallel_context(%s=%r) is kept, and changes nothing: XLA decides", name, value)
    _values.update(_with_what_follows(kept))


def _with_what_follows(kept: dict[str, Any]) -> dict[str, Any]:
    """The settings, and those that they set along with themselves."""
    for name, parts in _PARTS.items():
        for part in parts:
            if part in kept.get(name, ()):
                check = KEYS[part].check
                kept[part] = kept[name][part] if check is None else check(part, kept[name][part])
    if "full_batch" in kept:
        kept["full_batch_is_set"] = True
    for one, other in (("search_mode", "auto_parallel_search_mode"), ("auto_parallel_search_mode", "search_mode")):
        if one in kept:  # two names of one setting
            kept.setdefault(other, kept[one])
    return kept


def get_auto_parallel_context(attr_key: str) -> Any:
    """Returns one setting of `set_auto_parallel_context`.

    Raises:
        ValueError: if there is no such key, or if it can be set only.

    >>> import ms_compat as ms
    >>> ms.get_auto_parallel_context("parallel_mode")
    'stand_alone'
    """
    key = KEYS.get(attr_key)
    if key is None or not key.readable:
        names = ", ".join(sorted(name for name, known in KEYS.items() if known.readable))
        raise ValueError(
            f"For 'get_auto_parallel_context', the key {attr_key!r} is not recognized. The keys are: {names}."
        )
    return _copy(_values[attr_key])


def optimizer_threshold() -> int:
    """The bytes of the smallest Parameter that the optimizer's parallelism cuts; 64 KiB by default."""
    return 1024 * (_values["parallel_optimizer_config"] or {}).get("parallel_optimizer_threshold", 64)


def reset_auto_parallel_context() -> None:
    """Gives each setting of `set_auto_parallel_context` its default again.

    >>> reset_auto_parallel_context()
    >>> get_auto_parallel_context("gradients_mean")
    False
    """
    _values.update((name, _copy(key.default)) for name, key in KEYS.items())


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return dict(value)
    return list(value) if isinstance(value, list) else value


_PS_DEFAULTS: dict[str, Any] = {
    "enable_ps": False,
    "enable_ssl": False,
    "config_file_path": "",
    "server_num": 0,
    "worker_num": 0,
    "scheduler_ip": "127.0.0.1",
    "scheduler_port": 6667,
    "server_mode": "",
    "ms_role": "MS_NOT_PS",
}
_PS_WRITE_ONLY = ("client_password", "server_password")
_SERVERS = ("MS_SCHED", "MS_SERVER", "MS_PSERVER")
_ps_values = dict(_PS_DEFAULTS)


@behind_checks
def set_ps_context(**kwargs: Any) -> None:
    """Turns the parameter server's mode on or off; the workers do what the server would, see `Parameter.set_param_ps`.

    Several workers start as `mindspore.communication.init` says. The processes that `MS_ROLE` makes a server or the
    scheduler have nothing to do: they end where the mode is turned on.

    Args:
        enable_ps (bool): whether Parameters can be shared by `set_param_ps`.
        **kwargs: `enable_ssl`, `config_file_path`, `server_num`, `worker_num`, `client_password`, `server_password`,
            `scheduler_ip`, `scheduler_port`, `server_mode`, `ms_role`: kept, without an effect.

    Raises:
        ValueError: for an unknown key.
        TypeError: if `enable_ps` is not a bool.
        RuntimeError: for another `server_mode` than "PARAMETER_SERVER".
        SystemExit: this process is a server or the scheduler.

    >>> set_ps_context(enable_ps=True)
    >>> get_ps_context("enable_ps")
    True
    >>> reset_ps_context()
    """
    for name, value in kwargs.items():
        if name not in _PS_DEFAULTS and name not in _PS_WRITE_ONLY:
            raise ValueError(f"For 'set_ps_context', the key '{name}' is not recognized.")
        if name == "enable_ps":
            check_bool("set_ps_context", name, value)
        if name == "server_mode" and value != "PARAMETER_SERVER":
            raise RuntimeError(f"For 'set_ps_context', 'server_mode' must be 'PARAMETER_SERVER', but got {value!r}.")
    role = os.environ.get("MS_ROLE")
    if kwargs.get("enable_ps") and role in _SERVERS:
        logger.info("MS_ROLE=%s: the workers update the Parameters, and this process ends", role)
        raise SystemExit(0)
    for name, value in kwargs.items():
        if name == "ms_role":
            continue  # MindSpore reads the role from the environment
        if name in _PS_DEFAULTS:
            _ps_values[name] = bool(value) if name == "enable_ssl" else value
            if name != "enable_ps":
                logger.debug("set_ps_context(%s=%r) is kept, and changes nothing", name, value)


def get_ps_context(attr_key: str) -> Any:
    """Returns one setting of `set_ps_context`; raises `ValueError` if there is no such key."""
    if attr_key not in _PS_DEFAULTS:
        raise ValueError(f"For 'get_ps_context', the key {attr_key!r} is not recognized.")
    return _ps_values[attr_key]


def reset_ps_context() -> None:
    """Gives each setting of `set_ps_context` its default again."""
    _ps_values.update(_PS_DEFAULTS)


reset_auto_parallel_context()
