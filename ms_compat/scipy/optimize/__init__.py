"""`mindspore.scipy.optimize`."""

from __future__ import annotations

from ms_compat._names.resolve import unsupported_getattr
from ms_compat.scipy.optimize.line_search import line_search as line_search
from ms_compat.scipy.optimize.linear_sum_assignment import linear_sum_assignment as linear_sum_assignment
from ms_compat.scipy.optimize.minimize import minimize as minimize

__getattr__ = unsupported_getattr(__name__)
