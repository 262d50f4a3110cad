"""`mindspore.common.dtype`: the data types of `ms_compat._core.dtype` under their public path."""

from ms_compat._core import dtype as _dtype

globals().update({name: value for name, value in vars(_dtype).items() if not name.startswith("_")})
