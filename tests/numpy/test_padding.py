"""`mindspore.numpy.pad`."""

import numpy as np
import pytest

import ms_compat.numpy as mnp
from ms_compat import Tensor
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_pad_calls_a_function_for_every_vector():
    def edges(vector, widths, axis, kwargs):
        vector[: widths[0]] = kwargs["value"] + axis
        vector[-widths[1] :] = kwargs["value"] + axis
        return vector

    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    ours = mnp.pad(Tensor(x), ((1, 2), (3, 1)), mode=edges, value=9)
    assert np.array_equal(ours.asnumpy(), np.pad(x, ((1, 2), (3, 1)), mode=edges, value=9))


def test_negative_widths_of_pad():
    x = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    for mode in ("constant", "reflect", "symmetric", "linear_ramp", "empty"):
        assert mnp.pad(x, -1, mode=mode).asnumpy().tolist() == x.asnumpy().tolist()
    assert mnp.pad(x, (1, -1), mode="reflect").asnumpy().tolist() == [[5, 4, 5, 6], [2, 1, 2, 3], [5, 4, 5, 6]]
    assert mnp.pad(x, ((-1, 1), (0, 0)), mode="wrap").asnumpy().tolist() == [[4, 5, 6], [1, 2, 3]]
    assert mnp.pad(x, (-1, 0), mode="wrap").asnumpy().tolist() == [[5, 6]]
    for mode in ("edge", "mean", "maximum", "minimum"):
        with pytest.raises(ValueError):
            mnp.pad(x, -1, mode=mode)
