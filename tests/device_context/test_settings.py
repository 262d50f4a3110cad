"""Settings of devices: what is accepted and refused, as MindSpore 2.10.0 does where it looks at the value."""

import importlib

import pytest

from ms_compat import device_context, hal
from ms_compat.device_context import _settings, ascend, cpu, gpu


@pytest.fixture(autouse=True)
def _settings_put_back():
    before = dict(_settings.values)
    yield
    _settings.values.clear()
    _settings.values.update(before)


def test_devices():
    assert device_context.cpu.device_count() >= 1 and cpu.is_available()
    assert gpu.is_available() == ascend.is_available() == hal.is_available("GPU")
    assert cpu.device.is_available() and cpu.device.device_count() == cpu.device_count()
    for kind in (gpu, ascend, gpu.device, ascend.device):
        if kind.is_available():
            assert kind.device_count() >= 1
        else:
            with pytest.raises(RuntimeError, match="does not exist"):
                kind.device_count()


@pytest.mark.skipif(hal.is_available("GPU"), reason="there is an accelerator")
def test_devices_that_are_not_there():
    for call in (device_context.gpu.device_count, device_context.ascend.device_count):
        with pytest.raises(RuntimeError, match="does not exist"):
            call()


def test_threads_can_be_set_once():
    assert cpu.op_tuning.threads_num(2) is None
    with pytest.raises(RuntimeError, match="repeatedly"):
        cpu.op_tuning.threads_num(3)
    with pytest.raises(TypeError):
        cpu.op_tuning.threads_num("a")


@pytest.mark.parametrize(
    ("call", "value", "error", "wrong"),
    [
        (gpu.op_precision.conv_allow_tf32, True, TypeError, 1),
        (gpu.op_precision.matmul_allow_tf32, True, TypeError, 1),
        (gpu.op_tuning.conv_fprop_algo, "fft", ValueError, "x"),
        (gpu.op_tuning.conv_dgrad_algo, "algo_0", ValueError, "x"),
        (gpu.op_tuning.conv_wgrad_algo, "normal", TypeError, 3),
        (ascend.op_precision.precision_mode, "force_fp16", ValueError, "x"),
        (ascend.op_precision.op_precision_mode, "file", TypeError, 3),
        (ascend.op_precision.matmul_allow_hf32, True, TypeError, "a"),
        (ascend.op_precision.conv_allow_hf32, False, TypeError, "a"),
        (ascend.op_debug.execute_timeout, 30, TypeError, "a"),
        (ascend.op_debug.debug_option, "oom", ValueError, "x"),
        (ascend.op_debug.aclinit_config, {}, TypeError, 3),
        (ascend.op_tuning.op_compile, True, TypeError, 3),
        (ascend.op_tuning.aoe_tune_mode, "online", ValueError, "x"),
        (ascend.op_tuning.aoe_job_type, "1", ValueError, "3"),
        (ascend.op_tuning.aclnn_cache, True, TypeError, 3),
    ],
)
def test_values_are_checked(call, value, error, wrong):
    assert call(value) is None
    with pytest.raises(error):
        call(wrong)


def test_a_setting_takes_one_argument():
    ascend.op_debug.execute_timeout(op_timeout=3)
    with pytest.raises(TypeError, match="one argument"):
        ascend.op_debug.execute_timeout()
    with pytest.raises(TypeError, match="one argument"):
        ascend.op_debug.execute_timeout(3, timeout=4)


@pytest.mark.parametrize("path", ["cpu.op_tuning", "gpu.op_precision", "ascend.op_debug", "ascend.op_tuning"])
def test_modules_are_importable(path):
    assert importlib.import_module(f"ms_compat.device_context.{path}").__doc__
