"""Programs for pooling on CPUs."""
