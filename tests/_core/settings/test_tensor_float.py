"""TensorFloat-32: MindSpore's defaults on NVIDIA GPUs, the settings, and that programs notice a change."""

import jax
import numpy as np
import pytest
from jax import lax

import ms_compat as ms
from ms_compat import Tensor, device_context, nn, ops
from ms_compat._core.settings import context, device, tensor_float
from ms_compat._core.tensor import wrap

A = np.ones((4, 4), np.float32)
IMAGE, KERNEL = np.ones((1, 2, 8, 8), np.float32), np.ones((3, 2, 3, 3), np.float32)
EXACT, ROUNDED, ALLOWED = lax.Precision.HIGHEST, lax.Precision.DEFAULT, lax.Precision.HIGH


@pytest.fixture
def gpu(monkeypatch):
    """A machine that seems to have an NVIDIA GPU; programs are still the CPU's, which ignores the precision."""
    settings = dict(vars(context.state))
    monkeypatch.setattr(tensor_float, "_choice", tensor_float._Choice())
    monkeypatch.setattr(tensor_float, "nvidia_is_visible", lambda: True)
    monkeypatch.setattr(device, "accelerator_possible", lambda: True)
    before = jax.config.jax_default_matmul_precision
    jax.config.update("jax_default_matmul_precision", None)
    yield
    jax.config.update("jax_default_matmul_precision", before)
    vars(context.state).update(settings)


def precisions(function, *arrays):
    """The precisions that a function's products and convolutions name, in their order; None where they name none."""
    found = []

    def visit(jaxpr):
        for equation in jaxpr.eqns:
            if "precision" in equation.params:
                named = equation.params["precision"]
                found.append(named[0] if isinstance(named, tuple) else named)
            for value in equation.params.values():
                inner = getattr(value, "jaxpr", value)
                if hasattr(inner, "eqns"):
                    visit(inner)

    visit(jax.make_jaxpr(lambda *given: function(*map(wrap, given))._v)(*arrays).jaxpr)
    return found


def product(x):
    return ops.matmul(x, x)


def of_both():
    return precisions(product, A)[0], precisions(ops.conv2d, IMAGE, KERNEL)[0]


def test_defaults(gpu):
    assert of_both() == (None, None)  # as JAX has it: both are rounded on a GPU
    device.use_tensor_float_defaults()
    assert of_both() == (EXACT, ROUNDED)


@pytest.mark.parametrize("found", [(False, True), (True, False)])
def test_nothing_is_set_without_a_gpu(gpu, found, monkeypatch):
    for module, name, value in zip((tensor_float, device), ("nvidia_is_visible", "accelerator_possible"), found,
                                   strict=True):  # fmt: skip
        monkeypatch.setattr(module, name, lambda value=value: value)
    device.use_tensor_float_defaults()
    device_context.gpu.op_precision.matmul_allow_tf32(True)
    assert of_both() == (None, None)


def test_the_user_s_own_setting_stays(gpu):
    jax.config.update("jax_default_matmul_precision", "highest")
    device.use_tensor_float_defaults()
    assert of_both() == (EXACT, EXACT)


SETTINGS = {
    "context": lambda products, convolutions: ms.set_context(
        device_target="GPU", gpu_config={"matmul_allow_tf32": products, "conv_allow_tf32": convolutions}
    ),
    "keys": lambda products, convolutions: ms.set_context(matmul_allow_tf32=products, conv_allow_tf32=convolutions),
    "device context": lambda products, convolutions: (
        device_context.gpu.op_precision.matmul_allow_tf32(products),
        device_context.gpu.op_precision.conv_allow_tf32(convolutions),
    ),
}


@pytest.mark.parametrize("how", SETTINGS)
@pytest.mark.parametrize(
    ("products", "convolutions", "expected"),
    [
        (False, True, (EXACT, ROUNDED)),
        (True, True, (ALLOWED, ALLOWED)),
        (False, False, (EXACT, EXACT)),
        (True, False, (ALLOWED, EXACT)),
    ],
)
def test_settings(gpu, how, products, convolutions, expected):
    device.use_tensor_float_defaults()
    SETTINGS[how](products, convolutions)
    assert of_both() == expected


def test_a_compiled_function_notices_a_change(gpu, mode):
    device.use_tensor_float_defaults()
    net = nn.Dense(4, 4)
    function = ms.jit(lambda x: net(x))
    traces = []
    for allowed in (False, True, True, False):
        device_context.gpu.op_precision.matmul_allow_tf32(allowed)
        for _ in range(3):
            function(Tensor(A))
        traces.append(function.traces)
    assert traces[0] < traces[1] == traces[2] == traces[3]  # the first setting's program is still there


def test_patches_are_exact_under_every_setting(gpu):
    device_context.gpu.op_precision.matmul_allow_tf32(True)
    unfold = nn.Unfold([1, 3, 3, 1], [1, 1, 1, 1], [1, 1, 1, 1])
    assert set(precisions(unfold, IMAGE)) == {EXACT}


def test_planned_gpus_have_the_defaults():
    if jax.config.jax_default_matmul_precision is not None:
        pytest.skip("the environment sets the precision")
    with device.planned("gpu", (None,)):
        assert of_both() == (EXACT, ROUNDED)
    with device.planned("tpu", (None,)):
        assert of_both() == (None, None)
