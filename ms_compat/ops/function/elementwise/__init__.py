"""One element in, one element out: arithmetic, comparisons, special functions, activations."""
