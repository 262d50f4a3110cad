"""Optimizers."""

from ms_compat.nn.optim.adafactor import AdaFactor as AdaFactor
from ms_compat.nn.optim.adam import Adam as Adam
from ms_compat.nn.optim.adam import AdaMax as AdaMax
from ms_compat.nn.optim.adam import AdamOffload as AdamOffload
from ms_compat.nn.optim.adam import AdamWeightDecay as AdamWeightDecay
from ms_compat.nn.optim.adam import LazyAdam as LazyAdam
from ms_compat.nn.optim.adasum import AdaSumByDeltaWeightWrapCell as AdaSumByDeltaWeightWrapCell
from ms_compat.nn.optim.adasum import AdaSumByGradWrapCell as AdaSumByGradWrapCell
from ms_compat.nn.optim.base import Optimizer as Optimizer
from ms_compat.nn.optim.by_rule import ASGD as ASGD
from ms_compat.nn.optim.by_rule import FTRL as FTRL
from ms_compat.nn.optim.by_rule import Adadelta as Adadelta
from ms_compat.nn.optim.by_rule import Adagrad as Adagrad
from ms_compat.nn.optim.by_rule import Lamb as Lamb
from ms_compat.nn.optim.by_rule import ProximalAdagrad as ProximalAdagrad
from ms_compat.nn.optim.by_rule import RMSProp as RMSProp
from ms_compat.nn.optim.by_rule import Rprop as Rprop
from ms_compat.nn.optim.gradient_descent import SGD as SGD
from ms_compat.nn.optim.gradient_descent import Momentum as Momentum
from ms_compat.nn.optim.lars import LARS as LARS
from ms_compat.nn.optim.second_order import thor as thor
