"""Sparse matrices that the tests of sparse tensors share, beside their dense forms."""

import numpy as np

import ms_compat as ms
from ms_compat import COOTensor, Tensor

RNG = np.random.default_rng(7)


def matrix(rows, columns, dtype=np.float64, density=0.4):
    """A random matrix with zeros, and a row without anything."""
    dense = RNG.integers(-9, 10, (rows, columns)) * (RNG.random((rows, columns)) < density)
    dense[rows // 2] = 0
    return dense.astype(dtype)


def coordinates(dense, index=ms.int64):
    """The COOTensor of a matrix, its elements in a random order."""
    at = np.stack(np.nonzero(dense), 1)
    RNG.shuffle(at)
    return COOTensor(Tensor(at, index), Tensor(dense[at[:, 0], at[:, 1]]), dense.shape)


A, B, SQUARE = matrix(6, 5), matrix(5, 7), matrix(6, 5)

LEFT, RIGHT = Tensor(A).to_csr(), Tensor(B).to_csr()
PAIR = coordinates(A), coordinates(SQUARE)
WIDE, TALL = Tensor(RNG.normal(size=(6, 5))), Tensor(RNG.normal(size=(5, 3)))
ROWS, SEGMENTS = Tensor(RNG.normal(size=(4, 2))), Tensor([0, 0, 2, 3])


def filled(like, values):
    return like._with_values(values)


def rows(values):
    return values[:8].reshape(4, 2)
