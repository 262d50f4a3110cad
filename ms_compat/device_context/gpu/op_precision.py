"""`mindspore.device_context.gpu.op_precision`: whether float32 may be multiplied in TensorFloat-32."""

import jax

from ms_compat._core.errors import check_bool
from ms_compat._core.settings import device
from ms_compat.device_context import _settings

conv_allow_tf32 = _settings.setting(
    "gpu.op_precision", "conv_allow_tf32", "Whether convolutions may use TensorFloat-32", "value", bool
)


def matmul_allow_tf32(value: bool) -> None:
    """Whether products of matrices (and, as JAX has one setting for both, convolutions) may use TensorFloat-32.

    On a GPU this is JAX's `jax_default_matmul_precision`: "tensorfloat32" or "highest". On other devices it has no
    effect.

    Args:
        value: whether they may.

    Raises:
        TypeError: it is not a bool.
    """
    check_bool("matmul_allow_tf32", "value", value)
    _settings.values["mindspore.device_context.gpu.op_precision.matmul_allow_tf32"] = value
    if device.accelerator_possible() and device.current().platform == "gpu":
        jax.config.update("jax_default_matmul_precision", "tensorfloat32" if value else "highest")
    else:
        _settings.logger.debug("gpu.op_precision.matmul_allow_tf32(%s) has no effect on this device", value)
