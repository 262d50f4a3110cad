"""`mindspore.utils`: tensors in the memory of other libraries, simulated runs, and faults. Re-exports only."""

from ms_compat._names.resolve import unsupported_getattr
from ms_compat._tensor.storage import from_dlpack as from_dlpack
from ms_compat._tensor.storage import to_dlpack as to_dlpack
from ms_compat.utils import dryrun as dryrun
from ms_compat.utils.faults import ExitByRequest as ExitByRequest
from ms_compat.utils.faults import RSCPluginHandle as RSCPluginHandle
from ms_compat.utils.faults import TFTCommValue as TFTCommValue
from ms_compat.utils.faults import _tft_handler as _tft_handler
from ms_compat.utils.faults import stress_detect as stress_detect
from ms_compat.utils.ms_dispatch import MsDispatchMode as MsDispatchMode

__all__ = [
    "ExitByRequest", "MsDispatchMode", "RSCPluginHandle", "TFTCommValue", "_tft_handler", "dryrun", "from_dlpack",
    "stress_detect", "to_dlpack",
]  # fmt: skip
__getattr__ = unsupported_getattr(__name__)
