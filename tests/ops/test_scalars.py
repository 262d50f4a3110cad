"""Primitives of numbers, shapes, tuples, lists and dicts."""

import pytest

from ms_compat import ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_scalars_that_mindspore_cannot_call_by_themselves():
    assert ops.scalar_ne(1, 2) and ops.bool_and(True, True) and not ops.bool_or(False, False)
    assert ops.bool_eq(True, True) and ops.bool_not(False)
    assert ops.string_eq("a", "a") and ops.string_concat("a", "b") == "ab"
    assert ops.make_dict(("a",), (1,)) == {"a": 1} and ops.dict_setitem({"a": 1}, "b", 2) == {"a": 1, "b": 2}
    assert ops.SliceGetItem(slice(1, 2, 3), "stop") == 2
    assert repr(ops.scalar_add) == "Prim[scalar_add]"
    with pytest.raises(AttributeError, match="SliceGetItem"):
        ops.SliceGetItem(slice(1), "end")
