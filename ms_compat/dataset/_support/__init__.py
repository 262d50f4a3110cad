"""What all parts of the data pipeline share: checks, rows, randomness, prefetching."""
