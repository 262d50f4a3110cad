"""Optimizers."""

from ms_compat.nn.optim.adam import Adam as Adam
from ms_compat.nn.optim.adam import AdamWeightDecay as AdamWeightDecay
from ms_compat.nn.optim.base import Optimizer as Optimizer
from ms_compat.nn.optim.gradient_descent import SGD as SGD
from ms_compat.nn.optim.gradient_descent import Momentum as Momentum
