"""What assigning, reading and deleting an attribute of a Cell means.

A Parameter, a Cell or a buffer becomes a member; a Tensor assigned to a Parameter's name replaces the Parameter's
value in place; everything else is a plain attribute. Inside a trace a plain attribute that gets a Tensor becomes state
of the compiled function (`AttributeSlot`), and the value of one that gets something else becomes part of the
function's key.
"""

from __future__ import annotations

from typing import Any

import jax
import numpy as np

from ms_compat._core.errors import NotTraceableError, attribute_error, check_type
from ms_compat._core.faces import faces
from ms_compat._core.homes import is_of_the_package
from ms_compat._core.tensor import Tensor, no_init
from ms_compat._core.tensor.parameter import PARAMETER_NAME_DEFAULT, Parameter, ParameterTuple
from ms_compat._core.trace import scopes, write_barrier
from ms_compat._names import habits
from ms_compat.nn._cell.members import AttributeSlot
from ms_compat.nn._cell.mindspore_attributes import mindspore_attribute

# plain attributes whose change a compiled function must notice
WATCHED = frozenset(("training", "requires_grad"))
# methods of ours that MindSpore's Cell does not have by now, or never had: members may be called so
_FREE = frozenset("auto_cast_inputs cast_param flatten_weights infer_param_pipeline_stage place set_param_ps".split())
_MISSING = object()


@faces("nn")
class Buffer(Tensor):
    """A Tensor that a Cell keeps as a buffer when it is assigned to an attribute.

    Args:
        data: a Tensor, or what makes one.
        persistent: whether `state_dict` holds it.

    >>> from ms_compat import Tensor, nn
    >>> cell = nn.Cell()
    >>> cell.scale = nn.Buffer(Tensor([2.0]))
    >>> [name for name, _ in cell.named_buffers()]
    ['scale']
    """

    persistent = True

    def __init__(self, data=None, *, persistent: bool = True):
        super().__init__(data)
        self.persistent = persistent


def has_default_name(parameter: Parameter) -> bool:
    """Whether a Parameter was made without a name."""
    return parameter.name.partition("#")[0] == PARAMETER_NAME_DEFAULT


def _exists(kind: str, name: str, what: str) -> KeyError:
    return KeyError(
        f"For '{kind}', the {name} {what} already exists in the network. "
        f"Cannot insert another {what} with the same name."
    )


def assign_parameter(parameter: Parameter, value: Any, api: str) -> None:
    """Replace a Parameter's value in place by a Tensor; under a trace dtype kind and shape must fit, as in MindSpore.

    As there, no gradient flows through the assignment, and the Parameter stays a variable (`write_barrier.overwrite`).
    """
    target = parameter._v
    if isinstance(value, Tensor) and value.has_init:
        value = no_init.filled(value)
    array = value._v if isinstance(value, Tensor) else np.asarray(value)
    if scopes.tracing and scopes.current_scope() is not None:
        if not isinstance(value, Tensor):
            array = jax.numpy.full(target.shape, value, target.dtype)
        if array.shape != target.shape:
            raise ValueError(
                f"For '{api}', the value assigned to the Parameter '{parameter.name}' must have its shape "
                f"{target.shape}, but got {array.shape}."
            )
        if array.dtype != target.dtype and array.dtype.kind in "fVc" and target.dtype.kind in "iub":
            raise TypeError(
                f"For '{api}', data of dtype {value.dtype} cannot be assigned to the Parameter '{parameter.name}' of "
                f"dtype {parameter.dtype}."
            )
    if array.dtype != target.dtype:
        array = jax.lax.convert_element_type(array, target.dtype)
    if (parameter._views is not None or parameter._alias is not None) and not scopes.tracing:
        for twin in parameter._leave_views():
            write_barrier.overwrite(twin, array)
    write_barrier.overwrite(parameter, array)


