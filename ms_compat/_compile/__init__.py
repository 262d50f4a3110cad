"""GRAPH_MODE: what is constant, what varies, and one kept `jax.jit` per function."""
