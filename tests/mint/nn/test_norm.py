"""Normalisation layers of `mint`."""

import numpy as np

from ms_compat import Tensor, mint


def test_sync_batch_norm_of_one_process_is_batch_norm():
    images = Tensor(np.random.default_rng(0).standard_normal((4, 3, 2, 2)).astype(np.float32))
    one, other = mint.nn.SyncBatchNorm(3).set_train(), mint.nn.BatchNorm2d(3).set_train()
    np.testing.assert_allclose(one(images).asnumpy(), other(images).asnumpy(), rtol=1e-6)
    np.testing.assert_allclose(one.running_var.asnumpy(), other.running_var.asnumpy(), rtol=1e-6)


RNG = np.random.RandomState(3)


ROWS = Tensor(RNG.randn(3, 4).astype(np.float32))


def test_batch_norm_keeps_statistics_in_the_sense_of_pytorch():
    net = mint.nn.BatchNorm1d(4).set_train()
    net(ROWS)
    x = ROWS.asnumpy()
    assert np.allclose(net.running_mean.asnumpy(), 0.1 * x.mean(0), atol=1e-6)
    assert np.allclose(net.running_var.asnumpy(), 0.9 + 0.1 * x.var(0, ddof=1), atol=1e-6)
    assert net.num_batches_tracked.item() == 1


def test_batch_norm_without_momentum_averages_all_batches():
    net = mint.nn.BatchNorm1d(4, momentum=None).set_train()
    batches = [RNG.randn(5, 4).astype(np.float32) for _ in range(3)]
    for batch in batches:
        net(Tensor(batch))
    assert np.allclose(net.running_mean.asnumpy(), np.mean([b.mean(0) for b in batches], 0), atol=1e-6)
    assert np.allclose(net.running_var.asnumpy(), np.mean([b.var(0, ddof=1) for b in batches], 0), atol=1e-6)
