"""Programs compiled for accelerators that are not there: what a target is, its compiler, and what its program needs."""
