"""Functions of `mint` whose arguments or dtypes differ from the operation's."""

import pytest

import ms_compat
from ms_compat import Tensor, mint
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


@pytest.mark.parametrize("name", ("max", "min"))
def test_extremes_along_no_dimension(name):
    extreme, x = getattr(ms_compat.mint, name), ms_compat.Tensor([[1.0, 2.0], [3.0, 4.0]])
    for arguments, options in (((), {"dim": None}), ((None, True), {}), ((), {"keepdim": True}), ((1, -1), {})):
        with pytest.raises(TypeError):
            extreme(x, *arguments, **options)
    assert extreme(x).shape == () and extreme(x, 2.5).shape == (2, 2) and extreme(x, 1, True)[0].shape == (2, 1)


def test_the_only_element():
    assert mint.item(Tensor([[2]])) == 2
    assert mint.item(Tensor(True)) is True
    with pytest.raises(RuntimeError, match="one element"):
        mint.item(Tensor([1, 2]))
    with pytest.raises(TypeError):
        mint.item(3)
