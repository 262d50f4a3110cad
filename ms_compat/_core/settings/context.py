"""The context: the settings of the process, above all the mode.

`state` is one object with an attribute per setting, and every thread sees the same. A hot path reads the plain
attribute `context.state.mode`. `set_context` checks all its arguments before it changes anything: a refused call
leaves the context unchanged. `context_keys` holds what a key accepts, `device` applies the device settings.
"""

import logging
import os
from typing import Any

from ms_compat._core.checks import check_at_least
from ms_compat._core.errors import (
    behind_checks,
    check_bool,
    check_int,
    check_positive_int,
    check_type,
    value_error,
)
from ms_compat._core.settings import context_keys, device, program_cache
from ms_compat._core.settings.context_keys import COMPATIBLE as COMPATIBLE
from ms_compat._core.settings.context_keys import DEBUG as DEBUG
from ms_compat._core.settings.context_keys import GRAPH_MODE as GRAPH_MODE
from ms_compat._core.settings.context_keys import LAX as LAX
from ms_compat._core.settings.context_keys import PYNATIVE_MODE as PYNATIVE_MODE
from ms_compat._core.settings.context_keys import RELEASE as RELEASE
from ms_compat._core.settings.context_keys import STRICT as STRICT
from ms_compat._core.settings.device import DeviceInfo as DeviceInfo

logger = logging.getLogger("ms_compat")

_OF_DETERMINISM = {"HCCL_DETERMINISTIC": "true", "TE_PARALLEL_COMPILER": "1"}


class State:
    """The settings, one attribute each; `vars(state)` is the whole context."""

    mode: int
    device_target: str | None
    device_id: int
    save_graphs: int
    save_graphs_path: str
    deterministic: str
    max_call_depth: int
    pynative_synchronize: bool

    def __init__(self) -> None:
        self.__dict__.update((name, key.default) for name, key in context_keys.KEYS.items())


state = State()


@behind_checks
def set_context(**kwargs: Any) -> None:
    """Sets the context of the process.

    Differs from MindSpore in three ways: all arguments are checked before the first takes effect; "GPU" and "Ascend"
    mean JAX's default accelerator and fall back to the CPU with one warning; settings of the Ascend runtime and of
    MindSpore's own memory and fusion passes are kept but change nothing, which a debug line of the logger says.

    Args:
        mode (int): `GRAPH_MODE` (0) or `PYNATIVE_MODE` (1, the default).
        device_target (str): "CPU", "GPU" or "Ascend".
        device_id (int): the index among this process's devices, 0 to 4095.
        save_graphs (bool, int): 0 to 3 (`True` is 2); above 0 each compiled function leaves its program as text.
        save_graphs_path (str): the folder for those, made if it is not there.
        deterministic (str): "ON" asks XLA for deterministic GPU kernels; to be set before the first computation.
        enable_compile_cache (bool): keeps compiled programs on disk between runs in a folder of the program's own;
            False keeps none. If not given, the user's cache folder has them (`program_cache.py`).
        compile_cache_path (str): the folder for those; "compile_cache" in the current folder if not given.
        gpu_config (dict): "matmul_allow_tf32" (False) and "conv_allow_tf32" (True): whether an NVIDIA GPU may round
            Float32 to TensorFloat-32. Its other options are kept, and change nothing.
        **kwargs: the further keys of MindSpore 2.10, as listed in `ms_compat/_core/settings/context_keys.py`.

    Raises:
        ValueError: for an unknown key, and for a value outside its range.
        TypeError: for a value of a wrong type.

    >>> set_context(mode=GRAPH_MODE, device_target="CPU")
    >>> get_context("mode")
    0
    >>> set_context(mode=PYNATIVE_MODE)
    """
    kept: dict[str, Any] = {}
    target = state.device_target
    if "device_target" in kwargs:
        target = kept["device_target"] = context_keys.convert("device_target", kwargs["device_target"])
    for name, value in kwargs.items():
        if name in context_keys.RETIRED:
            logger.debug("set_context(%s=%r) has no effect: MindSpore retired it", name, value)
            continue
        key = context_keys.KEYS.get(name)
        if key is not None and key.targets and (target or device.likely_target()) not in key.targets:
            context_keys.check_type(name, value)
            logger.debug("set_context(%s=%r) is ignored: it is for %s", name, value, " and ".join(key.targets))
            continue
        kept[name] = context_keys.convert(name, value)
        if not context_keys.KEYS[name].acts:
            logger.debug("set_context(%s=%r) is kept, and changes nothing: XLA decides", name, value)
    _act(kept)


