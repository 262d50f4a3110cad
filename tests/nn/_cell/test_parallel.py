"""`Cell.shard` on eight devices, in a process of its own (`sharded.py`), and the members of other parallel modes."""

import json
import logging
import os
from collections import OrderedDict
from pathlib import Path

import pytest

import ms_compat as ms
from ms_compat import UnsupportedError, nn
from tests import fast_compile, prepared
from tests.spec.printed import assert_prints

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def report():
    flags = {"XLA_FLAGS": fast_compile.flags("--xla_force_host_platform_device_count=8"), "JAX_PLATFORMS": "cpu"}
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **flags}
    done = prepared.run(["-m", "tests.nn.sharded"], cwd=ROOT, env=environment, timeout=600)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("mode", ["pynative", "graph"])
def test_outputs_and_gradients_equal_those_of_one_device(report, mode):
    assert report[mode] < 1e-6


def test_parameters_lie_as_planned(report):
    assert report["shards"] == {
        "block2.dense1.weight": [4, 8],  # (16, 8) cut by (4, 1)
        "block2.dense1.bias": [16],  # no plan: copied
        "block2.dense2.weight": [8, 2],  # (8, 16) cut by (1, 8)
        "block2.dense2.bias": [8],
    }
    assert report["places"] == 8
    assert report["layout"] == ["block2.dense1.weight", "block2.dense2.weight"]


@pytest.mark.parametrize("mode", ["pynative", "graph"])
def test_outputs_lie_as_asked(report, mode):
    assert report[mode + " output"] == [[2, 8], 8]  # (8, 8) cut by (4, 1), on all devices


def test_layouts_that_do_not_fit(report):
    assert report["errors"] == [
        "ValueError", "ValueError", "ValueError", "TypeError", "TypeError", "TypeError", "ValueError", "ValueError",
        "TypeError",
    ]  # fmt: skip
    assert "shape (6, 4) cannot be cut by the layout (4, 2)" in report["input"]


# -- other parallel modes: values and classes are MindSpore 2.10's where it still has the member
def test_pipeline_stage():
    net = nn.SequentialCell(nn.Dense(2, 2))
    with pytest.raises(AttributeError):
        _ = net.pipeline_stage
    for value, error in (("a", TypeError), (True, TypeError), (-1, ValueError)):
        with pytest.raises(error, match="pipeline_stage"):
            net.pipeline_stage = value
    net.pipeline_stage = 1
    assert (net.pipeline_stage, net[0].pipeline_stage) == (1, 1)


def test_infer_param_pipeline_stage():
    net = nn.SequentialCell(nn.Dense(2, 2), nn.Dense(2, 2))
    assert net.infer_param_pipeline_stage() == net.trainable_params()
    ms.set_auto_parallel_context(pipeline_stages=2)
    try:
        net[0].pipeline_stage = 0
        with pytest.raises(RuntimeError, match="'1' do not belong to any stage"):
            net.infer_param_pipeline_stage()
        net[1].pipeline_stage = 1
        assert net.infer_param_pipeline_stage() == net.trainable_params()
    finally:
        ms.reset_auto_parallel_context()


def test_parameters_broadcast_dict():
    net = nn.Dense(2, 3)
    assert_prints(
        f"OrderedDict({list(net.parameters_broadcast_dict().items())})",  # as Python 3.11 prints it
        """OrderedDict([('weight', Parameter (name=weight, shape=(3, 2), dtype=Float32, requires_grad=True)), ('bias',
        Parameter (name=bias, shape=(3,), dtype=Float32, requires_grad=True))])""",
    )
    assert isinstance(net.parameters_broadcast_dict(), OrderedDict)
    net.weight.layerwise_parallel = True
    assert list(net.parameters_broadcast_dict()) == ["bias"]
    assert nn.SequentialCell(net).parameters_broadcast_dict(recurse=False) is None


def test_place():
    net = nn.Dense(2, 3)
    assert net.place("MS_WORKER", 0) is None
    for arguments, error in (
        ((1, 0), TypeError), (("MS_WORKER", "0"), TypeError), (("NOBODY", 0), ValueError),
        (("MS_WORKER", -1), ValueError), (("MS_WORKER", 1), UnsupportedError), (("MS_SERVER", 0), UnsupportedError),
    ):  # fmt: skip
        with pytest.raises(error, match="place"):
            net.place(*arguments)


def test_set_param_ps_needs_the_parameter_server():
    with pytest.raises(RuntimeError, match="parameter server"):
        nn.Dense(2, 3).set_param_ps()
    assert nn.ReLU().set_param_ps() is None
    net = nn.Dense(2, 3)
    net.bias.requires_grad = False
    ms.set_ps_context(enable_ps=True)
    try:
        net.set_param_ps(init_in_server=True)
    finally:
        ms.reset_ps_context()
    assert (net.weight.is_param_ps, net.bias.is_param_ps) == (True, False)
    assert (net.weight.init_in_server, net.bias.init_in_server) == (True, False)


def test_parameter_layout_dict():
    net = nn.Dense(2, 3)
    assert net.parameter_layout_dict == {}
    net.parameter_layout_dict = {"a": 1}
    assert net.parameter_layout_dict == {"a": 1}
    with pytest.raises(TypeError, match="parameter_layout_dict"):
        net.parameter_layout_dict = 1


@pytest.mark.parametrize(
    ("name", "arguments", "returned"),
    [
        ("set_data_parallel", (), None),
        ("set_broadcast_flag", (), "self"),
        ("set_boost", ("less_bn",), "self"),
        ("remove_redundant_parameters", (), None),
        ("set_jit_config", (ms.JitConfig(),), None),
        ("place", ("MS_WORKER", 0), None),
        ("offload", (), None),
        ("recompute", (), None),
    ],
)
def test_what_has_no_effect_says_so_once(name, arguments, returned, caplog):
    net = nn.Dense(2, 3)
    with caplog.at_level(logging.DEBUG, logger="ms_compat"):
        assert getattr(net, name)(*arguments) is (net if returned == "self" else None)
    assert [record.getMessage().startswith("Cell." + name) for record in caplog.records] == [True]
