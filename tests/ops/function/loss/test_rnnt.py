"""The loss of transducers, against a sum over all paths."""

import itertools

import numpy as np
import pytest

from ms_compat import Tensor, ops
from tests.ops.arrays import close, generator

random = generator()


def test_transducer_loss_sums_over_all_paths():
    acts = random(2, 3, 3, 4)
    labels, lengths, counts = (
        np.array([[1, 2], [3, 1]], np.int32),
        np.array([3, 2], np.int32),
        np.array([2, 1], np.int32),
    )
    scores = acts - np.log(np.exp(acts).sum(-1, keepdims=True))
    wanted = []
    for b in range(2):
        total = 0.0
        moves = lengths[b] - 1 + counts[b]
        for emits in itertools.combinations(range(moves), counts[b]):
            t = u = 0
            path = 0.0
            for move in range(moves):
                if move in emits:
                    path += scores[b, t, u, labels[b, u]]
                    u += 1
                else:
                    path += scores[b, t, u, 0]
                    t += 1
            total += np.exp(path + scores[b, t, u, 0])
        wanted.append(-np.log(total))
    arguments = tuple(map(Tensor, (acts, labels, lengths, counts)))
    costs, gradient = ops.RNNTLoss(blank_label=0)(*arguments)
    close(costs, wanted)
    slope = np.zeros_like(acts)
    for at in itertools.product(*map(range, acts.shape)):
        ends = []
        for step in (1e-2, -1e-2):
            moved = acts.copy()
            moved[at] += step
            ends.append(ops.RNNTLoss()(Tensor(moved), *arguments[1:])[0].asnumpy().sum()) if at[3] == 1 else None
        slope[at] = (ends[0] - ends[1]) / 2e-2 if at[3] == 1 else gradient.asnumpy()[at]
    np.testing.assert_allclose(gradient.asnumpy(), slope, atol=2e-3)
    with pytest.raises(TypeError, match="labels"):
        ops.RNNTLoss()(arguments[0], Tensor(labels.astype(np.int64)), *arguments[2:])
