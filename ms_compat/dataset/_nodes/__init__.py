"""The operations of a pipeline: each makes a dataset from another."""
