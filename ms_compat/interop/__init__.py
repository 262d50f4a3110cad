"""Bridges to the rest of JAX: Cells as pure functions, optax as optimizers, flax nnx modules both ways; and `summary`,
a table of a network.
"""

from ms_compat.interop._summary import Summary as Summary
from ms_compat.interop._summary import summary as summary
