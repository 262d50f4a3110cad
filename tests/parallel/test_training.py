"""Scripts for MindSpore's parallel modes give one device's numbers, on eight devices and in four processes.

    python -m pytest -q -m parallel tests/parallel

runs all of `training.py`; a part on eight devices runs by default.
"""

import numpy as np
import pytest

from tests import jobs

SOME = ["alone", "batch and strategies", "renamed", "optimizer", "stages", "wrapped optimizer of two"]
REST = [
    "strategies", "batch", "inputs", "parts of inputs", "auto", "by hand", "model", "recomputed", "layouts", "cells",
    "cells of each process", "wrapped", "wrapped optimizer", "reducer", "pynative", "data parallel",
    "data parallel, by hand", "data parallel, model",
]  # fmt: skip
# What is not one device's program where several processes compute, and what to do.
REFUSED = {
    "parts of inputs": "full_batch",
    "cells of each process": "semi_auto_parallel",
    "reducer": "need no reducer",
    "pynative": "GRAPH_MODE",
}


def on_eight(out, names):
    flags = "--xla_force_host_platform_device_count=8"
    return jobs.finished([jobs.started("tests.parallel.training", out, 8, *names, XLA_FLAGS=flags)], out)[0]


@pytest.fixture(scope="module")
def some(tmp_path_factory):
    return on_eight(tmp_path_factory.mktemp("some") / "out", SOME)


@pytest.fixture(scope="module")
def eight(tmp_path_factory):
    return on_eight(tmp_path_factory.mktemp("eight") / "out", ["alone", *REST])


@pytest.fixture(scope="module")
def four(tmp_path_factory):
    out = tmp_path_factory.mktemp("four") / "out"
    return jobs.finished(jobs.workers(4, "tests.parallel.training", out, 4, *SOME, *REST), out)


def assert_trained_alike(found, alone):
    assert "refused" not in found, found
    for name, value in zip(alone["shards"], zip(found["weights"], alone["weights"], strict=True), strict=True):
        np.testing.assert_allclose(*value, atol=1e-6, err_msg=name)


@pytest.mark.parametrize("name", SOME[1:])
def test_some_equal_one_device(some, name):
    assert_trained_alike(some[name], some["alone"])
    np.testing.assert_allclose(some[name]["losses"], some["alone"]["losses"], rtol=1e-5)


@pytest.mark.parametrize(
    ("name", "up", "bias"),
    [
        ("batch and strategies", [16, 8], [16]),  # (32, 8) cut by (2, 1): over 2 of 8 devices, and 4 hold copies
        ("renamed", [8, 8], [8]),
        ("optimizer", [4, 8], [4]),  # by (4, 1), and what held copies cuts once more
        ("stages", [8, 8], [8]),  # by (2, 1), and what half of the 8 devices, a stage's, would hold
        ("wrapped optimizer of two", [16, 8], [16]),
        ("alone", [32, 8], [32]),
    ],
)
def test_parameters_and_moments_lie_as_strategies_say(some, name, up, bias):
    for kept in (some[name]["shards"], some[name]["moments"]):
        assert {tuple(shape) for path, shape in kept.items() if path.endswith(".up")} == {tuple(up)}
        assert {tuple(shape) for path, shape in kept.items() if path.endswith("blocks.0.bias")} == {tuple(bias)}


@pytest.mark.parallel
@pytest.mark.parametrize("name", REST)
def test_eight_devices_equal_one(eight, name):
    assert_trained_alike(eight[name], eight["alone"])
    np.testing.assert_allclose(eight[name]["losses"], eight["alone"]["losses"], rtol=1e-5)


@pytest.mark.parallel
@pytest.mark.parametrize("name", [*SOME[1:], *REST])
def test_four_processes_equal_one_device(four, name):
    for results in four:
        if name in REFUSED:
            assert REFUSED[name] in results[name]["refused"]
        else:
            assert_trained_alike(results[name], results["alone"])
    if name not in REFUSED:
        losses = [results[name]["losses"] for results in four]  # data parallel: of each process's own rows
        np.testing.assert_allclose(np.mean(losses, 0), four[0]["alone"]["losses"], rtol=1e-5)
