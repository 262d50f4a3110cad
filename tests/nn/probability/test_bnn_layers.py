"""Variational layers of nn.probability.bnn_layers: names as MindSpore's, divergences, draws, both modes, training."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn
from ms_compat.nn.probability import bnn_layers
from ms_compat.nn.probability import distribution as msd

LAYERS = {
    "DenseReparam": (lambda **options: bnn_layers.DenseReparam(3, 4, **options), (2, 3), (2, 4)),
    "DenseLocalReparam": (lambda **options: bnn_layers.DenseLocalReparam(3, 4, **options), (2, 3), (2, 4)),
    "ConvReparam": (
        lambda **options: bnn_layers.ConvReparam(3, 4, 3, has_bias=True, stride=2, **options),
        (2, 3, 8, 8),
        (2, 4, 4, 4),
    ),
}
POSTERIORS = ["weight_posterior.mean", "weight_posterior.untransformed_std", "bias_posterior.mean"]
POSTERIORS += ["bias_posterior.untransformed_std"]


def inputs(name):
    return Tensor(np.random.RandomState(0).randn(*LAYERS[name][1]).astype(np.float32))


@pytest.mark.parametrize("name", LAYERS)
def test_names_and_text(name):
    net = LAYERS[name][0]()
    own = ["weight", "bias"] if name == "ConvReparam" else []
    assert [p.name for p in net.get_parameters()] == own + POSTERIORS
    assert [p.name for p in net.trainable_params()] == POSTERIORS
    text = repr(net)
    assert f"{name}(" in text and "out_channels=4" in text
    assert "(normal): Normal(mean = 0.0, standard deviation = 0.1)" in text


@pytest.mark.parametrize("name", LAYERS)
def test_divergence(name):
    """KL(prior || posterior) of normal distributions, written out."""
    net = LAYERS[name][0](weight_prior_fn=bnn_layers.NormalPrior(mean=0.5, std=2.0))
    wanted = 0.0
    for part, (mean, sd) in {"weight": (0.5, 2.0), "bias": (0.0, 0.1)}.items():
        posterior = getattr(net, f"{part}_posterior")
        m, s = posterior.mean.asnumpy(), np.log1p(np.exp(posterior.untransformed_std.asnumpy().astype(np.float64)))
        wanted += (np.log(s / sd) + (sd**2 + (mean - m) ** 2) / (2 * s**2) - 0.5).sum()
    found = net.compute_kl_loss()
    assert found.shape == () and np.isclose(found.asnumpy(), wanted, rtol=1e-4)


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("name", LAYERS)
def test_draws(name, compiled):
    net = LAYERS[name][0](
        weight_posterior_fn=lambda name, shape: bnn_layers.NormalPosterior(name, shape, untransformed_scale_mean=-1)
    )
    x = inputs(name)
    ms.set_context(mode=ms.GRAPH_MODE if compiled else ms.PYNATIVE_MODE)
    try:
        drawn = np.stack([net(x).asnumpy() for _ in range(400)])
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert drawn.shape[1:] == LAYERS[name][2]
    weight, bias = net.weight_posterior.mean, net.bias_posterior.mean
    if name == "ConvReparam":
        mean = ms.ops.conv2d(ms.ops.pad(x, (0, 1, 0, 1)), weight, bias, stride=2).asnumpy()
    else:
        mean = x.asnumpy() @ weight.asnumpy().T + bias.asnumpy()
    spread = drawn.std(0)
    assert (spread > 0.01).all()
    assert (np.abs(drawn.mean(0) - mean) < 5 * spread / 20).mean() > 0.99
    if name.startswith("Dense"):
        sd = np.log1p(np.exp(net.weight_posterior.untransformed_std.asnumpy()))
        wanted = np.sqrt(x.asnumpy() ** 2 @ sd.T**2)
        assert np.allclose(spread, wanted, rtol=0.25)


def test_both_ways_of_reparametrization_vary_alike():
    assert issubclass(bnn_layers.DenseLocalReparam, bnn_layers.DenseReparam)
    net = bnn_layers.DenseReparam(3, 4, activation="relu", has_bias=False)
    out = net(inputs("DenseReparam")).asnumpy()
    assert (out >= 0).all() and not net.has_bias


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = bnn_layers.DenseLocalReparam(2, 1)

    def construct(self, x):
        return self.dense(x)


def test_training_with_the_divergence():
    np.random.seed(0)
    ms.set_seed(0)
    net = Net()
    loss_net = bnn_layers.WithBNNLossCell(net, nn.MSELoss(), 1, 1e-5)
    assert loss_net.backbone_network is net
    assert [p.name for p in loss_net.trainable_params()] == ["dense." + name for name in POSTERIORS]
    data = np.random.RandomState(1).randn(64, 2).astype(np.float32)
    x, y = Tensor(data), Tensor(data @ np.array([[1.0], [-2.0]], np.float32))
    plain = bnn_layers.WithBNNLossCell(net, nn.MSELoss(), 0, 2)
    assert np.isclose(plain(x, y).asnumpy(), 2 * net.dense.compute_kl_loss().asnumpy(), rtol=1e-5)
    step = nn.TrainOneStepCell(loss_net, nn.Adam(loss_net.trainable_params(), 0.05))
    step.set_train()
    losses = [float(step(x, y).asnumpy()) for _ in range(120)]
    assert losses[-1] < 0.1 * losses[0]


def test_prior_and_posterior():
    prior = bnn_layers.NormalPrior(mean=1, std=2.0)
    assert np.isclose(prior("mean").asnumpy(), 1.0) and prior("get_dist_type") == "Normal"
    posterior = bnn_layers.NormalPosterior("w", (2, 3))
    assert [(p.name, p.shape) for p in posterior.get_parameters()] == [
        ("w_mean", (2, 3)),
        ("w_untransformed_std", (2, 3)),
    ]
    assert posterior("sample").shape == (2, 3)
    assert np.allclose(posterior("sd").asnumpy(), np.log1p(np.exp(posterior.untransformed_std.asnumpy())), rtol=1e-5)
    own = bnn_layers.DenseReparam(3, 4, weight_prior_fn=lambda: msd.Normal(0.0, 1.0))
    assert np.isfinite(own.compute_kl_loss().asnumpy())


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: bnn_layers.DenseReparam(3.0, 4), TypeError),
        (lambda: bnn_layers.DenseReparam(0, 4), ValueError),
        (lambda: bnn_layers.DenseReparam(3, 4, weight_prior_fn=3), TypeError),
        (lambda: bnn_layers.DenseReparam(3, 4, weight_posterior_fn=3), TypeError),
        (lambda: bnn_layers.DenseReparam(3, 4, has_bias=1), TypeError),
        (lambda: bnn_layers.DenseReparam(3, 4, activation=3), ValueError),
        (lambda: bnn_layers.WithBNNLossCell(3, nn.MSELoss()), TypeError),
        (lambda: bnn_layers.WithBNNLossCell(nn.ReLU(), nn.MSELoss(), -1), ValueError),
        (lambda: bnn_layers.WithBNNLossCell(nn.ReLU(), nn.MSELoss(), 1, "a"), TypeError),
        (lambda: bnn_layers.ConvReparam(3, 4, 3, stride=0), ValueError),
        (lambda: bnn_layers.ConvReparam(3, 4, 3, group=2), ValueError),
        (lambda: bnn_layers.NormalPosterior(3, (2,)), TypeError),
        (lambda: bnn_layers.NormalPosterior("a", 2), TypeError),
        (lambda: bnn_layers.NormalPosterior("a", (2,), loc_mean="x"), TypeError),
        (lambda: bnn_layers.NormalPosterior("a", (2,), loc_std=-1.0), TypeError),
    ],
)
def test_refuses(make, error):
    with pytest.raises(error):
        make()
