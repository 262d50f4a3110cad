"""`AutoParallel`; refusals of MindSpore 2.10.0. Several devices are in `tests/parallel/devices.py`."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn
from ms_compat.parallel import Layout
from ms_compat.parallel.auto_parallel import AutoParallel

# MindSpore writes and reads files of its planner, and prints norms of each device's gradients.
DIFFERENT = [
    "load_param_strategy_file", "save_param_strategy_file", "load_operator_strategy_file",
    "save_operator_strategy_file", "set_group_ckpt_save_file", "transformer_opt", "print_local_norm",
    "dump_local_norm", "enable_device_local_norm",
]  # fmt: skip


@pytest.mark.parametrize("mode", ["semi_auto", "sharding_propagation", "recursive_programming"])
@pytest.mark.parametrize("strategy", ["full_batch", "data_parallel", ((1, 1),), (Layout((1,), ("dp",))("dp", "None"),)])
def test_results_are_those_of_the_network(mode, strategy):
    net = nn.Dense(2, 2)
    parallel = AutoParallel(net, mode)
    parallel.dataset_strategy(strategy)
    x = Tensor(np.ones((4, 2), np.float32))
    np.testing.assert_array_equal(parallel(x).asnumpy(), net(x).asnumpy())
    gradient = ms.grad(lambda a: parallel(a).sum())(x)
    np.testing.assert_allclose(gradient.asnumpy(), ms.grad(lambda a: net(a).sum())(x).asnumpy())
    assert [p.name for p in parallel.trainable_params()] == [p.name for p in net.trainable_params()]


def test_settings_of_the_planner_change_nothing():
    parallel = AutoParallel(nn.ReLU())
    parallel.hsdp(shard_size=2, threshold=0, optimizer_level="level3")
    parallel.pipeline(stages=2, scheduler="gpipe")
    assert parallel.get_pipeline_stages() == 2
    parallel.comm_fusion({"allreduce": {"mode": "auto", "config": None}})
    parallel.enable_fp32_communication()
    parallel.enable_gradients_mean()
    parallel.disable_gradient_fp32_sync()
    parallel.disable_loss_repeated_mean()
    parallel.no_init_parameters_in_compile()
    parallel.disable_strategy_file_only_for_trainable_params()
    assert parallel(Tensor([-1.0, 1.0])).asnumpy().tolist() == [0, 1]


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda p: AutoParallel(3), TypeError),
        (lambda p: AutoParallel(nn.ReLU(), "x"), ValueError),
        (lambda p: AutoParallel(nn.ReLU(), 3), ValueError),
        (lambda p: p.dataset_strategy("x"), ValueError),
        (lambda p: p.dataset_strategy(3), TypeError),
        (lambda p: p.dataset_strategy((3,)), TypeError),
        (lambda p: p.hsdp(shard_size="a"), ValueError),
        (lambda p: p.hsdp(shard_size=0), ValueError),
        (lambda p: p.hsdp(threshold=-1), ValueError),
        (lambda p: p.hsdp(optimizer_level="x"), ValueError),
        (lambda p: p.pipeline(stages="a"), TypeError),
        (lambda p: p.pipeline(stages=0), ValueError),
        (lambda p: p.pipeline(output_broadcast=3), TypeError),
        (lambda p: p.pipeline(scheduler=3), TypeError),
        (lambda p: p.pipeline(scheduler="zzz"), ValueError),
        (lambda p: p.comm_fusion(3), TypeError),
        *[(lambda p, name=name: getattr(p, name)(), ms.UnsupportedError) for name in DIFFERENT],
    ],
)
def test_refusals(call, error):
    with pytest.raises(error):
        call(AutoParallel(nn.ReLU()))


def test_stages_cut_parameters_unless_hsdp_does():
    parallel = AutoParallel(nn.ReLU())
    assert parallel._over_devices().optimizer_pieces == 0
    parallel.pipeline(stages=2)
    assert parallel._over_devices().optimizer_pieces == 2
    parallel.hsdp(-1, 0)
    assert parallel._over_devices().optimizer_pieces == -1
