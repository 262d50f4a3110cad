"""`mindspore.device_context.ascend.op_precision`."""

from ms_compat._core.settings.context_keys import ASCEND_OPTIONS
from ms_compat.device_context._settings import setting

_MODULE = "ascend.op_precision"
precision_mode = setting(_MODULE, "precision_mode", "In which precision Ascend computes", "mode", str,
                         ASCEND_OPTIONS["precision_mode"])  # fmt: skip
op_precision_mode = setting(_MODULE, "op_precision_mode", "A file with the precision of operations", "path", str)
matmul_allow_hf32 = setting(_MODULE, "matmul_allow_hf32", "Whether matrices may be multiplied in HF32", "value", bool)
conv_allow_hf32 = setting(_MODULE, "conv_allow_hf32", "Whether convolutions may use HF32", "value", bool)
