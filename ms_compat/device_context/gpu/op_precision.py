"""`mindspore.device_context.gpu.op_precision`: whether Float32 may be multiplied in TensorFloat-32."""

from ms_compat._core.errors import check_bool
from ms_compat._core.settings import device
from ms_compat.device_context import _settings


def matmul_allow_tf32(value: bool) -> None:
    """Whether products of matrices may use TensorFloat-32 on NVIDIA GPUs; they may not until this allows it.

    Functions that were compiled before are compiled again. On other devices it has no effect.

    Args:
        value: whether they may.

    Raises:
        TypeError: it is not a bool.
    """
    device.allow_tensor_float(products=_kept("matmul_allow_tf32", value))


def conv_allow_tf32(value: bool) -> None:
    """Whether convolutions may use TensorFloat-32 on NVIDIA GPUs; they may until this forbids it.

    Functions that were compiled before are compiled again. On other devices it has no effect.

    Args:
        value: whether they may.

    Raises:
        TypeError: it is not a bool.
    """
    device.allow_tensor_float(convolutions=_kept("conv_allow_tf32", value))


def _kept(name: str, value: bool) -> bool:
    """Keep the value of a setting, and return it."""
    _settings.values[f"mindspore.device_context.gpu.op_precision.{name}"] = check_bool(name, "value", value)
    return value
