"""`mindspore.common`."""

from ms_compat.common import dtype as dtype
