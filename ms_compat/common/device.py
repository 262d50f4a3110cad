"""`mindspore.DeviceCtx`: where the Tensors of a `with` block are computed."""

from __future__ import annotations

from typing import Any

import jax

from ms_compat._core.checks import check_choice

_KINDS = ("CPU", "GPU", "Ascend", "TPU")


class DeviceCtx:
    """Compute on another device within a `with` block.

    Args:
        name (str): "CPU"; "GPU", "Ascend" or "TPU" for this process's accelerator.
        device_id (int): its number; None for the first.

    Raises:
        ValueError: at the `with`, there is no such device.

    >>> import ms_compat as ms
    >>> with ms.DeviceCtx("CPU"):
    ...     print(ms.Tensor([1.0]) + 1)
    [2.]
    """

    def __init__(self, name: str, device_id: int | None = None):
        self.name, self.device_id = name, device_id

    def _device(self) -> Any:
        check_choice("DeviceCtx", "name", self.name, _KINDS)
        if self.name == "CPU":
            devices = jax.local_devices(backend="cpu")
        else:
            devices = [d for d in jax.local_devices() if d.platform != "cpu"]
        at = self.device_id or 0
        if not 0 <= at < len(devices):
            raise ValueError(f"For 'DeviceCtx', there are {len(devices)} devices '{self.name}', but got number {at}.")
        return devices[at]

    def __enter__(self) -> DeviceCtx:
        self._context = jax.default_device(self._device())
        self._context.__enter__()
        return self

    def __exit__(self, *exc: Any) -> None:
        self._context.__exit__(*exc)
