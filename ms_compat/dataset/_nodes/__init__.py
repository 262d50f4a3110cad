"""The operations of a pipeline: each makes a dataset of another."""
