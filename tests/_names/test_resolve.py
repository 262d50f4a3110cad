"""Names that are not served tell the way out."""

import pytest

import ms_compat as ms
from ms_compat import ops


@pytest.mark.parametrize(
    ("use", "text"),
    [
        (lambda: ops.GetNext([ms.int32], [()], 1, "queue"), "create_tuple_iterator"),
        (lambda: ms.nn.GetNextSingleOp([ms.int32], [()], "queue"), "create_tuple_iterator"),
        (lambda: ops.Merge()((1, 2)), "ops.cond"),
        (lambda: ops.J(lambda x: x), "ops.vjp"),
        (lambda: ops.Primitive("x").set_hook_fn(print, 1), "InsertGradientOf"),
    ],
)
def test_the_way_out_is_told(use, text):
    with pytest.raises(ms.UnsupportedError, match=text):
        use()
