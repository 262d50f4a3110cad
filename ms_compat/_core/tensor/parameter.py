"""`Parameter` and `ParameterTuple`: tensors with a name that belong to a Cell.

A Parameter is a Tensor whose value is replaced in place: by an optimizer, by `set_data`, or inside `construct`.
Compiled functions read and write it as state. As a pytree it is its array alone; the name is not part of the tree's
structure, because five equal parameters with five names would be five traces.
"""

from __future__ import annotations

import itertools
import re
import weakref
from collections.abc import Callable
from typing import Any, ClassVar

import jax
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.compiled.nodes import Leaf
from ms_compat._core.errors import check_bool
from ms_compat._core.jax_compat import Tracer
from ms_compat._core.no_op_arguments import no_effect
from ms_compat._core.settings.memory_limits import values_of
from ms_compat._core.tensor import Tensor, _converted, _detached, _new, abstract, no_init, to_device, wrap
from ms_compat._core.tensor.parameter_info import ParamInfo
from ms_compat._core.trace import concurrency, scopes, write_barrier

PARAMETER_NAME_DEFAULT = "Parameter"
_PREFIX = re.compile(r"\w+[0-9a-zA-Z_.]*", re.ASCII)  # what ParameterTuple.clone takes


_count = itertools.count()


def _flag(name: str, default: bool, doc: str, notify: bool = False) -> property:
    """A property of a Parameter that takes bools only."""
    attribute = f"_{name}"

    def read(self) -> bool:
        return self.__dict__.get(attribute, default)

    def write(self, value: bool) -> None:
        check_bool("Parameter", name, value)
        self.__dict__[attribute] = value
        if notify:
            scopes.structure_version += 1

    return property(read, write, doc=doc)


