"""`mindspore.graph`: marks for the compiler of GRAPH_MODE. Re-exports only."""

from ms_compat._names.resolve import unsupported_getattr
from ms_compat.graph.lazy_inline import lazy_inline as lazy_inline

__getattr__ = unsupported_getattr(__name__)
