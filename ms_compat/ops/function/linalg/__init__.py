"""Products of matrices, decompositions and functions of matrices."""
