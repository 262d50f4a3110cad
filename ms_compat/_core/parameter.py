"""The path under which pickles of version 0.1.0 name Parameters and tuples of them."""

from ms_compat._core.tensor.parameter import ParameterTuple as ParameterTuple
from ms_compat._core.tensor.parameter import _unpickle as _unpickle
