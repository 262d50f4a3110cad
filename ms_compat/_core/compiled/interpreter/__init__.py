"""The tier before the compiler: the first calls of a new signature walk the operation's jaxpr with NumPy."""