class Parameter(Tensor):
    """A named, trainable Tensor.

    Args:
        default_input: Tensor, number, list, numpy array, or an `initializer(...)`.
        name: its name. Without one it is "Parameter#" and a number until a Cell gets it as an attribute, whose name it
            takes then.
        requires_grad: whether `trainable_params` lists it.
        layerwise_parallel, parallel_optimizer, storage_format: accepted for MindSpore's parallel modes.
        device: see Tensor.

    Raises:
        TypeError: `default_input` or a flag has the wrong type.
        ValueError: the name is not a str or longer than 1024 characters; `default_input` is a bool.

    >>> from ms_compat import Parameter, Tensor
    >>> Parameter(Tensor([1.0]), name="w").name
    'w'
    """

    requires_grad = _flag("requires_grad", True, "Whether `trainable_params` lists it.", notify=True)
    layerwise_parallel = _flag("layerwise_parallel", False, "Accepted for MindSpore's parallel modes.")
    parallel_optimizer = _flag("parallel_optimizer", True, "Accepted for MindSpore's parallel modes.")
    is_param_ps = _flag("is_param_ps", False, "Whether optimizers average the gradient over workers.", notify=True)
    init_in_server = _flag("init_in_server", False, "Whether MindSpore's server would fill it.")
    set_param_ps: ClassVar[Callable[..., None]]  # _tensor/runtime_state.py
    _printed = "mindspore.common.parameter.Parameter"
    _is_parameter = True
    _leave_views: ClassVar[
        Callable[[Parameter], list[Tensor]]
    ]  # index/views.py; these two are given to the class from above
    _initial: ClassVar[Callable[[Parameter, Any], Tensor]]  # _tensor/methods.py
    cache_enable = False
    is_in_parallel = False
    is_pipeline_shared_param = False
    is_init = False  # type: ignore[assignment]  # MindSpore's flags that hide methods
    init_mode = None
    unique = False  # type: ignore[assignment]
    key = -1
    _comm_fusion = 1
    _name = PARAMETER_NAME_DEFAULT

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
        # Each kind of data has a way of its own here, and a flag is kept only where it is not what the class says.
        if isinstance(default_input, Tensor):
            if default_input.has_init:
                default_input = no_init.filled(default_input)
            self._v = default_input._v
            if default_input.param_info is None:
                self._take_gradient(default_input, name is None and requires_grad is True)
        elif isinstance(default_input, (bool, np.bool_)):
            raise ValueError("For 'Parameter', the argument 'default_input' cannot be a bool; give Tensor(value).")
        elif isinstance(default_input, (int, float)):
            # MindSpore's initializer for numbers makes 32-bit ones
            Tensor.__init__(self, default_input, mstype.int32 if isinstance(default_input, int) else mstype.float32)
        elif isinstance(default_input, (list, np.ndarray, np.generic, jax.Array)):
            Tensor.__init__(self, default_input, device=device)
        else:
            raise TypeError(
                "For 'Parameter', the argument 'default_input' must be a Tensor, number, list or numpy.ndarray, but "
                f"got {type(default_input).__name__}."
            )
        self.name = name
        if storage_format:
            no_effect("Parameter", "XLA chooses layouts", storage_format=storage_format)
        if requires_grad is not True:
            self.requires_grad = requires_grad
        if layerwise_parallel is not False:
            self.layerwise_parallel = layerwise_parallel
        if parallel_optimizer is not True:
            self.parallel_optimizer = parallel_optimizer

    def _take_gradient(self, given: Tensor, is_plain: bool) -> None:
        """Pass the gradient on to a computed Tensor that this was made of; a variable or a named copy gets none."""
        scope = scopes.current_scope() if scopes.tracing else None
        if scope is not None:
            scope.created[id(self)] = self
            if isinstance(self._v, Tracer) and not (is_plain and id(given) in scope.created):
                self._v = jax.lax.stop_gradient(self._v)
        elif is_plain and not isinstance(given._node, Leaf):
            self._node = given._node

    # -- identity ----------------------------------------------------------------------------------------------------
    @property
    def name(self) -> str:
        """The name; unique within a Cell."""
        return self._name

    @name.setter
    def name(self, value: str | None) -> None:
        if value is None:
            value = ""
        elif not isinstance(value, str):
            raise ValueError(f"For 'Parameter', the argument 'name' must be a str, but got {type(value).__name__}.")
        if len(value) > 1024:
            raise ValueError(f"For 'Parameter', 'name' must have at most 1024 characters, but got {value!r:.80}.")
        self._name = value if value.strip() else f"{PARAMETER_NAME_DEFAULT}#{next(_count)}"

    @property
    def comm_fusion(self) -> int:
        """The number of the group that MindSpore's communication is fused in; accepted."""
        return self._comm_fusion

    @comm_fusion.setter
    def comm_fusion(self, value: int) -> None:
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise ValueError(f"For 'Parameter', 'comm_fusion' must be an int of 0 or more, but got {value!r:.80}.")
        self._comm_fusion = value

    @property
    def param_info(self) -> ParamInfo:
        """The Parameter's facts as an object; another's facts are taken over, but for what two Parameters share."""
        info = self.__dict__.get("_param_info")
        if info is None:
            info = self.__dict__["_param_info"] = ParamInfo()._belongs_to(self)
            info.parameter_shape = list(self.shape)
        return info

    @param_info.setter
    def param_info(self, info: ParamInfo) -> None:
        if not isinstance(info, ParamInfo):
            raise AttributeError(f"For 'Parameter', 'param_info' must be a ParamInfo, but got {type(info).__name__}.")
        if self.param_info is not info:
            self.param_info._leave()
            self.__dict__["_param_info"] = info._give_to(self)

    @property
    def sliced(self) -> Any:
        """Whether the data is already one device's slice; kept as it is set, since JAX's arrays are global."""
        return getattr(self, "_sliced", False)

    @sliced.setter
    def sliced(self, value: Any) -> None:
        self._sliced = value

    @property
    def inited_param(self) -> None:
        """The filled parameter of one made by an initializer; it is filled at once here."""
        return None

    def value(self) -> Tensor:
        """A Tensor of the present value, which later changes of the Parameter do not touch."""
        out = wrap(concurrency.held_value(self))
        out._node = self._node
        return out

    # -- change ------------------------------------------------------------------------------------------------------
    def set_data(self, data, slice_shape: bool = False) -> Parameter:
        """Replace the value; its dtype is cast to the Parameter's, its shape may be another.

        The Parameter no longer shares storage with its views; nor, unlike in MindSpore, with `data`. Other objects for
        the Parameter, such as `weight.float()` of Float32, have the new value, too.

        Args:
            data: Tensor, number, or initializer.
            slice_shape: MindSpore's permission for another shape, which is not needed.

        Raises:
            TypeError: `data` is none of these, or a float for a Parameter of integers.
        """
        if not isinstance(data, (Tensor, int, float)):
            raise TypeError(
                "For 'Parameter.set_data', the argument 'data' must be a Tensor or a number, but got "
                f"{type(data).__name__}."
            )
        if not isinstance(data, Tensor):
            if isinstance(data, float) and self._v.dtype.kind in "iu":
                raise TypeError(f"For 'Parameter.set_data', a float cannot be converted to {self.dtype}, got {data}.")
            data = Tensor(data)
        elif data.has_init:
            data = no_init.filled_now(data)
        value = data._v
        if value.dtype != self._v.dtype:
            value = _converted(value, self._v.dtype)
        if (self._views is not None or self._alias is not None) and not scopes.tracing:
            for twin in self._leave_views():
                write_barrier.overwrite(twin, value)
        self._rebind(value)
        return self

    # MindSpore's Parameter takes other arguments here than its Tensor.
    def init_data(self, layout=None, set_sliced: bool = False) -> Parameter:  # type: ignore[override]
        """Fill a Parameter that was made by an initializer. It is filled from the start here, so this returns it."""
        no_effect(
            "Parameter.init_data", "a sharding says how an array is distributed", layout=layout, set_sliced=set_sliced
        )
        return self

    def clone(self, init="same") -> Parameter:
        """A copy with the same name and flags.

        Args:
            init: "same" copies the value; an initializer, its name, a Tensor or a number fills the copy.

        Raises:
            ValueError: `init` is an unknown initializer's name.
        """
        copied = _new(Parameter)
        copied.__dict__.update(_detached(self))
        if isinstance(init, str) and init == "same":
            return copied
        if isinstance(init, Tensor) and not init.has_init:
            return copied.set_data(init)
        if isinstance(init, str) and init in ("zeros", "ones"):
            copied._v = abstract.full_like(self._v, 0 if init == "zeros" else 1)
            return copied
        copied._v = self._initial(init)._v
        return copied

    def __copy__(self):
        copied = _new(Parameter)
        copied.__dict__.update(_detached(self))
        return copied

    def __deepcopy__(self, memo):
        copied = self.__copy__()
        memo[id(self)] = copied
        return copied

    def __reduce__(self):
        array = values_of(self)
        return (_unpickle, (array.tobytes(), self.dtype._label, array.shape, self.name, self.requires_grad))

    def __repr__(self) -> str:
        if self.init is None and not hasattr(self._v, "dtype"):  # what jax.tree.map put in the array's place
            return f"Parameter ({self._v!r})"
        return (
            f"Parameter (name={self.name}, shape={self.shape}, dtype={self.dtype}, requires_grad={self.requires_grad})"
        )

    def __str__(self) -> str:
        return repr(self)


