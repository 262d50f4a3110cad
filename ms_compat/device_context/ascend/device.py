"""`mindspore.device_context.ascend.device`: which devices there are."""

from ms_compat.device_context import _settings
from ms_compat.hal import devices


def device_count() -> int:
    """Returns the number of devices.

    Raises:
        RuntimeError: there is none.
    """
    return _settings.device_count("Ascend")


def is_available() -> bool:
    """Whether there is such a device."""
    return devices.is_available("Ascend")
