"""Sources: the datasets that read arrays, Python objects or files."""
