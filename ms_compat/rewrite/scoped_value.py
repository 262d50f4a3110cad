"""Values in statements: names, constants, and tuples of them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any

from ms_compat._core.errors import check_type, type_error


class ValueType(Enum):
    """What a ScopedValue is: a constant, a container of ScopedValues, a name, an object, or other source text.

    >>> from ms_compat.rewrite import ValueType
    >>> ValueType.NamingValue.value
    40
    """

    ConstantValue = 0
    TupleValue = 20
    ListValue = 21
    DictValue = 22
    NamingValue = 40
    CustomObjValue = 41
    UnsupportedValue = 50


class ScopedValue:
    """A value that a statement reads or writes.

    Args:
        arg_type (ValueType): what it is.
        scope (str): what stands before the dot of a name: "self" in `self.conv`.
        value: the name, the constant, the ScopedValues in a container, or the object.

    Raises:
        TypeError: `arg_type` is not a ValueType, or `scope` not a str.

    >>> from ms_compat.rewrite import ScopedValue, ValueType
    >>> print(ScopedValue(ValueType.NamingValue, "self", "conv"))
    self.conv
    """

    def __init__(self, arg_type: ValueType, scope: str = "", value: Any = None):
        self.type = check_type("ScopedValue", "arg_type", arg_type, ValueType)
        self.scope = check_type("ScopedValue", "scope", scope, str)
        self.value = value

    @classmethod
    def create_variable_value(cls, value: Any) -> ScopedValue:
        """Returns the ScopedValue of a Python value: None, a number, a str, a container of these, or an object.

        >>> from ms_compat.rewrite import ScopedValue
        >>> print(ScopedValue.create_variable_value(2))
        2
        """
        if value is None or isinstance(value, (int, float, str)):
            return cls(ValueType.ConstantValue, "", value)
        if isinstance(value, (tuple, list)):
            kind = ValueType.TupleValue if isinstance(value, tuple) else ValueType.ListValue
            return cls(kind, "", type(value)([cls.create_variable_value(item) for item in value]))
        if isinstance(value, dict):
            items = {cls.create_variable_value(k): cls.create_variable_value(v) for k, v in value.items()}
            return cls(ValueType.DictValue, "", items)
        return cls(ValueType.CustomObjValue, "", value)

    @classmethod
    def create_naming_value(cls, name: str, scope: str = "") -> ScopedValue:
        """Returns the ScopedValue of a name.

        Raises:
            TypeError: `name` or `scope` is not a str.

        >>> from ms_compat.rewrite import ScopedValue
        >>> print(ScopedValue.create_naming_value("conv", "self"))
        self.conv
        """
        check_type("ScopedValue", "name", name, str)
        return cls(ValueType.NamingValue, scope, name)

    @staticmethod
    def create_name_values(names: Sequence[str], scopes: Sequence[str] | None = None) -> list[ScopedValue]:
        """Returns a list of ScopedValues for names.

        Raises:
            TypeError: `names` or `scopes` is not a list or tuple of str.
            ValueError: there are more names than scopes, or fewer.

        >>> from ms_compat.rewrite import ScopedValue
        >>> print(ScopedValue.create_name_values(names=["z", "z_1"], scopes=["self", "self"]))
        [self.z, self.z_1]
        """
        check_each("ScopedValue", "names", names, str)
        if scopes is None:
            scopes = [""] * len(names)
        check_each("ScopedValue", "scopes", scopes, str)
        if len(scopes) != len(names):
            raise ValueError(
                f"For 'ScopedValue', 'names' and 'scopes' must have the same length, but got {len(names)} and "
                f"{len(scopes)}."
            )
        return [ScopedValue.create_naming_value(name, scope) for name, scope in zip(names, scopes, strict=True)]

    def __str__(self) -> str:
        if self.type is ValueType.ConstantValue:
            return str(self.value)
        if self.type is ValueType.NamingValue:
            return f"{self.scope}.{self.value}" if self.scope else str(self.value)
        if self.type is ValueType.CustomObjValue:
            return f"CustomObj: {self.value}"
        return f"Illegal ValueType: {self.type}"

    __repr__ = __str__

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, ScopedValue):
            return NotImplemented
        return (self.type, self.scope, self.value) == (other.type, other.scope, other.value)

    def __hash__(self) -> int:
        return hash((self.type, self.scope, str(self.value)))


def check_each(api: str, argument: str, values: Any, types: type | tuple[type, ...]) -> None:
    """Check the elements of a list or tuple.

    Raises:
        TypeError: it is not a list or tuple, or an element has another type.
    """
    check_type(api, argument, values, (list, tuple))
    wanted = types if isinstance(types, tuple) else (types,)
    for value in values:
        if not isinstance(value, wanted):
            raise type_error(api, argument, " or ".join(kind.__name__ for kind in wanted) + " throughout", value)
