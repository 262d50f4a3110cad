"""Programs for many sizes, padded to powers of two."""
