"""`Parameter` and `ParameterTuple`: tensors with a name that belong to a Cell.

A Parameter is a Tensor whose value is replaced in place: by an optimizer, by `set_data`, or inside `construct`. Compiled
functions read and write it as state. As a pytree it is its array alone; the name is not part of the tree's structure,
because five equal parameters with five names would be five traces.
"""

from __future__ import annotations

from typing import Any

import jax
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.tensor import Tensor, _detached, _new, to_device, wrap

PARAMETER_NAME_DEFAULT = "Parameter"


class Parameter(Tensor):
    """A named, trainable Tensor.

    Args:
        default_input: Tensor, number, list, numpy array, or an `initializer(...)`.
        name: its name; a Cell that gets the Parameter as an attribute gives it that attribute's name if there is none.
        requires_grad: whether `trainable_params` lists it.
        layerwise_parallel, parallel_optimizer, storage_format: accepted for MindSpore's parallel modes.

    Raises:
        TypeError: `default_input`, `name` or `requires_grad` has the wrong type.
        ValueError: a name that is empty or longer than 1024 characters.

    >>> from ms_compat import Parameter, Tensor
    >>> Parameter(Tensor([1.0]), name="w").name
    'w'
    """

    requires_grad = True
    layerwise_parallel = False
    parallel_optimizer = True
    cache_enable = False
    is_in_parallel = False
    is_pipeline_shared_param = False
    comm_fusion = 1
    _name = PARAMETER_NAME_DEFAULT
    _version_of_shape = 0

    def __init__(
        self,
        default_input=None,
        name=None,
        requires_grad=True,
        layerwise_parallel=False,
        parallel_optimizer=True,
        storage_format="",
        device=None,
    ):
        if isinstance(default_input, Tensor):
            if default_input.has_init:
                default_input = default_input.init_data()
            self._v = default_input._v
        elif isinstance(default_input, (bool, int, float, list, tuple, np.ndarray, np.generic, jax.Array)):
            Tensor.__init__(self, default_input)
        else:
            raise TypeError(
                "For 'Parameter', the argument 'default_input' must be a Tensor, number, list, tuple or numpy.ndarray, "
                f"but got {type(default_input).__name__}."
            )
        if not isinstance(requires_grad, bool):
            raise TypeError(f"For 'Parameter', 'requires_grad' must be a bool, but got {type(requires_grad).__name__}.")
        if name is not None:
            self.name = name
        if not requires_grad:
            self.requires_grad = False
        if layerwise_parallel:
            self.layerwise_parallel = True
        if not parallel_optimizer:
            self.parallel_optimizer = False

    # -- identity ----------------------------------------------------------------------------------------------------
    @property
    def name(self) -> str:
        """The name; unique within a Cell."""
        return self._name

    @name.setter
    def name(self, value: str) -> None:
        if value is None:
            value = PARAMETER_NAME_DEFAULT
        if not isinstance(value, str):
            raise TypeError(f"For 'Parameter', the argument 'name' must be a str, but got {type(value).__name__}.")
        if not value.strip() or len(value) > 1024:
            raise ValueError(f"For 'Parameter', 'name' must have 1 to 1024 characters, but got {value!r:.80}.")
        self._name = value

    @property
    def param_info(self):
        """The object that MindSpore keeps a parameter's facts in; here the Parameter itself."""
        return self

    @property
    def sliced(self) -> bool:
        """Whether the data is already one device's slice; never, since JAX's arrays are global."""
        return False

    @property
    def inited_param(self) -> None:
        """The filled parameter of one made by an initializer; it is filled at once here."""
        return None

    @property
    def data(self) -> Parameter:
        """The Parameter itself."""
        return self

    def value(self) -> Tensor:
        """A Tensor of the present value, which later changes of the Parameter do not touch."""
        out = wrap(self._v)
        out._node = self._node
        return out

    # -- change ------------------------------------------------------------------------------------------------------
    def set_data(self, data, slice_shape: bool = False) -> Parameter:
        """Replace the value in place.

        Args:
            data: Tensor, number, or initializer of the same shape; its dtype is cast to the Parameter's where that loses
                no kind (int to float, narrow to wide).
            slice_shape: allow another shape.

        Raises:
            TypeError: `data` is none of these, or its dtype would not fit (float into int).
            ValueError: another shape without `slice_shape`.
        """
        if not isinstance(data, (Tensor, int, float)):
            raise TypeError(
                "For 'Parameter.set_data', the argument 'data' must be a Tensor or a number, but got "
                f"{type(data).__name__}."
            )
        if not isinstance(data, Tensor):
            data = Tensor(data, self.dtype) if not self.shape else Tensor(np.full(self.shape, data), self.dtype)
        elif data.has_init:
            data = data.init_data()
        value = data._v
        if value.shape != self._v.shape and not slice_shape:
            raise ValueError(
                f"For 'Parameter.set_data', the shape of '{self.name}' is {self._v.shape}, but got data of shape "
                f"{value.shape}. With slice_shape=True the shape may change."
            )
        if value.dtype != self._v.dtype:
            if _loses_kind(value.dtype, self._v.dtype):
                raise TypeError(
                    f"For 'Parameter.set_data', data of dtype {data.dtype} cannot be cast to {self.dtype} of "
                    f"'{self.name}' without loss."
                )
            value = jax.lax.convert_element_type(value, self._v.dtype)
        self._rebind(value)
        return self

    def assign_value(self, value) -> Parameter:
        """Replace the value in place by a Tensor of equal shape and dtype."""
        return self.set_data(value)

    def init_data(self, layout=None, set_sliced: bool = False) -> Parameter:
        """Fill a Parameter that was made by an initializer. It is filled from the start here, so this returns it."""
        return self

    def clone(self, init="same") -> Parameter:
        """A copy with the same name and flags.

        Args:
            init: "same" copies the value; an initializer, its name, a Tensor or a number fills the copy.

        Raises:
            ValueError: `init` is an unknown initializer's name.
        """
        copied = _new(Parameter)
        copied.__dict__.update(_detached(self.__dict__))
        if isinstance(init, str) and init == "same":
            return copied
        if isinstance(init, str) and init in ("zeros", "ones"):
            copied._v = jax.numpy.full(self.shape, 0 if init == "zeros" else 1, self._v.dtype)
            return copied
        from ms_compat.common.initializer import initializer

        copied._v = initializer(init, self.shape, self.dtype).init_data()._v
        return copied

    def set_param_ps(self, init_in_server: bool = False) -> None:
        """Training with a parameter server does not exist on JAX; MindSpore's own check fails likewise outside it."""
        raise RuntimeError(
            "For 'Parameter.set_param_ps', the parameter server mode is not available; use jax.sharding through "
            "Cell.shard to distribute parameters."
        )

    def __copy__(self):
        copied = _new(Parameter)
        copied.__dict__.update(_detached(self.__dict__))
        return copied

    def __deepcopy__(self, memo):
        copied = self.__copy__()
        memo[id(self)] = copied
        return copied

    def __reduce__(self):
        array = np.asarray(self._v)
        return (_unpickle, (array.tobytes(), str(self.dtype), array.shape, self.name, self.requires_grad))

    def __repr__(self) -> str:
        return (
            f"Parameter (name={self.name}, shape={self.shape}, dtype={self.dtype}, requires_grad={self.requires_grad})"
        )

    def __str__(self) -> str:
        return repr(self)


