"""The functional operations, one file per topic: declarations over arrays, which `ms_compat.ops` names.

MindSpore's own module of this name resolves to `ms_compat.ops` (see `ms_compat/_names/modules.txt`).
"""

from ms_compat._names.resolve import unsupported_getattr

__getattr__ = unsupported_getattr(__name__)
