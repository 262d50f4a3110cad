"""`mindspore.dataset.config`: the seed, and the settings of MindSpore's data engine.

These take effect: the seed, the modes, the number of items that are made ahead, the number of worker processes, their
watchdog with its interval, autotuning, and the callback time-out. The others tune devices, memory and a start method
that do not exist here: the setters check and keep the values and log a debug line, and the getters return them.
"""

import enum
import logging
import random
from collections.abc import Callable
from typing import Any

import numpy as np

from ms_compat._core.errors import type_error, value_error
from ms_compat._core.faces import faces
from ms_compat._core.untrusted import parse_json
from ms_compat.dataset._support import randomness
from ms_compat.dataset._support.arguments import INT32_MAX, check_bool, check_type, check_within


@faces("dataset")
class ErrorSamplesMode(enum.IntEnum):
    """How `map` handles rows that fail."""

    RETURN = 0
    REPLACE = 1
    SKIP = 2


_TABLE: dict[str, tuple[str, Any, tuple[Any, ...]]] = {
    # name: (argument, default, check: ("int", low, high), ("bool",), ("choice", values...))
    "prefetch_size": ("size", 16, ("int", 1, INT32_MAX)),
    "num_parallel_workers": ("num", 8, ("int", 1, INT32_MAX)),
    "numa_enable": ("numa_enable", False, ("bool",)),
    "monitor_sampling_interval": ("interval", 1000, ("int", 1, INT32_MAX)),
    "auto_num_workers": ("enable", False, ("bool",)),
    "callback_timeout": ("timeout", 60, ("int", 1, INT32_MAX)),
    "autotune_interval": ("interval", 0, ("int", 0, INT32_MAX)),
    "auto_offload": ("offload", False, ("bool",)),
    "enable_watchdog": ("enable", True, ("bool",)),
    "enable_shared_mem": ("enable", True, ("bool",)),
    "dynamic_shape": ("is_dynamic", False, ("bool",)),
    "fast_recovery": ("fast_recovery", True, ("bool",)),
    "multiprocessing_timeout_interval": ("interval", 300, ("int", 1, INT32_MAX)),
    "multiprocessing_start_method": ("start_method", "fork", ("choice", "fork", "spawn")),
    "video_backend": ("backend", "CPU", ("choice", "CPU", "Ascend")),
    "sending_batches": ("batch_num", 0, ("int", -INT32_MAX, INT32_MAX)),
}
_values: dict[str, Any] = {name: default for name, (_, default, _) in _TABLE.items()}
_values["error_samples_mode"] = ErrorSamplesMode.RETURN
# Settings that change how data is read, and those that the program has set.
_EFFECTIVE = {
    "prefetch_size",
    "num_parallel_workers",
    "callback_timeout",
    "enable_watchdog",
    "multiprocessing_timeout_interval",
}
_chosen: set[str] = set()


def _store(name: str, value: Any) -> None:
    argument, _, (kind, *limits) = _TABLE[name]
    api = f"set_{name}"
    if kind == "bool":
        check_bool(api, argument, value)
    elif kind == "int":
        if type(value) is not int:
            raise type_error(api, argument, "int", value)
        if not limits[0] <= value <= limits[1]:
            raise value_error(api, argument, f"int in range [{limits[0]}, {limits[1]}]", value)
    else:
        check_type(api, argument, value, str)
        if value not in limits:
            raise value_error(api, argument, f"one of {limits}", value)
    if name in _EFFECTIVE:
        _chosen.add(name)
    else:
        logging.getLogger("ms_compat").debug(
            "dataset.config.%s(%r) is kept; it does not change how data is read.", api, value
        )
    _values[name] = value


def chosen_prefetch_size() -> int | None:
    """How many items the program wants ahead; None if it has not said."""
    return _values["prefetch_size"] if "prefetch_size" in _chosen else None


def _setter(name: str) -> Callable[[Any], None]:
    def set_value(value: Any) -> None:
        _store(name, value)

    set_value.__name__ = set_value.__qualname__ = f"set_{name}"
    argument, default, (kind, *limits) = _TABLE[name]
    kinds = {"bool": "a bool", "int": f"an int in {limits}", "choice": f"one of {limits}"}
    wrong = "\n        ValueError: another value."
    effect = "." if name in _EFFECTIVE else "; it does not change how data is read."
    set_value.__doc__ = f"""Set `{name}`{effect}

    Args:
        {argument}: {kinds[kind]}; {default!r} until it is set.

    Raises:
        TypeError: another type.{"" if kind == "bool" else wrong}

    >>> from ms_compat.dataset import config
    >>> config.set_{name}({default!r})
    """
    return set_value


def _getter(name: str) -> Callable[[], Any]:
    def get_value() -> Any:
        return _values[name]

    get_value.__name__ = get_value.__qualname__ = f"get_{name}"
    get_value.__doc__ = f"""Return `{name}`, as set or by default ({_TABLE[name][1]!r}).

    >>> from ms_compat.dataset import config
    >>> type(config.get_{name}()).__name__
    '{type(_TABLE[name][1]).__name__}'
    """
    return get_value


for _name in _TABLE:
    globals()[f"set_{_name}"] = _setter(_name)
    if _name != "sending_batches":
        globals()[f"get_{_name}"] = _getter(_name)


