"""Random numbers of primitives, and dropout's mask as bits."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_dropout_in_two_parts():
    x = Tensor(np.ones((30, 50), np.float32))
    mask = ops.DropoutGenMask(1, 2)((30, 50), Tensor(0.75, ms.float32))
    assert mask.dtype is ms.uint8 and mask.shape == (192,)
    out = ops.DropoutDoMask()(x, mask, Tensor(0.75, ms.float32)).asnumpy()
    assert set(np.unique(out)) == {0, np.float32(1 / 0.75)} and abs(out.mean() - 1) < 0.05
    compiled = ms.jit(lambda x: ops.DropoutDoMask()(x, ops.DropoutGenMask()(x.shape, 0.75), 0.75))
    assert (compiled(x).asnumpy() != compiled(x).asnumpy()).any()
    with pytest.raises(ValueError, match="mask"):
        ops.DropoutDoMask()(x, mask[:16], 0.75)
