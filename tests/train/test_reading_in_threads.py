"""A net that trains in one thread is saved, read, copied and evaluated in another: values of one step, and no error.

A compiled step gives away the arrays of the Parameters that it changes, and is traced with others in their place.
"""

import copy
import itertools
import pickle
import threading
import time

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops

X = Tensor(np.random.default_rng(0).normal(size=(16, 8)).astype(np.float32))
Y = Tensor(np.random.default_rng(1).normal(size=(16, 4)).astype(np.float32))


class Net(nn.Cell):
    def __init__(self, layers=1):
        super().__init__()
        self.first = nn.Dense(8, 16)
        self.norm = nn.BatchNorm1d(16)
        self.rest = nn.SequentialCell([nn.Dense(16, 16) for _ in range(layers)])
        self.last = nn.Dense(16, 4)

    def construct(self, x):
        return self.last(self.rest(ops.relu(self.norm(self.first(x)))))


def while_training(step, read, count, warm=True, seconds=600):
    """Calls `read` in a thread, at least `count` times, while the step runs; returns what it gave."""
    found, errors, started = [], [], threading.Event()

    def reader():
        started.wait(seconds)
        try:
            while len(found) < count and not errors:
                found.append(read())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=reader)
    thread.start()
    try:
        for _ in range(10 if warm else 0):  # the first calls are interpreted, and donate nothing
            step()
        started.set()
        end = time.monotonic() + seconds
        while thread.is_alive() and time.monotonic() < end:
            step()
    finally:
        started.set()
        thread.join(seconds)
    if errors:
        raise errors[0]
    assert not thread.is_alive() and len(found) == count
    return found


def trainer(net):
    optimizer = nn.Adam(net.trainable_params(), 1e-3)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer)
    net.set_train()
    return lambda: step(X, Y)


READERS = {
    "save": (12, lambda net, path: ms.save_checkpoint(net, path)),
    "asnumpy": (100, lambda net, path: [p.asnumpy() for p in net.get_parameters()]),
    "array": (100, lambda net, path: np.asarray(net.first.weight)),
    "deepcopy": (600, lambda net, path: copy.deepcopy(net.first.weight).asnumpy()),
    "copy": (600, lambda net, path: copy.copy(net.first.weight).asnumpy()),
    "pickle": (600, lambda net, path: pickle.dumps(net.last.weight)),
    "value": (600, lambda net, path: net.last.weight.value().asnumpy()),
    "data": (60, lambda net, path: net.last.weight.data.asnumpy()),
    "index": (100, lambda net, path: float(net.last.bias[1])),
    "str": (100, lambda net, path: str(net.last.bias.value())),
    "compute": (100, lambda net, path: ops.relu(net.last.weight).sum().asnumpy()),
    "join": (100, lambda net, path: ops.cat((net.last.weight, net.last.weight)).asnumpy()),
    "stop": (100, lambda net, path: ops.stop_gradient(net.last.weight).asnumpy()),
    "evaluate": (40, lambda net, path: net(X).asnumpy()),
}


@pytest.mark.parametrize("kind", READERS)
def test_a_reader_meets_no_array_that_was_given_away(kind, mode, tmp_path):
    net = Net()
    count, read = READERS[kind]
    while_training(trainer(net), lambda: read(net, str(tmp_path / "a.ckpt")), count)


@pytest.mark.parametrize("kind", ["asnumpy", "pickle", "value", "compute"])
def test_a_reader_meets_no_tracer(kind):
    net = Net()
    read = READERS[kind][1]

    @ms.jit
    def step(x):
        ops.assign(net.first.weight, net.first.weight + x.sum())
        return net(x)

    sizes = itertools.count(1)

    def fresh():  # each call is traced
        size = next(sizes)
        if size < 6:
            step(Tensor(np.ones((size, 8), np.float32)))

    while_training(fresh, lambda: read(net, None), 500, warm=False)


class Counters(nn.Cell):
    """Parameters whose elements are all the number of the step."""

    def __init__(self, count):
        super().__init__()
        self.parts = nn.CellList([nn.Dense(4, 4, weight_init="zeros", has_bias=False) for _ in range(count)])


@pytest.mark.parametrize("count", [3, 40])
def test_values_are_of_one_step_and_never_older_than_before(count, tmp_path):
    net = Counters(count)
    parameters = list(net.get_parameters())

    @ms.jit
    def step():
        for parameter in parameters:
            ops.assign(parameter, parameter + 1)
        return parameters[0].sum()

    def saved():
        ms.save_checkpoint(net, str(tmp_path / "a.ckpt"))
        found = ms.load_checkpoint(str(tmp_path / "a.ckpt")).values()
        return {float(number) for value in found for number in value.asnumpy().flat}

    steps = while_training(step, saved, 20)
    assert all(len(values) == 1 for values in steps)
    values = [value for (value,) in steps]
    assert values == sorted(values)
    read = while_training(step, lambda: parameters[-1].asnumpy(), 500)
    assert all(np.unique(value).size == 1 for value in read)
    assert [value[0, 0] for value in read] == sorted(value[0, 0] for value in read)
    assert len({float(parameter.asnumpy()[0, 0]) for parameter in parameters}) == 1


def test_python_that_a_step_calls_does_not_wait_for_it():
    weight, other = (Parameter(Tensor(np.zeros(3, np.float32)), name=name) for name in "wo")
    seen = []

    def called(x):
        seen.append(copy.copy(other).asnumpy())
        return x

    call = ops.Custom(called, lambda x: x, lambda x: x, func_type="pyfunc")

    @ms.jit
    def step(x):
        ops.assign(weight, weight + call(x))
        return weight.sum()

    def run():
        for _ in range(12):
            step(Tensor(np.ones(3, np.float32))).asnumpy()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(600)
    assert not thread.is_alive() and len(seen) >= 12
    assert weight.asnumpy().tolist() == [12, 12, 12]
