"""Shared by all parts of the data pipeline: checks, rows, randomness, prefetching."""