@faces("dataset")
def set_seed(seed: int) -> None:
    """Seeds shuffles, samplers and random transforms, and Python's and numpy's global generators, as MindSpore does.

    Args:
        seed: an int in [0, 2**32 - 1].

    Raises:
        TypeError: if it is not an int.
        ValueError: if it is out of range.

    >>> set_seed(7)
    >>> get_seed()
    7
    """
    if type(seed) is not int:
        raise type_error("set_seed", "seed", "int", seed)
    check_within("set_seed", "seed", seed, 0, 2**32 - 1)
    randomness.set_seed(seed)
    random.seed(seed)
    np.random.seed(seed)


@faces("dataset")
def get_seed() -> int:
    """Return the seed in force; 5489 when none was set (then every iterator draws fresh numbers).

    >>> isinstance(get_seed(), int)
    True
    """
    return randomness.get_seed()


_autotune: list[Any] = [False, None]
_iterator_mode = {"do_copy": False, "parallel_convert": False}
_debug: list[Any] = [False, []]


def set_enable_autotune(enable: bool, filepath_prefix: str | None = None) -> None:
    """Lets each node with worker processes choose how many of them work, and how many threads `map` uses.

    A node starts with one process, takes more while the program waits for it, up to the number of processors, and fewer
    when it does not; the numbers given to the nodes are not used. The log (level INFO) has the number at the end.

    Args:
        enable: whether to choose.
        filepath_prefix: MindSpore writes the tuned pipeline there; here it is checked, and a warning says that no file
            is written.

    Raises:
        TypeError: for another type.
    """
    check_bool("set_enable_autotune", "enable", enable)
    check_type("set_enable_autotune", "filepath_prefix", filepath_prefix, (str, type(None)))
    if enable and filepath_prefix is not None:
        logging.getLogger("ms_compat").warning(
            "dataset.config.set_enable_autotune writes no file to %r: numbers of workers are chosen in each run.",
            filepath_prefix,
        )
    _autotune[:] = [enable, filepath_prefix]


def get_enable_autotune() -> bool:
    """Returns whether nodes choose their number of workers."""
    return _autotune[0]


def set_iterator_mode(do_copy: bool = False, parallel_convert: bool = False) -> None:
    """Keeps the setting; every item is an array of its own already."""
    check_bool("set_iterator_mode", "do_copy", do_copy)
    check_bool("set_iterator_mode", "parallel_convert", parallel_convert)
    _iterator_mode.update(do_copy=do_copy, parallel_convert=parallel_convert)


def get_iterator_mode() -> dict[str, bool]:
    """Returns what `set_iterator_mode` kept."""
    return dict(_iterator_mode)


def set_error_samples_mode(error_samples_mode: ErrorSamplesMode) -> None:
    """Sets how `map` handles rows that fail.

    Args:
        error_samples_mode: RETURN raises the error, SKIP leaves the row out, REPLACE adds a row that did not fail at
            the end of the epoch instead.

    Raises:
        TypeError: for another type.
    """
    check_type("set_error_samples_mode", "error_samples_mode", error_samples_mode, ErrorSamplesMode)
    _values["error_samples_mode"] = error_samples_mode


def get_error_samples_mode() -> ErrorSamplesMode:
    """Returns what `set_error_samples_mode` set."""
    return _values["error_samples_mode"]


def set_debug_mode(debug_mode_flag: bool, debug_hook_list: list[Any] | None = None) -> None:
    """Puts hooks between the operations of every `map`, in iterators made from now on.

    Args:
        debug_mode_flag: whether there are hooks.
        debug_hook_list: objects of `dataset.debug.DebugHook`; None prints dtypes and shapes.

    Raises:
        TypeError: for another type.
    """
    from ms_compat.dataset._support.arguments import check_type
    from ms_compat.dataset.debug import DebugHook

    check_bool("set_debug_mode", "debug_mode_flag", debug_mode_flag)
    check_type("set_debug_mode", "debug_hook_list", debug_hook_list, (list, type(None)))
    for k, hook in enumerate(debug_hook_list or ()):
        check_type("set_debug_mode", f"debug_hook_list[{k}]", hook, DebugHook)
    _debug[:] = [debug_mode_flag, list(debug_hook_list or ())]


def get_debug_mode() -> bool:
    """Returns what `set_debug_mode` kept."""
    return _debug[0]


def load(file: str) -> None:
    """Loads settings from a JSON file, such as {"seed": 3, "numParallelWorkers": 4}.

    Raises:
        RuntimeError: if the file cannot be read.
    """
    check_type("load", "file", file, str)
    try:
        with open(file, encoding="utf-8") as stream:
            settings = parse_json(stream.read())
            if not isinstance(settings, dict):
                raise ValueError("it holds no object")
    except (OSError, ValueError) as error:
        raise RuntimeError(
            f"For 'config.load', the 'file' must be a JSON file of settings, but {file!r} gave: {error}"
        ) from error
    names = {"numParallelWorkers": "num_parallel_workers", "monitorSamplingInterval": "monitor_sampling_interval"}
    for key, value in settings.items():
        if key == "seed":
            set_seed(value)
        elif names.get(key, key) in _TABLE:
            _store(names.get(key) or key, value)
        else:
            logging.getLogger("ms_compat").debug("dataset.config.load: %s=%r is not used here.", key, value)