def _unpickle(data: bytes, label: str, shape, name: str, requires_grad: bool) -> Parameter:
    array = np.frombuffer(data, mstype._by_label(label).np_dtype).reshape(shape)
    return Parameter(wrap(to_device(array)), name=name, requires_grad=requires_grad)


def _unflatten(aux, children) -> Any:  # subclasses register it too
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
                raise TypeError(
                    f"For 'ParameterTuple', each element must be a Parameter, but got {type(item).__name__}."
                )
            if seen.setdefault(item.name, item) is not item:
                raise ValueError(
                    f"For 'ParameterTuple', a Parameter cannot be added: its name '{item.name}' already exists. "
                    "Give each Parameter its own name."
                )
        return tuple.__new__(cls, data)

    def clone(self, prefix: str, init="same") -> ParameterTuple:
        """Copies of all parameters, each name led by `prefix` and a dot.

        Raises:
            TypeError: `prefix` is not a str.
            ValueError: `prefix` is empty, begins with a dot, or has characters other than letters, digits, '_' and '.'.
        """
        if not isinstance(prefix, str):
            raise TypeError(f"For 'ParameterTuple.clone', 'prefix' must be a str, but got {type(prefix).__name__}.")
        if not _PREFIX.fullmatch(prefix):
            raise ValueError(
                f"For 'ParameterTuple.clone', 'prefix' must consist of letters, digits, '_' and '.', and not begin "
                f"with a dot, but got {prefix!r}."
            )
        copies = []
        for parameter in self:
            copied = parameter.clone(init)
            copied.name = f"{prefix}.{parameter.name}"
            copied.__dict__["_cloned_from"] = weakref.ref(parameter)
            copies.append(copied)
        return ParameterTuple(copies)


def cloned_from(parameter: Parameter) -> Parameter | None:
    """The Parameter for which an optimizer keeps this one, or from which it made it; None where that is not known."""
    made_from = parameter.__dict__.get("_cloned_from")
    return None if made_from is None else made_from()