def _act(kept: dict[str, Any]) -> None:
    if "save_graphs_path" in kept:
        os.makedirs(kept["save_graphs_path"], exist_ok=True)
    if "device_target" in kept or "device_id" in kept:
        device.apply(kept.get("device_target", state.device_target), kept.get("device_id", state.device_id))
    if "enable_compile_cache" in kept or "compile_cache_path" in kept:
        enabled = kept.get("enable_compile_cache", vars(state)["enable_compile_cache"])
        folder = kept.get("compile_cache_path", vars(state)["compile_cache_path"])
        program_cache.configure(enabled, folder)
    allowed = {**kept.get("gpu_config", {}), **kept}
    if "matmul_allow_tf32" in allowed or "conv_allow_tf32" in allowed:
        device.allow_tensor_float(allowed.get("matmul_allow_tf32"), allowed.get("conv_allow_tf32"))
    if "deterministic" in kept:
        _ask_for_determinism(kept["deterministic"] == "ON")
    vars(state).update(kept)
    if "device_target" in kept:
        device.warn_if_absent(kept["device_target"])


def _ask_for_determinism(asked: bool) -> None:
    for name, value in _OF_DETERMINISM.items():  # nothing here reads them; scripts do, and pass them to their processes
        if asked:
            os.environ[name] = value
        else:
            os.environ.pop(name, None)
    flag = "--xla_gpu_deterministic_ops=true"
    flags = os.environ.get("XLA_FLAGS", "")
    if asked and device.accelerator_possible() and flag not in flags:
        os.environ["XLA_FLAGS"] = f"{flags} {flag}".strip()


def get_context(attr_key: str) -> Any:
    """Returns one setting of the context.

    Args:
        attr_key: the key, as in `set_context`.

    Raises:
        ValueError: if there is no such key.
        TypeError: if it is not a str.

    >>> get_context("max_call_depth")
    1000
    """
    check_type("context.get_context", "attr_key", attr_key, str)
    if attr_key not in context_keys.KEYS:
        raise ValueError(
            f"For 'context.get_context', the key '{attr_key}' is not recognized. {context_keys.nearest(attr_key)}"
        )
    value = vars(state)[attr_key]
    if attr_key == "device_target" and value is None:
        return device.default_target()
    return dict(value) if isinstance(value, dict) else value


def get_jit_config() -> dict[str, str]:
    """The `jit_config` of the context.

    >>> get_jit_config()
    {}
    """
    return get_context("jit_config")


def set_device(device_target: str, device_id: int | None = None) -> None:
    """Chooses the device; `set_context(device_target=..., device_id=...)` does the same.

    Args:
        device_target: "CPU", "GPU" or "Ascend"; the last two mean JAX's default accelerator.
        device_id: the index among this process's devices; the one set before, or 0, if `None`.

    Raises:
        TypeError: for a wrong type.
        ValueError: for an unknown target or a negative index.

    >>> set_device("CPU")
    """
    if device_target is not None:
        check_type("set_device", "device_target", device_target, str)
    if device_target not in ("CPU", "GPU", "Ascend"):
        raise value_error("set_device", "device_target", "one of ['CPU', 'GPU', 'Ascend']", device_target)
    if device_id is None:
        return set_context(device_target=device_target)
    check_at_least("set_device", "device_id", check_int("set_device", "device_id", device_id), 0)
    return set_context(device_target=device_target, device_id=device_id)


def get_current_device() -> DeviceInfo:
    """Returns the target and the index of the current device.

    >>> set_device("CPU", 0)
    >>> get_current_device()
    DeviceInfo(device_target='CPU', device_id=0)
    """
    return DeviceInfo(get_context("device_target"), state.device_id)


def set_deterministic(deterministic: bool) -> None:
    """Requests results that repeat bit for bit. On CPU and TPU they do; on GPU set it before the first computation.

    Args:
        deterministic: whether.

    Raises:
        TypeError: if it is not a bool.
    """
    set_context(deterministic="ON" if check_bool("set_deterministic", "deterministic", deterministic) else "OFF")


def set_recursion_limit(recursion_limit: int = 1000) -> None:
    """Sets how deep calls may nest while a function is compiled.

    Args:
        recursion_limit: the depth, > 0.

    Raises:
        TypeError: if it is not an int.
        ValueError: if it is not positive.

    >>> import ms_compat as ms
    >>> ms.set_recursion_limit(1000)
    """
    set_context(max_call_depth=check_positive_int("set_recursion_limit", "recursion_limit", recursion_limit))


def graph_dump_folder() -> str | None:
    """Where the compiler writes programs as text: `save_graphs_path` while `save_graphs` is above 0, else `None`."""
    return state.save_graphs_path if state.save_graphs > 0 else None