class Attributes:
    """Attribute access and insertion of members."""

    def __setattr__(self, name: str, value: Any) -> None:
        # The old and the new value of a name decide: there is a case for each pair that MindSpore knows. Every
        # assignment to a Cell runs this, so that the plain ones reach the last line after a few tests.
        attributes = self.__dict__
        params = attributes.get("_params")
        if isinstance(value, Tensor):
            if isinstance(value, Parameter):
                self._set_parameter(name, value)
                return
            if params is not None:
                if name in params:
                    self._set_parameter_value(name, value)
                    return
                self._set_tensor(name, value)
                return
        elif params is not None:
            if isinstance(value, Attributes):
                self._set_cell(name, value)
                return
            if name in params:
                self._set_over_parameter(name, value)
                return
            if name in attributes["_cells"]:
                self._set_over_cell(name, value)
                return
            if name in attributes["_buffers"]:
                if value is not None:
                    raise self._buffer_type_error(name, value)
                attributes["_buffers"][name] = None
                return
            if isinstance(value, (list, tuple)) and value and isinstance(value[0], Parameter):
                self._note_parameters(name, value)
            if name in WATCHED:
                if attributes.get(name, _MISSING) is not value:
                    scopes.structure_version += 1
                    attributes[name] = value
                    self._refresh_plain()
            elif scopes.tracing and scopes.current_scope() is not None:
                if not self._set_traced(name, value):
                    return
            elif name in attributes.get("_traced_names", ()):
                scopes.structure_version += 1
        elif isinstance(value, Attributes):
            raise AttributeError(
                f"The '{type(self).__name__}' object has no attribute '_cells': call super().__init__() before "
                "the child "
                f"cell '{name}' is assigned."
            )
        object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        for kind in ("_params", "_buffers", "_cells"):  # attributes, too, but programs call `__getattr__` itself
            if name in self.__dict__.get(kind, ()):
                return self.__dict__[kind][name]
        if not name.startswith("__"):
            value = mindspore_attribute(self, name, _MISSING)
            if value is not _MISSING:
                self.__dict__[name] = value
                return value
        text = f"The '{type(self).__name__}' object has no attribute '{name}'"
        if name in habits.CELL:
            raise attribute_error(f"{text}. {habits.CELL[name]}", name)
        raise AttributeError(text, name=name, obj=self)  # Python guesses among the Cell's names where it is shown

    def _is_taken(self, name: str) -> bool:
        """Whether an attribute prevents a member of this name; names that we only reserve for subclasses do not."""
        if name in self.__dict__:
            return True
        owner = next((kind for kind in type(self).__mro__ if name in vars(kind)), None)
        return owner is not None and not (name in _FREE and is_of_the_package(owner.__module__))

    def __delattr__(self, name: str) -> None:
        attributes = self.__dict__
        for kind in ("_params", "_cells", "_buffers"):
            if name in attributes.get(kind, ()):
                del attributes[kind][name]
                return
        object.__delattr__(self, name)

    # -- parameters --------------------------------------------------------------------------------------------------
    def _set_parameter(self, name: str, value: Parameter) -> None:
        attributes = self.__dict__
        params = attributes.get("_params")
        if params is None:
            raise AttributeError(
                "For 'insert_param_to_cell', please call Cell.__init__() firstly: the Parameter "
                f"'{name}' of '{type(self).__name__}' is assigned before super().__init__()."
            )
        if params.get(name) is value:
            return
        if name not in params and name not in attributes["_cells"] and name not in attributes["_buffers"]:
            attributes.pop(name, None)
        self.insert_param_to_cell(name, value)

    def _set_parameter_value(self, name: str, value: Tensor) -> None:
        parameter = self._params[name]
        if parameter is None:
            raise AttributeError(
                f"For '{type(self).__name__}', the Parameter '{name}' was set to None; assign a Parameter to it, "
                "not a Tensor."
            )
        assign_parameter(parameter, value, type(self).__name__)
        if self.__dict__[name] is not parameter:  # shown in another precision by `to_float`
            self.__dict__[name] = value

    def _set_over_parameter(self, name: str, value: Any) -> None:
        parameter = self._params[name]
        if value is None:
            self._params[name] = None
        elif isinstance(value, (list, tuple)):
            self._note_parameters(name, value)
            self.__dict__[name] = value
        elif isinstance(value, (bool, int, float)) and scopes.tracing and scopes.current_scope() is not None:
            assign_parameter(parameter, value, type(self).__name__)
        else:
            raise TypeError(
                f"Parameter '{name}' already exists in network, can not assign this type: '{type(value)}' as a "
                "parameter."
            )

    def _note_parameters(self, name: str, value: list | tuple) -> None:
        """Parameters in a list or tuple: names must differ; a ParameterTuple's become members under their own names."""
        if isinstance(value, ParameterTuple):
            for parameter in value:
                if has_default_name(parameter):
                    count = self.__dict__.get("_unnamed", 0) + 1
                    self.__dict__["_unnamed"] = count
                    parameter.name = f"{PARAMETER_NAME_DEFAULT}${count}"
                # also a child's, which then precedes the children's others in the order
                self.insert_param_to_cell(parameter.name, parameter, check_name_contain_dot=False)
            return
        if not all(isinstance(parameter, Parameter) for parameter in value):
            return
        known = self.__dict__.setdefault("_exist_names", set())
        noted = self.__dict__.setdefault("_exist_objs", set())
        for parameter in value:
            if id(parameter) in noted:
                continue
            noted.add(id(parameter))
            if parameter.name in known:
                raise ValueError(
                    f"The value {value} , its name '{parameter.name}' already exists. "
                    "Please set a unique name for the parameter."
                )
            known.add(parameter.name)

    def insert_param_to_cell(self, param_name, param, check_name_contain_dot=True) -> None:
        """Add a Parameter as a member.

        Args:
            param_name: the attribute; also the Parameter's name if it has none.
            param: the Parameter, or None for a member without value.
            check_name_contain_dot: whether a dot in the name is refused.

        Raises:
            KeyError: the name is empty, has a dot, or belongs to another attribute.
            TypeError: `param` is neither a Parameter nor None.

        >>> from ms_compat import Parameter, Tensor, nn
        >>> net = nn.Cell()
        >>> net.insert_param_to_cell("scale", Parameter(Tensor([2.0]), name="scale"))
        >>> [p.name for p in net.get_parameters()]
        ['scale']
        """
        check_type("insert_param_to_cell", "param_name", param_name, str)
        if not param_name:
            raise KeyError("For 'insert_param_to_cell', the argument 'param_name' should not be None.")
        if check_name_contain_dot and "." in param_name:
            raise KeyError("For 'insert_param_to_cell', the argument 'param_name' should not contain '.'.")
        if "_params" not in self.__dict__:
            raise AttributeError("For 'insert_param_to_cell', please call Cell.__init__() firstly.")
        if param_name not in self._params and self._is_taken(param_name):
            raise _exists("insert_param_to_cell", param_name, "parameter")
        if param is not None:
            if not isinstance(param, Parameter):
                raise TypeError(
                    "For 'insert_param_to_cell', the argument 'param' must be 'Parameter' if not None, but got "
                    f"{type(param)}."
                )
            if has_default_name(param):
                param.name = param_name
        self._params[param_name] = param

    # -- cells -------------------------------------------------------------------------------------------------------
    def _set_cell(self, name: str, value: Any) -> None:
        attributes = self.__dict__
        if name in attributes["_params"] or name in attributes["_buffers"]:
            raise _exists("insert_child_to_cell", name, "child cell")
        if scopes.tracing and (scope := scopes.current_scope()) is not None:
            if scope.has_created_cell(value) and not scope.has_created_cell(self):
                raise NotTraceableError(
                    f"'{type(self).__name__}' makes a Cell in compiled code, '{type(value).__name__}', and keeps it as "
                    f"'{name}'. Make it in '__init__'."
                )
        if name not in attributes["_cells"]:
            attributes.pop(name, None)
            if self._is_taken(name):
                raise _exists("insert_child_to_cell", name, "child cell")
        if attributes["_auto_prefix"]:
            value.update_parameters_name(name + ".")
        attributes["_cells"][name] = value

    def _set_over_cell(self, name: str, value: Any) -> None:
        if value is not None:
            raise TypeError(
                f"Sub cell '{name}' already exists in network, can not assign this type: '{type(value)}' as a cell."
            )
        self._cells[name] = None

    def insert_child_to_cell(self, child_name, child_cell) -> None:
        """Add a child Cell as a member, without touching its parameters' names.

        Args:
            child_name: the attribute.
            child_cell: the Cell, or None.

        Raises:
            KeyError: the name is empty, has a dot, or belongs to another attribute.
            TypeError: the name is not a str, or `child_cell` is neither a Cell nor None.

        >>> from ms_compat import nn
        >>> net = nn.Cell()
        >>> net.insert_child_to_cell("act", nn.ReLU())
        >>> net.act
        ReLU()
        """
        if not isinstance(child_name, str):
            raise TypeError(
                "For 'insert_child_to_cell', the type of parameter 'child_name' must be str, but got "
                f"{type(child_name)}."
            )
        if not child_name or "." in child_name:
            raise KeyError(
                "For 'insert_child_to_cell', the parameter 'child_name' can not be None and can not contain '.', "
                "but got "
                f"{child_name!r}."
            )
        if child_name not in self._cells and self._is_taken(child_name):
            raise _exists("insert_child_to_cell", child_name, "child cell")
        if child_cell is not None and not isinstance(child_cell, Attributes):
            raise TypeError(
                "For 'insert_child_to_cell', the argument 'child_cell' must be 'Cell' if not None, but got type "
                f"{type(child_cell)}."
            )
        self._cells[child_name] = child_cell

    # -- buffers and plain attributes --------------------------------------------------------------------------------
    def _buffer_type_error(self, name: str, value: Any) -> TypeError:
        return TypeError(
            f"Buffer '{name}' already exists in network, can not assign this type: '{type(value)}' as a buffer."
        )

    def _set_tensor(self, name: str, value: Tensor) -> None:
        attributes = self.__dict__
        if name in attributes["_cells"]:
            self._set_over_cell(name, value)
        if isinstance(value, Buffer):
            self.register_buffer(name, value, value.persistent)
            return
        if name in attributes["_buffers"]:
            if attributes["_buffers"][name] is value:
                return
            raise self._buffer_type_error(name, value)
        scope = scopes.current_scope() if scopes.tracing else None
        if scope is None or scope.has_created_cell(self):
            object.__setattr__(self, name, value)
            return
        slots = attributes.setdefault("_slots", {})
        if name not in slots and attributes.get(name) is value:
            return  # as `self.x += y` does, which has written into the Tensor
        scope.note_assignment(name, name in attributes)
        if name not in slots:
            slots[name] = AttributeSlot(attributes, name)
            scopes.structure_version += 1
        if not isinstance(attributes.get(name), Tensor):
            scopes.structure_version += 1
        slots[name].write(value, scope)

    def _set_traced(self, name: str, value: Any) -> bool:
        """A plain value assigned inside a trace: from now on its value at the start of a call is part of the key.

        Returns whether there is anything to assign.
        """
        attributes = self.__dict__
        before = attributes.get(name, scopes.ABSENT)
        if before is value:
            return False
        scope = scopes.current_scope()
        if scope.has_created_cell(self):
            return True
        scope.note_attribute(attributes, name, before, value)
        scope.note_assignment(name, before is not scopes.ABSENT)
        names = attributes.setdefault("_traced_names", set())
        if name not in names:
            names.add(name)
            scopes.structure_version += 1
        return True

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Add a buffer: a Tensor that is state of the Cell and not trained.

        Args:
            name: the attribute.
            tensor: its value, or None for a buffer that `state_dict` leaves out.
            persistent: whether `state_dict` holds it.

        Raises:
            TypeError: `name` is not a str, or `tensor` not a Tensor.
            KeyError: the name is empty, has a dot, or belongs to another attribute.

        >>> from ms_compat import Tensor, nn
        >>> cell = nn.Cell()
        >>> cell.register_buffer("scale", Tensor([2.0]))
        >>> list(cell.state_dict())
        ['scale']
        """
        if "_buffers" not in self.__dict__:
            raise AttributeError("cannot assign buffer before Cell.__init__() call")
        if not isinstance(name, str):
            raise TypeError(f"buffer name should be a string. But got this type: {type(name)}")
        if "." in name:
            raise KeyError('buffer name can\'t contain "."')
        if not name:
            raise KeyError('buffer name can\'t be empty string ""')
        if name not in self._buffers and self._is_taken(name):
            raise KeyError(f"attribute '{name}' already exists")
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"cannot assign '{type(tensor)}' object to buffer '{name}' (mindspore Tensor or None required)"
            )
        self._buffers[name] = tensor
        hidden = self.__dict__.setdefault("_non_persistent", set())
        if persistent:
            hidden.discard(name)
        else:
            hidden.add(name)
