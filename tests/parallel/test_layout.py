"""Layouts; what MindSpore 2.10.0 writes and refuses. Several devices are in `tests/parallel/devices.py`."""

import os
from pathlib import Path

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn
from ms_compat.parallel import Layout
from tests import fast_compile, prepared

ROOT = Path(__file__).parents[2]
L = Layout((2, 2), ("dp", "mp"))


def test_layouts_are_written_as_mindspore_does():
    assert L("dp", "mp").to_dict() == {
        "device_matrix": (2, 2),
        "tensor_map": (1, 0),
        "interleaved_parallel": False,
        "alias_name": ("dp", "mp"),
        "rank_list": [0, 1, 2, 3],
    }
    assert L("None", "mp").to_dict()["tensor_map"] == (-1, 0)
    assert L(("dp", "mp"), "None").to_dict()["tensor_map"] == ((1, 0), -1)
    other = Layout((2, 2), ("dp", "mp"), rank_list=[3, 2, 1, 0])("dp").to_dict()
    assert (other["tensor_map"], other["rank_list"]) == ((1,), [3, 2, 1, 0])


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: L("x", "mp"), ValueError),
        (lambda: L("dp", "dp"), ValueError),
        (lambda: L(3), ValueError),
        (lambda: Layout((2, 2), ("dp",)), ValueError),
        (lambda: Layout([2, 2], ("dp", "mp")), TypeError),
        (lambda: Layout((2, 2), ["dp", "mp"]), TypeError),
        (lambda: Layout((2, "2"), ("dp", "mp")), TypeError),
        (lambda: Layout((2, 2), ("dp", 3)), TypeError),
        (lambda: Layout((2, 2), ("dp", "dp")), ValueError),
        (lambda: Layout((2, 2), ("dp", "")), ValueError),
        (lambda: Layout((2, 2), ("dp", "None")), ValueError),
        (lambda: Layout((2, 2), ("dp", "mp"), rank_list=[0, 1, 2]), ValueError),
        (lambda: Layout((2, 2), ("dp", "mp"), rank_list=(0, 1, 2, 3)), TypeError),
        (lambda: ms.reshard(Tensor([1.0]), 3), TypeError),
        (lambda: ms.reshard(3, L("dp")), TypeError),
        (lambda: ms.reshard(Tensor([[1.0]]), L("dp")), ValueError),
        (lambda: ms.reshard(Tensor([1.0]), L), ValueError),
        (lambda: ms.parallel.shard(3, ((1,),)), TypeError),
        (lambda: ms.parallel.shard(abs, ((1,),), parameter_plan={}), TypeError),
        (lambda: ms.parallel.parameter_broadcast(3, {}), TypeError),
        (lambda: ms.parallel.parameter_broadcast(nn.Dense(1, 1), {}, 1), ValueError),
        (lambda: ms.parallel.parameter_broadcast(nn.Dense(1, 1), {"nope": 1}), ValueError),
        (lambda: ms.parallel.sync_pipeline_shared_parameters(3), TypeError),
    ],
)
def test_refusals(call, error):
    with pytest.raises(error):
        call()


def test_interleaving_is_not_served():
    layout = Layout((1, 1), ("dp", "interleaved_parallel"))("dp")
    assert layout.to_dict()["interleaved_parallel"]
    with pytest.raises(ms.UnsupportedError):
        ms.reshard(Tensor([1.0]), layout)


def test_one_device_changes_no_value():
    one = Layout((1, 1), ("dp", "mp"))
    x = Tensor(np.arange(4, dtype=np.float32).reshape(2, 2))
    np.testing.assert_array_equal(ms.reshard(x, one("dp", "mp")).asnumpy(), x.asnumpy())
    sharded = ms.shard(lambda a: a * 2, (one("dp", "None"),), (one("dp", "mp"),))
    np.testing.assert_array_equal(sharded(x).asnumpy(), 2 * x.asnumpy())
    net = nn.Dense(2, 2)
    before = net.weight.asnumpy()
    ms.parameter_broadcast(net, {"weight": one("dp", "mp")})
    ms.parallel.sync_pipeline_shared_parameters(net)
    np.testing.assert_array_equal(net.weight.asnumpy(), before)
    from ms_compat.parallel import function
    from ms_compat.parallel import nn as parallel_nn

    assert function.reshard is ms.reshard
    assert parallel_nn.Pipeline is parallel_nn.PipelineCell is nn.PipelineCell
    assert parallel_nn.GradAccumulation is nn.GradAccumulationCell
    assert parallel_nn.MicroBatchInterleaved is nn.MicroBatchInterleaved
    assert parallel_nn.PipelineGradReducer is nn.PipelineGradReducer


def test_four_devices():
    flags = fast_compile.flags("--xla_force_host_platform_device_count=4")
    variables = {**os.environ, "XLA_FLAGS": flags, "PYTHONPATH": str(ROOT), "JAX_PLATFORMS": "cpu"}
    done = prepared.run(["-m", "tests.parallel.devices"], cwd=ROOT, env=variables, timeout=900)
    assert done.returncode == 0, done.stderr[-3000:]
