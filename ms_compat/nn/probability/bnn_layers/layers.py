"""Variational layers: each call draws weights, and `compute_kl_loss` tells how far they are from the prior.

As in MindSpore the divergence is the prior's from the posterior, KL(prior || posterior).
Sources: Kingma and Welling, arXiv:1312.6114; Kingma, Salimans and Welling, arXiv:1506.02557.
"""

from __future__ import annotations

from typing import Any

from ms_compat import ops
from ms_compat._core.checks import check_at_least
from ms_compat._core.errors import check_bool, check_number, check_positive_int, check_type, type_error, value_error
from ms_compat._core.faces import faces
from ms_compat.nn.cell import Cell
from ms_compat.nn.layer.activation import get_activation
from ms_compat.nn.layer.conv import Conv2d, _conv
from ms_compat.nn.probability.bnn_layers.layer_distribution import NormalPosterior, NormalPrior, normal_post_fn
from ms_compat.nn.probability.distribution.families import Normal


def _prior(api: str, argument: str, made: Any) -> Cell:
    if callable(made) and not isinstance(made, Cell):
        made = made()
    if not isinstance(made, Cell):
        raise type_error(api, argument, "a function that gives a distribution, or a Cell", made)
    return made


def _posterior(api: str, argument: str, function: Any, shape: tuple[int, ...]) -> NormalPosterior:
    made = function(argument.removesuffix("_posterior_fn"), shape=shape) if callable(function) else function
    if not isinstance(made, NormalPosterior):
        raise type_error(api, argument, "a function that gives a NormalPosterior", made)
    made.mean.name, made.untransformed_std.name = "mean", "untransformed_std"
    return made


class _Variational:
    """What the layers share: priors and posteriors of the weights and the bias."""

    def _set_distributions(self: Any, shape: tuple[int, ...], functions: tuple[Any, Any, Any, Any]) -> None:
        api = type(self).__name__
        for part, size in (("weight", shape), ("bias", (shape[0],))):
            if part == "bias" and not self.has_bias:
                break
            prior, posterior = functions[:2] if part == "weight" else functions[2:]
            setattr(self, f"{part}_prior", _prior(api, f"{part}_prior_fn", prior))
            setattr(self, f"{part}_posterior", _posterior(api, f"{part}_posterior_fn", posterior, size))

    def compute_kl_loss(self: Any) -> Any:
        """The divergence KL(prior || posterior) of all weights, a 0-d Tensor."""
        total = None
        for part in ("weight", "bias")[: 1 + self.has_bias]:
            prior, posterior = getattr(self, f"{part}_prior"), getattr(self, f"{part}_posterior")
            kind = prior("get_dist_type")
            loss = prior("kl_loss", kind, *posterior("get_dist_args")).sum()
            total = loss if total is None else total + loss
        return total

    def _shown(self: Any) -> str:
        text = ""
        for part in ("weight", "bias")[: 1 + self.has_bias]:
            posterior = getattr(self, f"{part}_posterior")
            text += f", {part}_mean={posterior.mean}, {part}_std={posterior.untransformed_std}"
            text += f", has_bias={self.has_bias}" if part == "weight" else ""
        return text


@faces("nn.probability.bnn_layers")
class DenseReparam(_Variational, Cell):
    """A dense layer whose weights are drawn at each call.

    Args:
        in_channels, out_channels (int): sizes of the input's and the result's last axis.
        activation (Union[str, Cell]): applied to the result.
        has_bias (bool): whether a bias is drawn and added.
        weight_prior_fn, bias_prior_fn (Union[Callable, Cell]): the priors, or what makes them.
        weight_posterior_fn, bias_posterior_fn (Callable): (name, shape) to a `NormalPosterior`.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: a size that is not positive, or an activation that is none.
    """

    def __init__(
        self,
        in_channels,
        out_channels,
        activation=None,
        has_bias=True,
        weight_prior_fn=NormalPrior,
        weight_posterior_fn=normal_post_fn,
        bias_prior_fn=NormalPrior,
        bias_posterior_fn=normal_post_fn,
    ):
        super().__init__()
        api = type(self).__name__
        self.in_channels = check_positive_int(api, "in_channels", in_channels)
        self.out_channels = check_positive_int(api, "out_channels", out_channels)
        self.has_bias = check_bool(api, "has_bias", has_bias)
        self._set_distributions(
            (out_channels, in_channels), (weight_prior_fn, weight_posterior_fn, bias_prior_fn, bias_posterior_fn)
        )
        if activation is not None and not isinstance(activation, (str, Cell)):
            raise value_error(api, "activation", "str or Cell", activation)
        self.activation = get_activation(activation, api) if isinstance(activation, str) else activation

    def _product(self, x):
        return ops.matmul(x, self.weight_posterior("sample").swapaxes(0, 1))

    def construct(self, x):
        out = self._product(x)
        if self.has_bias:
            out = out + self.bias_posterior("sample")
        return out if self.activation is None else self.activation(out)

    def extend_repr(self):
        text = f"in_channels={self.in_channels}, out_channels={self.out_channels}{self._shown()}"
        return text if self.activation is None else f"{text}, activation={self.activation}"


