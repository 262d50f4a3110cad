"""`ScopedValue` and `ValueType`, at MindSpore's path."""

from ms_compat.rewrite.scoped_value import ScopedValue as ScopedValue
from ms_compat.rewrite.scoped_value import ValueType as ValueType
