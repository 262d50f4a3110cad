"""State that a program for NVIDIA GPUs must not donate, see `_compile/analysis/donation.py`."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops
from ms_compat._compile.analysis import donation


def parameters(count):
    return [Parameter(Tensor(np.full((3,), i, np.float32)), name=f"p{i}") for i in range(count)]


def equal_values(held, x):
    """Two Parameters get values that are computed alike."""
    for p in held:
        ops.assign(p, ops.sin(x) * 2)
    return x


def equal_constants(held, x):
    total = held[0] + held[1]
    for p in held:
        ops.assign(p, ops.zeros_like(p))
    return total + x


def one_value_after_another(held, x):
    for p in held:
        ops.assign(p, p * 2 + x)
    return x


def other_factors(held, x):
    for i, p in enumerate(held):
        ops.assign(p, x * (i + 2))
    return x


@pytest.fixture
def on_gpu(monkeypatch):
    monkeypatch.setattr(donation.device, "platform", lambda: "gpu")


def donated(program):
    """How many arrays a compiled function donates, and what it computes."""
    held = parameters(2)

    @ms.jit
    def step(x):
        return program(held, x)

    x = Tensor(np.ones(3, np.float32))
    results = [step(x).asnumpy().tolist(), *[p.asnumpy().tolist() for p in held]]
    return donated_by(step, x), results


def donated_by(called, *tensors):
    """How many arrays the program of a compiled function or Cell donates."""
    [compiled] = called._compiled._specialised.values()
    return compiled.lower([t._v for t in tensors]).as_text().count("tf.aliasing_output")


@pytest.mark.parametrize(
    ("program", "count"),
    [(equal_values, 0), (equal_constants, 0), (one_value_after_another, 2), (other_factors, 2)],
)
def test_equal_values_are_not_written_to_donated_state(program, count, on_gpu, monkeypatch):
    found, results = donated(program)
    monkeypatch.setattr(donation.device, "platform", lambda: "cpu")
    elsewhere, expected = donated(program)
    assert (found, elsewhere) == (count, 2)
    assert results == expected


def test_asgd_donates_nothing_there(on_gpu, graph):
    """Its rates are the same numbers for all Parameters, computed again for each."""
    held = parameters(3)
    step = nn.TrainOneStepCell(nn.WithLossCell(Sum(held), nn.L1Loss()), nn.ASGD(held))
    assert donates(step) == 0


def test_adam_donates_everything_there(on_gpu, graph):
    held = parameters(3)
    step = nn.TrainOneStepCell(nn.WithLossCell(Sum(held), nn.L1Loss()), nn.Adam(held))
    assert donates(step) > 3 * len(held)


class Sum(nn.Cell):
    def __init__(self, held):
        super().__init__()
        self.held = ms.ParameterTuple(held)

    def construct(self, x):
        return sum(p * (i + 1) for i, p in enumerate(self.held)) * x


def donates(step):
    """How many arrays a training step donates."""
    x = Tensor(np.ones(3, np.float32))
    step(x, x)
    return donated_by(step, x, x)
