"""Programs of a processor for pooling."""
