"""Pure functions of arrays, compiled, with their pullbacks; the first calls of each are interpreted with NumPy."""