def _loses_kind(source: np.dtype, target: np.dtype) -> bool:
    """Whether a cast would drop the fraction, the imaginary part or precision that MindSpore refuses to drop."""
    rank = {"b": 0, "u": 1, "i": 1, "f": 2, "V": 2, "c": 3}
    a, b = rank[source.kind], rank[target.kind]
    return a > b or (a == b and source.itemsize > target.itemsize)


def _unpickle(data: bytes, label: str, shape, name: str, requires_grad: bool) -> Parameter:
    array = np.frombuffer(data, mstype._by_label(label).np_dtype).reshape(shape)
    return Parameter(wrap(to_device(array)), name=name, requires_grad=requires_grad)


def _unflatten(aux, children) -> Parameter:
    out = _new(Parameter)
    out._v = children[0]
    return out


jax.tree_util.register_pytree_node(Parameter, lambda p: ((p._v,), None), _unflatten)


class ParameterTuple(tuple):
    """A tuple of Parameters with different names.

    Raises:
        TypeError: an element is not a Parameter.
        ValueError: two of them have one name.

    >>> from ms_compat import Parameter, ParameterTuple, Tensor
    >>> len(ParameterTuple([Parameter(Tensor([1.0]), name="a"), Parameter(Tensor([2.0]), name="b")]))
    2
    """

    def __new__(cls, iterable):
        data = tuple(iterable)
        seen: dict[str, Any] = {}
        for item in data:
            if not isinstance(item, Parameter):
                raise TypeError(f"For 'ParameterTuple', each element must be a Parameter, but got {type(item).__name__}.")
            if seen.setdefault(item.name, item) is not item and item.name != PARAMETER_NAME_DEFAULT:
                raise ValueError(
                    f"For 'ParameterTuple', two parameters are named '{item.name}'. Give each Parameter its own name."
                )
        return tuple.__new__(cls, data)

    def clone(self, prefix: str, init="same") -> ParameterTuple:
        """Copies of all parameters, each name led by `prefix` and a dot."""
        if not isinstance(prefix, str):
            raise TypeError(f"For 'ParameterTuple.clone', 'prefix' must be a str, but got {type(prefix).__name__}.")
        copies = []
        for parameter in self:
            copied = parameter.clone(init)
            copied.name = f"{prefix}.{parameter.name}" if prefix else parameter.name
            copies.append(copied)
        return ParameterTuple(copies)


