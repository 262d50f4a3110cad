"""`mindspore.nn.probability.bnn_layers`: layers whose weights are normal distributions."""

from __future__ import annotations

from ms_compat._names.absent import unsupported_getattr
from ms_compat.nn.probability.bnn_layers.layer_distribution import NormalPosterior as NormalPosterior
from ms_compat.nn.probability.bnn_layers.layer_distribution import NormalPrior as NormalPrior
from ms_compat.nn.probability.bnn_layers.layers import ConvReparam as ConvReparam
from ms_compat.nn.probability.bnn_layers.layers import DenseLocalReparam as DenseLocalReparam
from ms_compat.nn.probability.bnn_layers.layers import DenseReparam as DenseReparam
from ms_compat.nn.probability.bnn_layers.layers import WithBNNLossCell as WithBNNLossCell

__getattr__ = unsupported_getattr(__name__)
