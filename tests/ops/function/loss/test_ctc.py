"""The CTC loss with dense labels."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from tests.ops import recorded
from tests.ops.arrays import generator


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


random = generator()


@pytest.mark.parametrize("reduction", ["none", "sum", "mean"])
@pytest.mark.parametrize("zero_infinity", [False, True])
def test_ctc_loss_is_that_of_pytorch(reduction, zero_infinity):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed: the extra `bench` brings it")
    scores = random(7, 3, 5)
    labels = np.array([[1, 2, 2], [3, 4, 1], [1, 1, 1]], np.int32)
    lengths, counts = np.array([7, 6, 4], np.int32), np.array([3, 2, 3], np.int32)
    leaf = torch.tensor(scores, requires_grad=True)
    wanted = torch.nn.functional.ctc_loss(
        leaf.log_softmax(-1), torch.tensor(labels), torch.tensor(lengths), torch.tensor(counts), 0, reduction,
        zero_infinity,
    )  # fmt: skip
    wanted.sum().backward()

    def loss(x):
        return ops.ctc_loss(
            ops.log_softmax(x, -1), *map(Tensor, (labels, lengths, counts)), 0, reduction, zero_infinity
        )[0]

    out = loss(Tensor(scores))
    np.testing.assert_allclose(out.asnumpy(), wanted.detach().numpy(), rtol=1e-5)
    np.testing.assert_allclose(ms.jit(loss)(Tensor(scores)).asnumpy(), out.asnumpy(), rtol=1e-6)
    gradient = ms.grad(lambda x: loss(x).sum())(Tensor(scores)).asnumpy()
    np.testing.assert_allclose(gradient, leaf.grad.numpy(), rtol=1e-4, atol=1e-6)


def test_ctc_loss_trains_in_both_modes_and_drops_over_steps():
    scores = Tensor(random(6, 2, 4))
    labels, lengths = Tensor(np.array([[1, 2], [3, 3]], np.int32)), (6, 5)

    def loss(x):
        return ops.ctc_loss(ops.log_softmax(x, -1), labels, lengths, (2, 2))[0]

    step = ms.jit(ms.value_and_grad(loss))
    values = []
    for _ in range(20):
        value, gradient = step(scores)
        values.append(float(value))
        scores = scores - 2 * gradient
    assert values[-1] < 0.3 * values[0]
