"""`x[index]` and `x[index] = value`."""
