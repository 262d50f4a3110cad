"""Memory and devices, loss scalers, the hints at the root; what MindSpore 2.10.0 gives on CPU."""

import pytest

import ms_compat as ms
from ms_compat import Tensor, amp, hal, nn, runtime


def test_memory_figures_have_mindspore_s_keys():
    assert set(runtime.memory_stats()) >= {"total_reserved_memory", "total_allocated_memory", "max_allocated_memory"}
    assert runtime.memory_summary().startswith("|====")
    assert runtime.max_memory_allocated() >= runtime.memory_allocated() >= 0
    runtime.reset_peak_memory_stats()
    runtime.synchronize()


def test_devices():
    assert hal.device_count("CPU") >= 1
    assert hal.is_available("CPU")
    assert hal.get_device_name(0, "CPU") == "CPU"
    with pytest.raises(ValueError, match="nope"):
        hal.device_count("nope")


def test_dynamic_loss_scaler_falls_and_rises():
    scaler = amp.DynamicLossScaler(8, 2, 2)
    found = []
    for finite in (True, True, False, True, True):
        scaler.adjust(Tensor(finite))
        found.append(float(scaler.scale_value))
    assert found == [8, 16, 8, 8, 16]
    assert float(scaler.unscale(scaler.scale(Tensor(3.0)))) == 3


def test_all_finite():
    assert bool(amp.all_finite([Tensor([1.0]), (Tensor([2.0]),)]))
    assert not bool(amp.all_finite(Tensor([float("nan")])))


def test_recompute_of_one_call_keeps_values_and_gradients():
    net = nn.Dense(3, 2)
    x = ms.ops.ones((2, 3))
    plain = ms.grad(lambda x: net(x).sum())(x)
    again = ms.grad(lambda x: ms.recompute(net, x).sum())(x)
    assert (plain == again).all()
    with pytest.raises(TypeError):
        ms.recompute(3, x)


def test_algorithm_parameters_are_kept():
    ms.set_algo_parameters(fully_use_devices=True)
    assert ms.get_algo_parameters("fully_use_devices") is True
    ms.reset_algo_parameters()
    assert ms.get_algo_parameters("fully_use_devices") is False
    with pytest.raises(ValueError, match="nope"):
        ms.set_algo_parameters(nope=1)
    with pytest.raises(TypeError):
        ms.set_algo_parameters(fully_use_devices="a")
