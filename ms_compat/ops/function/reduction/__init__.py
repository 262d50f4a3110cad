"""Many elements in, fewer out: sums, running sums, segments, histograms, distances."""
