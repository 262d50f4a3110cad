"""Settings for MindSpore's kernels: a setter checks the value as MindSpore does, keeps it, and logs it at debug level.

XLA chooses its kernels by itself. MindSpore, too, ignores a setting on targets that it is not for.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from ms_compat.hal.devices import device_count as _device_count

logger = logging.getLogger("ms_compat")
values: dict[str, Any] = {}


def setting(
    module: str, name: str, doc: str, argument: str, kind: type, choices: tuple[Any, ...] | None = None
) -> Callable[[Any], None]:
    """Makes the function of a setting.

    Args:
        module: its module, such as "gpu.op_tuning".
        name: its name.
        doc: what it would choose.
        argument: the name of its argument.
        kind: the argument's type.
        choices: its values, if they are few.
    """
    dotted = f"mindspore.device_context.{module}.{name}"

    def set_value(value: Any) -> None:
        if not isinstance(value, kind) or isinstance(value, bool) and kind is not bool:
            raise TypeError(f"For '{dotted}', the '{argument}' must be {kind.__name__}, but got {value!r}.")
        if choices is not None and value not in choices:
            raise ValueError(f"For '{dotted}', the '{argument}' must be in {list(choices)}, but got {value!r}.")
        values[dotted] = value
        logger.debug("%s(%r) has no effect: XLA chooses its kernels by itself", dotted, value)

    def call(*args: Any, **kwargs: Any) -> None:
        given = [*args, *(kwargs.pop(key) for key in [argument] if key in kwargs)]
        if len(given) != 1 or kwargs:
            raise TypeError(f"{name}() takes one argument, '{argument}'.")
        set_value(given[0])

    call.__name__ = call.__qualname__ = name
    call.__module__ = f"ms_compat.device_context.{module}"
    call.__doc__ = (
        f"{doc}; kept, and without effect.\n\nRaises:\n    TypeError: the '{argument}' is not of type {kind.__name__}."
        + ("" if choices is None else f"\n    ValueError: it is none of {list(choices)}.")
    )
    return call


def device_count(target: str) -> int:
    """The number of a kind's devices.

    Raises:
        RuntimeError: there is none.
    """
    found = _device_count(target)
    if not found:
        raise RuntimeError(f"The device_target {target} does not exist: JAX finds no accelerator.")
    return found
