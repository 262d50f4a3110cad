"""`mindspore.common.dtype`: the data types of `ms_compat._core.dtype` under their public path."""

from ms_compat._core.dtype import *  # noqa: F403 - every public name, and type checkers see them
