"""Values by Parameter: the environment in which MindSpore's compiler keeps gradients of Parameters.

Here it is an immutable mapping, in both modes. MindSpore 2.10 itself runs these primitives only in graphs that its
compiler makes.
"""

from __future__ import annotations

from typing import Any

from ms_compat._core.errors import check_type
from ms_compat._core.faces import table_faces
from ms_compat._core.tensor.parameter import Parameter
from ms_compat.ops._scalars import hyper_add
from ms_compat.ops.function.shape.create import zeros_like
from ms_compat.ops.primitive import Primitive

table_faces(__name__, "embed env_get environ_add environ_create environ_get environ_set ref_to_embed", "ops")


class SymbolicKey:
    """The key of a Parameter in an environment."""

    def __init__(self, parameter: Parameter) -> None:
        self.parameter = parameter

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SymbolicKey) and other.parameter is self.parameter

    def __hash__(self) -> int:
        return id(self.parameter)

    def __repr__(self) -> str:
        return f"SymbolicKey({self.parameter.name})"


class Environ:
    """Values by key; setting one makes another environment."""

    def __init__(self, values: dict[SymbolicKey, Any]) -> None:
        self.values = values

    def __repr__(self) -> str:
        return f"Environ({self.values})"


class _EnvironCreate(Primitive):
    """Makes an environment without values.

    >>> from ms_compat import ops
    >>> ops.environ_create()
    Environ({})
    """

    def __call__(self) -> Environ:
        return Environ({})


class _Embed(Primitive):
    """Makes the key of a Parameter.

    Raises:
        TypeError: the input is not a Parameter.
    """

    def __call__(self, parameter: Parameter) -> SymbolicKey:
        return SymbolicKey(check_type(self.name, "input", parameter, Parameter))


class _EnvironSet(Primitive):
    """Returns an environment with one value more.

    Raises:
        TypeError: no environment, or no key, is given.
    """

    def __call__(self, environ: Environ, key: SymbolicKey, value: Any) -> Environ:
        check_type(self.name, "env", environ, Environ)
        return Environ({**environ.values, check_type(self.name, "key", key, SymbolicKey): value})


class _EnvironGet(Primitive):
    """Returns the value of a key, or a default.

    Raises:
        TypeError: no environment, or no key, is given.
    """

    def __call__(self, environ: Environ, key: SymbolicKey, default: Any) -> Any:
        check_type(self.name, "env", environ, Environ)
        return environ.values.get(check_type(self.name, "key", key, SymbolicKey), default)


class _EnvironAdd(Primitive):
    """Joins two environments; values of the same key are added.

    Raises:
        TypeError: an input is not an environment.
    """

    def __call__(self, x: Environ, y: Environ) -> Environ:
        check_type(self.name, "x", x, Environ)
        check_type(self.name, "y", y, Environ)
        both = {key: hyper_add(x.values[key], y.values[key]) for key in x.values.keys() & y.values.keys()}
        return Environ({**x.values, **y.values, **both})


environ_create = _EnvironCreate("EnvironCreate")
environ_set = _EnvironSet("EnvironSet")
environ_get = _EnvironGet("EnvironGet")
environ_add = _EnvironAdd("EnvironAdd")
embed = _Embed("embed")
ref_to_embed = _Embed("RefToEmbed")


def env_get(environ: Environ, parameter: Parameter) -> Any:
    """The value of a Parameter in an environment, zeros of its shape without one.

    Args:
        environ: the environment.
        parameter (Parameter): the Parameter.

    Returns:
        The value.

    Raises:
        TypeError: an argument of another type.

    >>> import ms_compat as ms
    >>> from ms_compat import ops
    >>> weight = ms.Parameter(ms.Tensor([1.0, 2.0]), name="weight")
    >>> values = ops.environ_set(ops.environ_create(), ops.ref_to_embed(weight), ms.Tensor([3.0, 4.0]))
    >>> print(ops.env_get(ops.environ_add(values, values), weight), ops.env_get(ops.environ_create(), weight))
    [6. 8.] [0. 0.]
    """
    return environ_get(environ, ref_to_embed(parameter), zeros_like(parameter))
