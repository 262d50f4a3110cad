"""Errors of single calls by the classes that MindSpore 2.10 raises."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, dataset, nn, train


def test_choice_func_that_fails(tmp_path):
    path = str(tmp_path / "net.ckpt")
    ms.save_checkpoint(nn.Dense(2, 2), path)
    for choice in (lambda name: name.startswith(123), lambda name: 1 / 0):
        with pytest.raises(ValueError, match="'choice_func' failed"):
            ms.load_checkpoint(path, choice_func=choice)


def test_the_base_class_of_optimizers_has_no_step(mode):
    optimizer = nn.Optimizer(0.5, [Parameter(Tensor([1.0]), name="a")])
    for call in (lambda: optimizer.construct(), lambda: optimizer((Tensor([1.0]),))):
        with pytest.raises(NotImplementedError):
            call()


def test_a_metric_without_a_name_or_samples():
    with pytest.raises(NotImplementedError, match="metric_name"):
        train.ConfusionMatrixMetric(metric_name="other").eval()
    with pytest.raises(RuntimeError):
        train.ConfusionMatrixMetric(metric_name="tnr", calculation_method=True).eval()


def waiting(name="policy"):
    return dataset.NumpySlicesDataset(np.arange(3)).sync_wait(name)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: waiting().shuffle(2), RuntimeError),
        (lambda: waiting().batch(2).shuffle(2), RuntimeError),
        (lambda: waiting().sync_wait("policy"), RuntimeError),
        (lambda: waiting().sync_update("policy", 0), RuntimeError),
        (lambda: waiting().sync_update("policy", 1.5), RuntimeError),
        (lambda: waiting().sync_update("other", 1), RuntimeError),
        (lambda: waiting().sync_update(3), TypeError),
    ],
)
def test_waiting_pipelines(call, error):
    with pytest.raises(error):
        call()
