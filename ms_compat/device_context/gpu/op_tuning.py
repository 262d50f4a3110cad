"""`mindspore.device_context.gpu.op_tuning`: how convolutions are computed; XLA measures and chooses."""

from ms_compat._core.settings.context_keys import GPU_OPTIONS
from ms_compat.device_context._settings import setting

_WHAT = {"fprop": "", "dgrad": "the gradients of inputs of ", "wgrad": "the gradients of weights of "}


def _make(which: str):
    name = f"conv_{which}_algo"
    return setting("gpu.op_tuning", name, f"The algorithm for {_WHAT[which]}convolutions", "mode", str,
                   GPU_OPTIONS[name])  # fmt: skip


conv_fprop_algo = _make("fprop")
conv_dgrad_algo = _make("dgrad")
conv_wgrad_algo = _make("wgrad")
