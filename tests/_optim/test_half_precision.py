"""Optimizers compute in Float32: a step in half precision is the rounded step of Float32 from the same state.

MindSpore's CPU backend has no BFloat16 kernels of optimizers, and those of AdamWeightDecay and ApplyAdagradV2 compute
in Float16, or not at all; what the others give is in optim_half.json.
"""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, mint, nn
from ms_compat.experimental import optim

OPTIMIZERS = {
    "nn.SGD": lambda p: nn.SGD(p, 0.1),
    "nn.SGD with all": lambda p: nn.SGD(p, 0.1, 0.9, 0.1, weight_decay=0.1, loss_scale=8.0),
    "nn.Momentum": lambda p: nn.Momentum(p, 0.1, 0.9, use_nesterov=True),
    "nn.Adam": lambda p: nn.Adam(p, 0.01),
    "nn.Adam with nesterov": lambda p: nn.Adam(p, 0.01, use_nesterov=True),
    "nn.Adam with amsgrad": lambda p: nn.Adam(p, 0.01, use_amsgrad=True),
    "nn.Adam lazy": lambda p: nn.Adam(p, 0.01, use_lazy=True),
    "nn.Adam offloaded": lambda p: nn.Adam(p, 0.01, use_offload=True),
    "nn.Adam of a schedule": lambda p: nn.Adam(p, [0.1, 0.2, 0.05]),
    "nn.AdamWeightDecay": lambda p: nn.AdamWeightDecay(p, 0.01, eps=1e-8, weight_decay=0.1),
    "nn.LazyAdam": lambda p: nn.LazyAdam(p, 0.01),
    "nn.AdamOffload": lambda p: nn.AdamOffload(p, 0.01),
    "nn.AdaMax": lambda p: nn.AdaMax(p, 0.01),
    "nn.Adagrad": lambda p: nn.Adagrad(p, 0.1),
    "nn.RMSProp": lambda p: nn.RMSProp(p, 0.01),
    "nn.RMSProp centered": lambda p: nn.RMSProp(p, 0.01, centered=True, momentum=0.9),
    "nn.Lamb": lambda p: nn.Lamb(p, 0.01, weight_decay=0.1),
    "nn.Adadelta": lambda p: nn.Adadelta(p, 0.5),
    "nn.FTRL": lambda p: nn.FTRL(p, learning_rate=0.1, l1=0.01, l2=0.01),
    "nn.ProximalAdagrad": lambda p: nn.ProximalAdagrad(p, learning_rate=0.1, l1=0.01),
    "nn.ASGD": lambda p: nn.ASGD(p, 0.1, t0=1.0),
    "nn.Rprop": lambda p: nn.Rprop(p, 0.1),
    "nn.AdaFactor": lambda p: nn.AdaFactor(p),
    "nn.LARS": lambda p: nn.LARS(nn.Momentum(p, 0.1, 0.9), coefficient=0.5),
    "mint.SGD": lambda p: mint.optim.SGD(p, 0.1, 0.9, weight_decay=0.1),
    "mint.Adam": lambda p: mint.optim.Adam(p, 0.01),
    "mint.Adam with amsgrad": lambda p: mint.optim.Adam(p, 0.01, amsgrad=True),
    "mint.AdamW": lambda p: mint.optim.AdamW(p, 0.01),
    "optim.SGD": lambda p: optim.SGD(p, 0.1, 0.9, nesterov=True),
    "optim.Adam": lambda p: optim.Adam(p, 0.01),
    "optim.AdamW": lambda p: optim.AdamW(p, 0.01, amsgrad=True),
    "optim.Adadelta": lambda p: optim.Adadelta(p, 0.5),
    "optim.Adagrad": lambda p: optim.Adagrad(p, 0.1),
    "optim.Adamax": lambda p: optim.Adamax(p, 0.01),
    "optim.ASGD": lambda p: optim.ASGD(p, 0.1),
    "optim.NAdam": lambda p: optim.NAdam(p, 0.01),
    "optim.RAdam": lambda p: optim.RAdam(p, 0.01),
    "optim.RMSprop": lambda p: optim.RMSprop(p, 0.01, momentum=0.9),
    "optim.Rprop": lambda p: optim.Rprop(p, 0.1),
}
SHAPES = ((), (1,), (2, 3))
RNG = np.random.RandomState(0)
STARTS = [RNG.randn(*shape) for shape in SHAPES]
SIZES = (1.0, 0.0, 1e-3)  # of the gradients, step by step
GRADIENTS = [[np.asarray(RNG.randn(*shape) * size) for shape in SHAPES] for size in SIZES]


def of_dtype(arrays, dtype):
    return [Tensor(np.asarray(a, np.float32)).astype(dtype) for a in arrays]


def built(make, dtype, half):
    starts = [t.astype(dtype) for t in of_dtype(STARTS, half)]
    parameters = [Parameter(t, name=f"p{i}") for i, t in enumerate(starts)]
    return parameters, make(parameters)


def state(parameters, optimizer):
    return [*parameters, *[p for p in optimizer.get_parameters() if all(p is not q for q in parameters)]]


