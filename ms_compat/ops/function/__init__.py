"""The functional operations, a file a topic: declarations over arrays, which `ms_compat.ops` names.

MindSpore's own module of this name answers with `ms_compat.ops` (see `ms_compat/_names/modules.txt`).
"""

from ms_compat._names.resolve import unsupported_getattr

__getattr__ = unsupported_getattr(__name__)
