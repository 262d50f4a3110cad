"""What changes a Parameter: assignments, clipping, the steps of optimizers."""
