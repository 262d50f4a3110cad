"""The module of overloaded functions."""

from ms_compat import Tensor, mint, ops


def test_overloads_are_those_of_mint():
    x = Tensor([[True, False], [True, True]])
    assert ops.functional_overload.any(x, dim=1).asnumpy().tolist() == [True, True]
    assert ops.functional_overload.max is mint.max and ops.functional_overload.clip is mint.clip
    for name in dir(ops.functional_overload):
        assert callable(getattr(ops.functional_overload, name)) or name.startswith(("_", "annotations"))
