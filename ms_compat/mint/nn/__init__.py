"""`mindspore.mint.nn`: layers with PyTorch's names and defaults."""

from ms_compat.mint.nn import functional as functional
