"""Arrays of JAX with the values of NumPy's, on the device where results are by default."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core.jax_compat.capabilities import HAS_FAST_PLACEMENT, ArrayImpl, ShapedArray, xla_client
from ms_compat._core.jax_compat.tracers import as_weak, is_eager

_adopts_only = False  # in a process that was forked: larger arrays would be copied by threads that are not there
_COPIED_INLINE = 1 << 15  # bytes


def adopt_only() -> None:
    """Let `from_host` adopt the memory of larger arrays from now on, as no thread is there that would copy it."""
    global _adopts_only
    _adopts_only = True


def _aligned(values: np.ndarray) -> np.ndarray:
    """A copy that XLA's CPU client adopts."""
    raw = np.empty(values.nbytes + 64, np.uint8)
    start = -raw.ctypes.data % 64
    copied = raw[start : start + values.nbytes].view(values.dtype).reshape(values.shape)
    copied[...] = values
    return copied


def is_deleted_error(error: BaseException) -> bool:
    """Whether JAX refused an array whose memory a program that has run since was given."""
    text = str(error)
    return "deleted or donated" in text or "has been deleted" in text


def uncommitted(array: jax.Array) -> jax.Array:
    """The same data as an array that is free to go to other devices, as the results of ordinary operations are.

    Outputs of a program over several processes are committed to their device; every operation that takes them would
    compile a second time.
    """
    return ArrayImpl(array.aval, array.sharding, [array], committed=False)  # type: ignore[list-item]


def is_committed(value: Any) -> bool:
    """Whether an array stays on its device; JAX moves others to where a program runs."""
    return getattr(value, "_committed", False)


_placements: dict[str, Any] = {}


def _placement() -> Any:
    """The device that results are on by default, with its sharding."""
    device = _placements.get("device")
    if device is None:
        device = _placements["device"] = jax.local_devices(backend="cpu")[0]
        _placements["sharding"] = jax.sharding.SingleDeviceSharding(device)
    return device


def is_on_default_cpu(value: Any) -> bool:
    """Whether a value is an array on the first CPU alone, of a dtype that NumPy has, and not deleted."""
    return (
        value.__class__ is ArrayImpl
        and value.sharding.__class__ is jax.sharding.SingleDeviceSharding
        and getattr(value.sharding, "_device", None) is _placement()
        and not value.is_deleted()
    )


def put_on_default_cpu(value: Any, aval: Any, committed: bool) -> jax.Array:
    """A jax array with the values of a NumPy array that nobody else may write to; 8 us (`jax.device_put`: 60)."""
    if value.__class__ is not np.ndarray or not (value.flags.owndata and value.flags.c_contiguous):
        value = np.array(value, order="C")  # a view may be of an input, whose memory may be given to another program
    device = _placement()
    if HAS_FAST_PLACEMENT:
        return _put(value, ShapedArray(aval.shape, aval.dtype, weak_type=aval.weak_type), committed)
    array = jax.device_put(value, device if committed else None)
    return as_weak(array, array.dtype) if aval.weak_type else array


def _put(value: np.ndarray, aval: ShapedArray, committed: bool) -> jax.Array:
    device = _placement()
    return xla_client.batched_device_put(aval, _placements["sharding"], [value], [device], committed)


_OF_HOST = frozenset(np.dtype(name) for name in (*"?bhilqBHILQefdFD", jnp.bfloat16))


def from_host(values: np.ndarray, fresh: bool) -> jax.Array:
    """A NumPy array on the default device; `jnp.array` compiles a copy for each new shape.

    The array's memory may be taken if it is `fresh`, nobody else's.
    """
    if values.dtype not in _OF_HOST:  # raises, or converts
        return jnp.array(values)
    if _adopts_only and values.nbytes > _COPIED_INLINE:
        return jax.device_put(_aligned(values))
    if not fresh:
        values = np.array(values, order="C")
    if _is_for_default_cpu():
        return put_on_default_cpu(values, ShapedArray(values.shape, values.dtype), False)
    return jax.device_put(values)


def of_scalar(value: Any) -> jax.Array:
    """`jnp.asarray` of one number, which would compile a program for each dtype; Python's numbers are weakly typed."""
    if not _is_for_default_cpu():
        return jnp.asarray(value)
    aval = jax.typeof(value)
    return put_on_default_cpu(np.asarray(value, aval.dtype), aval, False)


def _is_for_default_cpu() -> bool:
    return is_eager() and jax.default_backend() == "cpu" and jax.config.jax_default_device is None  # type: ignore[attr-defined]


def adopted(values: np.ndarray) -> jax.Array:
    """A NumPy array on the default device; a CPU takes over its memory without a copy.

    The array must be aligned to 64 bytes, and nothing else may hold it.
    """
    if HAS_FAST_PLACEMENT and values.dtype in _OF_HOST and _is_for_default_cpu():
        return _put(values, ShapedArray(values.shape, values.dtype), False)
    return jax.device_put(values)
