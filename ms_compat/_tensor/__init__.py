"""Tensor's methods and operators: faces of the operations, attached when the namespace is put together."""
