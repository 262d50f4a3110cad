"""Bridges to the rest of JAX: Cells as pure functions, optax as optimizers, flax nnx modules both ways."""
