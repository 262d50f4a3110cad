"""`Bijector`: the checks of values, and the call that transforms a distribution.

Transformed distributions build on bijectors, and a bijector called with a distribution gives one, as in MindSpore: a
circle, closed in `__call__`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_choice
from ms_compat._core.errors import check_bool, check_type, type_error
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat.nn.cell import Cell
from ms_compat.nn.probability import _parameters

_FLOATS = tuple(mstype.float_type)
DIRECTIONS = ("forward", "inverse", "forward_log_jacobian", "inverse_log_jacobian")


@faces("nn.probability.bijector")
class Bijector(Cell):
    """Base class of the bijectors; a subclass defines `_forward`, `_inverse` and their `_log_jacobian`s.

    Args:
        is_constant_jacobian (bool): whether the derivative is constant.
        is_injective (bool): whether the mapping is one to one.
        name (str): the bijector's name.
        dtype (mindspore.dtype): the float type of values; None for any.
        param (dict): the constructor's arguments; "param_dict" among them holds the parameters by name.

    Raises:
        TypeError: an argument of a wrong type.
    """

    def __init__(self, is_constant_jacobian=False, is_injective=True, name=None, dtype=None, param=None):
        super().__init__()
        api = type(self).__name__
        check_type(api, "name", name, str)
        for key, value in (("is_constant_jacobian", is_constant_jacobian), ("is_injective", is_injective)):
            check_bool(api, key, value)
        if dtype is not None and dtype not in _FLOATS:
            raise type_error(api, "dtype", "a float type", dtype)
        given = dict(param or {})
        values = {key: value for key, value in given.get("param_dict", {}).items() if value is not None}
        made = {key: _parameters.as_tensor(v, _kind(api, key, v, dtype), key) for key, v in values.items()}
        if len({value.dtype for value in made.values()}) > 1:
            raise TypeError(f"For '{api}', the parameters {list(made)} must have one dtype.")
        for attribute, value in {
            "_name": name,
            "_dtype": dtype,
            "_parameters": {k: v for k, v in given.items() if k != "self" and not k.startswith("_")},
            "_is_constant_jacobian": is_constant_jacobian,
            "_is_injective": is_injective,
            "_batch_shape": np.broadcast_shapes(*[value.shape for value in made.values()]),
            "_is_scalar_batch": all(isinstance(value, (int, float)) for value in values.values()),
            "_values": made,
        }.items():
            object.__setattr__(self, attribute, value)
        for key, value in made.items():
            _parameters.keep_parameter(self, "_" + key, value)

    @property
    def name(self):
        """The bijector's name."""
        return self._name

    @property
    def dtype(self):
        """The type of values; None for any."""
        return self._dtype

    @property
    def parameters(self):
        """The constructor's arguments by name."""
        return self._parameters

    @property
    def is_constant_jacobian(self):
        """Whether the derivative is constant."""
        return self._is_constant_jacobian

    @property
    def is_injective(self):
        """Whether the mapping is one to one."""
        return self._is_injective

    @property
    def batch_shape(self):
        """The common shape of the parameters."""
        return self._batch_shape

    @property
    def is_scalar_batch(self):
        """Whether all parameters are numbers."""
        return self._is_scalar_batch

    def cast_param_by_value(self, value, para):
        """A parameter in the type of a value."""
        return para if para.dtype is value.dtype else para.astype(value.dtype)

    # -- the parts, for bijectors that users derive -----------------------------------------------------------
    def _add_parameter(self, value, name):
        """A parameter as a Tensor (or the Parameter itself); it belongs in the "param_dict" of `param`, too."""
        if value is None:
            return None
        if name not in self._values:
            kind = _kind(type(self).__name__, name, value, self._dtype)
            self._values[name] = _parameters.as_tensor(value, kind, name)
        return self._values[name]

    def _check_value_dtype(self, value):
        """The value, if `forward` and the others may take it."""
        return self._check_value(value, "value")

    def _check_value(self, value, name):
        """The value, if it is a Tensor of floats, and of the bijector's type if it has one."""
        check_type(self._name, name, value, Tensor)
        if value.dtype not in _FLOATS or (self._dtype is not None and value.dtype is not self._dtype):
            wanted = "a float type" if self._dtype is None else self._dtype
            raise TypeError(f"For '{self._name}', the dtype of '{name}' must be {wanted}, but got {value.dtype}.")
        return value

    def forward(self, value, *args, **kwargs):
        """g(value).

        Args:
            value (Tensor): of floats.
            args, kwargs: for the subclass.

        Raises:
            TypeError: the value is not a Tensor of floats.
        """
        return self._forward(self._check_value(value, "value"), *args, **kwargs)

    def inverse(self, value, *args, **kwargs):
        """The x with g(x) = value; arguments as for `forward`."""
        return self._inverse(self._check_value(value, "value"), *args, **kwargs)

    def forward_log_jacobian(self, value, *args, **kwargs):
        """The logarithm of g's derivative at `value`; arguments as for `forward`."""
        return self._forward_log_jacobian(self._check_value(value, "value"), *args, **kwargs)

    def inverse_log_jacobian(self, value, *args, **kwargs):
        """The log derivative of g's inverse at `value`; arguments as for `forward`."""
        return self._inverse_log_jacobian(self._check_value(value, "value"), *args, **kwargs)

    def __call__(self, *args, **kwargs):
        """The transformed distribution, if a distribution comes; else the direction named first."""
        from ms_compat.nn.probability import distribution  # it builds on this package

        if args and isinstance(args[0], distribution.Distribution):
            return distribution.TransformedDistribution(self, *args, **kwargs)
        return super().__call__(*args, **kwargs)

    def construct(self, name, *args, **kwargs):
        """Evaluate the direction called `name`, such as "forward".

        Raises:
            ValueError: there is none of this name.
        """
        check_choice(self._name, "name", name, DIRECTIONS)
        return getattr(self, name)(*args, **kwargs)

    def extend_repr(self):
        """The parameters, or their shape if they are not scalars."""
        if self._is_scalar_batch:
            return ", ".join(f"{name} = {value}" for name, value in self._values.items())
        return f"batch_shape = {self._batch_shape}"


def _kind(api: str, name: str, value: Any, dtype: Any) -> Any:
    """The type of a parameter: its own if it has one and that is a float type, else Float32."""
    if isinstance(value, (np.ndarray, Tensor)):
        kind = value.dtype if isinstance(value, Tensor) else mstype.np_dtype_to_ms(value.dtype)
        if kind not in _FLOATS or (dtype is not None and kind is not dtype):
            raise type_error(api, name, "of a float type" if dtype is None else f"of type {dtype}", kind)
        return kind
    if isinstance(value, (str, bool)) or np.asarray(value).dtype.kind != "f":
        raise type_error(api, name, "a float, or a list of floats", value)
    return dtype or mstype.float32
