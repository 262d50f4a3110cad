"""Gradients are accumulated as MindSpore does; values recorded with MindSpore 2.10."""

import numpy as np

import ms_compat as ms
from ms_compat import Tensor, nn, ops


def test_the_optimizer_is_called_every_few_steps(mode):
    before = ms.get_context("mode")
    try:
        net = nn.Dense(2, 1, weight_init="ones")
        step = ms.boost.GradientAccumulation(2, nn.SGD(net.trainable_params(), 0.1))
        gradients = tuple([ops.ones_like(p) for p in net.trainable_params()])
        for i, weight in enumerate((1, 0.9, 0.9, 0.8)):
            assert float(step(Tensor(float(i)), gradients)) == i
            np.testing.assert_allclose(net.weight.asnumpy(), [[weight, weight]], rtol=1e-6)
            total = step._grad_accumulation[0].asnumpy()
            np.testing.assert_allclose(total, np.full((1, 2), 0.5 if i % 2 == 0 else 0.0))
    finally:
        ms.set_context(mode=before)


def test_subclasses_map_over_its_sums(mode):
    class Emptied(ms.boost.GradientAccumulation):
        def construct(self, loss, grads):
            add, clear = (
                getattr(ms.boost.grad_accumulation, f"gradient_{what}_op") for what in ("accumulation", "clear")
            )
            self.hyper_map(ops.partial(add, self._max_accumulation_step), self._grad_accumulation, grads)
            total = self._grad_accumulation[0].sum()
            self.hyper_map(clear, self._grad_accumulation)
            return loss + total

    step = Emptied(4, nn.SGD(nn.Dense(2, 1).trainable_params(), 0.1))
    for _ in range(2):
        assert float(step(Tensor(1.0), (ops.ones((1, 2)), ops.ones(1)))) == 1.5
    assert not step._grad_accumulation[0].asnumpy().any()
