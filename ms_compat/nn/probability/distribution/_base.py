"""`Distribution`: which quantity follows from which, and the checks of values and parameters.

A distribution defines what it knows as methods with an underscore (`_log_prob`, `_cdf`, `_mean` ...), both in a user's
subclass and in this package. The public methods, and `construct` with the quantity's name, look the method up, or
derive the quantity from another by `DERIVED`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ms_compat import ops
from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_at_least
from ms_compat._core.errors import check_int, check_type, type_error
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat.nn.cell import Cell
from ms_compat.nn.probability import _parameters


def _complement(x):
    return 1.0 - x


# quantity -> from what it is derived and how, in this order; the derivations are applied from left to right
DERIVED: dict[str, tuple[tuple[str, tuple[Any, ...]], ...]] = {
    "prob": (("log_prob", (ops.exp,)),),
    "log_prob": (("prob", (ops.log,)),),
    "cdf": (
        ("log_cdf", (ops.exp,)),
        ("survival_function", (_complement,)),
        ("log_survival", (ops.exp, _complement)),
    ),
    "log_cdf": (
        ("cdf", (ops.log,)),
        ("survival_function", (_complement, ops.log)),
        ("log_survival", (ops.exp, _complement, ops.log)),
    ),
    "survival_function": (
        ("log_survival", (ops.exp,)),
        ("cdf", (_complement,)),
        ("log_cdf", (ops.exp, _complement)),
    ),
    "log_survival": (
        ("survival_function", (ops.log,)),
        ("cdf", (_complement, ops.log)),
        ("log_cdf", (ops.exp, _complement, ops.log)),
    ),
    "sd": (("var", (ops.sqrt,)),),
    "var": (("sd", (ops.square,)),),
}
QUANTITIES = (
    "prob log_prob cdf log_cdf survival_function log_survival mean sd var mode entropy kl_loss cross_entropy sample "
    "get_dist_args get_dist_type"
).split()


@faces("nn.probability.distribution")
class Distribution(Cell):
    """Base class of the distributions.

    Args:
        seed (int): seed of the samples; None or 0 takes the global one.
        dtype (mindspore.dtype): type of the samples.
        name (str): the distribution's name.
        param (dict): the constructor's arguments; "param_dict" among them holds the distribution's parameters by name.

    Raises:
        TypeError: an argument of a wrong type, or parameters of different dtypes.
        ValueError: a negative `seed`, or parameters that do not broadcast.
    """

    def __init__(self, seed, dtype, name, param):
        super().__init__()
        check_type(type(self).__name__, "name", name, str)
        if seed is None:
            seed = 0
        check_int(name, "seed", seed)
        check_at_least(name, "seed", seed, 0)
        self._set(
            _name=name,
            _seed=seed,
            _dtype=dtype,
            _parameters={k: v for k, v in param.items() if k != "self" and not k.startswith("_")},
            default_parameters=[],
            parameter_names=[],
        )
        if "distribution" not in self._parameters:
            given = self._parameters.get("param_dict", {})
            self._set(parameter_type=_parameters.common_type(given, dtype))
            self._set_shapes(given)

    def _set(self, **attributes: Any) -> None:
        for name, value in attributes.items():
            object.__setattr__(self, name, value)

    def _set_shapes(self, given: dict[str, Any]) -> None:
        shape: Any = None
        if all(value is not None for value in given.values()):
            shapes = [value.shape if isinstance(value, Tensor) else np.shape(value) for value in given.values()]
            shape = np.broadcast_shapes(*shapes)
        scalar = all(value is None or isinstance(value, (int, float)) for value in given.values())
        self._set(_batch_shape=shape, _broadcast_shape=shape, _is_scalar_batch=scalar)

    # -- facts -------------------------------------------------------------------------------------------------------
    @property
    def name(self):
        """The distribution's name."""
        return self._name

    @property
    def dtype(self):
        """The type of the samples."""
        return self._dtype

    @property
    def seed(self):
        """The seed of the samples; 0 for the global one."""
        return self._seed

    @property
    def parameters(self):
        """The constructor's arguments by name."""
        return self._parameters

    @property
    def is_scalar_batch(self):
        """Whether all parameters are scalars."""
        return self._is_scalar_batch

    @property
    def batch_shape(self):
        """The common shape of the parameters; None if one is not known yet."""
        return self._batch_shape

    @property
    def broadcast_shape(self):
        """The shape of one sample."""
        return self._broadcast_shape

    # -- for subclasses ----------------------------------------------------------------------------------------------
    def _add_parameter(self, value, name):
        """Take a parameter as a Tensor, or None for one that comes with each call."""
        made = None if value is None else _parameters.as_tensor(value, self.parameter_type, name)
        self.default_parameters.append(made)
        self.parameter_names.append(name)
        return made

    def _reset_parameters(self):
        self._set(default_parameters=[], parameter_names=[])

    def _check_value(self, value, name):
        """The value, if it is a Tensor."""
        check_type(self._name, name, value, Tensor)
        return value

    def _check_param_type(self, *args):
        """The parameters, given or of the constructor, in their common shape and in `parameter_type`."""
        found = []
        for arg, name, default in zip(args, self.parameter_names, self.default_parameters, strict=False):
            if arg is None:
                arg = default
                if arg is None:
                    raise TypeError(
                        f"For '{self._name}', the '{name}' must be a Tensor; it was not given to the constructor."
                    )
            elif not isinstance(arg, Tensor):
                raise type_error(self._name, name, "a Tensor or Parameter", arg)
            found.append(arg)
        if len(found) > 1:
            found = list(_parameters.broadcast_together(found))
        found = [p if p.dtype is self.parameter_type else p.astype(self.parameter_type) for p in found]
        return found[0] if len(found) == 1 else tuple(found)

    # -- the quantities ----------------------------------------------------------------------------------------------
    def _evaluate(self, quantity: str, args: tuple, kwargs: dict) -> Any:
        own = getattr(type(self), "_" + quantity, None)
        if own is not None:
            return own(self, *args, **kwargs)
        for source, steps in DERIVED.get(quantity, ()):
            method = getattr(type(self), "_" + source, None)
            if method is not None:
                value = method(self, *args, **kwargs)
                for step in steps:
                    value = step(value)
                return value
        raise NotImplementedError(f"{quantity} is not implemented for {self._name} distribution.")

    def prob(self, value, *args, **kwargs):
        """The density, or the probability of a discrete distribution, at `value`.

        Args:
            value (Tensor): where.
            args, kwargs: parameters in place of the constructor's, Tensors.
        """
        return self._evaluate("prob", (value, *args), kwargs)

    def log_prob(self, value, *args, **kwargs):
        """The logarithm of `prob`; arguments as there."""
        return self._evaluate("log_prob", (value, *args), kwargs)

    def cdf(self, value, *args, **kwargs):
        """The probability of a sample at or below `value`; arguments as for `prob`."""
        return self._evaluate("cdf", (value, *args), kwargs)

    def log_cdf(self, value, *args, **kwargs):
        """The logarithm of `cdf`; arguments as for `prob`."""
        return self._evaluate("log_cdf", (value, *args), kwargs)

    def survival_function(self, value, *args, **kwargs):
        """1 - `cdf`; arguments as for `prob`."""
        return self._evaluate("survival_function", (value, *args), kwargs)

    def log_survival(self, value, *args, **kwargs):
        """The logarithm of `survival_function`; arguments as for `prob`."""
        return self._evaluate("log_survival", (value, *args), kwargs)

    def mean(self, *args, **kwargs):
        """The expectation; parameters in place of the constructor's may be given."""
        return self._evaluate("mean", args, kwargs)

    def sd(self, *args, **kwargs):
        """The standard deviation; parameters in place of the constructor's may be given."""
        return self._evaluate("sd", args, kwargs)

    def var(self, *args, **kwargs):
        """The variance; parameters in place of the constructor's may be given."""
        return self._evaluate("var", args, kwargs)

    def mode(self, *args, **kwargs):
        """The most probable value; parameters in place of the constructor's may be given."""
        return self._evaluate("mode", args, kwargs)

    def entropy(self, *args, **kwargs):
        """The entropy in nats; parameters in place of the constructor's may be given."""
        return self._evaluate("entropy", args, kwargs)

    def kl_loss(self, dist, *args, **kwargs):
        """The Kullback-Leibler divergence KL(a || b) from a distribution b of the same family.

        Args:
            dist (str): b's family, such as "Normal".
            args, kwargs: b's parameters, then those in place of a's.

        Raises:
            ValueError: `dist` is another family.
        """
        return self._evaluate("kl_loss", (dist, *args), kwargs)

    def cross_entropy(self, dist, *args, **kwargs):
        """The cross entropy H(a, b): `entropy` + `kl_loss`; arguments as there."""
        return self._evaluate("cross_entropy", (dist, *args), kwargs)

    def sample(self, *args, **kwargs):
        """Samples.

        Args:
            shape (tuple): the shape before the parameters' own. Default: ().
            args, kwargs: parameters in place of the constructor's.
        """
        return self._evaluate("sample", args, kwargs)

    def get_dist_args(self, *args, **kwargs):
        """The parameters as Tensors: those given, the constructor's for the rest."""
        return self._evaluate("get_dist_args", args, kwargs)

    def get_dist_type(self):
        """The family's name."""
        return self._evaluate("get_dist_type", (), {})

    def construct(self, name, *args, **kwargs):
        """Evaluate the quantity called `name`, such as "prob".

        Raises:
            NotImplementedError: the distribution has no such quantity.
        """
        if name not in QUANTITIES:
            raise NotImplementedError(f"{name} is not implemented for {self._name} distribution.")
        return self._evaluate(name, args, kwargs)


def check_dtype(api: str, dtype: Any, allowed: tuple) -> Any:
    """A dtype that is among those allowed; `TypeError` for others."""
    if dtype not in allowed:
        raise type_error(api, "dtype", f"one of {', '.join(map(str, allowed))}", dtype)
    return dtype


FLOATS = tuple(mstype.float_type)
COUNTS = _parameters.INTEGERS + FLOATS
