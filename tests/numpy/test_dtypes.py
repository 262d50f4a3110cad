"""The dtypes of results of two operands, as MindSpore gives them; a 0-d Tensor counts in some functions only."""

import json

import numpy as np
import pytest

from tests.conformance import replay

DTYPES = "bool uint8 int8 int32 int64 float16 float32 float64".split()
SHAPES = [((), (2,)), ((2,), ()), ((2,), (2,))]
FUNCTIONS = "add arctan2 divide dot inner maximum multiply power".split()


@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_result_has_mindspores_dtype(function):
    from ms_compat import Tensor
    from ms_compat import numpy as mnp

    found = json.loads((replay.DATA / "numpy_dtypes.json").read_text(encoding="utf-8"))["found"][function]
    compared = 0
    for (s, t), table in zip(SHAPES, found, strict=True):
        for a, row in zip(DTYPES, table, strict=True):
            for b, wanted in zip(DTYPES, row, strict=True):
                if wanted is None:
                    continue
                first, second = Tensor(np.full(s, 2).astype(a)), Tensor(np.full(t, 2).astype(b))
                assert str(getattr(mnp, function)(first, second).dtype) == wanted, (s, a, t, b)
                compared += 1
    assert compared >= 100
