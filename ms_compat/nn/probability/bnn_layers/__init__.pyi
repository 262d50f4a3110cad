# Made by `python -m tests.stubs.generate`; not written by hand.
# mypy: disable-error-code="override,assignment,misc,no-redef,overload-overlap,overload-cannot-match"
# pyright: reportIncompatibleMethodOverride=false, reportInconsistentOverload=false, reportOverlappingOverload=false
# ruff: noqa
from typing import Any

from . import layer_distribution as layer_distribution
from . import layers as layers
from ms_compat.nn.probability.bnn_layers.layer_distribution import NormalPosterior as NormalPosterior
from ms_compat.nn.probability.bnn_layers.layer_distribution import NormalPrior as NormalPrior
from ms_compat.nn.probability.bnn_layers.layers import ConvReparam as ConvReparam
from ms_compat.nn.probability.bnn_layers.layers import DenseLocalReparam as DenseLocalReparam
from ms_compat.nn.probability.bnn_layers.layers import DenseReparam as DenseReparam
from ms_compat.nn.probability.bnn_layers.layers import WithBNNLossCell as WithBNNLossCell
