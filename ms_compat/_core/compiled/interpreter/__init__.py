"""The tier before the compiler: NumPy interprets the operation's jaxpr in the first calls of a new signature."""