@pytest.mark.parametrize("half", [ms.float16, ms.bfloat16], ids=str)
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_step_is_the_rounded_step_of_float32(name, half):
    """All the state is compared, zero gradients and such whose squares Float16 does not hold included."""
    make = OPTIMIZERS[name]
    parameters, optimizer = built(make, half, half)
    wide, reference = built(make, ms.float32, half)
    unit = 2.0**-9 if half is ms.float16 else 2.0**-6  # twice: LARS rounds the gradients, too
    for gradients in GRADIENTS:
        narrow = of_dtype(gradients, half)
        optimizer(tuple(narrow))
        reference(tuple([g.astype(ms.float32) for g in narrow]))
        for p, q in zip(state(parameters, optimizer), state(wide, reference), strict=True):
            found, expected = p.astype(ms.float32).asnumpy(), q.astype(p.dtype).astype(ms.float32).asnumpy()
            np.testing.assert_allclose(found, expected, rtol=unit, atol=1e-7, err_msg=p.name)
            q.set_data(p.astype(q.dtype))
    assert all(p.dtype == half for p in parameters)
    assert not np.array_equal(parameters[2].astype(ms.float32).asnumpy(), of_dtype(STARTS, half)[2].astype(ms.float32))


@pytest.mark.parametrize("name", ["nn.Adam", "nn.RMSProp", "mint.Adam", "optim.NAdam"])
def test_a_compiled_training_step_agrees(name, mode):
    net = nn.Dense(3, 2, weight_init="ones", bias_init="zeros", dtype=ms.float16)
    optimizer = OPTIMIZERS[name](net.trainable_params())
    loss = ms.value_and_grad(lambda x: net(x).sum(), None, net.trainable_params())

    def step(x):
        value, gradients = loss(x)
        optimizer(gradients)
        return value

    step = ms.jit(step) if mode == ms.GRAPH_MODE else step
    other = nn.Dense(3, 2, weight_init="ones", bias_init="zeros", dtype=ms.float16)
    by_hand = OPTIMIZERS[name](other.trainable_params())
    x = Tensor(np.array([[0.1, 0.0, 1e-4]]), ms.float16)
    for _ in range(3):
        step(x)
        column = x.asnumpy()[0]
        by_hand((Tensor(np.stack([column, column])), Tensor(np.ones(2, np.float16))))
    for p, q in zip(net.trainable_params(), other.trainable_params(), strict=True):
        assert p.dtype == ms.float16
        np.testing.assert_allclose(p.asnumpy(), q.asnumpy(), rtol=2.0**-10)


@pytest.mark.parametrize("half", [ms.float16, ms.bfloat16], ids=str)
@pytest.mark.parametrize("step", ["LARSUpdate", "AdamW"])
def test_a_primitive_computes_in_float32(step, half):
    """A gradient of 0 keeps `eps` alone below the fraction, which Float16 does not hold."""
    weight = Tensor([1.0, 2.0]).astype(half)
    zero, tiny = Tensor([0.0, 0.0]).astype(half), Tensor([1e-3, 0.0]).astype(half)
    if step == "LARSUpdate":
        squares = Tensor(5.0).astype(half), Tensor(0.0).astype(half)
        found = ms.ops.LARSUpdate(epsilon=1e-8)(weight, zero, *squares, Tensor(0.1).astype(half), Tensor(0.1))
        expected = [0.1, 0.2]
    else:
        w, *state = [Parameter(v.copy(), name=n) for n, v in zip("wmvx", (weight, zero, zero, zero), strict=True)]
        adamw = ms.ops.auto_generate.AdamW()
        adamw(w, *state, tiny, Tensor(1.0), 0.1, 0.9, 0.999, 0.0, 1e-8)
        found, expected = w, [0.9, 2.0]
    assert found.dtype == half
    np.testing.assert_allclose(found.astype(ms.float32).asnumpy(), expected, rtol=2.0**-7)


@pytest.mark.parametrize("name", ["ApplyMomentum", "ApplyRMSProp", "SGD"])
def test_primitives_take_the_gradients_that_mindspore_takes(name, mode):
    """Recorded: a wider gradient for all but SGD, and a narrower one for RMSProp, raise TypeError."""

    def step(own, given):
        a, b, c = [Parameter(Tensor([1.0, 2.0]).astype(own), name=n) for n in "abc"]
        g = Tensor([0.1, 0.2]).astype(given)
        if name == "ApplyMomentum":
            ms.ops.ApplyMomentum()(a, b, 0.1, g, 0.9)
        elif name == "SGD":
            ms.ops.SGD()(a, g, Tensor(0.1), b, Tensor(0.9), c)
        else:
            ms.ops.ApplyRMSProp()(a, b, c, Tensor(0.1), g, 0.9, 0.5, 1e-8)
        return a.dtype == own

    for own, given, refused in (
        (ms.float16, ms.float16, ()),
        (ms.float16, ms.float32, ("ApplyMomentum", "ApplyRMSProp")),
        (ms.float32, ms.float16, ("ApplyRMSProp",)),
    ):
        if name in refused:
            with pytest.raises(TypeError, match="must have its dtype"):
                step(own, given)
        else:
            assert step(own, given)


def test_a_negative_variance_changes_nothing():
    """Means of a constant gradient round to a negative variance, whose root is NaN; recorded from MindSpore."""
    w, g, s, m = [Parameter(Tensor(v), name=n) for n, v in zip("wgsm", ([1.0], [2.0], [1.0], [0.5]), strict=True)]
    ms.ops.ApplyCenteredRMSProp()(w, g, s, m, Tensor([2.0]), Tensor(0.1), 0.9, 0.5, 1e-3)
    np.testing.assert_allclose([w.asnumpy()[0], m.asnumpy()[0]], [1.0, 0.5])
    np.testing.assert_allclose([g.asnumpy()[0], s.asnumpy()[0]], [2.0, 1.3], rtol=1e-6)
