"""Single operations that are exported, by the JAX primitive that their rule is for."""

OPERATIONS = {}
