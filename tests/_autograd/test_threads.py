"""Several threads that compute with one network, or differentiate one Tensor, get what each would get alone."""

import sys
import threading

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn


@pytest.fixture(autouse=True)
def switching():
    """Threads take turns often, as on a machine with little to do else."""
    former = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(former)


def run(*functions):
    errors = []

    def guarded(function):
        try:
            function()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(function,)) for function in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def training(steps):
    net = nn.SequentialCell(nn.Dense(8, 8), nn.ReLU(), nn.Dense(8, 4))
    update = nn.Adam(net.trainable_params())
    x, y = Tensor(np.ones((16, 8), np.float32)), Tensor(np.ones((16, 4), np.float32))
    gradients = ms.value_and_grad(lambda a, b: nn.MSELoss()(net(a), b), None, update.parameters)

    def train():
        for _ in range(steps):
            update(gradients(x, y)[1])

    train()
    return net, x, train, update


def test_evaluation_beside_training():
    net, x, train, update = training(40)

    def evaluate():
        for _ in range(80):
            assert np.isfinite(net(x).asnumpy()).all()

    run(train, evaluate)
    assert update.global_step.asnumpy() == 80


def test_two_trainings_of_one_network():
    """Right, or refused in words: where the other's update comes between a forward and its backward pass."""
    _, _, train, update = training(30)
    try:
        run(train, train)
    except RuntimeError as error:
        assert "another thread" in str(error)  # either way is right
    else:
        assert update.global_step.asnumpy() == 90


@pytest.mark.parametrize(
    "function",
    [
        ms.grad(ms.grad(lambda v: (v * v * v).sum())),
        ms.grad(lambda v: ms.grad(lambda w: (w * w * v).sum())(v).sum()),
    ],
    ids=["twice", "inner"],
)
def test_gradients_of_gradients_of_one_tensor(function):
    x = Tensor([2.0, 3.0])
    function(x)

    def differentiate():
        for _ in range(60):
            assert function(x).asnumpy().tolist() == [12.0, 18.0]

    run(differentiate, differentiate)
