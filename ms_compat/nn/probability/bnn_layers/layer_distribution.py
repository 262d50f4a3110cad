"""The distributions of weights: a fixed normal before training, one with Parameters after it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ms_compat import ops
from ms_compat._core import dtype as mstype
from ms_compat._core.errors import check_number, check_type, type_error
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter
from ms_compat.nn.cell import Cell
from ms_compat.nn.probability.distribution.families import Normal


def _number(api: str, name: str, value: Any) -> None:
    check_number(api, name, value)


@faces("nn.probability.bnn_layers")
class NormalPrior(Cell):
    """A normal distribution for the weights before training; call it with the name of a quantity.

    Args:
        dtype (mindspore.dtype): type of the samples.
        mean (Union[int, float]): expectation.
        std (Union[int, float]): standard deviation, > 0.
    """

    def __init__(self, dtype=mstype.float32, mean=0, std=0.1):
        super().__init__()
        self.normal = Normal(mean, std, dtype=dtype)

    def construct(self, *inputs):
        return self.normal(*inputs)


@faces("nn.probability.bnn_layers")
class NormalPosterior(Cell):
    """A normal distribution for the weights, to train; call it with the name of a quantity.

    The standard deviation is log(1 + exp(s)) of the Parameter s.

    Args:
        name (str): put before the names of the Parameters.
        shape (Union[list, tuple]): of the weights.
        dtype (mindspore.dtype): type of the samples.
        loc_mean, loc_std (Union[int, float]): the expectations start as samples of this normal distribution.
        untransformed_scale_mean, untransformed_scale_std (Union[int, float]): and s as samples of this one.

    Raises:
        TypeError: an argument of a wrong type, or a standard deviation that is not positive.
    """

    def __init__(
        self,
        name,
        shape,
        dtype=mstype.float32,
        loc_mean=0,
        loc_std=0.1,
        untransformed_scale_mean=-5,
        untransformed_scale_std=0.1,
    ):
        super().__init__()
        api = "NormalPosterior"
        check_type(api, "name", name, str)
        check_type(api, "shape", shape, (tuple, list))
        for key, value in (("loc_mean", loc_mean), ("untransformed_scale_mean", untransformed_scale_mean)):
            _number(api, key, value)
        for key, value in (("loc_std", loc_std), ("untransformed_scale_std", untransformed_scale_std)):
            _number(api, key, value)
            if value <= 0:
                raise type_error(api, key, "int or float, and greater than 0", value)

        def start(loc, scale):
            return Tensor(np.random.normal(loc, scale, shape), dtype)

        self.mean = Parameter(start(loc_mean, loc_std), name=name + "_mean")
        self.untransformed_std = Parameter(
            start(untransformed_scale_mean, untransformed_scale_std), name=name + "_untransformed_std"
        )
        self.normal = Normal(dtype=dtype)

    def std_trans(self, std_pre):
        """The standard deviation of an s."""
        return ops.softplus(std_pre)

    def construct(self, *inputs):
        return self.normal(*inputs, mean=self.mean, sd=self.std_trans(self.untransformed_std))


def normal_post_fn(name, shape):
    """The `NormalPosterior` of a name and shape."""
    return NormalPosterior(name, shape)