@faces("nn.probability.bnn_layers")
class DenseLocalReparam(DenseReparam):
    """A dense layer that draws its results rather than its weights, which varies less; arguments as `DenseReparam`."""

    def __init__(
        self,
        in_channels,
        out_channels,
        activation=None,
        has_bias=True,
        weight_prior_fn=NormalPrior,
        weight_posterior_fn=normal_post_fn,
        bias_prior_fn=NormalPrior,
        bias_posterior_fn=normal_post_fn,
    ):
        super().__init__(
            in_channels,
            out_channels,
            activation,
            has_bias,
            weight_prior_fn,
            weight_posterior_fn,
            bias_prior_fn,
            bias_posterior_fn,
        )
        self.normal = Normal()

    def _product(self, x):
        mean, sd = self.weight_posterior("get_dist_args")
        spread = ops.sqrt(ops.matmul(ops.square(x), ops.square(sd).swapaxes(0, 1)))
        return self.normal("sample", (), ops.matmul(x, mean.swapaxes(0, 1)), spread)


@faces("nn.probability.bnn_layers")
class ConvReparam(_Variational, Conv2d):
    """A 2-d convolution whose weights are drawn at each call.

    Args:
        in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias: as in `nn.Conv2d`.
        weight_prior_fn, weight_posterior_fn, bias_prior_fn, bias_posterior_fn: as for `DenseReparam`.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: a value out of range.
    """

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        pad_mode="same",
        padding=0,
        dilation=1,
        group=1,
        has_bias=False,
        weight_prior_fn=NormalPrior,
        weight_posterior_fn=normal_post_fn,
        bias_prior_fn=NormalPrior,
        bias_posterior_fn=normal_post_fn,
    ):
        Conv2d.__init__(
            self, in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias
        )
        # members of Conv2d that are drawn instead; kept, as MindSpore does, and left alone by training
        for unused in (self.weight, self.bias):
            if unused is not None:
                unused.requires_grad = False
        self._set_distributions(
            tuple(self.weight.shape), (weight_prior_fn, weight_posterior_fn, bias_prior_fn, bias_posterior_fn)
        )

    def construct(self, x):
        bias = self.bias_posterior("sample") if self.has_bias else None
        return _conv(x, self.weight_posterior("sample"), bias, *self._settings)

    def extend_repr(self):
        text = (
            f"in_channels={self.in_channels}, out_channels={self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}, pad_mode={self.pad_mode}, padding={self.padding}, dilation={self.dilation}, "
            f"group={self.group}"
        )
        return text + self._shown()


@faces("nn.probability.bnn_layers")
class WithBNNLossCell(Cell):
    """The loss of a network plus the divergence of its variational layers.

    Args:
        backbone (Cell): the network.
        loss_fn (Cell): loss of (output, label).
        dnn_factor, bnn_factor (Union[int, float]): factors of the two, >= 0.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: a negative factor.
    """

    def __init__(self, backbone, loss_fn, dnn_factor=1, bnn_factor=1):
        super().__init__(auto_prefix=False)
        api = "WithBNNLossCell"
        check_type(api, "backbone", backbone, Cell)
        for name, value in (("dnn_factor", dnn_factor), ("bnn_factor", bnn_factor)):
            check_number(api, name, value)
            check_at_least(api, name, value, 0)
        self._backbone = backbone
        self._loss_fn = loss_fn
        self.dnn_factor, self.bnn_factor = dnn_factor, bnn_factor
        object.__setattr__(
            self, "_variational", [cell for _, cell in backbone.cells_and_names() if isinstance(cell, _Variational)]
        )

    @property
    def backbone_network(self):
        """The network."""
        return self._backbone

    def construct(self, x, label):
        loss = self._loss_fn(self._backbone(x), label) * self.dnn_factor
        for layer in self._variational:
            loss = loss + layer.compute_kl_loss() * self.bnn_factor
        return loss
