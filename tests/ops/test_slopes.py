"""Gradients at ties and bounds, and of inputs that functions once read on the host; the numbers are MindSpore's."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, ops
from ms_compat import numpy as mnp


def of(*numbers):
    return Tensor(np.asarray(numbers, np.float32))


V = of(1, 2, 4)
M = of([0, 1, 0], [1, 0, 1], [1, 1, 0])
POINTS = of([1, 2], [3, 4], [2, 2])
ROWS, PLANE = of(1, 2, 3), of([1, 2], [3, 4])
LEFT = of([1, 0], [0, 1])


def batch_norm(mean):
    ops.batch_norm(of([0, 1], [2, 3]), mean, of(1, 2), of(1, 1), of(0, 0), True, 0.3)
    return mean * of(3, 5)


def batch_norm_primitive(mean):
    ops.BatchNorm(True, 1e-5, 0.3)(of([0, 1], [2, 3]), of(1, 1), of(0, 0), mean, of(1, 2))
    return mean * of(3, 5)


def triplet(x):
    loss = nn.TripletMarginWithDistanceLoss(lambda a, b: (a - b).abs().sum(-1), reduction="sum")
    return loss(x, of([1, 2]), of([1, 3]))


CASES = {
    "cdist: each of equal gaps": (
        lambda x: ops.cdist(x, x * 0 + of([1, 1, 1], [0, 0, 0], [2, 2, 2]), float("inf")), M,
        [[-2, 1, -2], [1, -2, 1], [1, 1, -2]],
    ),
    "median of all: shared": (lambda x: ops.Median(True)(x)[0] * 2, of(0, 1, 0, 1), [1, 0, 1, 0]),
    "mnp.norm: equal sums share": (
        lambda x: mnp.norm(x, 1) + mnp.norm(x, -mnp.inf) * 2 + mnp.norm(x, mnp.inf) * 3, M,
        [[0, 2.5, 0], [2, 0, 1.5], [2, 2, 0]],
    ),
    "mnp.norm of rows": (
        lambda x: mnp.norm(x, mnp.inf, 1) * ROWS, M, [[0, 1, 0], [1, 0, 1], [1.5, 1.5, 0]]
    ),
    "amin: the bound shares with elements": (
        lambda x: mnp.amin(x, 1, initial=1.0) * ROWS, M, [[0.5, 0, 0.5], [0, 2, 0], [0, 0, 3]]
    ),
    "amax with a bound": (
        lambda x: ops.amax(x, 1, initial=1.0) * ROWS, M,
        [[0, 1 / 6, 0], [1 / 3, 0, 1 / 3], [0.5, 0.5, 0]],
    ),
    "amax of some": (
        lambda x: ops.amax(x, 1, initial=0.0, where=Tensor([[True, False, True]])) * ROWS, M,
        [[1 / 6, 0, 1 / 6], [1, 0, 1], [3, 0, 0]],
    ),
    "LpNorm of zeros": (lambda x: ops.LpNorm(1)(x), of([0, 0], [3, 4]), [[0, 0], [0.6, 0.8]]),
    "LpNorm below its bound": (lambda x: ops.LpNorm(1, 2, False, 0.5)(x * 0.1), of([1, 0]), [[0.02, 0]]),
    "LpNorm of order 1 below its bound": (lambda x: ops.LpNorm(1, 1, False, 0.5)(x * 0.1), of([1, 0]), [[0.1, 0]]),
    "cosine at its bound": (
        lambda x: ops.cosine_similarity(x, LEFT, dim=1, eps=1.0), of([1, 2], [3, 1]),
        [[0.35777, -0.17889], [-0.09487, 0.2846]],
    ),
    "Bessel where the formula changes": (
        lambda x: ops.bessel_j0(x) + ops.bessel_j1(x) * 2, of(0, 1, 25, 30, -3), [1, 0.2102, 0.3279, -0.0461, -0.4071]
    ),
    "triplet at the margin": (triplet, of([1, 2]), [[0, 0.5]]),
    "triplet of equal rows": (
        lambda x: nn.TripletMarginWithDistanceLoss()(x, PLANE, PLANE), PLANE, [[0, 0], [0, 0]]
    ),
    "celu, second order": (
        lambda x: ms.grad(lambda y: ops.celu(y).sum())(x), of(-1, 0, 1), [0.36788, 0, 0]
    ),
    "interp by the places": (lambda x: mnp.interp(of(1.5, 2.5, 9), x, of(1, 5, 2)) * ROWS, V, [-2, 0.25, 0.75]),
    "interp by x, at a place": (lambda x: mnp.interp(x, V, of(1, 5, 2)) * ROWS, of(1.5, 3, 2), [4, -3, 12]),
    "geomspace": (lambda x: mnp.geomspace(x[0], x[1], 4) * of(1, 2, 3, 4), V, [4.2673, 6.0074, 0]),
    "geomspace of vectors": (lambda x: mnp.geomspace(x, x * 2, 3, axis=-1), V, [4.4142, 4.4142, 4.4142]),
    "logspace": (lambda x: mnp.logspace(x, 2, 3, base=2.0) * ROWS, of(1), [14.1993]),
    "linspace": (
        lambda x: mnp.linspace(x, x * x, 4, endpoint=False, axis=1) * of(1, 2, 3, 4), of(2, 3, 5), [25, 35, 55]
    ),
    "the step of linspace": (lambda x: mnp.linspace(x, x * x, 1, retstep=True, endpoint=False)[1], V, [1, 3, 7]),
    "mnp.gradient by its distances": (lambda x: sum(y.sum() for y in mnp.gradient(M * M, x[0], x[1])), V,
                                      [-1.5, 0.375, 0]),
    "itemset": (lambda x: x.itemset(0, 5.0) * x, of([1, -2, 3]), [[5, -4, 6]]),
    "itemset of a result": (lambda x: (x * 2).itemset((0, 1), 5.0) * ROWS, of([1, -2, 3]), [[2, 0, 6]]),
    "batch_norm's statistics": (batch_norm, of(1, 2), [3, 5]),
    "BatchNorm's statistics": (batch_norm_primitive, of(1, 2), [3, 5]),
}  # fmt: skip
ON_THE_HOST = {
    "weights of histogramdd": (
        lambda x: mnp.histogramdd(POINTS, 2, weights=x)[0] * PLANE, V, [1, 4, 3]
    ),
    "weights of a density": (
        lambda x: mnp.histogramdd(POINTS, 2, weights=x, density=True)[0] * PLANE, V, [-0.2857, 0.1429, 0]
    ),
    "points of a density": (
        lambda x: mnp.histogramdd(x, 2, density=True)[0] * PLANE, POINTS,
        [[1.3333, 0.6667], [-1.3333, -1.3333], [0, 0.6667]],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_gradient(name, mode):
    function, point, wanted = CASES[name]
    found = ms.grad(lambda x: function(x).sum())(Tensor(point))
    np.testing.assert_allclose(found.asnumpy(), wanted, 1e-3, 1e-4)


@pytest.mark.parametrize("name", ON_THE_HOST)
def test_gradient_of_what_runs_on_the_host(name):
    function, point, wanted = ON_THE_HOST[name]
    found = ms.grad(lambda x: function(x).sum())(Tensor(point))
    np.testing.assert_allclose(found.asnumpy(), wanted, 1e-3, 1e-4)
