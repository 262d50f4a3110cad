"""Rules that lower JAX operations to MindIR nodes, one file for each topic."""
