"""`mindspore.graph`: marks and plug-ins for the compiler of GRAPH_MODE. Re-exports only."""

from ms_compat._names.resolve import unsupported_getattr
from ms_compat.graph.custom_infer import clear_op_infer as clear_op_infer
from ms_compat.graph.custom_infer import clear_op_wrapper as clear_op_wrapper
from ms_compat.graph.custom_infer import register_op_infer as register_op_infer
from ms_compat.graph.custom_infer import register_op_wrapper as register_op_wrapper
from ms_compat.graph.lazy_inline import lazy_inline as lazy_inline
from ms_compat.graph.plugins import CustomPassType as CustomPassType
from ms_compat.graph.plugins import register_custom_backend as register_custom_backend
from ms_compat.graph.plugins import register_custom_pass as register_custom_pass

__getattr__ = unsupported_getattr(__name__)
