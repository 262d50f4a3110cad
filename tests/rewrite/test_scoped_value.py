"""Values print and compare as MindSpore's."""

import pytest

from ms_compat.rewrite import ScopedValue, ValueType

VALUE = ScopedValue.create_variable_value


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (1, "ConstantValue", "1"),
        (True, "ConstantValue", "True"),
        (None, "ConstantValue", "None"),
        ("a", "ConstantValue", "a"),
        ((1, 2), "TupleValue", "Illegal ValueType: ValueType.TupleValue"),
        ([1], "ListValue", "Illegal ValueType: ValueType.ListValue"),
        ({"a": 1}, "DictValue", "Illegal ValueType: ValueType.DictValue"),
        (int, "CustomObjValue", "CustomObj: <class 'int'>"),
    ],
)
def test_a_value_knows_its_kind(value, kind, text):
    made = VALUE(value)
    assert made.type is ValueType[kind] and str(made) == repr(made) == text
    assert made == VALUE(value) and hash(made) == hash(VALUE(value)) and made != VALUE("other")


def test_names_have_scopes():
    names = ScopedValue.create_name_values(["a", "b"], ["self", ""])
    assert [str(name) for name in names] == ["self.a", "b"]
    assert names[0] == ScopedValue.create_naming_value("a", "self") != names[1]
